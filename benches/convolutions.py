"""TensorFlow's times of the layers in convolutions.txt: a convolution with a constant filter, a bias and a ReLU.

python benches/convolutions.py THREADS [WORD...]
"""
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

threads, words = int(sys.argv[1]), sys.argv[2:]
tf.config.threading.set_intra_op_parallelism_threads(threads)
tf.config.threading.set_inter_op_parallelism_threads(1)


def time_of(image, depth, out_depth, window, stride):
    random = np.random.default_rng(0)
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [1, image, image, depth])
        values = random.uniform(-1, 1, [*window, depth, out_depth or 1]).astype(np.float32)
        convolve = tf.nn.conv2d if out_depth else tf.nn.depthwise_conv2d
        y = convolve(x, tf.constant(values), [1, stride, stride, 1], "SAME")
        y = tf.nn.relu(tf.nn.bias_add(y, tf.constant(0.1, shape=[out_depth or depth])))
    config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1)
    session = tf.compat.v1.Session(graph=graph, config=config)
    call = session.make_callable(y.op, feed_list=[x])
    value = random.uniform(-1, 1, [1, image, image, depth]).astype(np.float32)
    for _ in range(5):
        call(value)
    best = float("inf")
    for _ in range(5):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < 0.06:
            call(value)
            count += 1
        best = min(best, (time.perf_counter() - start) / count)
    return best


for line in open(os.path.join(os.path.dirname(__file__), "convolutions.txt")):
    name = " ".join(line.split())
    if not name or name.startswith("#") or (words and not any(word in name for word in words)):
        continue
    _, image, depth, out_depth, window, stride = name.split()
    rows, columns = map(int, window.split("x"))
    print(f"{name:<40} {time_of(int(image), int(depth), int(out_depth), (rows, columns), int(stride)) * 1e6:9.1f}", flush=True)
