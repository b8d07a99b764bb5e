"""Ops as functions: signatures, arguments, errors, threads, and the file of their types."""

import inspect
import pydoc
import runpy
import threading
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import oplink
from oplink import Tensor, ops


class Functions(unittest.TestCase):
    def test_signature_is_that_of_the_declaration(self) -> None:
        signature = inspect.signature(ops.MatMul)
        self.assertEqual(list(signature.parameters)[:2], ["a", "b"])
        self.assertIs(signature.parameters["transpose_b"].default, False)
        self.assertEqual(ops.MatMul.__name__, "MatMul")

    def test_help_shows_signature_and_documentation(self) -> None:
        shown = pydoc.plain(pydoc.render_doc(ops.AddV2))
        self.assertIn("AddV2(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor", shown)
        self.assertIn("Computes `x + y`", shown)
        for name in dir(ops):
            first, _, described = (getattr(ops, name).__doc__ or "").partition("\n\n")
            self.assertTrue(first.startswith(f"{name}(") and described.strip(), f"{name}: {first} {described}")

    def test_arguments(self) -> None:
        self.assertEqual(ops.ConcatV2([[1], [2]], axis=0).tolist(), [1, 2])
        self.assertEqual(ops.Cast([1.9], DstT="int32").tolist(), [1])
        self.assertEqual(ops.AddV2(Tensor([1], dtype="int64"), 2).dtype, oplink.int64)
        values, indices = ops.TopKV2([3.0, 1.0, 2.0], 2)
        self.assertEqual((values.tolist(), indices.tolist()), ([3.0, 2.0], [0, 2]))
        self.assertEqual([part.tolist() for part in ops.Split(0, [1, 2], num_split=2)], [[1], [2]])

    def test_wrong_arguments_are_named(self) -> None:
        ops: Any = oplink.ops
        cases: list[tuple[Callable[[], object], str]] = [
            (lambda: ops.MatMul([[1.0]]), "MatMul needs the input `b`"),
            (lambda: ops.MatMul([[1.0]], [[1.0]], [[1.0]]), "takes 2 tensors by position, 3 are given"),
            (lambda: ops.MatMul([[1.0]], a=[[1.0]]), "gets `a` twice"),
            (lambda: ops.MatMul([[1.0]], [[1.0]], transpos_a=True), "has no argument `transpos_a`; it has a, b"),
            (lambda: ops.MatMul([[1.0]], [[1.0]], transpose_a="yes"), "argument `transpose_a`"),
            (lambda: ops.Cast([1.0]), "needs the attr `DstT`"),
        ]
        for call, says in cases:
            with self.subTest(says), self.assertRaisesRegex(TypeError, says):
                call()
        with self.assertRaisesRegex(AttributeError, "MatMull"):
            ops.MatMull

    def test_errors_tell_kind_node_and_op(self) -> None:
        with self.assertRaises(oplink.errors.KernelFailedError) as raised:
            ops.MatMul(Tensor([[1.0]]), Tensor([1.0]))
        error = raised.exception
        self.assertEqual((error.kind, error.code, error.op), ("KernelFailed", "InvalidArgument", "MatMul"))
        self.assertEqual(error.node, "MatMul")
        self.assertIn("float [1]", "\n".join(error.context))

    def test_threads(self) -> None:
        x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        wrong = []

        def work() -> None:
            for number in range(300):
                if ((x + number) @ x).tolist() != [[7 + 4 * number, 10 + 6 * number], [15 + 4 * number, 22 + 6 * number]]:
                    wrong.append(number)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_queue_that_waits_lets_others_run(self) -> None:
        queue = ops.FIFOQueueV2(component_types=["int32"])
        taken = []
        waiting = threading.Thread(target=lambda: taken.extend(ops.QueueDequeueV2(queue, component_types=["int32"])))
        waiting.start()
        ops.QueueEnqueueV2(queue, [7])
        waiting.join(20)
        self.assertEqual([tensor.item() for tensor in taken], [7])

    def test_types_of_all_ops_are_written_down(self) -> None:
        package = Path(__file__).parents[1]
        stubs = runpy.run_path(str(package / "stubs.py"))
        written = (package / "oplink" / "ops.pyi").read_text()
        self.assertTrue(written == stubs["module"](), "write it anew: python -P stubs.py > oplink/ops.pyi")


if __name__ == "__main__":
    unittest.main()
