"""The core is killed at any moment: each write is made exactly once, or the caller hears that it is unknown."""

import os
import random
import signal
import threading

from agentstategraph import CoreDied, OutcomeUnknown, StateGraph, StoreLost
from support import SOAK, StoreCase, is_running

KILLS = 200 if SOAK else 8
SEED = int(os.environ.get("ASG_SEED", "15"))


class Death(StoreCase):
    def test_killed_at_random_under_load_each_write_is_made_exactly_once(self):
        sg = StateGraph(self.file)
        chance = random.Random(SEED)
        ends = threading.Event()
        counts, unknown = [0] * 4, []

        def write(worker):
            while not ends.is_set():
                at = counts[worker]
                try:
                    sg.set("/log/-", f"{worker}:{at}", f"Append {worker}:{at}")
                except OutcomeUnknown as error:
                    # It died twice in one call. Repeated with the key it is made once.
                    unknown.append(error.key)
                    sg.set("/log/-", f"{worker}:{at}", f"Append {worker}:{at}", idempotency_key=error.key)
                counts[worker] += 1

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(KILLS):
            # Not before it works again, so that each kill hits calls under way.
            goal = sum(counts) + chance.randrange(1, 40)
            while sum(counts) < goal and any(thread.is_alive() for thread in threads):
                ends.wait(0.001)
            child = sg._transport.child
            if child is not None:
                os.kill(child.pid, signal.SIGKILL)
        ends.set()
        for thread in threads:
            thread.join()
        stored = sg.get("/log")
        expected = sorted(f"{worker}:{at}" for worker in range(4) for at in range(counts[worker]))
        self.assertEqual(sorted(stored), expected)
        self.assertEqual(len(sg.log()), len(expected))
        self.assertTrue(sg.verify()["ok"])
        sg.close()

    def killed_during_the_next_call(self, sg):
        pid = sg._transport.child.pid
        os.kill(pid, signal.SIGSTOP)
        threading.Timer(0.2, os.kill, (pid, signal.SIGKILL)).start()
        return pid

    def test_a_write_of_any_kind_is_repeated_with_its_key(self):
        with StateGraph(self.file) as sg:
            sg.set("/a", 1, "Begin")
            self.killed_during_the_next_call(sg)
            self.assertEqual(sg.branch("b")["name"], "b")
            self.killed_during_the_next_call(sg)
            made = sg.speculate("main", label="try")
            self.killed_during_the_next_call(sg)
            sg.spec_set(made, "/a", 2)
            self.assertEqual([branch["name"] for branch in sg.list_branches()], ["b", "main"])
            self.assertEqual(len(sg.list_specs()), 1)
            self.assertEqual(sg.spec_get(made, "/a"), 2)
            self.killed_during_the_next_call(sg)
            sg.create_namespace("team-b")
            self.killed_during_the_next_call(sg)
            sg.delete_namespace("team-b")
            self.assertEqual(sg.list_namespaces()["namespaces"], ["default"])

    def test_a_write_without_a_key_is_unknown_and_a_read_is_repeated(self):
        with StateGraph(self.file) as sg:
            sg.set("/a", 1, "Begin")
            pid = self.killed_during_the_next_call(sg)
            with self.assertRaises(OutcomeUnknown) as raised:
                sg.resume_thread("review", "case-1")
            self.assertIsNone(raised.exception.key)
            self.assertIsNotNone(raised.exception.hint)
            os.kill(sg._transport.child.pid, signal.SIGKILL) if sg._transport.child else None
            self.assertEqual(sg.get("/a"), 1)
            self.assertFalse(is_running(pid))

    def test_a_watch_without_an_event_yet_goes_on_from_where_it_began(self):
        with StateGraph(self.file) as sg, StateGraph(self.file) as other:
            sg.set("/a", 0, "Before")
            with sg.watch("/a") as events:
                os.kill(sg._transport.child.pid, signal.SIGKILL)
                other.set("/a", 1, "Meanwhile")
                self.assertEqual(next(events)["commit"]["intent"]["description"], "Meanwhile")

    def test_the_next_core_opens_the_same_file_from_another_folder(self):
        self.addCleanup(os.chdir, os.getcwd())
        elsewhere = os.path.join(self.folder, "elsewhere")
        os.mkdir(elsewhere)
        os.chdir(self.folder)
        with StateGraph("state.db") as sg:
            sg.set("/a", 1, "Begin")
            os.chdir(elsewhere)
            os.kill(sg._transport.child.pid, signal.SIGKILL)
            self.assertEqual(sg.get("/a"), 1)
        self.assertEqual(os.listdir(elsewhere), [])

    def test_a_store_in_memory_is_lost_and_never_silently_empty(self):
        sg = StateGraph()
        sg.set("/a", 1, "Begin")
        os.kill(sg._transport.child.pid, signal.SIGKILL)
        for _ in range(2):
            with self.assertRaises(StoreLost) as raised:
                sg.get("/a")
            self.assertEqual(raised.exception.code, "store-lost")
        sg.close()

    def test_a_core_that_ends_again_and_again_is_not_started_for_ever(self):
        broken = os.path.join(self.folder, "broken.mjs")
        with open(broken, "w", encoding="utf-8") as file:
            file.write("process.stderr.write('no room'); process.exit(3)")
        before, os.environ["ASG_BUNDLE"] = os.environ["ASG_BUNDLE"], broken
        try:
            with self.assertRaises(CoreDied) as raised:
                StateGraph(self.file)
        finally:
            os.environ["ASG_BUNDLE"] = before
        self.assertIn("no room", raised.exception.hint)
