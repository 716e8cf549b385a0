"""
The page that the client is made for runs as it is printed, where it lies beside this workspace.

The page is text that was copied from a browser: code and prose without fences, and without the spaces that lines begin with. So its
statements are found by parsing: a line that begins none is prose, and a line that ends with a colon holds the statement behind it.
"""

import ast
import os
import re
import unittest
from collections import Counter

from support import TESTS, StoreCase, run_python

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(TESTS)))
PAGE = os.path.join(os.path.dirname(ROOT), "shared", "seeds", "agentstategraph-python.md")
LONGEST = 12
# What a comment behind a statement says of the name that it binds.
CHECK = "assert {name} == {value}, {name}"
SHAPE = """assert entry == {{**{printed!r}, "timestamp": entry["timestamp"]}}, entry
assert entry["timestamp"].startswith("20"), entry"""


def parses(text):
    try:
        return ast.parse(text).body != []
    except SyntaxError:
        return False


def indented(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


def statement_at(lines, at):
    """The statement that begins at a line, and the number of the line behind it; None where none begins."""
    for end in range(at + 1, min(at + LONGEST, len(lines)) + 1):
        text = "\n".join(lines[at:end])
        if parses(text):
            return text, end
    if lines[at].endswith(":"):
        inside = statement_at(lines, at + 1)
        if inside is not None and parses(f"{lines[at]}\n{indented(inside[0])}"):
            return f"{lines[at]}\n{indented(inside[0])}", inside[1]
    return None


def program_of(page):
    """The statements of the page in their order, with what its comments say of their values."""
    lines = page.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("from "))
    program = []
    while at < len(lines):
        if lines[at].startswith("#"):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith("#")), len(lines))
            printed = "\n".join(line[1:] for line in lines[at:end]).strip()
            if printed.startswith("{"):
                shape = ast.literal_eval(printed)
                shape.pop("timestamp")
                program.append(SHAPE.format(printed=shape))
            at = end
            continue
        found = statement_at(lines, at)
        if found is None:
            at += 1
            continue
        text, at = found
        program.append(text)
        told = re.fullmatch(r'(\w+) = .*\) # (".*")', text)
        if told is not None:
            program.append(CHECK.format(name=told[1], value=told[2]))
    return program


@unittest.skipUnless(os.path.exists(PAGE), "the page is not beside this workspace")
class PrintedPage(StoreCase):
    def test_its_statements_run_and_give_what_its_comments_say(self):
        with open(PAGE, encoding="utf-8") as file:
            program = program_of(file.read())
        # Nothing was taken for prose: each method that the page calls is called.
        kinds = Counter("check" if text.startswith("assert") else "call" for text in program)
        self.assertEqual(kinds, {"call": 36, "check": 3})
        script = os.path.join(self.folder, "page.py")
        for epoch in ("2026-04-incident", "2026-05-incident"):
            # On one file twice: an epoch that is sealed is not made again, so the second run has another.
            with open(script, "w", encoding="utf-8") as file:
                file.write("\n".join(program).replace("2026-04-incident", epoch))
            told = run_python("-W", "error", script, cwd=self.folder).stdout
            self.assertIn("/cluster/network add", told)
            self.assertRegex(told, r"[0-9a-f]{64}: Use NFS \(by \w+, confidence: 0\.9\)")
