"""Writes state_queues.txt: programs over queues; see programs.py. Run with TensorFlow 2.21. No op of them has to wait."""

import programs
from programs import Program, count, t, tf

F, I, L, S = tf.float32, tf.int32, tf.int64, tf.string
ALL = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
       "complex64", "complex128", "bool", "string"]


def shape(*dims):
    return tf.TensorShape(list(dims))


class Queue:
    def __init__(self, p, op, types, shapes=(), name="q", **attrs):
        self.p, self.types, self.old = p, types, "" if op.endswith("V2") else "old"
        own = types[1:] if op.startswith("Priority") else types
        self.handle = p(op, component_types=own, shapes=list(shapes), container="", shared_name=name, **attrs)

    def op(self, name, *inputs, **attrs):
        if isinstance(self.handle, list):
            return None  # The declaration was refused.
        return self.p("Queue" + name + ("" if self.old else "V2"), self.handle, *inputs, **attrs)

    def put(self, *components, **attrs):
        self.op("Enqueue", list(components), **attrs)

    def put_many(self, *components, **attrs):
        self.op("EnqueueMany", list(components), **attrs)

    def get(self, types=None, **attrs):
        self.op("Dequeue", component_types=types or self.types, **attrs)

    def get_many(self, n, types=None, **attrs):
        self.op("DequeueMany", n if isinstance(n, tuple) else t(n, "int32"), component_types=types or self.types, **attrs)

    def get_up_to(self, n):
        self.op("DequeueUpTo", t(n, "int32"), component_types=self.types)

    def size(self):
        self.op("Size")

    def close(self, cancel=False):
        self.op("Close", cancel_pending_enqueues=cancel)

    def is_closed(self):
        self.op("IsClosed")


def fifo():
    for name in ALL:
        p, kind = Program(f"queue of {name}"), tf.as_dtype(name)
        q = Queue(p, "FIFOQueueV2", [kind, I], [shape(2), shape()])
        q.put(count((2,), name), count((), "int32"))
        q.put_many(count((3, 2), name, 5), count((3,), "int32", 7))
        q.size()
        q.get()
        q.get_many(2)
        q.get_up_to(1)
        q.size()
    for op in ["FIFOQueueV2", "FIFOQueue", "PaddingFIFOQueueV2", "PaddingFIFOQueue"]:
        p = Program(f"{op}, closed")
        q = Queue(p, op, [F], [shape(2)])
        q.is_closed()
        q.put_many(count((3, 2)))
        q.close()
        q.is_closed()
        q.put(count((2,)))
        q.put_many(count((1, 2)))
        q.get_many(5)
        q.size()
        q.get_up_to(2)
        q.get_up_to(2)
        q.get_up_to(2)
        q.get()
        q.get_many(0)
        q.get_many(1)
        q.close()
        q.close(True)
        q.size()
    p = Program("what does not fit")
    q = Queue(p, "FIFOQueueV2", [F, I], [shape(2), shape()])
    q.put(count((2,)))
    q.put(count((2,)), count((), "int64"))
    q.put(count((3,)), count((), "int32"))
    q.put(count((1, 2)), count((), "int32"))
    q.put_many(count((2, 2)), count((3,), "int32"))
    q.put_many(count((2, 3)), count((2,), "int32"))
    q.put_many(count((2,)), count((2,), "int32"))
    q.put_many(count((0, 2)), count((0,), "int32"))
    q.put_many(count(()), count((), "int32"))
    q.put(count((2,)), count((), "int32"))
    q.get([F])
    q.get([F, L])
    q.get_many(-1)
    q.get_many(t([1], "int32"))
    q.get_many(0)
    q.get_many(1, [F, L])
    q.put(count((2,)), count((), "int32"), timeout_ms=5)
    q.get(timeout_ms=5)
    q.size()
    p = Program("shapes that are not declared")
    q = Queue(p, "FIFOQueueV2", [F])
    q.put(count((2,)))
    q.put(count((3, 1)))
    q.put_many(count((2, 2)))
    q.get_many(1)
    q.get_up_to(1)
    q.get()
    q.get()
    q.get()
    p = Program("declarations")
    for shapes in [[shape(2)], [shape(2), shape(), shape()], [tf.TensorShape(None), shape()], [shape(None), shape()]]:
        q = Queue(p, "FIFOQueueV2", [F, I], shapes, name=f"q{len(shapes)}{shapes[0].rank}{shapes[0].is_fully_defined()}")
        q.size()
    p = Program("capacity")
    q = Queue(p, "FIFOQueueV2", [F], [shape()], capacity=2)
    q.put(count(()))
    q.put(count(()))
    q.size()
    p = Program("one queue by name, of one declaration")
    q = Queue(p, "FIFOQueueV2", [F], [shape()], name="shared", capacity=3)
    q.put(count(()))
    again = Queue(p, "FIFOQueueV2", [F], [shape()], name="shared", capacity=3)
    again.size()
    for types, shapes, capacity in [([F], [shape()], 4), ([I], [shape()], 3), ([F], [shape(2)], 3), ([F], [], 3)]:
        other = Queue(p, "FIFOQueueV2", types, shapes, name="shared", capacity=capacity)
        other.size()
    other = Queue(p, "RandomShuffleQueueV2", [F], [shape()], name="shared", capacity=3)
    other.size()


def shuffled():
    for op in ["RandomShuffleQueueV2", "RandomShuffleQueue"]:
        for seed, seed2 in [(1, 2), (0, 7), (123456789012, -5)]:
            p = Program(f"{op} with seeds {seed} and {seed2}")
            q = Queue(p, op, [F, I], [shape(2), shape()], seed=seed, seed2=seed2)
            q.put_many(count((9, 2)), count((9,), "int32"))
            q.get()
            q.get_many(3)
            q.put_many(count((2, 2), start=50), count((2,), "int32", 50))
            q.get_many(4)
            q.size()
            q.get_up_to(3)
    p = Program("a shuffled queue keeps some")
    q = Queue(p, "RandomShuffleQueueV2", [I], [shape()], seed=3, seed2=4, min_after_dequeue=2, capacity=5)
    q.put_many(count((5,), "int32"))
    q.get_many(3)
    q.size()
    q.close()
    q.get_many(3)
    q.get_up_to(3)
    q.get()
    q.put(count((), "int32"))


def padded():
    for op in ["PaddingFIFOQueueV2"]:
        p = Program("padding")
        q = Queue(p, op, [F, S], [shape(None, 2), shape(None)])
        q.put(count((1, 2)), count((3,), "string"))
        q.put(count((3, 2)), count((1,), "string"))
        q.put(count((0, 2)), count((0,), "string"))
        q.put(count((2, 3)), count((0,), "string"))
        q.put(count((2,)), count((0,), "string"))
        q.put_many(count((2, 2, 2)), count((2, 1), "string"))
        q.get_many(3)
        q.get()
        q.size()
        q.get_many(0)
        q.get_up_to(1)
        for shapes in [[], [tf.TensorShape(None), shape()]]:
            q = Queue(p, op, [F, S], shapes, name=f"q{len(shapes)}")
            q.size()


def prioritised():
    for op in ["PriorityQueueV2", "PriorityQueue"]:
        p = Program(op)
        q = Queue(p, op, [L, F, S], [shape(2), shape()])
        for priority, value in [(5, 1), (-2, 3), (7, 5), (4, 7), (0, 9)]:
            q.put(t(priority, "int64"), count((2,), start=value), t(f"s{value}", "string"))
        q.put_many(t([6, 1, 8], "int64"), count((3, 2), start=20), t(["a", "b", "c"], "string"))
        q.put(t([5], "int64"), count((2,)), t("x", "string"))
        q.put(t(5, "int32"), count((2,)), t("x", "string"))
        q.put(t(5, "int64"), count((3,)), t("x", "string"))
        q.put(count((2,)), t("x", "string"))
        q.size()
        q.get()
        q.get_many(3)
        q.get_up_to(4)
        q.close()
        q.get()


fifo()
shuffled()
padded()
prioritised()
programs.write(__file__, "state_queues.txt")
