"""Checks of ops, of the built-in ones and of one in a plugin with a mistake."""

import unittest

import oplink


class OpCheck(unittest.TestCase):
    def test_an_op_that_is_right_has_no_findings(self) -> None:
        report = oplink.opcheck("Softplus")
        self.assertTrue(report.ok, str(report))
        self.assertEqual(report.checks["gradient"], "ok")
        self.assertEqual(report.samples, 10)
        self.assertIn("Softplus: 10 samples", str(report))

    def test_checks_are_chosen_by_name(self) -> None:
        report = oplink.opcheck("Softplus", samples=2, checks=["shape", "determinism"])
        self.assertEqual(report.checks, {"shape": "ok", "determinism": "ok"})
        with self.assertRaisesRegex(oplink.Error, 'no check is called "shapes"; there are shape, dtypes'):
            oplink.opcheck("Softplus", checks=["shapes"])

    def test_calls_are_given(self) -> None:
        inputs = [[[1.0, 2.0], [3.0, 4.0]], [[1.0], [0.5]]]
        report = oplink.opcheck("MatMul", inputs, {"transpose_a": True}, samples=0)
        self.assertEqual((report.samples, report.ok), (1, True), str(report))
        with self.assertRaisesRegex(oplink.Error, "has no attr `transposed`"):
            oplink.opcheck("MatMul", inputs, {"transposed": True})
        with self.assertRaisesRegex(oplink.Error, "MatMul"):
            oplink.opcheck("MatMul", [[1.0], [2.0]])

    def test_an_op_that_is_not_there_is_an_error(self) -> None:
        with self.assertRaisesRegex(oplink.Error, "Softplus"):
            oplink.opcheck("Softpluss")


if __name__ == "__main__":
    unittest.main()
