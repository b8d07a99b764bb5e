"""Writers of summaries: events are written, and what is in the file is read as records, without the time of each."""
from typing import NamedTuple

import numpy as np

from cases import GraphBuilder
from draw import given
from tensorflow.core.framework import graph_pb2, node_def_pb2, summary_pb2
from tensorflow.core.util import event_pb2

from . import graph_recipe, recipe
from .io import folder, text

WRITERS = ("WriteScalarSummary", "WriteHistogramSummary", "WriteImageSummary", "WriteAudioSummary", "WriteSummary", "WriteRawProtoSummary",
           "WriteGraphSummary", "ImportEvent")


def summary(d):
    """A summary of a number or two."""
    values = [summary_pb2.Summary.Value(tag=d.one(["a", "b/c"]), simple_value=d.integer(-4, 4) / 2) for _ in range(d.integer(0, 2))]
    return summary_pb2.Summary(value=values).SerializeToString()


def sound(d):
    """Samples, of one channel or of several."""
    shape = (d.integer(0, 3), d.integer(1, 9)) if d.chance(0.5) else (d.integer(1, 3), d.integer(1, 9), d.integer(1, 3))
    return d.tensor("float32", (*shape, 2, 2) if d.bad() else shape, "unit"), given("float32", d.one([44100.0, 8000.5, 1.0]) if not d.bad() else -1.0)


@recipe("AudioSummary", "AudioSummaryV2")
def audio_summary(d, t, op):
    samples, rate = sound(d)
    attrs = {"max_outputs": d.integer(1, 3)}
    if op == "AudioSummary":
        return [given("string", b"tag"), samples], {**attrs, "sample_rate": float(rate.array)}
    return [given("string", d.one([b"", b"tag", b"a/b"])), samples, rate], attrs


def written(d, op, dtype):
    """The inputs of an op behind the writer and the step, and its attrs."""
    tag = given("string", d.one([b"", b"tag", b"a/b"]))
    if op == "WriteScalarSummary":
        return [tag, d.tensor(dtype, d.one([(), (2,)]), "plain")], {"T": dtype}
    if op == "WriteHistogramSummary":
        return [tag, d.tensor(dtype, d.shape(0, 3), "plain")], {"T": dtype}
    if op == "WriteImageSummary":
        shape = (d.integer(0, 3), d.integer(1, 4), d.integer(1, 4), d.one([1, 3, 4]) if not d.bad() else 2)
        bad_color = given("uint8", [255, 0, 0, 255] if not d.bad() else [1])
        return [tag, d.tensor(dtype, shape, "unit"), bad_color], {"T": dtype, "max_images": d.integer(1, 3)}
    if op == "WriteAudioSummary":
        return [tag, *sound(d)], {"max_outputs": d.integer(1, 3)}
    if op == "WriteSummary":
        metadata = summary_pb2.SummaryMetadata(display_name=d.one(["", "name"]), summary_description=d.one(["", "text"])).SerializeToString()
        return [d.tensor(dtype, d.shape(0, 3, 30)), tag, given("string", metadata)], {"T": dtype}
    if op == "WriteRawProtoSummary":
        messages = [summary(d) if not d.bad() else b"zz" for _ in range(d.integer(1, 3))]
        return [given("string", np.array([*messages, None], object)[:-1])], {}
    graph = graph_pb2.GraphDef(node=[node_def_pb2.NodeDef(name="n", op="NoOp")] * d.integer(0, 2)).SerializeToString()
    return [given("string", graph if not d.bad() else b"zz")], {}


class Read(NamedTuple):
    """The node that must run once the files are there, and the one that then gives their events."""
    filled: str
    events: str


def read_events(g, path, name):
    """Nodes that read the events in the files of a folder, without the time of each."""
    files = g.node("MatchingFiles", [g.feed(text(path / "events*"))])
    queue = g.node("FIFOQueueV2", component_types=["string"], shapes=[()], capacity=10, container="", shared_name="q" + name)
    filled = g.node("QueueEnqueueManyV2", [queue, files], Tcomponents=["string"], timeout_ms=-1)
    ended = g.node("QueueCloseV2", [queue], control=[filled], cancel_pending_enqueues=False)
    reader = g.node("TFRecordReaderV2", container="", shared_name="r" + name, compression_type="")
    read = g.node("ReaderReadUpToV2", [reader, queue, g.constant(given("int64", 20))])
    later = g.node("StridedSlice", [f"{read}:1", *(g.constant(given("int32", [n])) for n in (1, 0, 1))], T="string", Index="int32", end_mask=1,
                   begin_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0)
    timeless = g.node("Substr", [later, g.constant(given("int32", 9)), g.constant(given("int32", 1 << 20))], T="int32", unit="BYTE")
    return Read(ended, timeless)


@graph_recipe("SummaryWriter", "CreateSummaryFileWriter", "FlushSummaryWriter", "CloseSummaryWriter", *WRITERS)
def writer(d, t, op):
    """Events of one or two kinds in a file, which is closed or flushed and read."""
    g, path = GraphBuilder(), folder(op, d.index)
    name = f"{op}-{d.index}"
    made = g.node("SummaryWriter", shared_name=name, container="")
    numbers = [g.feed(given("int32", d.one([0, 2, 100]))), g.feed(given("int32", d.one([0, 100000])))]
    folders = g.feed(given("string", str(path).encode()))
    made_file = g.node("CreateSummaryFileWriter", [made, folders, *numbers, g.feed(given("string", d.one([b"", b".v2"])))])
    events = []
    for kind in [op if op in WRITERS else d.one(WRITERS), *([d.one(WRITERS)] if d.chance(0.3) else [])]:
        dtype = t["T"] if "T" in t and kind == op else "float32"
        inputs, attrs = written(d, kind, dtype)
        if kind == "ImportEvent":
            event = event_pb2.Event(wall_time=2.5, step=d.integer(0, 9), summary=summary_pb2.Summary.FromString(summary(d))).SerializeToString()
            events.append(g.node(kind, [made, g.feed(given("string", event if not d.bad() else b"zz"))], control=events[-1:]))
            continue
        step = g.feed(given("int64", d.one([0, 1, 300, -2])))
        events.append(g.node(kind, [made, step, *(g.feed(x) for x in inputs)], control=events[-1:], **attrs))
    end = g.node("CloseSummaryWriter" if op == "CloseSummaryWriter" or d.chance(0.3) else "FlushSummaryWriter", [made])
    read = read_events(g, path, name)
    leave_out = [] if d.bad() else [([], [made_file])]
    return g.case(op, [], t.get("T", "-"), steps=[*leave_out, ([], events), ([], [end]), ([], [read.filled]), ([read.events], [])])
