"""Processes that are forked or spawned, threads, interrupts and the end of the program."""

import multiprocessing
import os
import signal
import threading
import time
import unittest

from agentstategraph import StateGraph, StoreLost
from support import SOAK, StoreCase, is_running, run_python

CALLS = 3000 if SOAK else 200


def foreign_answers(sg, name, calls):
    """Sets and gets texts of its own, and counts answers that belong to somebody else."""
    wrong = 0
    for at in range(calls // 2):
        value = f"{name}:{at}"
        wrong += sg.set(f"/{name}", value, f"Write {value}")["intent"]["description"] != f"Write {value}"
        wrong += sg.get(f"/{name}") != value
    return wrong


def in_process(file, name, results):
    with StateGraph(file) as sg:
        results.put(foreign_answers(sg, name, 20))


@unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
class Fork(StoreCase):
    def test_forked_processes_have_a_core_of_their_own(self):
        sg = StateGraph(self.file)
        sg.set("/begin", 1, "Begin")
        core = sg._transport.child.pid
        children = []
        for name in ("one", "two"):
            pid = os.fork()
            if pid == 0:
                code = 99
                try:
                    code = min(foreign_answers(sg, name, CALLS), 98)
                    assert sg._transport.child.pid != core
                    sg.close()
                finally:
                    os._exit(code)
            children.append(pid)
        self.assertEqual(foreign_answers(sg, "parent", CALLS), 0)
        self.assertEqual([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children], [0, 0])
        self.assertEqual(sg._transport.child.pid, core)
        self.assertEqual(len(sg.log()), 1 + 3 * (CALLS // 2))
        sg.close()

    def test_a_store_in_memory_stays_with_its_process(self):
        with StateGraph() as sg:
            sg.set("/a", 1, "Begin")
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    sg.get("/a")
                except StoreLost:
                    code = 0
                finally:
                    os._exit(code)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
            self.assertEqual(sg.get("/a"), 1)

    def test_spawn_and_forkserver(self):
        StateGraph(self.file).close()
        for method in ("spawn", "forkserver"):
            context = multiprocessing.get_context(method)
            results = context.Queue()
            workers = [context.Process(target=in_process, args=(self.file, f"{method}{at}", results)) for at in range(2)]
            for worker in workers:
                worker.start()
            self.assertEqual([results.get() for _ in workers], [0, 0])
            for worker in workers:
                worker.join()

    def test_threads_share_a_graph(self):
        with StateGraph(self.file) as sg:
            wrong = []
            threads = [
                threading.Thread(target=lambda name=f"t{at}": wrong.append(foreign_answers(sg, name, CALLS // 4)))
                for at in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [0] * 8)

    def test_large_values_from_many_threads_do_not_wait_for_each_other_for_ever(self):
        text = "x" * 400_000
        with StateGraph() as sg:
            threads = [
                threading.Thread(target=lambda at=at: [sg.set(f"/{at}", text + str(n), "Large") and sg.get(f"/{at}") for n in range(3)])
                for at in range(6)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual({len(value) for value in sg.get().values()}, {400_001})

    def test_the_end_of_the_program_leaves_no_process(self):
        endings = ["", "raise SystemExit(3)", "import os; os._exit(4)", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]
        for ending in endings:
            code = f"from agentstategraph import StateGraph; sg = StateGraph(); print(sg._transport.child.pid, flush=True); {ending}"
            pid = int(run_python("-c", code, check=False).stdout)
            until = time.monotonic() + 30
            while is_running(pid) and time.monotonic() < until:
                time.sleep(0.01)
            self.assertFalse(is_running(pid), ending)

    def test_the_core_ends_with_its_parent_though_a_forked_process_holds_the_pipe(self):
        code = (
            "import os, time\nfrom agentstategraph import StateGraph\nfrom agentstategraph import core\n"
            "sg = StateGraph(); print(sg._transport.child.pid, flush=True)\ncore._open.clear()\n"
            "pid = os.fork()\nif pid == 0:\n    os.close(1); os.close(2); time.sleep(60)\nprint(pid, flush=True); os._exit(0)"
        )
        pid, worker = map(int, run_python("-c", code).stdout.split())
        until = time.monotonic() + 30
        while is_running(pid) and time.monotonic() < until:
            time.sleep(0.05)
        held = is_running(worker)
        os.kill(worker, signal.SIGKILL)
        self.assertFalse(is_running(pid))
        self.assertTrue(held)

    def test_an_interrupt_in_a_call_leaves_the_client_usable(self):
        def interrupted(signum, frame):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupted)
        try:
            with StateGraph(self.file) as sg:
                sg.set("/n", 0, "Begin")
                child = sg._transport.child.pid
                interrupts = 0
                for at in range(300):
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 0.0002 + at % 40 * 0.00005)
                        sg.set("/n", at, f"Write {at}")
                        self.assertEqual(sg.get("/n"), at)
                        # It may come right after it is set, and right before it is taken back.
                        signal.setitimer(signal.ITIMER_REAL, 0)
                    except KeyboardInterrupt:
                        interrupts += 1
                    sg.set("/own", at, "Between")
                    self.assertEqual(sg.get("/own"), at)
                self.assertGreater(interrupts, 0)
                self.assertEqual(sg._transport.child.pid, child)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_the_core_has_a_session_of_its_own(self):
        with StateGraph() as sg:
            pid = sg._transport.child.pid
            self.assertEqual(os.getsid(pid), pid)
            with open(f"/proc/{pid}/environ", "rb") as file:
                names = dict(entry.split(b"=", 1) for entry in file.read().split(b"\0") if entry)
            self.assertNotIn(b"NODE_OPTIONS", names)
            self.assertEqual(os.stat(names[b"NODE_COMPILE_CACHE"]).st_mode & 0o022, 0)
            os.kill(pid, signal.SIGINT)
            sg.set("/a", 1, "Still there")
            self.assertEqual(sg._transport.child.pid, pid)
