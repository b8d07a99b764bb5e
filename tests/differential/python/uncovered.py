"""Ops of which no case can give values on both sides: the reason, and what must hold of oplink's outcome alone.

A run fails on any other op without such a case. A property is a function of a `Draw` that gives a case and a function of its
outcome, which returns what is wrong with it, or `None`.
"""
import numpy as np
import tensorflow as tf

from cases import GraphBuilder
from draw import given
from outcome import Failure

# Cases that an op's property is checked on.
CASES = 8


def abort(d):
    """A failed step where TensorFlow ends the process; nothing where it is told to leave without an error."""
    message, silent = d.one(["", "stop"]), d.chance(0.5)
    g = GraphBuilder()
    case = g.case("Abort", [], targets=[g.node("Abort", error_msg=message, exit_without_error=silent)])

    def wrong(steps):
        if silent:
            return None if steps == [[]] else "a failure, though told to leave without an error"
        failed = isinstance(steps, list) and isinstance(steps[0], Failure)
        return None if failed and steps[0].code == "Aborted" and message in steps[0].message else "no failure of code Aborted"

    return case, wrong


def eliminated(below, order):
    """How many elements a Cholesky factor has left of its diagonal, when rows are eliminated in this order."""
    rows, count = [{int(j) for j in np.flatnonzero(row)} for row in below | below.T], 0
    for pivot in order:
        count += len(rows[pivot])
        for row in rows[pivot]:
            rows[row] |= rows[pivot]
            rows[row] -= {row, pivot}
    return count


def ordering(d):
    """A permutation in which the factor has hardly more elements than in TensorFlow's."""
    rows = d.one([1, 2, 5, 20, 60])
    below = np.tril(d.random.random((rows, rows)) < d.one([0.03, 0.1, 0.3]), -1)
    g = GraphBuilder()
    indices = np.argwhere(below | np.eye(rows, dtype=bool))
    inputs = [given("int64", indices), given("float32", np.ones(len(indices))), given("int64", (rows, rows))]
    made = g.node("SparseTensorToCSRSparseMatrix", [g.constant(x) for x in inputs], T="float32")
    case = g.case("SparseMatrixOrderingAMD", [g.node("SparseMatrixOrderingAMD", [made])])

    def wrong(steps):
        order = steps[0][0].array.tolist() if isinstance(steps, list) and not isinstance(steps[0], Failure) else steps
        if sorted(order) != list(range(rows)):
            return f"no permutation: {order}"
        csr = tf.raw_ops.SparseTensorToCSRSparseMatrix(indices=indices, values=np.ones(len(indices), np.float32), dense_shape=(rows, rows))
        own, expected = eliminated(below, order), eliminated(below, tf.raw_ops.SparseMatrixOrderingAMD(input=csr).numpy())
        return None if own <= expected * 1.1 + 2 else f"a factor of {own} elements beside the diagonal, TensorFlow's has {expected}"

    return case, wrong


NO_DELETION = "TensorFlow's kernel refuses to delete what its own op makes, which ends with its last handle"
NO_LMDB = "TensorFlow no longer reads LMDB databases: every call is an error"
NOBODY_SENDS = "the one device of the comparison cannot both send and receive; kernels/cpu/state tests groups of several"
UNCOVERED = {
    "Abort": "TensorFlow's process ends; oplink fails the step",
    "AnonymousRandomSeedGenerator": "TensorFlow's kernel reads an input that the op lacks; AnonymousSeedGenerator has it",
    "CollectiveBcastRecv": NOBODY_SENDS,
    "CollectiveBcastRecvV2": NOBODY_SENDS,
    "CollectiveReduceScatterV2": "TensorFlow has it for GPUs alone, and fails on CPUs",
    "CheckPinned": "TensorFlow without CUDA always fails",
    "DeleteMemoryCache": NO_DELETION,
    "DeleteRandomSeedGenerator": NO_DELETION,
    "DeleteSeedGenerator": NO_DELETION,
    "ExperimentalLMDBDataset": NO_LMDB,
    "ExperimentalMapDataset": "TensorFlow has no kernel",
    "FilterByLastComponentDataset": "TensorFlow has no kernel",
    "FileSystemSetConfiguration": "no file system of TensorFlow has options: its kernel always fails, as oplink's does",
    "FixedLengthRecordReader": "TensorFlow's kernel reads an attr that the op lacks; FixedLengthRecordReaderV2 has it",
    "LMDBDataset": NO_LMDB,
    "LMDBReader": NO_LMDB,
    "MutableDenseHashTable": "TensorFlow's kernel reads an input that the op lacks; MutableDenseHashTableV2 has it",
    "SparseMatrixOrderingAMD": "orders are as good where rows have as many neighbours, and TensorFlow's is its own",
    "IteratorGetModelProto": "what TensorFlow measures of a pipeline that it tunes; it fails for one that it does not tune, as oplink always does",
    "SnapshotNestedDatasetReader": "TensorFlow's process ends: elements free datasets that its nodes still hold",
    "TileGrad": "TensorFlow does not find its kernel, whose registration names an attr that the op lacks",
    "Timestamp": "the time of one side is not that of the other",
    "TopK": "TensorFlow does not find its kernel, whose registration names an attr that the op lacks",
}
PROPERTIES = {"Abort": abort, "SparseMatrixOrderingAMD": ordering}
