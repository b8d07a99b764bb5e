"""Pipelines of datasets in TensorFlow: writes their files and graphs into a folder, and prints how long each takes.

    python benches/pipelines.py FOLDER
    cargo bench -p oplink-cpu-data --bench pipelines -- FOLDER

The second command runs the same graphs in oplink. Each graph goes through a dataset within one run and gives the number
of batches, so that the engine is measured and not the calls of a session."""

import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

Dataset = tf.data.Dataset
ROUNDS = 3


def records(folder):
    """200,000 records of 100 bytes to batches of 256."""
    return tf.data.TFRecordDataset(folder + "/records.tfrecord").batch(256)


def n_grams(folder):
    """20,000 lines of ten words to pairs of words, in batches of 256 lines' pairs."""
    def pairs(line):
        words = tf.strings.split([line]).values
        return tf.strings.join([words[:-1], words[1:]], separator=" ")
    return tf.data.TextLineDataset(folder + "/lines.txt").map(pairs).unbatch().batch(256)


def shuffle(folder):
    """10,000,000 integers through a buffer of 100,000, in batches of 1,000."""
    return Dataset.range(10_000_000).shuffle(100_000, seed=1).batch(1000)


def interleave(folder):
    """100 files of 2,000 records, 16 at a time, in batches of 256."""
    files = [f"{folder}/part{at}.tfrecord" for at in range(100)]
    return Dataset.from_tensor_slices(files).interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=2).batch(256)


def map_in_parallel(folder):
    """100,000 calls of a function of a few ops on vectors of 64, two at once, in batches of 100."""
    function = lambda x: tf.reduce_sum(tf.sqrt(tf.cast(tf.range(64, dtype=tf.int64) + x, tf.float32)))
    return Dataset.range(100_000).map(function, num_parallel_calls=2).batch(100).prefetch(2)


def write_files(folder):
    random = np.random.default_rng(5)
    with tf.io.TFRecordWriter(folder + "/records.tfrecord") as writer:
        for _ in range(200_000):
            writer.write(random.bytes(100))
    with open(folder + "/lines.txt", "w") as file:
        for _ in range(20_000):
            file.write(" ".join(f"w{word}" for word in random.integers(0, 5000, 10)) + "\n")
    for at in range(100):
        with tf.io.TFRecordWriter(f"{folder}/part{at}.tfrecord") as writer:
            for _ in range(2000):
                writer.write(random.bytes(100))


def main(folder):
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    write_files(folder)
    for pipeline in (records, n_grams, shuffle, interleave, map_in_parallel):
        with tf.Graph().as_default() as graph:
            count = pipeline(folder).reduce(tf.constant(0, tf.int64), lambda n, _: n + 1)
            tf.identity(count, name="count")
        with open(f"{folder}/{pipeline.__name__}.pb", "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())
        with tf.compat.v1.Session(graph=graph) as session:
            times = []
            for _ in range(ROUNDS):
                start = time.perf_counter()
                count = session.run("count:0")
                times.append(time.perf_counter() - start)
        print(f"{pipeline.__name__:16} {count:8} batches  {min(times) * 1000:9.1f} ms", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
