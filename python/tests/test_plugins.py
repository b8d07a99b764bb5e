"""A plugin in C, built and loaded; each case in a process of its own, since a loaded plugin stays."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugins" / "c"

LOADED = """
import ctypes
import sys
import oplink
from oplink import ops

oplink.Tensor([1.0]) + 1
assert not hasattr(ctypes.CDLL(None), "TF_NewKernelBuilder"), "C functions are global without plugins"

try:
    ops.OplinkAffineC
except AttributeError:
    pass
else:
    sys.exit("the op is there before its plugin")
declared = oplink.load_plugin(sys.argv[1])
assert hasattr(ctypes.CDLL(None), "TF_NewKernelBuilder")
assert "OplinkAffineC" in declared["ops"], declared
assert declared["num_kernels"] >= 2, declared
assert declared["warning"] is None, declared
y = ops.OplinkAffineC([1.0, 2.0, 9.0], scale=2.0, shift=1, mode="clip", bounds=[4.0, 10.0])
assert y.tolist() == [4.0, 5.0, 10.0], y
assert ops.OplinkAffineC(oplink.Tensor([1.5], "float64"), scale=2.0).tolist() == [3.0]
assert "OplinkAffineC" in dir(ops)
try:
    ops.OplinkAffineC([1.0], mode="clip")
except oplink.Error as error:
    assert "needs 2 bounds" in str(error), error
else:
    sys.exit("the kernel's error is lost")
try:
    import tensorflow
except ImportError as error:
    assert "oplink loaded plugins" in str(error), error
else:
    sys.exit("TensorFlow was imported beside plugins")
"""

BESIDE_TENSORFLOW = """
import sys
import types
import oplink

sys.modules["tensorflow"] = types.ModuleType("tensorflow")
try:
    oplink.load_plugin(sys.argv[1])
except oplink.errors.PluginRejectedError as error:
    assert "TensorFlow is loaded" in str(error), error
    assert error.code == "FailedPrecondition", error.code
else:
    sys.exit("the plugin was loaded")
"""


@unittest.skipUnless(shutil.which("cc") and shutil.which("make"), "needs cc and make")
class Plugins(unittest.TestCase):
    folder: "tempfile.TemporaryDirectory[str]"

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run(["make", "--quiet", "-C", str(EXAMPLE), f"OUT={cls.folder.name}"], check=True)

    def check(self, code: str) -> None:
        plugin = f"{self.folder.name}/liboplink_example_c.so"
        ran = subprocess.run([sys.executable, "-c", code, plugin], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_its_ops_run(self) -> None:
        self.check(LOADED)

    def test_beside_tensorflow_it_is_refused(self) -> None:
        self.check(BESIDE_TENSORFLOW)


if __name__ == "__main__":
    unittest.main()
