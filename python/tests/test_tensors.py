"""Tensors: what they are made of, and what Python sees of them."""

import gc
import pickle
import unittest
import weakref
from typing import Any

import oplink
from oplink import Tensor


class Literals(unittest.TestCase):
    def test_numbers_take_the_dtypes_of_python(self) -> None:
        cases: list[tuple[Any, oplink.DType]] = [
            (1, oplink.int32),
            (2**40, oplink.int64),
            (1.5, oplink.float32),
            (True, oplink.bool_),
            (1j, oplink.complex128),
            ("text", oplink.string),
            (b"bytes", oplink.string),
            ([1, 2.5], oplink.float32),
            ([], oplink.float32),
        ]
        for value, dtype in cases:
            with self.subTest(value=value):
                self.assertEqual(Tensor(value).dtype, dtype)

    def test_nested_lists_have_a_shape(self) -> None:
        tensor = Tensor([[1, 2, 3], [4, 5, 6]])
        self.assertEqual((tensor.shape, tensor.ndim, tensor.size, tensor.nbytes, len(tensor)), ((2, 3), 2, 6, 24, 2))
        self.assertEqual(tensor.tolist(), [[1, 2, 3], [4, 5, 6]])
        self.assertEqual(Tensor([[], []]).shape, (2, 0))

    def test_a_wanted_dtype_is_taken(self) -> None:
        self.assertEqual(Tensor([1, 2], "float64").dtype, oplink.float64)
        self.assertEqual(Tensor(Tensor([1.7, 2.2]), int).tolist(), [1, 2])
        self.assertEqual(Tensor([1.5, 2], oplink.bfloat16).tolist(), [1.5, 2.0])

    def test_wrong_literals_are_refused(self) -> None:
        nested: list[object] = []
        nested.append(nested)
        cases: list[tuple[Any, str | None, type[Exception], str]] = [
            ([[1], [2, 3]], None, ValueError, "ragged"),
            ([1, [2]], None, ValueError, "ragged"),
            ([1, "a"], None, TypeError, "int32 and of string"),
            (300, "uint8", OverflowError, "300 is no number of uint8"),
            (2**70, None, OverflowError, "int"),
            (1.5, "int32", TypeError, "cannot be an element of int32"),
            (object(), None, TypeError, "is no tensor"),
            (nested, None, ValueError, "nested more than"),
        ]
        for value, dtype, error, message in cases:
            with self.subTest(value=repr(value)), self.assertRaisesRegex(error, message):
                Tensor(value, dtype)


class Python(unittest.TestCase):
    def test_single_elements_are_numbers(self) -> None:
        self.assertEqual(float(Tensor(1.5)), 1.5)
        self.assertEqual(int(Tensor([7])), 7)
        self.assertEqual([10, 20, 30][Tensor(1)], 20)
        self.assertEqual(Tensor("text").item(), b"text")
        self.assertTrue(Tensor(True))
        self.assertFalse(Tensor(0))
        with self.assertRaisesRegex(ValueError, "single element; the tensor has 2"):
            bool(Tensor([1, 2]))
        with self.assertRaises(TypeError):
            [1][Tensor(0.0)]
        with self.assertRaises(TypeError):
            len(Tensor(1))

    def test_tensors_are_iterated_by_rows(self) -> None:
        self.assertEqual([row.tolist() for row in Tensor([[1, 2], [3, 4]])], [[1, 2], [3, 4]])
        with self.assertRaises(TypeError):
            iter(Tensor(1))

    def test_tensors_are_pickled(self) -> None:
        for tensor in (Tensor([[1, 2]], "int64"), Tensor(["a", "b"]), Tensor(1.5)):
            other = pickle.loads(pickle.dumps(tensor))
            self.assertEqual((other.dtype, other.tolist()), (tensor.dtype, tensor.tolist()))

    def test_tensors_are_shown(self) -> None:
        self.assertEqual(repr(Tensor([1, 2])), "<oplink.Tensor int32[2] [1, 2]>")

    def test_tensors_are_not_hashable_and_go_with_their_last_reference(self) -> None:
        tensor = Tensor([1])
        with self.assertRaises(TypeError):
            hash(tensor)
        alive = weakref.ref(tensor)
        del tensor
        gc.collect()
        self.assertIsNone(alive())


class DTypes(unittest.TestCase):
    def test_dtypes_have_names_and_numbers(self) -> None:
        self.assertEqual((oplink.float32.name, oplink.float32.number, oplink.float32.itemsize), ("float32", 1, 4))
        self.assertEqual(repr(oplink.bfloat16), "oplink.bfloat16")
        self.assertIsNone(oplink.string.itemsize)
        self.assertTrue(oplink.int8.is_integer and oplink.float16.is_floating and oplink.complex64.is_complex)

    def test_dtypes_come_of_names_and_types(self) -> None:
        for named in ("float32", "float", float, oplink.float32):
            self.assertEqual(oplink.DType(named), oplink.float32)
        self.assertEqual(pickle.loads(pickle.dumps(oplink.int4)), oplink.int4)
        self.assertEqual(len({oplink.int8, oplink.DType("int8")}), 1)
        with self.assertRaisesRegex(TypeError, "names no dtype"):
            oplink.DType("float31")


if __name__ == "__main__":
    unittest.main()
