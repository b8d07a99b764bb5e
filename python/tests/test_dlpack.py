"""DLPack, both ways, with NumPy as the other side."""

import gc
import unittest
import weakref
from typing import Any

import numpy as np

from oplink import Tensor, from_dlpack


class Exported(unittest.TestCase):
    def test_numpy_takes_tensors_without_a_copy(self) -> None:
        tensor = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
        array = np.from_dlpack(tensor)
        np.testing.assert_array_equal(array, tensor.numpy())
        if not array.flags.writeable:
            self.assertTrue(np.shares_memory(array, tensor.numpy()))

    def test_the_memory_outlives_the_tensor(self) -> None:
        array = np.from_dlpack(Tensor(np.arange(100000)))
        gc.collect()
        np.testing.assert_array_equal(array, np.arange(100000))

    def test_who_knows_no_versions_gets_a_copy(self) -> None:
        tensor = Tensor([1.0, 2.0])
        other = from_dlpack(tensor.__dlpack__())
        self.assertEqual(other.tolist(), [1.0, 2.0])
        self.assertFalse(np.shares_memory(other.numpy(), tensor.numpy()))
        shared = from_dlpack(tensor.__dlpack__(max_version=(1, 0)))
        self.assertTrue(np.shares_memory(shared.numpy(), tensor.numpy()))

    def test_capsules_that_nobody_takes_are_freed(self) -> None:
        for _ in range(100):
            Tensor(np.zeros(100000)).__dlpack__(max_version=(1, 0))
            Tensor(np.zeros(100000)).__dlpack__()

    def test_what_cannot_be_given_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "stream"):
            Tensor([1]).__dlpack__(stream=1)
        with self.assertRaisesRegex(ValueError, "host"):
            Tensor([1]).__dlpack__(dl_device=(2, 0))
        with self.assertRaisesRegex(BufferError, "string"):
            Tensor(["a"]).__dlpack__(max_version=(1, 0))
        with self.assertRaisesRegex(BufferError, "max_version"):
            Tensor([1]).__dlpack__(copy=False)


class Imported(unittest.TestCase):
    def test_every_dtype_is_shared(self) -> None:
        for name in ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64", "complex64"):
            with self.subTest(dtype=name):
                array = np.array([[1, 2], [3, 4]], name)
                tensor = from_dlpack(array)
                self.assertEqual(tensor.dtype.name, name)
                self.assertTrue(np.shares_memory(tensor.numpy(), array))
        self.assertEqual(from_dlpack(np.array([True, False])).tolist(), [True, False])

    def test_the_other_side_lives_as_long_as_the_tensor(self) -> None:
        class Array(np.ndarray):
            """An array that can be watched."""

        array = np.arange(10).view(Array)
        alive = weakref.ref(array)
        tensor = from_dlpack(array)
        del array
        gc.collect()
        self.assertIsNotNone(alive())
        self.assertEqual(tensor.tolist(), list(range(10)))
        del tensor
        gc.collect()
        self.assertIsNone(alive())

    def test_a_capsule_is_taken_once(self) -> None:
        capsule: Any = np.arange(3).__dlpack__()
        from_dlpack(capsule)
        with self.assertRaisesRegex(BufferError, "took it already"):
            from_dlpack(capsule)

    def test_other_layouts_are_refused(self) -> None:
        with self.assertRaisesRegex(BufferError, "contiguous copy"):
            from_dlpack(np.arange(6).reshape(2, 3).T)

    def test_empty_arrays_and_scalars(self) -> None:
        self.assertEqual(from_dlpack(np.zeros((0, 3))).shape, (0, 3))
        self.assertEqual(from_dlpack(np.array(5)).item(), 5)

    def test_what_has_no_dlpack_is_refused(self) -> None:
        with self.assertRaises((AttributeError, TypeError)):
            from_dlpack(object())  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
