"""The blocks of docs/python.md run as they stand, one after the other."""

import contextlib
import io
import os
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Guide(unittest.TestCase):
    def test_every_block_runs(self) -> None:
        text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = list(BLOCK.finditer(text))
        self.assertGreater(len(blocks), 8)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        names: dict[str, object] = {"__name__": "guide"}
        for block in blocks:
            line = text.count("\n", 0, block.start(1))
            with self.subTest(line=line + 1), contextlib.redirect_stdout(io.StringIO()):
                exec(compile("\n" * line + block[1], "docs/python.md", "exec"), names)


if __name__ == "__main__":
    unittest.main()
