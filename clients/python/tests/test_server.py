"""The same graph on a running server."""

import asyncio
import os
import subprocess
import threading

from agentstategraph import AsyncStateGraph, NotFound, StateError, StateGraph, Unauthenticated
from support import TESTS, StoreCase

TOKEN = "a-token-that-is-long-enough-for-a-server"


class Server(StoreCase):
    def setUp(self):
        super().setUp()
        program = os.path.join(TESTS, "serve.mjs")
        command = [os.environ["ASG_NODE"], "--disable-warning=ExperimentalWarning", program, self.file, TOKEN]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.url = self.server.stdout.readline().strip()

    def stop(self):
        self.server.stdin.close()
        self.server.wait()
        self.server.stdout.close()

    def test_the_methods_are_the_same(self):
        with StateGraph(self.url, token=TOKEN) as sg:
            value = {"bytes": b"x", "list": [1, None, {"a": {1, 2}}]}
            sg.set("/a b/~1", value, "Begin", tags=["x", "y"])
            self.assertEqual(sg.get("/a b/~1"), value)
            sg.branch("feature/x")
            other = sg.on("feature/x")
            other.set("/b", 2, "Other", confidence=0.5)
            self.assertEqual([(each["op"], each["path"]) for each in sg.diff("main", "feature/x")], [("add", "/b")])
            self.assertEqual([each["intent"]["description"] for each in sg.query(tags=["x", "y"])], ["Begin"])
            self.assertEqual(other.blame("/b")["confidence"], 0.5)
            with sg.transaction("Both") as tx:
                tx.set("/c", 1)
                self.assertEqual(tx.get("/c"), 1)
            self.assertEqual(sg.get("/c"), 1)
            self.assertEqual([branch["name"] for branch in sg.list_branches(prefix="feature/")], ["feature/x"])
            with self.assertRaises(NotFound) as raised:
                sg.get("/nothing")
            self.assertEqual((raised.exception.code, raised.exception.kind), ("path-not-found", "not-found"))
            self.assertTrue("".join(sg.export()).endswith("\n"))
            with self.assertRaises(StateError) as raised:
                sg.set("/a", 1, "Who", agent="agent/other")
            self.assertEqual(raised.exception.code, "agent-by-key")

    def test_a_wrong_token(self):
        with StateGraph(self.url, token="wrong") as sg, self.assertRaises(Unauthenticated) as raised:
            sg.get("/a")
        self.assertEqual(raised.exception.code, "unauthenticated")

    def test_keys_say_who_calls(self):
        with StateGraph(self.url, token=TOKEN) as sg:
            key = sg.add_principal("agent/x")["key"]
            sg.grant("agent/x", ["read", "commit"])
            self.assertEqual(sg.as_(key=key).set("/a", 1, "Mine")["agent"], "agent/x")

    def test_a_watch_and_threads(self):
        with StateGraph(self.url, token=TOKEN) as sg:
            sg.set("/a", 0, "Begin")
            with sg.watch("/a") as events:
                threads = [threading.Thread(target=sg.set, args=("/a", at + 1, f"Write {at}")) for at in range(3)]
                for thread in threads:
                    thread.start()
                seen = {next(events)["commit"]["intent"]["description"] for _ in range(3)}
                for thread in threads:
                    thread.join()
            self.assertEqual(seen, {"Write 0", "Write 1", "Write 2"})

    def test_from_an_event_loop(self):
        async def main():
            async with AsyncStateGraph(self.url, token=TOKEN) as sg:
                await asyncio.gather(*(sg.set(f"/n/{at}", at, "Many") for at in range(20)))
                self.assertEqual(len(await sg.get("/n")), 20)

        asyncio.run(main())
