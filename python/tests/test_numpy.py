"""NumPy's arrays become tensors and tensors arrays, without copies where that can be."""

import gc
import unittest
import weakref

import numpy as np

import oplink
from oplink import Tensor, from_numpy, ops

NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]


class ToTensors(unittest.TestCase):
    def test_every_dtype_comes_and_goes(self) -> None:
        for name in [*NUMBERS, "complex64", "complex128", "bool"]:
            with self.subTest(dtype=name):
                array = np.array([[0, 1, 2], [3, 0, 5]]).astype(name)
                for tensor in (Tensor(array), from_numpy(array)):
                    self.assertEqual(tensor.dtype.name, name)
                    np.testing.assert_array_equal(tensor.numpy(), array)
                    self.assertEqual(tensor.numpy().dtype, array.dtype)

    def test_from_numpy_shares_and_tensor_copies(self) -> None:
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        self.assertTrue(np.shares_memory(from_numpy(array).numpy(), array))
        copy = Tensor(array)
        array[0, 0] = 7
        self.assertEqual(copy[0, 0].item(), 0)

    def test_a_shared_array_lives_as_long_as_the_tensor(self) -> None:
        class Array(np.ndarray):
            """An array that can be watched."""

        array = np.arange(1000, dtype=np.int64).view(Array)
        alive = weakref.ref(array)
        tensor = from_numpy(array)
        del array
        gc.collect()
        self.assertIsNotNone(alive())
        self.assertEqual(ops.Sum(tensor, 0).item(), 499500)
        del tensor
        gc.collect()
        self.assertIsNone(alive())

    def test_other_layouts_are_copied(self) -> None:
        array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        for other in (array.T, array[:, ::-1], array[1:, :, ::2], np.asfortranarray(array), array[:0], array[0, 0, 0]):
            np.testing.assert_array_equal(from_numpy(other).numpy(), other)
            np.testing.assert_array_equal(Tensor(other).numpy(), other)

    def test_an_array_off_its_alignment_is_copied(self) -> None:
        array = np.frombuffer(b"\0" + np.arange(3, dtype=np.float64).tobytes(), np.float64, offset=1)
        self.assertEqual(from_numpy(array).tolist(), [0.0, 1.0, 2.0])

    def test_broadcast_arrays_are_copied(self) -> None:
        array = np.broadcast_to(np.arange(3, dtype=np.int32), (4, 3))
        self.assertEqual(from_numpy(array).tolist(), array.tolist())

    def test_texts_become_strings(self) -> None:
        for array in (np.array(["a", "bc"]), np.array([b"a", b"bc"]), np.array(["a", b"bc"], dtype=object)):
            self.assertEqual(Tensor(array).tolist(), [b"a", b"bc"])

    def test_arrays_that_are_no_tensors_are_refused(self) -> None:
        cases = [
            (np.ones(3, ">f4"), "byte order"),
            (np.ones(3, [("a", "f4")]), "format"),
            (np.array([object()]), "cannot be an element of string"),
            (np.ones(3, np.longdouble), "format"),
        ]
        for array, message in cases:
            with self.subTest(dtype=array.dtype), self.assertRaisesRegex(TypeError, message):
                Tensor(array)

    def test_scalars_and_buffers_are_arrays(self) -> None:
        self.assertEqual(Tensor(np.float64(1.5)).dtype, oplink.float64)
        self.assertEqual(Tensor(memoryview(b"ab")).tolist(), [97, 98])
        self.assertEqual(Tensor([np.float32(1), Tensor(2)]).tolist(), [1.0, 2.0])


class ToArrays(unittest.TestCase):
    def test_arrays_lie_in_the_tensor_and_are_read_only(self) -> None:
        tensor = Tensor([[1.0, 2.0], [3.0, 4.0]])
        first, second = tensor.numpy(), np.asarray(tensor)
        self.assertTrue(np.shares_memory(first, second))
        with self.assertRaises(ValueError):
            first[0, 0] = 5
        with self.assertRaises(ValueError):
            first.flags.writeable = True

    def test_an_array_outlives_the_tensor(self) -> None:
        array = Tensor(np.arange(100000)).numpy()
        gc.collect()
        np.testing.assert_array_equal(array, np.arange(100000))

    def test_copies_and_casts_are_made_where_they_are_asked_for(self) -> None:
        tensor = Tensor([1, 2])
        self.assertEqual(np.asarray(tensor, dtype=np.float64).dtype, np.float64)
        copy = np.array(tensor)
        copy[0] = 5
        self.assertEqual(tensor.tolist(), [1, 2])

    def test_strings_are_bytes(self) -> None:
        array = Tensor([["a", "b"], ["c", "d"]]).numpy()
        self.assertEqual((array.shape, array.dtype, array[1, 0]), ((2, 2), np.dtype(object), b"c"))

    def test_what_numpy_lacks_names_the_package_that_has_it(self) -> None:
        with self.assertRaisesRegex(TypeError, "ml_dtypes"):
            Tensor([1.0], "bfloat16").numpy()

    def test_memoryviews_see_the_elements(self) -> None:
        view = memoryview(Tensor([[1, 2], [3, 4]]))
        self.assertEqual((view.shape, view.strides, view.format, view.readonly), ((2, 2), (8, 4), "i", True))
        self.assertEqual(view.tolist(), [[1, 2], [3, 4]])

    def test_functions_of_numpy_take_tensors(self) -> None:
        tensor = Tensor([1.0, 4.0])
        np.testing.assert_array_equal(np.sqrt(tensor), [1, 2])
        self.assertIsInstance(np.ones(2, np.float32) + tensor, Tensor)


if __name__ == "__main__":
    unittest.main()
