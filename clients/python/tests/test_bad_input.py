"""What is wrong is told by a typed error with a code and a hint; no process is left, and nothing is half written."""

import os
import shutil
import socket
import sqlite3
import stat
from contextlib import closing

from agentstategraph import NodeNotFound, StateError, StateGraph, Unavailable
from agentstategraph.node import is_accepted, is_driver_beside
from support import StoreCase, run_python


class BadInput(StoreCase):
    def refused(self, code, *args, **options):
        with self.assertRaises(StateError) as raised:
            StateGraph(*args, **options)
        error = raised.exception
        self.assertEqual(error.code, code)
        self.assertTrue(error.message and error.kind and error.hint, code)
        # No process is left, not even one that nobody waited for.
        self.assertRaises(ChildProcessError, os.waitpid, -1, os.WNOHANG)
        return error

    def with_env(self, **env):
        before = {name: os.environ.get(name) for name in env}

        def restore():
            for name, value in before.items():
                os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)

        self.addCleanup(restore)
        for name, value in env.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)

    def fake_node(self, version):
        path = os.path.join(self.folder, "bin", "node")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho {version}\n")
        os.chmod(path, stat.S_IRWXU)
        return path

    def with_nodes(self, named, on_path):
        """Only these Nodes, and a core with no driver beside it."""
        bundle = os.path.join(self.folder, "bin", "asg-rpc.mjs")
        os.makedirs(os.path.dirname(bundle), exist_ok=True)
        if not os.path.exists(bundle):
            shutil.copy(os.environ["ASG_BUNDLE"], bundle)
        self.with_env(ASG_NODE=named, PATH=on_path, ASG_BUNDLE=bundle)

    def test_no_node_and_one_that_is_too_old(self):
        self.with_nodes(os.path.join(self.folder, "nothing"), None)
        error = self.refused("node-not-found", self.file)
        self.assertIsInstance(error, NodeNotFound)
        self.assertIn("24.15", error.hint)
        for version in ("v20.20.2", "v22.13.0", "v22.22.2", "v24.14.9", "nonsense"):
            self.with_nodes(self.fake_node(version), None)
            error = self.refused("node-too-old", self.file)
            self.assertIsInstance(error, Unavailable)
            self.assertIn(f"is {version.lstrip('v')}.", error.message)
        self.assertEqual(os.listdir(self.folder), ["bin"])

    def test_a_refused_node_is_passed_over(self):
        accepted, fake = os.environ["ASG_NODE"], self.fake_node("v18.0.0")
        self.with_nodes(fake, os.pathsep.join([os.path.dirname(fake), os.path.dirname(accepted)]))
        StateGraph(self.file).close()
        code = "import agentstategraph.node as node, sys; node.of_wheel = lambda: sys.argv[1]; print(node.find_node('/asg-rpc.mjs'))"
        env = {**os.environ, "PATH": os.path.dirname(fake)}
        self.assertEqual(run_python("-c", code, accepted, env=env).stdout.strip(), accepted)

    def test_which_nodes_are_accepted_without_the_driver_and_with_it(self):
        for version, alone, beside in (
            ("v20.18.9", False, False),
            ("v20.19.0", False, True),
            ("v22.22.2", False, True),
            ("v22.22.3", True, True),
            ("v23.11.0", False, True),
            ("v24.14.9", False, True),
            ("v24.15.0", True, True),
            ("v25.0.0-nightly", True, True),
            ("nonsense", False, False),
        ):
            self.assertEqual((is_accepted(version, False), is_accepted(version, True)), (alone, beside), version)
        self.assertFalse(is_driver_beside(os.path.join(self.folder, "asg-rpc.mjs")))
        os.makedirs(os.path.join(self.folder, "node_modules", "@photostructure", "sqlite"))
        self.assertTrue(is_driver_beside(os.path.join(self.folder, "below", "asg-rpc.mjs")))

    def test_a_folder_for_a_path_and_a_file_that_is_no_store(self):
        self.assertIsNotNone(self.refused("store-failed", self.folder).hint)
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("This is a letter, and no store.\n" * 100)
        self.refused("not-a-store", self.file)
        with open(self.file, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("This is a letter"))

    def test_a_store_that_a_newer_version_wrote(self):
        StateGraph(self.file).close()
        with closing(sqlite3.connect(self.file)) as database:
            version = database.execute("pragma user_version").fetchone()[0]
            database.execute(f"pragma user_version = {version + 1000}")
        self.refused("format-unsupported", self.file)

    def test_a_missing_store_is_not_made_by_a_reader(self):
        self.refused("store-missing", self.file, mode="read-only")
        self.assertEqual(os.listdir(self.folder), [])

    def test_options_that_do_not_go_together_and_addresses_that_are_none(self):
        here = os.listdir(".")
        self.refused("option-invalid", self.file, token="x")
        self.refused("agent-by-key", "http://127.0.0.1:9", agent="agent/x")
        self.refused("scheme-unknown", "ftp://example.org/x")
        self.refused("scheme-unknown", "localhost:3001")
        self.refused("option-invalid", ":memory:")
        self.refused("input-invalid", "")
        self.assertEqual(os.listdir("."), here)

    def test_a_server_that_is_away(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        sg = StateGraph(f"http://127.0.0.1:{port}", token="x")
        with self.assertRaises(Unavailable) as raised:
            sg.get("/a")
        self.assertEqual(raised.exception.code, "server-unreachable")
        self.assertIsNotNone(raised.exception.hint)
        with self.assertRaises(Unavailable):
            sg.set("/a", 1, "Nobody hears it")

    def test_what_a_person_sees_names_no_line_inside_the_client(self):
        code = "from agentstategraph import StateGraph\nStateGraph().set('/a', [print], 'Cannot be')"
        told = run_python("-c", code, check=False).stderr
        self.assertIn("The value at /a/0 cannot be stored", told)
        self.assertNotIn("core.py", told)
        code = "from agentstategraph import StateGraph\nStateGraph('/nowhere/at/all/state.db')"
        told = run_python("-c", code, check=False).stderr
        for name in ("core.py", "connection.py", "child.py", "    at "):
            self.assertNotIn(name, told)

