"""A SavedModel that TensorFlow wrote: its signatures, its variables, saving, and the command line."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import oplink
from oplink import SavedModel

AFFINE = Path(__file__).parent / "data" / "affine"


class Models(unittest.TestCase):
    def test_signatures_tell_dtypes_and_shapes(self) -> None:
        model = SavedModel(AFFINE)
        self.assertEqual(model.tags, ["serve"])
        self.assertLessEqual({"serving_default", "grow"}, set(model.signatures))
        serving = model["serving_default"]
        self.assertEqual(serving.inputs, {"x": (oplink.float32, (None, 3))})
        self.assertEqual(serving.outputs, {"scaled": (oplink.float32, (None, 3)), "total": (oplink.float32, ())})

    def test_calls_take_arrays_lists_and_tensors(self) -> None:
        model = SavedModel(AFFINE)
        for x in (np.ones((2, 3), np.float32), [[1, 1, 1], [1, 1, 1]], oplink.Tensor([[1.0] * 3] * 2)):
            outputs = model(x=x)
            self.assertEqual(outputs["scaled"].tolist(), [[1.0, 2.0, 3.0]] * 2)
            self.assertEqual(outputs["total"].item(), 12.0)
        self.assertEqual(model["serving_default"]({"x": [[1, 0, 0]]})["total"].item(), 1.0)

    def test_variables_change_and_are_saved(self) -> None:
        model = SavedModel(AFFINE)
        self.assertEqual(model["grow"](by=[1, 1, 1])["scale"].tolist(), [2.0, 3.0, 4.0])
        self.assertEqual(model(x=[[1, 1, 1]])["scaled"].tolist(), [[2.0, 3.0, 4.0]])
        self.assertEqual(SavedModel(AFFINE)(x=[[1, 1, 1]])["scaled"].tolist(), [[1.0, 2.0, 3.0]])
        with tempfile.TemporaryDirectory() as folder:
            model.save(Path(folder) / "grown")
            again = SavedModel(Path(folder) / "grown")
            self.assertEqual(again(x=[[1, 1, 1]])["scaled"].tolist(), [[2.0, 3.0, 4.0]])

    def test_wrong_calls_are_refused(self) -> None:
        model = SavedModel(AFFINE)
        with self.assertRaisesRegex(KeyError, "serving_defualt"):
            model["serving_defualt"]
        with self.assertRaisesRegex(TypeError, "has no input `y`; it has x"):
            model(y=[[1, 1, 1]])
        with self.assertRaises(oplink.Error):
            model()
        with self.assertRaises(oplink.Error):
            model(x=[[1, 1]])
        with self.assertRaises(oplink.Error):
            SavedModel(AFFINE, tags=["train"])


class CommandLine(unittest.TestCase):
    def run_oplink(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, "-m", "oplink", *arguments], capture_output=True, text=True)

    def test_a_model_is_shown_and_run(self) -> None:
        shown = self.run_oplink("show", str(AFFINE))
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("serving_default", shown.stdout)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", np.ones((1, 3), np.float32))
            ran = self.run_oplink("run", str(AFFINE), "--input", f"x={folder}/x.npy", "--save", f"{folder}/outputs")
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(np.load(f"{folder}/outputs/scaled.npy").tolist(), [[1.0, 2.0, 3.0]])

    def test_mistakes_are_a_message_and_an_exit_code(self) -> None:
        for arguments, says in [
            (("run", "/nowhere"), "/nowhere"),
            (("run", str(AFFINE), "--signature", "other"), "choose a signature"),
            (("run", str(AFFINE), "--input", "x"), "write name=file.npy"),
            (("run", str(AFFINE), "--input", "x=[[1,2,3]]", "--fetch", "other"), "other"),
        ]:
            with self.subTest(arguments):
                ran = self.run_oplink(*arguments)
                self.assertEqual(ran.returncode, 1)
                self.assertIn(says, ran.stderr)
                self.assertNotIn("Traceback", ran.stderr)


if __name__ == "__main__":
    unittest.main()
