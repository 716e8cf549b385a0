"""The player of this client; fixtures/clients/README.md says what a player is. Values become those of Python on the way, and back."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "src"))

from agentstategraph import StateError, StateGraph
from agentstategraph._table import OPERATIONS
from agentstategraph.places import decoded, encoded


def shown(answer):
    """The answer as the protocol has it: the client says None for a reasoning or confidence that is absent."""
    for item in [answer, answer.get("commit"), *answer.get("items", [])]:
        for name in ("reasoning", "confidence"):
            if isinstance(item, dict) and name in item and item[name] is None:
                del item[name]
    return answer


address, calls, agent = sys.argv[1:]
is_served = address.startswith("http")
opened = StateGraph(address, token=os.environ["ASG_TOKEN"]) if is_served else StateGraph(address, agent=agent)
with opened as sg, open(calls, encoding="utf-8") as file:
    for line in filter(str.strip, file):
        method, text = line.split(" ", 1)
        operation = OPERATIONS[method]
        try:
            fields = decoded(json.loads(text), operation.given)
            answer = shown(encoded(sg.call(method, **fields), operation.result))
        except StateError as error:
            answer = {"error": error.code}
        print(json.dumps(answer))
