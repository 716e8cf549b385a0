"""Python values survive the way to the store and back, and what cannot is named with its path."""

import dataclasses
import decimal
import enum
import math
import unittest
import uuid
from datetime import date, datetime, timedelta, timezone
from typing import Annotated, NewType, Optional

from agentstategraph import StateError, StateGraph, UsageError, ValueMismatch, ValueNotSendable, undefined
from support import StoreCase

try:
    import pydantic
except ImportError:
    pydantic = None


class Level(enum.Enum):
    LOW = "low"


@dataclasses.dataclass
class Node:
    name: str
    price: decimal.Decimal = decimal.Decimal("0.10")
    level: Level = Level.LOW
    seen: Optional[datetime] = None


@dataclasses.dataclass
class Cluster:
    nodes: list[Node]
    labels: dict[str, int]
    zones: set[str] = dataclasses.field(default_factory=set)
    pair: tuple[int, float] = (1, 2.0)


class Values(StoreCase):
    def setUp(self):
        super().setUp()
        self.sg = StateGraph()
        self.addCleanup(self.sg.close)

    def test_what_json_lacks_comes_back(self):
        moment = datetime(2026, 5, 1, 14, 0, 0, 123000, timezone(timedelta(hours=2)))
        value = {
            "moment": moment,
            "bytes": b"\x00\xff",
            "big": 10**40,
            "negative": -(2**70),
            "edge": 2**53,
            "set": {"a", "b"},
            "infinite": math.inf,
            "$odd": {"$$odder": 1, "$date": "not a tag"},
            "text": "Grüße, 世界 🌍\n\u2028",
            "none": None,
            "nested": [[], {}, [None, True, 0.5, -1]],
            "undefined": undefined,
        }
        self.sg.set("/all", value, "Every kind")
        self.assertEqual(self.sg.get("/all"), value)
        self.assertIsInstance(self.sg.get("/all/moment"), datetime)
        self.sg.set("/nan", {"nan": math.nan, "zero": -0.0}, "Not a number")
        self.assertTrue(math.isnan(self.sg.get("/nan/nan")))
        self.assertEqual(math.copysign(1, self.sg.get("/nan/zero")), -1)
        self.sg.set("/null", None, "Nothing")
        self.assertIsNone(self.sg.get("/null"))
        self.sg.set("/tuple", (1, frozenset({2})), "A tuple is a list")
        self.assertEqual(self.sg.get("/tuple"), [1, {2}])

    def test_instances_go_in_and_with_a_type_come_out(self):
        moment = datetime(2026, 5, 1, tzinfo=timezone.utc)
        cluster = Cluster([Node("a", decimal.Decimal("1.50"), Level.LOW, moment), Node("b")], {"x": 1}, {"z"})
        self.sg.set("/cluster", cluster, "A dataclass")
        self.assertEqual(self.sg.get("/cluster/nodes/0/price"), "1.50")
        self.assertEqual(self.sg.get("/cluster", Cluster), cluster)
        self.assertEqual(self.sg.get("/cluster/nodes", list[Node])[1], Node("b"))
        self.assertEqual(self.sg.get("/cluster/labels", dict[str, float]), {"x": 1.0})
        with self.assertRaises(ValueMismatch) as raised:
            self.sg.get("/cluster", list[int])
        self.assertEqual(raised.exception.code, "value-mismatch")
        self.sg.set("/cluster/labels/x", "many", "Not a number")
        with self.assertRaises(ValueMismatch) as raised:
            self.sg.get("/cluster", Cluster)
        self.assertIn("/cluster/labels/x", str(raised.exception))

    @unittest.skipIf(pydantic is None, "pydantic is not installed")
    def test_pydantic_models_go_in_and_come_out(self):
        class Server(pydantic.BaseModel):
            host: str
            ports: list[int]
            since: datetime

        server = Server(host="a", ports=[1, 2], since=datetime(2026, 1, 1, tzinfo=timezone.utc))
        self.sg.set("/server", server, "A model")
        self.assertEqual(self.sg.get("/server", Server), server)
        self.sg.set("/server/ports", "none", "Not a list")
        with self.assertRaises(ValueMismatch):
            self.sg.get("/server", Server)

    def test_what_cannot_be_stored_is_named_with_its_path_and_nothing_is_written(self):
        cyclic = {"deep": []}
        cyclic["deep"].append(cyclic)
        cases = [
            ({"a": [1, print]}, "/a/1"),
            (cyclic, "/deep/0"),
            ({"a": {1: 2}}, "/a"),
            ({"when": datetime(2026, 1, 1)}, "/when"),
            ({"x": object()}, "/x"),
            ({"x": Node}, "/x"),
            ({"x": {"a": 1}.keys()}, "/x"),
        ]
        for value, below in cases:
            path = f"/bad{below}"
            with self.subTest(path=path), self.assertRaises(ValueNotSendable) as raised:
                self.sg.set("/bad", value, "Cannot be")
            self.assertIn(path, str(raised.exception))
            self.assertEqual(raised.exception.data["path"], path)
            with self.assertRaises(ValueNotSendable) as edit:
                self.sg.commit([{"op": "set", "path": "/bad", "value": value}], "Cannot be")
            self.assertEqual(edit.exception.data["path"], path)
            self.assertIsNotNone(raised.exception.hint)
            self.assertIsInstance(raised.exception, TypeError)
        with self.assertRaises(StateError) as raised:
            self.sg.set("/bad", "half \ud800", "A lone surrogate")
        self.assertEqual(raised.exception.code, "value-not-sendable")
        self.assertEqual(len(self.sg.log()), 0)

    def test_a_value_that_is_nested_too_deep_is_refused_and_not_waited_for(self):
        for depth in (100, 500, 100_000):
            value = []
            for _ in range(depth):
                value = [value]
            with self.subTest(depth=depth), self.assertRaises(StateError) as raised:
                self.sg.set("/deep", value, "Too deep")
            self.assertIsNotNone(raised.exception.hint)
            while value:
                value = value.pop()
        self.sg.set("/deep", 1, "After")

    def test_a_field_that_is_no_value_is_named_when_it_cannot_be_sent(self):
        cases = [
            ("confidence", {"confidence": decimal.Decimal("0.5")}),
            ("confidence", {"confidence": math.nan}),
            ("tags", {"tags": [object()]}),
        ]
        for name, fields in cases:
            with self.subTest(fields=fields), self.assertRaises(UsageError) as raised:
                self.sg.set("/a", 1, "Cannot be", **fields)
            self.assertEqual(raised.exception.code, "input-invalid")
            self.assertTrue(raised.exception.message.startswith(f"{name} "))
        for moment in (datetime(2026, 1, 1), date(2026, 1, 1)):
            with self.subTest(moment=moment), self.assertRaises(UsageError) as raised:
                self.sg.query(since=moment)
            self.assertTrue(raised.exception.message.startswith("since"))

    def test_a_type_is_never_made_of_something_else(self):
        self.sg.set("/it", {"int": 3, "text": "three", "list": [1], "yes": True, "id": str(uuid.UUID(int=7))}, "Begin")
        cases = [
            ("int", str), ("int", bool), ("int", bytes), ("int", list), ("int", list[int]), ("yes", int), ("text", list),
            ("text", dict), ("list", str), ("list", dict), ("text", decimal.Decimal), ("text", uuid.UUID), ("int", Level),
        ]  # fmt: skip
        for name, kind in cases:
            with self.subTest(name=name, kind=kind), self.assertRaises(ValueMismatch):
                self.sg.get(f"/it/{name}", kind)
        self.assertEqual(self.sg.get("/it/int", float), 3.0)
        self.assertEqual(self.sg.get("/it/list", tuple), (1,))
        self.assertEqual(self.sg.get("/it/id", uuid.UUID), uuid.UUID(int=7))
        self.assertEqual(self.sg.get("/it/int", Annotated[int, "how many"]), 3)
        self.assertEqual(self.sg.get("/it/int", NewType("Count", int)), 3)
        with self.assertRaises(UsageError) as raised:
            self.sg.get("/it/int", 5)
        self.assertIn("default=", raised.exception.hint)

    def test_a_schema_is_a_document_and_no_value(self):
        schema = {"$ref": "#/$defs/count", "$defs": {"count": {"type": "integer"}}}
        self.sg.set("/count", 1, "Begin")
        self.sg.attach_schema("/count", schema, "Counts are whole")
        self.assertEqual(self.sg.get_schema("/count")["schema"], schema)
