"""Writes pipelines/NAME.pb, a graph with an iterator over a dataset, and pipelines/NAME.txt, the elements that TensorFlow
2.21 takes from it. Without arguments all of them, otherwise those named.

A graph has the node `init`, which starts the iterator on files in the folder that `folder` is fed, the nodes `next_0`,
`next_1`, …, the components of the next element, and `save` and `restore`, which takes what `saved` is fed. A line of the text is an element, its components one after the other; the last line is `end`, or `error` with
the code. At most 40 elements are taken."""

import glob
import gzip
import os
import shutil
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import snapshot_pb2
from tensorflow.python.data.ops.dataset_ops import _VariantDataset

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pipelines")
Dataset = tf.data.Dataset
PIPELINES = {}
# Pipelines that come to no element; TensorFlow does not run them.
ENDLESS = ["nothing_found", "nothing_found_ahead", "nothing_in_a_batch"]
# Pipelines whose state is no position that could be saved.
STATEFUL = ["generated"]


def pipeline(function):
    PIPELINES[function.__name__] = function
    return function


def text_of(value):
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind in "SU":
        strings = [v if isinstance(v, bytes) else str(v).encode() for v in array.ravel()]
        values = " ".join(s.hex() or "-" for s in strings)
        name = "string"
    elif array.dtype.kind == "f":
        values = " ".join(str(v) for v in array.astype(np.float64).ravel().view(np.uint64))
        name = array.dtype.name
    else:
        values = " ".join(str(int(v)) for v in array.ravel())
        name = array.dtype.name
    return f"{name}[{','.join(map(str, array.shape))}] {values}".rstrip()


def write(graph, path):
    with open(path, "wb") as file:
        file.write(graph.as_graph_def().SerializeToString(deterministic=True))


def make(name):
    with tf.Graph().as_default() as graph:
        tf.compat.v1.set_random_seed(7)
        folder = tf.compat.v1.placeholder(tf.string, [], name="folder")
        takes_folder = PIPELINES[name].__code__.co_argcount
        made = PIPELINES[name](*[folder][:takes_folder])
        if isinstance(made, tuple):
            iterator, initializers = made
        else:
            iterator = tf.compat.v1.data.make_initializable_iterator(made)
            initializers = [iterator.initializer]
        flat = tf.nest.flatten(iterator.get_next(), expand_composites=True)
        outputs = [tf.identity(tensor, name=f"next_{at}") for at, tensor in enumerate(flat)]
        with tf.control_dependencies(initializers):
            tf.no_op(name="init")
        resource = iterator._iterator_resource
        tf.raw_ops.SerializeIterator(resource_handle=resource, name="save")
        saved = tf.compat.v1.placeholder(tf.variant, [], name="saved")
        tf.raw_ops.DeserializeIterator(resource_handle=resource, serialized=saved, name="restore")
        tables = tf.compat.v1.tables_initializer(name="tables")
    if name in ENDLESS:
        write(graph, os.path.join(FOLDER, "endless", name + ".pb"))
        return
    place = os.path.join(FOLDER, "stateful" if name in STATEFUL else "", name)
    lines = []
    with tf.compat.v1.Session(graph=graph) as session:
        session.run(tables)
        session.run("init", {"folder:0": os.path.join(FOLDER, "files")})
        while len(lines) < 40:
            try:
                lines.append(" ; ".join(text_of(value) for value in session.run(outputs)))
            except tf.errors.OutOfRangeError:
                lines.append("end")
                break
            except tf.errors.OpError as error:
                print(name, error.message.splitlines()[0])
                lines.append(f"error {error.error_code}")
                break
    write(graph, place + ".pb")
    with open(place + ".txt", "w") as file:
        file.write("\n".join(lines) + "\n")
    print(name, len(lines), "nodes:", *sorted({n.op for n in graph.as_graph_def().node if "Dataset" in n.op or "Iter" in n.op}))


@pipeline
def range_repeat_take():
    return Dataset.range(2, 11, 3).repeat(3).skip(1).take(6)


@pipeline
def range_down_dtype():
    return Dataset.range(5, -5, -4, output_type=tf.int32).concatenate(Dataset.range(2, output_type=tf.int32))


@pipeline
def tensors_and_slices():
    a = Dataset.from_tensors((tf.constant([[1.5, -2.0], [0.25, 4.0]]), "text")).repeat(2)
    b = Dataset.from_tensor_slices((tf.constant([1, 2, 3]), [["a", "b"], ["c", ""], ["d", "e"]]))
    return Dataset.zip((a, b))


@pipeline
def batches():
    return Dataset.from_tensor_slices((np.arange(14, dtype=np.float32).reshape(7, 2), ["x", "yy", "", "z", "w", "v", "u"])).batch(3)


@pipeline
def batches_without_remainder():
    return Dataset.range(11).shard(2, 1).batch(2, drop_remainder=True).batch(2)


@pipeline
def batch_of_different_shapes():
    return Dataset.from_tensor_slices(["a b", "c d e"]).map(lambda s: tf.strings.split([s]).values).batch(2)


@pipeline
def shard_that_is_empty():
    return Dataset.range(3).apply(lambda d: d.shard(4, 3))


@pipeline
def repeat_of_nothing():
    return Dataset.range(0).repeat()


@pipeline
def mapped():
    offset = tf.constant(100, tf.int64)
    return Dataset.range(6).map(lambda x: (x * x + offset, tf.as_string(x)))


@pipeline
def mapped_in_parallel():
    return Dataset.range(20).map(lambda x: x * 3, num_parallel_calls=4).batch(6)


@pipeline
def map_that_fails():
    return Dataset.range(5).map(lambda x: 12 // (x - 2))


@pipeline
def filtered():
    return Dataset.range(20).filter(lambda x: tf.equal(x % 3, 1)).map(lambda x: x + 1)


@pipeline
def taken_while():
    return Dataset.range(20).take_while(lambda x: x < 5)


@pipeline
def scanned():
    return Dataset.range(7).scan(tf.constant(1, tf.int64), lambda s, x: (s + x, (s, s * x)))


@pipeline
def flat_mapped():
    return Dataset.range(4).flat_map(lambda x: Dataset.from_tensors(x).repeat(x))


@pipeline
def interleaved():
    return Dataset.range(1, 6).interleave(lambda x: Dataset.from_tensors(x).repeat(x + 1), cycle_length=2, block_length=3)


@pipeline
def interleaved_in_parallel():
    make = lambda x: Dataset.from_tensors(x).repeat(1 + x * 7 % 5)
    return Dataset.range(1, 10).interleave(make, cycle_length=3, block_length=2, num_parallel_calls=2)


@pipeline
def interleaved_in_parallel_of_old():
    make = lambda x: Dataset.from_tensors(x).repeat(1 + x * 7 % 5)
    return Dataset.range(1, 10).apply(tf.data.experimental.parallel_interleave(make, cycle_length=3, block_length=2))


@pipeline
def prefetched():
    return Dataset.range(9).prefetch(2).map(lambda x: x * 2).prefetch(tf.data.AUTOTUNE)


@pipeline
def shuffled():
    return Dataset.range(25).shuffle(7, seed=11)


@pipeline
def shuffled_twice():
    return Dataset.range(6).shuffle(6, seed=3).batch(6).repeat(4)


@pipeline
def shuffled_and_repeated():
    return Dataset.range(8).shuffle(5, seed=5).repeat(4)


@pipeline
def shuffled_the_same_again():
    return Dataset.range(7).shuffle(4, seed=5, reshuffle_each_iteration=False).batch(7).repeat(3)


@pipeline
def shuffle_and_repeat_op():
    return Dataset.range(8).apply(tf.data.experimental.shuffle_and_repeat(5, count=3, seed=9))


@pipeline
def shuffle_and_repeat_of_short():
    return Dataset.range(2).apply(tf.data.experimental.shuffle_and_repeat(50, count=9, seed=9))


@pipeline
def cached():
    return Dataset.range(4).map(lambda x: x * 5).cache().repeat(3)


@pipeline
def padded():
    texts = Dataset.from_tensor_slices(["a b", "c d e", "", "f"])
    words = texts.map(lambda s: (tf.strings.split([s]).values, tf.strings.length(s)))
    return words.padded_batch(3, padded_shapes=([None], []), padding_values=("<none>", 0))


@pipeline
def padded_to_shapes():
    rows = Dataset.range(5).map(lambda x: tf.fill([x % 3, 2], tf.cast(x, tf.float32)))
    return rows.padded_batch(2, padded_shapes=[None, 3], padding_values=-1.0, drop_remainder=True)


@pipeline
def windows():
    return Dataset.range(10).window(4, shift=3, stride=2).flat_map(lambda d: d.batch(4))


@pipeline
def windows_without_remainder():
    pairs = Dataset.zip((Dataset.range(9), Dataset.range(9).map(tf.as_string)))
    return pairs.window(3, shift=2, drop_remainder=True).flat_map(lambda a, b: Dataset.zip((a.batch(3), b.batch(3))))


@pipeline
def grouped_by_window():
    return Dataset.range(17).group_by_window(lambda x: x % 3, lambda key, d: d.batch(4), window_size=4)


@pipeline
def grouped_by_reducer():
    reducer = tf.data.experimental.Reducer(
        lambda key: (key * 100, tf.constant(0, tf.int64)), lambda s, x: (s[0] + x, s[1] + 1), lambda a, b: (a, b))
    return Dataset.range(12).apply(tf.data.experimental.group_by_reducer(lambda x: (x * 2) % 5, reducer))


@pipeline
def unbatched():
    return Dataset.from_tensor_slices((np.arange(12).reshape(3, 4), np.array(list("abcdefghijkl")).reshape(3, 4))).unbatch()


@pipeline
def mapped_and_batched():
    return Dataset.range(10).apply(tf.data.experimental.map_and_batch(lambda x: (x, tf.as_string(x)), 4, num_parallel_calls=2))


@pipeline
def random_numbers():
    return Dataset.random(seed=4).take(9).batch(4)


@pipeline
def random_numbers_again():
    return Dataset.random(seed=4, rerandomize_each_iteration=True).take(3).repeat(3)


@pipeline
def unique():
    return Dataset.from_tensor_slices(["b", "a", "b", "", "c", "a", ""]).unique()


@pipeline
def rebatched():
    return Dataset.range(23).batch(5).rebatch([3, 4, 2])


@pipeline
def rebatched_without_remainder():
    return Dataset.range(11).batch(4).rebatch(3, drop_remainder=True)


@pipeline
def chosen():
    sources = [Dataset.range(3), Dataset.range(100, 104), Dataset.range(200, 220)]
    return Dataset.choose_from_datasets(sources, Dataset.range(3).repeat(5), stop_on_empty_dataset=False)


@pipeline
def chosen_until_one_ends():
    sources = [Dataset.range(3), Dataset.range(100, 104)]
    return Dataset.choose_from_datasets(sources, Dataset.range(2).repeat(5), stop_on_empty_dataset=True)


@pipeline
def sampled():
    return Dataset.sample_from_datasets([Dataset.range(5), Dataset.range(100, 105)], weights=[0.3, 0.7], seed=6)


@pipeline
def errors_ignored():
    rows = Dataset.range(6).map(lambda x: 12 // (x - 2))
    return rows.ignore_errors()


@pipeline
def counted():
    return Dataset.range(5).apply(tf.data.experimental.assert_cardinality(5))


@pipeline
def counted_wrongly():
    return Dataset.range(3).apply(tf.data.experimental.assert_cardinality(5))


@pipeline
def reduced():
    totals = lambda x: Dataset.range(x).reduce(tf.constant(0, tf.int64), lambda s, y: s + y)
    return Dataset.range(6).map(totals)


@pipeline
def enumerated():
    return Dataset.from_tensor_slices(["a", "b", "c"]).enumerate(start=5)


@pipeline
def bucketed():
    texts = Dataset.range(1, 14).map(lambda x: tf.fill([x * 5 % 7], x))
    return texts.bucket_by_sequence_length(lambda t: tf.shape(t)[0], [3, 5], [2, 3, 2])


@pipeline
def ragged_batches():
    return Dataset.range(5).map(lambda x: tf.range(x)).ragged_batch(2)


@pipeline
def with_options():
    options = tf.data.Options()
    options.threading.private_threadpool_size = 2
    options.threading.max_intra_op_parallelism = 1
    options.deterministic = True
    return Dataset.range(5).map(lambda x: x + 1).with_options(options)


@pipeline
def table_lookups():
    keys, values = tf.constant(["a", "b"]), tf.constant([7, 9], tf.int64)
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
    return Dataset.from_tensor_slices(["b", "c", "a"]).map(table.lookup)


@pipeline
def lines(folder):
    files = tf.strings.join([folder, ["/lines.txt", "/more.txt"]])
    return tf.data.TextLineDataset(files)


@pipeline
def lines_of_gzip(folder):
    return tf.data.TextLineDataset(folder + "/lines.txt.gz", compression_type="GZIP").skip(1)


@pipeline
def bigrams_of_lines(folder):
    words = lambda line: tf.data.Dataset.from_tensor_slices(tf.strings.split([line]).values)
    text = tf.data.TextLineDataset(folder + "/lines.txt").flat_map(words)
    return text.window(2, shift=1, drop_remainder=True).flat_map(lambda d: d.batch(2)).map(
        lambda pair: tf.strings.reduce_join(pair, separator=" "))


@pipeline
def records(folder):
    return tf.data.TFRecordDataset(tf.strings.join([folder, ["/a.tfrecord", "/b.tfrecord"]])).batch(4)


@pipeline
def records_of_zlib(folder):
    return tf.data.TFRecordDataset(folder + "/z.tfrecord", compression_type="ZLIB")


@pipeline
def damaged_records(folder):
    return tf.data.TFRecordDataset(folder + "/damaged.tfrecord")


@pipeline
def no_such_file(folder):
    return tf.data.TextLineDataset(folder + "/none.txt")


@pipeline
def fixed_records(folder):
    files = tf.strings.join([folder, ["/fixed.bin", "/fixed.bin"]])
    return tf.data.FixedLengthRecordDataset(files, 3, header_bytes=2, footer_bytes=4)


@pipeline
def fixed_records_that_do_not_fit(folder):
    return tf.data.FixedLengthRecordDataset(folder + "/fixed.bin", 4, header_bytes=2, footer_bytes=4)


@pipeline
def fixed_records_of_gzip(folder):
    return tf.data.FixedLengthRecordDataset(folder + "/fixed.bin.gz", 3, 2, 4, compression_type="GZIP")


@pipeline
def interleaved_files(folder):
    files = tf.data.Dataset.from_tensor_slices(tf.strings.join([folder, ["/a.tfrecord", "/b.tfrecord"]]))
    return files.interleave(tf.data.TFRecordDataset, cycle_length=2, num_parallel_calls=2).prefetch(3)


@pipeline
def csv(folder):
    defaults = [tf.constant([7]), tf.float32, tf.constant(["none"]), tf.constant([], tf.int64)]
    return tf.data.experimental.CsvDataset(folder + "/table.csv", defaults, header=True, na_value="NA")


@pipeline
def csv_columns(folder):
    files = tf.strings.join([folder, ["/table.csv", "/table.csv"]])
    return tf.data.experimental.CsvDataset(files, ["", tf.constant([0], tf.int64)], header=True, select_cols=[2, 3])


@pipeline
def csv_without_a_value(folder):
    return tf.data.experimental.CsvDataset(folder + "/gap.csv", [tf.int32, tf.int32], field_delim=";")


@pipeline
def nothing_found():
    return Dataset.range(5).repeat().filter(lambda x: x > 9)


@pipeline
def nothing_found_ahead():
    return Dataset.range(5).repeat().filter(lambda x: x > 9).map(lambda x: x, num_parallel_calls=2).prefetch(2)


@pipeline
def nothing_in_a_batch():
    return Dataset.range(5).repeat().unique().batch(100)


@pipeline
def one_shot():
    return tf.compat.v1.data.make_one_shot_iterator(Dataset.range(3).map(lambda x: x * 7)), []


@pipeline
def by_string():
    iterator = tf.compat.v1.data.make_initializable_iterator(Dataset.range(4).batch(3))
    types, shapes = tf.compat.v1.data.get_output_types(iterator), tf.compat.v1.data.get_output_shapes(iterator)
    same = tf.compat.v1.data.Iterator.from_string_handle(iterator.string_handle(), types, shapes)
    return same, [iterator.initializer]


@pipeline
def loops():
    @tf.function
    def total(count):
        total = tf.constant(0, tf.int64)
        for x in Dataset.range(count).shuffle(3, seed=2).map(lambda y: y * y):
            total = 2 * total + x
        return total

    return Dataset.range(6).map(total)


def made(op, specs, *inputs, **attrs):
    """What an op that Python has no function for makes; elements have a component for each of the specs."""
    flat = tf.nest.flatten(specs)
    declared = {"output_types": [spec.dtype for spec in flat], "output_shapes": [spec.shape for spec in flat]}
    names = [argument.name for argument in tf.raw_ops.__dict__[op].__signature__.parameters.values()]
    given = {name: input._variant_tensor if isinstance(input, Dataset) else input for name, input in zip(names, inputs)}
    declared = {name: value for name, value in declared.items() if name in names}
    return _VariantDataset(getattr(tf.raw_ops, op)(**given, **declared, **attrs), specs)


def spec(dtype=tf.int64, shape=()):
    return tf.TensorSpec(shape, dtype)


def concrete(function, *specs):
    return tf.function(function).get_concrete_function(*specs)


@pipeline
def sparse_batches():
    rows = Dataset.range(1, 6).map(lambda x: tf.reshape(tf.range(x * 2), [x, 2]))
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [None, 3]))


@pipeline
def sparse_batches_of_large_elements():
    words = Dataset.from_tensor_slices(["a", "b c", "d e f"]).map(lambda s: tf.strings.split([s]).values)
    return words.apply(tf.data.experimental.dense_to_sparse_batch(1, [2]))


@pipeline
def parts_for_replicas():
    pairs = Dataset.zip((Dataset.range(13), Dataset.range(13).map(tf.as_string))).batch(5)
    return made("RebatchDataset", (spec(shape=[None]), spec(tf.string, [None])), pairs, 3)


@pipeline
def parts_of_scalars():
    return made("RebatchDataset", spec(), Dataset.range(3), 2)


@pipeline
def matching_files(folder):
    patterns = tf.strings.join([folder, ["/*.txt", "/[a-b].tfrecord", "/*/*", "/lin*"]])
    return made("MatchingFilesDataset", spec(tf.string), patterns).map(lambda name: tf.strings.split(name, "/")[-1])


@pipeline
def matching_no_file(folder):
    return made("MatchingFilesDataset", spec(tf.string), folder + "/*.none")


@pipeline
def matching_in_no_folder(folder):
    return made("MatchingFilesDataset", spec(tf.string), folder + "/none/*")


@pipeline
def weighted():
    sources = [Dataset.range(100, 104)._variant_tensor, Dataset.range(6)._variant_tensor, Dataset.range(50, 90)._variant_tensor]
    return made("WeightedFlatMapDataset", spec(), sources, [0.25, 0.5, 0.75])


@pipeline
def index_flat_mapped():
    places = tf.constant([[0, 0], [0, 2], [0, 1], [1, 0], [2, 1], [3, 0], [9, 0]], tf.int64)
    words = lambda s, captured: tf.strings.join([tf.strings.split([s]).values, captured])
    place = lambda row, captured: (captured[row][0], tf.cast(captured[row][1], tf.int32))
    words, place = concrete(words, spec(tf.string), spec(tf.string)), concrete(place, spec(), spec(shape=[7, 2]))
    texts = Dataset.from_tensor_slices(["a b c", "d", "e f", "g"])
    return made("IndexFlatMapDataset", spec(tf.string), texts, [tf.constant("!")], [places], 6, words, place)


@pipeline
def index_flat_mapped_behind_rows():
    same, place = concrete(lambda x: tf.stack([x, x]), spec()), concrete(lambda row: (row // 3, row % 3 * 3), spec())
    return made("IndexFlatMapDataset", spec(), Dataset.range(4), [], [], 12, same, place)


@pipeline
def windows_of_inputs(folder):
    # Constants alone would be folded to one, which TensorFlow cannot read.
    inputs = [tf.constant([1, 2]) * tf.minimum(tf.strings.length(folder), 1), tf.constant("a"), tf.constant([3, 4]), tf.constant("b"), tf.constant([5, 6])]
    return made("WindowOp", (spec(tf.int32, [2]), spec(tf.string)), inputs)


@pipeline
def mapped_rows():
    function = concrete(lambda a, b, c: (a * 2 + c, tf.strings.join([b, b])), spec(), spec(tf.string, [2]), spec())
    both = lambda x: tf.raw_ops.MapDefun(
        arguments=[tf.range(x), tf.tile([["a", "b"]], [tf.cast(x, tf.int32), 1])], captured_inputs=[x], f=function,
        output_types=[tf.int64, tf.string], output_shapes=[[], [2]])
    return Dataset.range(4).map(lambda x: tuple(both(x)))


@pipeline
def mapped_rows_of_different_shapes():
    function = concrete(lambda a: tf.range(a), spec())
    ranges = lambda x: tf.raw_ops.MapDefun(
        arguments=[[x, 2]], captured_inputs=[], f=function, output_types=[tf.int64], output_shapes=[[None]])
    return Dataset.range(2, 5).map(lambda x: ranges(x)[0])


@pipeline
def compressed():
    def there_and_back(x):
        components = [tf.range(x * 3), tf.as_string([x, x + 1]), tf.cast(x, tf.float16), x > 1]
        held = tf.raw_ops.CompressElement(components=components)
        back = tf.raw_ops.UncompressElement(
            compressed=held, output_types=[c.dtype for c in components], output_shapes=[c.shape for c in components])
        return tuple(back)

    return Dataset.range(4).map(there_and_back)


@pipeline
def compressed_as_other():
    held = lambda x: tf.raw_ops.CompressElement(components=[x])
    return Dataset.range(4).map(lambda x: tf.raw_ops.UncompressElement(
        compressed=held(x), output_types=[tf.int32], output_shapes=[[]])[0])


def shuffled_globally_by(dataset, seed, seed2, reshuffle=True):
    attrs = {"seed_generator": tf.raw_ops.DummySeedGenerator(), "reshuffle_each_iteration": reshuffle}
    return made("GlobalShuffleDataset", dataset.element_spec, dataset, seed, seed2, **attrs)


@pipeline
def shuffled_globally():
    return shuffled_globally_by(Dataset.range(10).map(lambda x: x * x), 1, 2).batch(10).repeat(3)


@pipeline
def shuffled_globally_in_one_order():
    numbers = Dataset.from_tensor_slices([4, 5, 6, 7, 8, 9])
    return shuffled_globally_by(numbers.prefetch(2), 2**40 + 3, 5, reshuffle=False).batch(6).repeat(2)


@pipeline
def shuffled_globally_of_parts():
    pairs = Dataset.range(12).skip(1).take(9).concatenate(Dataset.range(100, 112).shard(3, 1)).batch(2, drop_remainder=True)
    return shuffled_globally_by(Dataset.zip((pairs, Dataset.range(20, 40).cache())), 0, 7)


@pipeline
def sharded_by_elements():
    return made("AutoShardDataset", spec(), Dataset.range(11).map(lambda x: x * x).prefetch(2), 3, 1)


@pipeline
def sharded_by_nothing():
    return made("AutoShardDataset", spec(), Dataset.range(5), 3, 1, auto_shard_policy=-1)


@pipeline
def batch_sizes():
    numbers, batches = Dataset.range(20), Dataset.range(20).batch(4)
    options = tf.data.Options()
    options.deterministic = True
    datasets = [
        numbers, batches, batches.take(2).skip(1).repeat(2).prefetch(1), batches.map(lambda x: x), batches.shard(2, 0),
        batches.shuffle(3, seed=1), batches.filter(lambda x: x[0] > 1), batches.cache(), batches.with_options(options),
        Dataset.zip((batches, batches)), Dataset.zip((batches, numbers.batch(3))), batches.concatenate(batches),
        numbers.map(lambda x: tf.range(x)).padded_batch(7), numbers.batch(3, num_parallel_calls=2), batches.unbatch(),
        batches.rebatch(2), batches.batch(2), numbers.window(2), batches.ignore_errors(), batches.enumerate(),
        numbers.apply(tf.data.experimental.assert_cardinality(20)).batch(6).apply(
            tf.data.experimental.assert_cardinality(4)),
        numbers.apply(tf.data.experimental.map_and_batch(lambda x: x, 5)), batches.take_while(lambda x: True)]
    sizes = [tf.raw_ops.ComputeBatchSize(input_dataset=dataset._variant_tensor) for dataset in datasets]
    return Dataset.from_tensors(tf.stack(sizes))


@pipeline
def options():
    def with_options(dataset, **values):
        options = tf.data.Options()
        for name, value in values.items():
            part = options
            *outer, last = name.split("__")
            for field in outer:
                part = getattr(part, field)
            setattr(part, last, value)
        return dataset.with_options(options)

    numbers = Dataset.range(9)
    first = with_options(numbers, deterministic=True, threading__private_threadpool_size=300)
    second = with_options(first.map(lambda x: x), deterministic=False, autotune__enabled=False)
    raw = lambda text: made("OptionsDataset", spec(), first, serialized_options=text)
    datasets = [
        numbers, first, second.batch(2).prefetch(1), Dataset.zip((second, first)), Dataset.zip((first, second)),
        with_options(second, experimental_slack=True, experimental_distribute__auto_shard_policy=tf.data.experimental.AutoShardPolicy.DATA),
        first.concatenate(with_options(numbers, experimental_optimization__map_fusion=True)),
        raw(b"\x1a\x02\x08\x00\x08\x01"), raw(b"\xa2\x06\x01a\x12\x02\x08\x00\x52\x01n\x58\x01\x5a\x02\x02\x03"),
        Dataset.range(2).interleave(lambda x: first)]
    found = [tf.raw_ops.GetOptions(input_dataset=dataset._variant_tensor) for dataset in datasets]
    return Dataset.from_tensors(tf.stack(found))


@pipeline
def generated():
    """Elements of an iterator, which is the state; a queue gets an element for each state that was finalized."""
    finished = tf.queue.FIFOQueue(100, tf.int64, [[]])
    tf.identity(finished.size(), name="finalized")
    declared = {"output_types": [tf.int64], "output_shapes": [[]]}

    def begin(count):
        iterator = tf.raw_ops.AnonymousIteratorV3(**declared)
        with tf.control_dependencies([tf.raw_ops.MakeIterator(dataset=Dataset.range(count)._variant_tensor, iterator=iterator)]):
            return tf.identity(iterator), count

    begin = concrete(begin, spec())
    more = concrete(lambda i, count, x: tf.raw_ops.IteratorGetNext(iterator=i, **declared)[0] * count + x,
                    tf.TensorSpec([], tf.resource), spec(), spec())

    def end(iterator, count):
        finished.enqueue(count)
        return count

    end = concrete(end, tf.TensorSpec([], tf.resource), spec())
    five, hundred = tf.constant(5, tf.int64), tf.constant(100, tf.int64)
    return made("GeneratorDataset", spec(), [five], [hundred], end.captured_inputs, begin, more, end)


def of_shards(specs, cycle_length=1):
    """A function that reads shards, in turn where `cycle_length` says so."""
    flat = tf.nest.flatten(specs)
    declared = {"output_types": [s.dtype for s in flat], "output_shapes": [s.shape for s in flat]}
    same = concrete(lambda shard: shard, spec(tf.variant))

    def read(shards):
        if cycle_length == 1:
            return tf.raw_ops.FlatMapDataset(input_dataset=shards, other_arguments=[], f=same, **declared)
        turns = [tf.constant(number, tf.int64) for number in (cycle_length, 1)]
        return tf.raw_ops.InterleaveDataset(input_dataset=shards, other_arguments=[], cycle_length=turns[0], block_length=turns[1], f=same, **declared)

    return concrete(read, spec(tf.variant))


KEPT = (spec(), spec(tf.string), spec(tf.bool), spec(tf.float32, [2]))


def kept(count=7):
    """What the folders of saved elements have."""
    words = Dataset.from_tensor_slices(["a", "", "bb", "c\0d"]).repeat()
    numbers = Dataset.range(count)
    return Dataset.zip((numbers, words, numbers.map(lambda x: x % 2 == 0), numbers.map(lambda x: tf.cast(tf.stack([x, -x]), tf.float32))))


@pipeline
def loaded(folder):
    return made("LoadDataset", KEPT, folder + "/kept/saved", [], reader_func=of_shards(KEPT))


@pipeline
def loaded_in_turn(folder):
    return made("LoadDataset", KEPT, folder + "/kept/saved_gzip", [], reader_func=of_shards(KEPT, 2), compression="GZIP")


@pipeline
def loaded_of_blocks(folder):
    return made("LoadDataset", KEPT, folder + "/kept/saved_snappy", [], reader_func=of_shards(KEPT), compression="SNAPPY")


@pipeline
def snapshot_of_shards(folder):
    shard = concrete(lambda *element: tf.constant(0, tf.int64), *KEPT)
    return made("SnapshotDatasetV2", KEPT, kept(3), folder + "/kept/snapshots", [], [], reader_func=of_shards(KEPT), shard_func=shard, hash_valid=True, hash=77)


@pipeline
def snapshot_of_messages(folder):
    return made("SnapshotDataset", KEPT, kept(3), folder + "/kept/snapshots", snapshot_name="plain")


@pipeline
def snapshot_of_compressed_bytes(folder):
    return made("SnapshotDataset", KEPT, kept(3), folder + "/kept/snapshots", compression="SNAPPY", snapshot_name="snappy")


@pipeline
def snapshot_of_other_dtypes(folder):
    return made("SnapshotDataset", spec(), Dataset.range(3), folder + "/kept/snapshots", snapshot_name="plain")


@pipeline
def parsed_examples():
    def example(**features):
        kinds = {int: lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v)),
                 float: lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v)),
                 bytes: lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v))}
        made = {name: kinds[type(values[0])](values) for name, values in features.items()}
        return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString(deterministic=True)

    messages = [example(dense=[1, 2], some=[b"x"], rows=[0.5, 1.5]), example(dense=[3, 4], rows=[2.5], open=[7, 8, 9]),
                example(some=[b"y", b"z"], open=[1]), example(dense=[5, 6])]
    features = {"some": tf.io.VarLenFeature(tf.string), "dense": tf.io.FixedLenFeature([2], tf.int64, [-1, -2]),
                "rows": tf.io.RaggedFeature(tf.float32, row_splits_dtype=tf.int64), "open": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
    parsed = Dataset.from_tensor_slices(messages).batch(3).apply(tf.data.experimental.parse_example_dataset(features, num_parallel_calls=2))
    return parsed.map(lambda f: (f["some"].indices, f["some"].values, f["some"].dense_shape, f["dense"], f["rows"].values, f["rows"].row_splits, f["open"]))


@pipeline
def parsed_examples_without_a_feature():
    features = {"dense": tf.io.FixedLenFeature([], tf.int64)}
    return Dataset.from_tensor_slices([b"", b""]).batch(2).apply(tf.data.experimental.parse_example_dataset(features))


@pipeline
def fastest_branch():
    pairs = concrete(lambda d: tf.raw_ops.BatchDatasetV2(input_dataset=d, batch_size=tf.constant(2, tf.int64), drop_remainder=False, output_types=[tf.int64],
                                                         output_shapes=[[None]]), spec(tf.variant))
    return made("ChooseFastestBranchDataset", spec(shape=[None]), Dataset.range(11), 2, 1, [], branches=[pairs, pairs], num_elements_per_branch=2,
                other_arguments_lengths=[0, 0])


def write_kept(folder):
    """Saved elements and snapshots, the runs with names that stay."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, compression in [("saved", None), ("saved_gzip", "GZIP"), ("saved_snappy", "SNAPPY")]:
        place = os.path.join(folder, name)
        kept().save(place, compression=compression, shard_func=lambda number, *_: number // 3)
        os.remove(os.path.join(place, "dataset_spec.pb"))
        settle(place)
    place, off = os.path.join(folder, "snapshots"), tf.data.Options()
    off.experimental_optimization.apply_default_optimizations = off.autotune.enabled = False
    shard = concrete(lambda number, *_: number % 2, *KEPT)
    snapshots = [made("SnapshotDatasetV2", KEPT, kept(), place, [], [], reader_func=of_shards(KEPT), shard_func=shard, hash_valid=True, hash=77)]
    for name, compression in [("plain", ""), ("snappy", "SNAPPY")]:
        snapshots.append(made("SnapshotDataset", KEPT, kept(), place, snapshot_name=name, compression=compression, shard_size_bytes=50))
    for snapshot in snapshots:
        for _ in snapshot.with_options(off):
            pass
    del snapshots, snapshot
    settle(os.path.join(place, "77"))


def settle(folder):
    """Gives the run of a folder the name `run`."""
    path = os.path.join(folder, "snapshot.metadata")
    with open(path, "rb") as file:
        metadata = snapshot_pb2.SnapshotMetadataRecord.FromString(file.read())
    os.rename(os.path.join(folder, metadata.run_id), os.path.join(folder, "run"))
    metadata.run_id, metadata.creation_timestamp = "run", 1
    with open(path, "wb") as file:
        file.write(metadata.SerializeToString(deterministic=True))


def write_files():
    """The files that pipelines read."""
    write_kept(os.path.join(FOLDER, "files", "kept"))
    path = lambda name: os.path.join(FOLDER, "files", name)
    text = b"the first line\r\n\nthird line\nand the last one"
    table = b'i,f,s,l\n1,2.5,"a, ""b""",3\n,1e3,,-4\n-5,.5,NA,6\n12,-0,"two\nlines",9000000000\n'
    fixed = b"HHaaabbbcccdddFFFF"
    for name, data in [("lines.txt", text), ("more.txt", b"x\ny\n"), ("fixed.bin", fixed), ("table.csv", table), ("gap.csv", b"1;2\n3;\n")]:
        with open(path(name), "wb") as file:
            file.write(data)
    for name, data in [("lines.txt.gz", text), ("fixed.bin.gz", fixed)]:
        with open(path(name), "wb") as file:
            file.write(gzip.compress(data, mtime=0))
    for name, count, compression in [("a", 5, ""), ("b", 2, ""), ("z", 3, "ZLIB"), ("damaged", 3, "")]:
        with tf.io.TFRecordWriter(path(name + ".tfrecord"), compression) as writer:
            for at in range(count):
                writer.write((name * at).encode())
    with open(path("damaged.tfrecord"), "r+b") as file:
        file.seek(-3, os.SEEK_END)
        file.write(b"?")


def main():
    for folder in ("files", "endless", "stateful"):
        os.makedirs(os.path.join(FOLDER, folder), exist_ok=True)
    write_files()
    for name in sys.argv[1:] or PIPELINES:
        make(name)
    # Graphs that TensorFlow leaves beside snapshots.
    for graph in glob.glob(os.path.join(FOLDER, "files", "kept", "snapshots", "*.pbtxt")):
        os.remove(graph)


if __name__ == "__main__":
    main()
