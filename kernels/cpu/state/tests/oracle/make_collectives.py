"""Writes collectives.txt: what TensorFlow's collectives give the members of groups.

usage: make_collectives.py [FILE]   with the Python of an environment that has tensorflow-cpu 2.21

A case is a line with the op, the dtype, the shape of the inputs and attrs or other inputs, then a line for each member: its
input, and behind `|` its output or the code of the error that all get. Members are devices in their order.
"""
import itertools
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

raw, v1 = tf.raw_ops, tf.compat.v1
numbers = itertools.count(1)


def values(random, dtype, shape):
    if dtype.startswith("int"):
        return random.randint(-9, 10, shape).astype(dtype)
    return tf.constant(random.randn(*shape), dtype).numpy()


def run(members, node):
    """The outputs of all members, each on a device of its own; or the code of the error."""
    with tf.Graph().as_default():
        outputs = []
        for member, value in enumerate(members):
            with tf.device(f"/cpu:{member}"):
                outputs.append(node(member, value))
        with v1.Session(config=v1.ConfigProto(device_count={"CPU": 4})) as session:
            options = v1.RunOptions(timeout_in_ms=60000)
            options.experimental.collective_graph_key = 1
            try:
                return session.run(outputs, options=options)
            except tf.errors.OpError as error:
                return type(error).__name__.removesuffix("Error")


def text(tensor):
    return " ".join(repr(float(x)) if not np.issubdtype(tensor.dtype, np.integer) else str(int(x)) for x in np.asarray(tensor).reshape(-1))


def case(file, op, dtype, members, words, node):
    outputs = run(members, node)
    shape = "x".join(map(str, members[0].shape)) or "-"
    print(op, dtype, shape, *words, file=file)
    for member, value in enumerate(members):
        output = outputs if isinstance(outputs, str) else text(outputs[member])
        print(text(value), "|", output, file=file)
    print(file=file)


def keyed(size):
    number = next(numbers)
    return {"group_size": size, "group_key": number, "instance_key": number}


def reduce(file, random, dtype, size, shape, merge, final):
    keys, members = keyed(size), [values(random, dtype, shape) for _ in range(size)]
    node = lambda member, value: raw.CollectiveReduceV2(input=tf.constant(value), ordering_token=[], merge_op=merge, final_op=final, **keys)
    case(file, "CollectiveReduceV2", dtype, members, [merge, final], node)


def gather(file, random, dtype, size, shape):
    keys, members = keyed(size), [values(random, dtype, shape) for _ in range(size)]
    case(file, "CollectiveGatherV2", dtype, members, [], lambda member, value: raw.CollectiveGatherV2(input=tf.constant(value), ordering_token=[], **keys))


def all_to_all(file, random, dtype, size, shape):
    keys, members = keyed(size), [values(random, dtype, shape) for _ in range(size)]
    case(file, "CollectiveAllToAllV2", dtype, members, [], lambda member, value: raw.CollectiveAllToAllV2(input=tf.constant(value), ordering_token=[], **keys))


def broadcast(file, random, dtype, size, shape, senders):
    keys, members = keyed(size), [values(random, dtype, shape) for _ in range(size)]

    def node(member, value):
        if member in senders:
            return raw.CollectiveBcastSendV2(input=tf.constant(value), **keys)
        return raw.CollectiveBcastRecvV2(T=dtype, shape=list(shape), **keys)

    case(file, "CollectiveBcastSendV2", dtype, members, senders, node)


def with_communicator(file, random, op, dtype, size, shape, ranks, reduction):
    key, members = next(numbers), [values(random, dtype, shape) for _ in range(size)]

    def node(member, value):
        group = raw.CollectiveInitializeCommunicator(group_key=key, rank=ranks[member], group_size=size)
        inputs = {"input": tf.constant(value), "communicator": group, "group_assignment": tf.zeros([0], tf.int32)}
        return raw.CollectiveReduceV3(reduction=reduction, **inputs) if op == "CollectiveReduceV3" else raw.CollectiveAllToAllV3(**inputs)

    case(file, op, dtype, members, [reduction, *ranks], node)


def main(path):
    random = np.random.RandomState(7)
    with open(path, "w") as file:
        for dtype, merge in itertools.product(["float32", "float16", "bfloat16", "int32"], ["Add", "Mul", "Min", "Max"]):
            reduce(file, random, dtype, random.randint(2, 5), (random.choice([1, 7, 50]),), merge, random.choice(["Id", "Div"]))
        for dtype, shape, final in [("float64", (3, 9), "Div"), ("int64", (2, 2), "Div"), ("float32", (100,), "Id"), ("float32", (), "Div"), ("float32", (0, 3), "Id"), ("float16", (70,), "Div")]:
            reduce(file, random, dtype, 4, shape, "Add", final)
        for dtype, size, shape in [("float32", 3, (2,)), ("int64", 2, (1, 2, 2)), ("float16", 4, (3, 1))]:
            gather(file, random, dtype, size, shape)
        for dtype, size, shape in [("float32", 3, (3,)), ("bfloat16", 2, (2, 3)), ("int32", 4, (4, 1, 2)), ("float32", 3, (4,)), ("float32", 2, (4,))]:
            all_to_all(file, random, dtype, size, shape)
        for dtype, size, shape, senders in [("float32", 3, (2,), [1]), ("int32", 4, (2, 2), [0]), ("float32", 2, (), [1]), ("float32", 2, (2,), [0, 1]), ("float32", 2, (2,), [])]:
            broadcast(file, random, dtype, size, shape, senders)
        for op, shape, ranks in [("CollectiveReduceV3", (5,), [0, 1, 2]), ("CollectiveReduceV3", (60,), [2, 0, 1]), ("CollectiveAllToAllV3", (3, 2), [0, 1, 2]), ("CollectiveAllToAllV3", (3,), [2, 0, 1])]:
            with_communicator(file, random, op, "float32", 3, shape, ranks, "Add")


main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "collectives.txt"))
