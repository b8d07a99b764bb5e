"""Python's operators and indices on tensors, held against NumPy's."""

import operator
import unittest
from typing import Any

import numpy as np

import oplink
from oplink import Tensor

ARITHMETIC = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]
BITS = [operator.and_, operator.or_, operator.xor]


class Operators(unittest.TestCase):
    def test_arithmetic_is_that_of_numpy(self) -> None:
        a = np.array([[1.5, -2.0, 3.0], [4.0, 5.5, -6.0]], np.float32)
        b = np.array([2.0, 3.0, 2.0], np.float32)
        for function in ARITHMETIC:
            with self.subTest(function=function.__name__):
                expected = function(a, b)
                for left, right in ((Tensor(a), Tensor(b)), (Tensor(a), b), (a, Tensor(b))):
                    result = function(left, right)
                    self.assertIsInstance(result, Tensor)
                    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-6)

    def test_numbers_take_the_dtype_of_the_tensor(self) -> None:
        tensor = Tensor([1, 2, 3], "int64")
        self.assertEqual((2 * tensor - 1).tolist(), [1, 3, 5])
        self.assertEqual((2 * tensor).dtype, oplink.int64)
        self.assertEqual((10 - tensor).tolist(), [9, 8, 7])
        self.assertEqual((2**tensor).tolist(), [2, 4, 8])
        self.assertEqual((tensor + [1, 1, 1]).tolist(), [2, 3, 4])
        with self.assertRaises(TypeError):
            tensor + 1.5

    def test_integers_are_divided_as_numbers(self) -> None:
        self.assertEqual((Tensor([1, 2]) / 2).tolist(), [0.5, 1.0])
        self.assertEqual((Tensor([1, 2]) / 2).dtype, oplink.float64)
        self.assertEqual((1 / Tensor([2], "int8")).dtype, oplink.float32)
        self.assertEqual((Tensor([-7]) // 2).tolist(), [-4])
        self.assertEqual((Tensor([-7]) % 3).tolist(), [2])

    def test_bits_and_truths(self) -> None:
        a, b = np.array([12, 10], np.int32), np.array([10, 3], np.int32)
        for function in BITS:
            self.assertEqual(function(Tensor(a), b).tolist(), function(a, b).tolist())
            self.assertEqual(function(Tensor(a > 11), b > 5).tolist(), function(a > 11, b > 5).tolist())
        self.assertEqual((Tensor(a) << 2).tolist(), [48, 40])
        self.assertEqual((Tensor(a) >> 1).tolist(), [6, 5])
        self.assertEqual((~Tensor([True, False])).tolist(), [False, True])
        self.assertEqual((~Tensor([5])).tolist(), [-6])

    def test_products_of_matrices(self) -> None:
        a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        b = np.arange(8, dtype=np.float32).reshape(4, 2)
        np.testing.assert_allclose((Tensor(a[0]) @ b).numpy(), a[0] @ b)
        np.testing.assert_allclose((Tensor(a) @ Tensor(b)).numpy(), a @ b)

    def test_unary_operators(self) -> None:
        tensor = Tensor([-1.0, 2.0])
        self.assertEqual(((-tensor).tolist(), (+tensor).tolist(), abs(tensor).tolist()), ([1, -2], [-1, 2], [1, 2]))
        self.assertEqual(abs(Tensor([3 + 4j])).tolist(), [5.0])

    def test_other_classes_may_know_the_operator(self) -> None:
        class Other:
            def __radd__(self, other: object) -> str:
                return "other"

        self.assertEqual(Tensor(1) + Other(), "other")
        with self.assertRaises(TypeError):
            Tensor(1) + object()  # type: ignore[operator]

    def test_shapes_that_do_not_fit_are_an_error(self) -> None:
        with self.assertRaises(oplink.Error) as caught:
            Tensor([1, 2]) + Tensor([1, 2, 3])
        self.assertEqual(caught.exception.op, "AddV2")


class Indices(unittest.TestCase):
    def test_indices_are_those_of_numpy(self) -> None:
        array = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
        tensor = Tensor(array)
        cases: list[Any] = [
            0,
            -1,
            (1, 2, 3),
            (slice(1, None), slice(None, None, 2)),
            (Ellipsis, 1),
            (0, Ellipsis, slice(None, None, -1)),
            (None, 0),
            (slice(None), None, 1),
            slice(5, 1),
            [0, 2],
            np.array([[0, 1], [2, 0]]),
            array > 30,
        ]
        for index in cases:
            with self.subTest(index=index):
                np.testing.assert_array_equal(tensor[index].numpy(), array[index])
        self.assertEqual(tensor[Tensor(1), 0, 0].item(), 20)

    def test_indices_outside_are_errors(self) -> None:
        tensor = Tensor([[1, 2], [3, 4]])
        for index in (2, -3, (0, 2), (0, 0, 0)):
            with self.subTest(index=index), self.assertRaises(IndexError):
                tensor[index]
        with self.assertRaises(TypeError):
            tensor["a"]
        with self.assertRaises(IndexError):
            tensor[..., ...]


if __name__ == "__main__":
    unittest.main()
