"""Ops with a kernel for CPUs in TensorFlow 2.21 that oplink leaves out, and why."""
import re

# A reason, and the names of the ops, whole, as a regular expression.
TABLE = [
    ("made by TensorFlow's own passes, by its rewriting for oneDNN or by its executor: no graph that is kept has them",
     r"__?[A-Z]\w+"),
    ("the compiler XLA", r"Xla\w+"),
    ("calls of other processes over gRPC", r"Rpc\w+|DeleteRpcFutureResource"),
    ("the service of datasets in other processes", r"DataServiceDataset\w*|RegisterDataset(V2)?|DistributedSave"),
    ("runs Python of the process that TensorFlow is in: the Python package calls ops, and is called by none",
     r"PyFunc(Stateless)?|EagerPyFunc"),
    ("SQLite is a library in C", r"(Experimental)?SqlDataset|CreateSummaryDbWriter"),
    ("not yet: JPEG XL has no decoder here", r"DecodeJxl"),
    ("made for TensorFlow's tests, or tells of TensorFlow itself",
     "Fact|TestAttr|ConstructionFails|DevicePlacementOp|DtypeWithDefaultOp|DummyIterationCounter|DumpTensor|FakeQueue|GetDeadline|"
     "GraphDefVersion|HostConst|IsResourceHandleRefCounting|IsTensorFloat32Enabled|KernelLabel|KernelLabelRequired|"
     "MakeWeakResourceHandle|NegTrain|Old|ResourceCreateOp|ResourceInitializedOp|ResourceUsingOp|SleepIdentityOp|SleepOp|"
     "StubResourceHandleOp|SyncDevice|CalibrationStatisticsSaver|CustomAggregator"),
]


def ops_of_tensorflow():
    """The names of the ops that TensorFlow has a kernel for CPUs of."""
    from tensorflow.python.framework import kernels
    return {k.op for k in kernels.get_all_registered_kernels().kernel if k.device_type in ("CPU", "DEFAULT")}


def missing(registered):
    """The ops that are not registered: a dict by reason, `None` for those that have none."""
    found = {}
    for op in sorted(ops_of_tensorflow() - set(registered)):
        reason = next((reason for reason, names in TABLE if re.fullmatch(names, op)), None)
        found.setdefault(reason, []).append(op)
    return found


def problems(registered):
    """One line for each op that is left out without a reason."""
    return [f"{op}: TensorFlow has it, oplink has not, and left_out.py does not say why" for op in missing(registered).get(None, [])]


def section(registered):
    """The lines of the page that list what is left out."""
    found = missing(registered)
    count = sum(map(len, found.values()))
    lines = ["## Left out", "", f"{count} ops have a kernel for CPUs in TensorFlow and none here.", "", "| why | ops |", "|---|---|"]
    return lines + [f"| {reason} | {', '.join(found[reason])} |" for reason, _ in TABLE if reason in found]
