"""The same from an event loop."""

import asyncio
import os
import signal

from agentstategraph import AsyncStateGraph, MergeConflict, NotFound, StateGraph, UsageError
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

    def test_one_that_was_made_before_the_event_loop_is_opened_by_its_first_call(self):
        sg = AsyncStateGraph(self.file)

        async def main():
            await sg.set("/a", 1, "Begin")
            return await sg.get("/a")

        loop, other = asyncio.new_event_loop(), asyncio.new_event_loop()
        self.addCleanup(loop.close)
        self.addCleanup(other.close)
        self.assertEqual(loop.run_until_complete(main()), 1)
        with self.assertRaises(UsageError) as raised:
            other.run_until_complete(main())
        loop.run_until_complete(sg.aclose())
        self.assertEqual(raised.exception.code, "loop-foreign")

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
