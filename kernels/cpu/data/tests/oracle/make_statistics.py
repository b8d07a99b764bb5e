"""Writes statistics/NAME.pb, a graph with an iterator whose dataset records statistics, and statistics/NAME.txt, what
TensorFlow 2.21 has recorded when the iterator is at its end. Without arguments all of them, otherwise those named.

A graph has the nodes `init`, which starts the iterator, `next`, which goes on by an element, `summary`, the summary of
the aggregator, and for aggregators that write events `writer`, which makes a writer in the folder that `logdir` is fed
and sets it, and `flush`. A line of the text is the summary's value of a tag, in the order of the lines: `value` and its
bytes, or `count`, its tag and the number of the histogram, where its numbers are times or follow from threads; or for
an event `event`, its step and the bytes of its value. How busy threads are and how long functions take is left out."""

import glob
import os
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
from tensorflow.core.framework import summary_pb2
from tensorflow.python.data.ops.dataset_ops import _VariantDataset

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "statistics")
Dataset = tf.data.Dataset
ops = tf.raw_ops
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def made(dataset, op, *inputs):
    """A dataset of the same elements that an op makes of another one."""
    attrs = {"output_types": dataset._flat_types, "output_shapes": dataset._flat_shapes}
    names = {"Bytes": ["tag"], "Laten": ["tag"], "SetSt": ["stats_aggregator", "tag", "counter_prefix"]}[op.removeprefix("Experimental")[:5]]
    variant = getattr(ops, op)(input_dataset=dataset._variant_tensor, **dict(zip(names, inputs, strict=True)), **attrs)
    return _VariantDataset(variant, dataset.element_spec)


def counted(dataset, tag="bytes"):
    return made(dataset, "BytesProducedStatsDataset", tag)


def timed(dataset, tag="latency"):
    return made(dataset, "LatencyStatsDataset", tag)


def told(dataset, aggregator, tag=""):
    return made(dataset, "SetStatsAggregatorDataset", aggregator, tag, "counters")


def texts():
    return Dataset.from_tensor_slices((["a", "bbb", "", "x" * 40], [1.0, 2.0, 3.0, 4.0]))


@case
def bytes_of_strings(aggregator):
    return told(counted(texts().repeat(2)), aggregator, "tag")


@case
def bytes_of_other_dtypes(aggregator):
    tensors = [tf.zeros([2, 3], dtype) for dtype in (tf.bool, tf.bfloat16, tf.int8, tf.uint16, tf.complex128, tf.float64)]
    several = counted(Dataset.from_tensors(tuple(tensors)), "several").map(lambda *_: 0)
    empty = counted(Dataset.from_tensors((tf.zeros([0, 3]), tf.zeros([0], tf.string))), "empty").map(lambda *_: 0)
    variants = counted(Dataset.range(5).window(2), "variants").map(lambda _: 0)
    return told(several.concatenate(empty).concatenate(variants), aggregator)


@case
def former_names(_):
    aggregator = ops.ExperimentalStatsAggregatorHandle()
    recorded = made(made(texts(), "ExperimentalBytesProducedStatsDataset", "b"), "ExperimentalLatencyStatsDataset", "time")
    return made(recorded, "ExperimentalSetStatsAggregatorDataset", aggregator, "tag", ""), aggregator


@case
def innermost_aggregator(aggregator):
    inner = told(counted(texts()), aggregator, "inner").repeat(2)
    return told(counted(inner, "outer"), aggregator, "outer")


@case
def several_tags(aggregator):
    return told(counted(counted(counted(texts(), "c").batch(2), "a").repeat(2), "b"), aggregator, "a::b")


@case
def one_tag_of_two_datasets(aggregator):
    return told(counted(counted(texts()).batch(2)), aggregator)


@case
def nothing_recorded(aggregator):
    return told(counted(texts().take(0)), aggregator)


@case
def no_aggregator(_):
    return counted(told(Dataset.range(3), ops.StatsAggregatorHandle(shared_name="other")))


@case
def filtered(aggregator):
    return told(Dataset.range(10).filter(lambda x: x % 3 > 0), aggregator, "tag")


@case
def filtered_in_a_function(aggregator):
    return told(Dataset.range(3).flat_map(lambda x: Dataset.range(4).filter(lambda y: y > x)), aggregator)


@case
def nothing_passes(aggregator):
    return told(Dataset.range(9).filter(lambda x: x > 100), aggregator)


@case
def only_some_asked_for(aggregator):
    return told(counted(texts()).shuffle(4).cache().repeat(2).take(5), aggregator)


@case
def ahead_of_time(aggregator):
    return told(counted(Dataset.range(10)).prefetch(3), aggregator)


@case
def not_ahead_of_time(aggregator):
    return told(counted(Dataset.range(3)).prefetch(0), aggregator)


@case
def by_several_threads(aggregator):
    inner = lambda x: counted(Dataset.range(x), "inner").map(lambda y: x + y, num_parallel_calls=2)
    return told(counted(Dataset.range(6)).interleave(inner, 2, num_parallel_calls=2), aggregator)


@case
def latency_of_errors(aggregator):
    checked = Dataset.range(5).map(lambda x: tf.debugging.check_numerics(1 / tf.cast(x - 2, tf.float32), "x"))
    return told(counted(timed(checked)).ignore_errors(), aggregator)


def examples():
    feature = {"i": lambda *v: tf.train.Feature(int64_list=tf.train.Int64List(value=v)), "z": lambda *v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v))}
    feature["d"] = feature["r"] = feature["i"]
    example = lambda **features: tf.train.Example(features=tf.train.Features(feature={k: feature[k](*v) for k, v in features.items()})).SerializeToString()
    nothing = tf.train.Example(features=tf.train.Features(feature={"e": tf.train.Feature()})).SerializeToString()
    return [example(i=[1], z=[b"a", b"b"]), example(z=[b"q"], d=[4, 5]), example(), example(i=[], d=[1, 2], r=[1, 2, 3]),
            example(i=[1]) + example(i=[2, 3]), nothing, example(r=[1] * 9)]


@case
def parsed_examples(aggregator):
    features = {"i": tf.io.VarLenFeature(tf.int64), "d": tf.io.FixedLenFeature([2], tf.int64, [7, 8]), "r": tf.io.RaggedFeature(tf.int64)}
    parsed = Dataset.from_tensor_slices(examples()).batch(3).apply(tf.data.experimental.parse_example_dataset(features))
    return told(parsed, aggregator).map(lambda features: features["d"])


@case
def events(_):
    aggregator = ops.StatsAggregatorHandleV2()
    numbers = counted(Dataset.range(8).filter(lambda x: x % 3 > 0)).repeat(2)
    return told(counted(numbers.batch(3), "batches"), aggregator, "tag"), aggregator


def lines_of(summary):
    lines = []
    for value in sorted(summary.value, key=lambda value: (value.HasField("simple_value"), value.tag)):
        if value.tag.endswith(("thread_utilization", "execution_time", "buffer_size")):
            continue
        if value.tag.endswith(("latency", "time", "buffer_utilization")):
            lines.append(f"count {value.tag} {int(value.histo.num)}")
        else:
            lines.append(f"value {value.SerializeToString().hex()}")
    return lines


def lines_of_events(folder):
    lines = []
    for path in glob.glob(os.path.join(folder, "*")):
        for event in list(tf.compat.v1.train.summary_iterator(path))[1:]:
            (value,) = event.summary.value
            if not value.tag.endswith(("thread_utilization", "execution_time")):
                lines.append(f"event {event.step} {value.SerializeToString().hex()}")
    return lines


def make(name):
    with tf.Graph().as_default() as graph:
        result = CASES[name](aggregator := ops.StatsAggregatorHandle())
        dataset, aggregator = result if isinstance(result, tuple) else (result, aggregator)
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        iterator = tf.compat.v1.data.make_initializable_iterator(dataset.with_options(options))
        with tf.control_dependencies([iterator.initializer]):
            tf.no_op(name="init")
        with tf.control_dependencies(tf.nest.flatten(iterator.get_next(), expand_composites=True)):
            tf.no_op(name="next")
        ops.StatsAggregatorSummary(iterator=aggregator, name="summary")
        if name == "former_names":
            ops.ExperimentalStatsAggregatorSummary(iterator=aggregator, name="former_summary")
        folder = tf.compat.v1.placeholder(tf.string, [], name="logdir")
        writer = ops.SummaryWriter()
        created = ops.CreateSummaryFileWriter(writer=writer, logdir=folder, max_queue=1000, flush_millis=10**9, filename_suffix="")
        with tf.control_dependencies([created]):
            ops.StatsAggregatorSetSummaryWriter(stats_aggregator=aggregator, summary=writer, name="writer")
        ops.FlushSummaryWriter(writer=writer, name="flush")
    with tempfile.TemporaryDirectory() as logs, tf.compat.v1.Session(graph=graph) as session:
        session.run("init")
        session.run("writer", {"logdir:0": logs})
        while True:
            try:
                session.run("next")
            except tf.errors.OutOfRangeError:
                break
        summary = session.run("summary:0")
        session.run("flush")
        lines = lines_of(summary_pb2.Summary.FromString(summary)) + lines_of_events(logs)
    with open(os.path.join(FOLDER, name + ".pb"), "wb") as file:
        file.write(graph.as_graph_def().SerializeToString(deterministic=True))
    with open(os.path.join(FOLDER, name + ".txt"), "w") as file:
        file.writelines(line + "\n" for line in lines)
    print(name, len(lines))


os.makedirs(FOLDER, exist_ok=True)
for name in sys.argv[1:] or CASES:
    make(name)
