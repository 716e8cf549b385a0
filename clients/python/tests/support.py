"""What several tests need: a folder for stores, and the processes that a program left behind."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOAK = os.environ.get("ASG_SOAK") == "1"
TESTS = os.path.dirname(os.path.abspath(__file__))


class StoreCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="asg-python-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.file = os.path.join(self.folder, "state.db")


def run_python(*args, check=True, cwd=TESTS, **options):
    """Runs a program in a fresh interpreter, and gives what it said."""
    done = subprocess.run([sys.executable, *args], capture_output=True, text=True, cwd=cwd, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{args} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done


def is_running(pid):
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
