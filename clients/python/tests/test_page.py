"""docs/python.md tells the truth: its programs run in a fresh interpreter, one after another, and print what it says."""

import os
import re
import subprocess
import sys

from support import TESTS, StoreCase, run_python

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(TESTS)))


class Page(StoreCase):
    def test_its_programs_run_and_its_bundle_is_verified(self):
        with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```(python|text)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
        program = os.path.join(self.folder, "page.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write("\n".join(code for language, code in blocks if language == "python"))
        printed = "".join(code for language, code in blocks if language == "text")
        told = subprocess.run([sys.executable, program], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((told.stderr, told.stdout), ("", printed))
        verify = os.path.join(ROOT, "verifiers", "verify.py")
        verdict = run_python(verify, os.path.join(self.folder, "q2.bundle")).stdout
        self.assertIn("integrity: passed", verdict)
