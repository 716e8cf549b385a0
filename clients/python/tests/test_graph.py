"""What a Python user expects beside the table: views, transactions, listings, watches, errors, notebooks."""

import pickle
import threading
from datetime import datetime, timezone

from agentstategraph import Conflict, Denied, MergeConflict, Moved, NotFound, StateGraph, UsageError
from agentstategraph._table import OPERATIONS
from support import StoreCase, run_python


class Graph(StoreCase):
    def setUp(self):
        super().setUp()
        self.sg = StateGraph(self.file)
        self.addCleanup(self.sg.close)

    def test_every_operation_of_the_table_is_a_method(self):
        for name in OPERATIONS:
            method = getattr(self.sg, {"import": "import_"}.get(name, name), None)
            self.assertTrue(callable(method), name)
            self.assertTrue(method.__doc__, name)

    def test_views_have_a_branch_a_moment_or_an_agent_and_share_the_store(self):
        first = self.sg.set("/a", 1, "Begin")
        before = datetime.now(timezone.utc)
        self.sg.branch("try")
        other = self.sg.on("try").as_("agent/x", trace="trace-7")
        written = other.set("/a", 2, "Try")
        self.assertEqual((written["agent"], written["trace"]), ("agent/x", "trace-7"))
        self.assertEqual([self.sg.get("/a"), other.get("/a")], [1, 2])
        self.sg.set("/a", 3, "Go on")
        self.assertEqual(self.sg.at(first["id"]).get("/a"), 1)
        self.assertEqual(self.sg.at(first).get("/a"), 1)
        self.assertEqual(self.sg.at(before).get("/a"), 1)
        self.assertEqual(self.sg.get("/a", as_of=before), 1)
        self.assertEqual(len(self.sg.at(before).log()), 1)
        with self.assertRaises(Denied):
            self.sg.at(first["id"]).as_("agent/x").set("/a", 9, "The past does not change")
        self.sg.at(first["id"]).branch("from-the-past")
        self.assertEqual(self.sg.on("from-the-past").get("/a"), 1)
        self.assertEqual(repr(self.sg), f"StateGraph({self.file!r})")
        self.assertEqual(repr(other), f"StateGraph({self.file!r}, agent='agent/x', trace='trace-7').on('try')")

    def test_a_default_is_for_a_place_where_nothing_is(self):
        self.assertEqual(self.sg.get("/nothing", default=5), 5)
        self.sg.set("/a", None, "Nothing, but stored")
        self.assertIsNone(self.sg.get("/nothing", int, default=None))
        self.assertIsNone(self.sg.get("/a", default=5))
        with self.assertRaises(NotFound):
            self.sg.get("/a", default=5, ref="nowhere")

    def test_a_transaction_is_one_commit_or_nothing(self):
        self.sg.set("/a", 1, "Begin")
        with self.sg.transaction("Both", confidence=0.5, tags=["pair"]) as tx:
            tx.set("/b", tx.get("/a") + 1)
            tx.delete("/a")
            self.assertEqual(tx.get("/b", int), 2)
            self.assertEqual(self.sg.get(), {"a": 1})
        self.assertEqual(self.sg.get(), {"b": 2})
        self.assertEqual(tx.commit["intent"]["description"], "Both")
        self.assertEqual(len(self.sg.log()), 2)
        with self.assertRaises(ZeroDivisionError), self.sg.transaction("Never") as tx:
            tx.set("/b", 1 / 0)
        with self.sg.transaction("Nothing to do"):
            pass
        self.assertEqual(len(self.sg.log()), 2)
        self.assertEqual(len(self.sg.list_specs()), 0)

    def test_a_transaction_takes_edits_in_its_block_alone_and_values_as_they_are_then(self):
        self.sg.set("/a", 1, "Begin")
        tx = self.sg.transaction("Outside")
        for moment in ("before", "after"):
            with self.subTest(moment=moment), self.assertRaises(UsageError) as raised:
                tx.set("/lost", 1)
            self.assertEqual(raised.exception.code, "transaction-over")
            with self.sg.transaction("Inside", agent="agent/x") as tx:
                value = {"n": {1, 2}}
                tx.set("/kept", value)
                value["n"] = "changed later"
        self.assertEqual((self.sg.get("/kept"), tx.commit["agent"]), ({"n": {1, 2}}, "agent/x"))
        with self.assertRaises(TypeError):
            self.sg.transaction("Misspelt", confidnce=0.5)
        with self.assertRaises(UsageError) as raised, self.sg.transaction("Bad") as tx:
            tx.set("/bad", {"x": print})
        self.assertEqual(raised.exception.data["path"], "/bad/x")

    def test_a_transaction_whose_place_was_changed_meanwhile_is_a_conflict(self):
        self.sg.set("/a", 1, "Begin")
        with self.assertRaises(MergeConflict) as raised, self.sg.transaction("Late") as tx:
            tx.set("/a", 2)
            self.sg.set("/a", 3, "First")
        self.assertEqual([each["path"] for each in raised.exception.conflicts], ["/a"])
        self.assertIsInstance(raised.exception, Conflict)
        self.assertEqual(self.sg.get("/a"), 3)

    def test_listings_page_by_themselves(self):
        self.sg.commit([{"op": "set", "path": f"/n/{at}", "value": at} for at in range(2500)], "Many")
        paths = self.sg.list_paths("/n")
        self.assertEqual(len([1 for _ in paths]), 2500)
        self.assertEqual(len(paths), 2500)
        self.assertEqual(len(self.sg.list_paths("/n", limit=1200)), 1200)
        self.assertEqual(paths[0], next(iter(paths)))
        self.assertEqual(self.sg.list_branches(), [{"name": "main", "id": self.sg.log()[0]["id"]}])
        with self.assertRaises(NotFound):
            self.sg.log("nowhere")

    def test_errors_have_classes_by_kind_and_code(self):
        with self.assertRaises(NotFound) as raised:
            self.sg.get("/nothing")
        error = raised.exception
        self.sg.set("/a", 1, "Begin")
        with self.assertRaises(NotFound) as raised:
            self.sg.get("/nothing")
        error = raised.exception
        self.assertEqual((error.code, error.kind), ("path-not-found", "not-found"))
        self.assertEqual(error.data["path"], "/nothing")
        self.assertIn("[path-not-found]", str(error))
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copy), copy.code, copy.data), (NotFound, error.code, error.data))
        with self.assertRaises(Moved):
            self.sg.set("/a", 2, "Changed", only_if_value=5)
        with self.assertRaises(UsageError):
            self.sg.set("no-slash", 2, "Where")

    def test_a_watch_gives_events_as_they_come(self):
        self.sg.set("/a", 0, "Begin")
        seen = []
        began = threading.Event()

        def follow():
            with self.sg.watch("/a") as events:
                began.set()
                for event in events:
                    seen.append(event["commit"]["intent"]["description"])
                    if len(seen) == 200:
                        break

        thread = threading.Thread(target=follow)
        thread.start()
        began.wait()
        for at in range(200):
            self.sg.set("/a", at + 1, f"Write {at}")
        thread.join()
        self.assertEqual(seen, [f"Write {at}" for at in range(200)])
        with self.sg.watch("/a", after=0) as events:
            self.assertIsNone(next(events)["commit"]["confidence"])

    def test_exports_are_lines_that_can_be_imported(self):
        self.sg.set("/a", {"b": [1, 2]}, "Begin")
        with StateGraph() as other:
            other.import_("".join(self.sg.export()))
            self.assertEqual(other.get("/a"), {"b": [1, 2]})

    def test_notebooks_show_tables(self):
        self.sg.set("/a", "<b>", "Because & so")
        self.sg.branch("x")
        self.sg.on("x").set("/a", 2, "Other")
        log, diff, blame = self.sg.log(), self.sg.diff("main", "x"), self.sg.blame("/a")
        for shown in (log, diff, blame):
            self.assertRegex(shown._repr_html_(), r"^<table>.*</table>$")
        self.assertIn("Because &amp; so", log._repr_html_())
        self.assertIn("&lt;b&gt;", diff._repr_html_())
        self.assertEqual(set(blame), {"agent", "intent", "reasoning", "confidence", "timestamp"})
        self.assertEqual(blame.commit["id"], log[0]["id"])

    def test_a_program_without_an_event_loop_does_not_load_asyncio(self):
        code = (
            "import sys; from agentstategraph import StateGraph; sg = StateGraph(); sg.set('/a', 1, 'x');"
            "assert sg.get('/a') == 1; assert 'asyncio' not in sys.modules, 'asyncio'"
        )
        run_python("-c", code)

    def test_a_closed_graph_says_so(self):
        self.sg.close()
        self.sg.close()
        with self.assertRaises(UsageError) as raised:
            self.sg.get()
        self.assertEqual(raised.exception.code, "store-closed")
