"""The same from an event loop."""

import asyncio
import os
import signal

from agentstategraph import AsyncStateGraph, MergeConflict, NotFound, StateGraph
from support import StoreCase


class Async(StoreCase):
    def test_calls_are_awaited_and_many_are_under_way_at_once(self):
        async def main():
            async with AsyncStateGraph(self.file) as sg:
                await asyncio.gather(*(sg.set(f"/n/{at}", at, f"Write {at}") for at in range(300)))
                self.assertEqual(await sg.get("/n"), {str(at): at for at in range(300)})
                self.assertEqual(len([commit async for commit in sg.log()]), 300)
                self.assertEqual(len(await sg.log(limit=7)), 7)
                with self.assertRaises(NotFound):
                    await sg.get("/nothing")
                async with sg.as_("agent/x").transaction("Both") as tx:
                    tx.set("/a", 1)
                    self.assertEqual(await tx.get("/a", int), 1)
                self.assertEqual(await sg.get("/nothing", default=7), 7)
                self.assertEqual(await sg.get("/a"), 1)
                self.assertEqual((await sg.blame("/a"))["agent"], "agent/x")
                with self.assertRaises(MergeConflict):
                    async with sg.transaction("Late") as tx:
                        tx.set("/a", 2)
                        await sg.set("/a", 3, "First")

        asyncio.run(main())
        with StateGraph(self.file) as sg:
            self.assertEqual(len(sg.log()), 302)

    def test_a_cancelled_call_leaves_the_client_usable(self):
        async def main():
            sg = await AsyncStateGraph()
            task = asyncio.create_task(sg.set("/a", 1, "Cancelled"))
            await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await sg.set("/b", 2, "After")
            self.assertEqual(await sg.get("/b"), 2)
            await sg.aclose()

        asyncio.run(main())

    def test_a_watch_goes_on_when_the_core_is_killed(self):
        async def main():
            async with AsyncStateGraph(self.file) as sg:
                await sg.set("/a", -1, "Begin")
                seen = []
                async with sg.watch("/a", after=0) as events:
                    async for event in events:
                        seen.append(event["commit"]["intent"]["description"])
                        if len(seen) == 6:
                            break
                        os.kill(sg._transport.child.pid, signal.SIGKILL)
                        await sg.set("/a", len(seen), f"Write {len(seen)}")
                self.assertEqual(seen, ["Begin", *(f"Write {at}" for at in range(1, 6))])

        asyncio.run(main())
