"""Programs written for the original binding run unchanged."""

import os

from support import TESTS, StoreCase, run_python


class FirstPage(StoreCase):
    def test_runs_on_a_file_in_a_fresh_interpreter_twice(self):
        page = os.path.join(TESTS, "first_page.py")
        first = run_python(page, self.file).stdout
        again = run_python(page, self.file, "second-epoch").stdout
        elsewhere = run_python(page, os.path.join(self.folder, "other.db")).stdout
        for told in (first, again, elsewhere):
            self.assertIn("/cluster/network add", told)
            self.assertIn("Use NFS (by operator, confidence: 0.9)", told)
