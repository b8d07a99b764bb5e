"""Writes `flow/*.pb` and `flow.txt`: graphs with functions, conditions, loops and lists, and their gradients as
TensorFlow computes them, for `../it/flow.rs`.

A line is a case: `name|feeds|y|xs|dy|gradients|second`. `feeds` are `placeholder=tensor`, `xs` names of placeholders,
`dy` the gradient of `y`, `second` the gradients of the sum of `gradients` (`-` where they are not asked for).
"""

import contextlib
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[2] / "cpu/tests/oracle"))

from cases import *

RNG = np.random.default_rng(11)
CASES = []
raw = tf.raw_ops


def some(*shape, low=-1.0, high=1.0):
    return tf.constant(RNG.uniform(low, high, shape).round(3), "float32")


def text(x):
    if x.dtype != tf.float32:
        return tensor(x)
    return f"float32[{','.join(map(str, x.shape))}]:{' '.join(str(v) for v in x.numpy().ravel())}"


def case(second=False, unknown=(), **arguments):
    """A function of tensors as a case; those named in `unknown` have no shape in the graph."""

    def add(function):
        spec = {
            name: tf.TensorSpec([None] * x.shape.rank if name in unknown else x.shape, x.dtype, name)
            for name, x in arguments.items()
        }
        traced = tf.function(function, input_signature=list(spec.values()), autograph=False).get_concrete_function()
        graph = traced.graph.as_graph_def()
        xs = [name for name, x in arguments.items() if x.dtype.is_floating]
        of = [arguments[name] for name in xs]
        # Without a tape around it, where a gradient has no gradient of its own.
        with tf.GradientTape() if second else contextlib.nullcontext() as outer:
            if second:
                outer.watch(of)
            with tf.GradientTape() as tape:
                tape.watch(of)
                y = traced(*arguments.values())
            dy = some(*y.shape)
            found = tape.gradient(y, of, dy)
            total = tf.add_n([tf.reduce_sum(g) for g in found if g is not None])
        twice = outer.gradient(total, of) if second else None
        found = [None if g is None else tf.convert_to_tensor(g) for g in found]
        written = lambda gs: ";".join("-" if g is None else text(tf.convert_to_tensor(g)) for g in gs)
        name = function.__name__
        (HERE / "flow" / f"{name}.pb").write_bytes(graph.SerializeToString(deterministic=True))
        CASES.append("|".join([
            name,
            ";".join(f"{n}={text(x)}" for n, x in arguments.items()),
            traced.graph.outputs[0].name,
            ";".join(xs),
            text(dy),
            written(found),
            written(twice) if second else "-",
        ]))

    return add


N = tf.constant(4)


@case(x=some(3), second=True)
def call(x):
    @tf.function(autograph=False)
    def inner(x, unused):
        return tf.tanh(x) * x, unused + 1.0

    return inner(x, x)[0] + inner(x * 2.0, x)[0]


@case(x=some(2, 3), w=some(3, 3))
def call_in_call(x, w):
    @tf.function(autograph=False)
    def product(x, w):
        return tf.tanh(x @ w)

    @tf.function(autograph=False)
    def twice(x, w):
        return product(product(x, w), w) + x

    return twice(x, w)


def branches(p, x, w):
    return tf.cond(p, lambda: tf.tanh(x) * w, lambda: x * x * x)


@case(p=tf.constant(True), x=some(3), w=some(3), second=True)
def cond_true(p, x, w):
    return branches(p, x, w)


@case(p=tf.constant(False), x=some(3), w=some(3), second=True)
def cond_false(p, x, w):
    return branches(p, x, w)


@case(i=tf.constant(2), x=some(3), w=some(3))
def switch(i, x, w):
    return tf.switch_case(i, [lambda: x * w, lambda: x + 0.0, lambda: tf.exp(w) / x], default=lambda: x)


@case(n=N, x=some(), second=True)
def power(n, x):
    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, tf.constant(1.0)))[1]


@case(n=tf.constant(0), x=some())
def no_iteration(n, x):
    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, x * 3.0))[1]


@case(x=some())
def bounded(x):
    return tf.while_loop(lambda y: y < 9.0, lambda y: (y * y + 1.0,), (x,), maximum_iterations=2)[0]


@case(n=N, h=some(2, 3), w=some(3, 3), b=some(3), unknown=("h",), second=True)
def products(n, h, w, b):
    def body(i, h):
        return i + 1, tf.tanh(h @ w + b)

    return tf.while_loop(lambda i, h: i < n, body, (0, h), shape_invariants=(tf.TensorShape([]), tf.TensorShape([None, 3])))[1]


@case(n=N, x=some(3), z=some(3))
def replaced(n, x, z):
    """`y` is made anew of each iteration's `x`, and `z` matters through `x` only."""

    def body(i, x, y, z):
        return i + 1, x * tf.sin(z), tf.cos(x), z * 0.5

    return tf.while_loop(lambda i, *_: i < n, body, (0, x, x, z))[2]


@case(n=tf.constant(3), x=some(2), w=some(2))
def nested(n, x, w):
    def outer(i, y):
        inner = tf.while_loop(lambda j, z: j <= i, lambda j, z: (j + 1, tf.sin(z) * w), (0, y))[1]
        return i + 1, inner + y * x

    return tf.while_loop(lambda i, y: i < n, outer, (0, x))[1]


@case(n=tf.constant(5), x=some(3), w=some(3))
def cond_in_loop(n, x, w):
    def body(i, y):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.tanh(y) * w, lambda: y + x * y)

    return tf.while_loop(lambda i, y: i < n, body, (0, x))[1]


@case(n=N, p=tf.constant(True), x=some(3), w=some(3))
def loop_in_cond(n, p, x, w):
    def loop():
        return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * w + x), (0, x))[1]

    return tf.cond(p, loop, lambda: w)


@case(n=N, x=some(3), w=some(3))
def call_in_loop(n, x, w):
    @tf.function(autograph=False)
    def step(y):
        return tf.sigmoid(y) * w

    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, step(y) + y), (0, x))[1]


@case(x=some(5, 2), w=some(2, 2), unknown=("x",), second=True)
def map_rows(x, w):
    return tf.map_fn(lambda row: tf.linalg.matvec(w, row) * row, x)


@case(x=some(4, 3))
def scan_rows(x):
    return tf.scan(lambda a, row: tf.tanh(a) * row, x)


LENGTHS = tf.constant([3, 5])


@case(x=some(5, 2, 3), lengths=LENGTHS, k=some(3, 8), r=some(2, 8), b=some(8), unknown=("x",))
def lstm(x, lengths, k, r, b):
    """An LSTM over steps whose number is not known, where each row of the batch has a length."""
    steps = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, steps, element_shape=[None, 3]).unstack(x)
    out = tf.TensorArray(tf.float32, steps)
    zeros = tf.zeros([tf.shape(x)[1], 2])

    def body(t, h, c, out):
        i, f, g, o = tf.split(rows.read(t) @ k + h @ r + b, 4, 1)
        memory = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        state = tf.sigmoid(o) * tf.tanh(memory)
        goes_on = (t < lengths)[:, None]
        state, memory = tf.where(goes_on, state, h), tf.where(goes_on, memory, c)
        return t + 1, state, memory, out.write(t, state)

    _, h, _, out = tf.while_loop(lambda t, *_: t < steps, body, (0, zeros, zeros, out))
    return tf.reduce_sum(out.stack(), 0) + h


@case(x=some(4, 3))
def list_items(x):
    items = raw.TensorListFromTensor(tensor=x, element_shape=[3])
    first = raw.TensorListGetItem(input_handle=items, index=0, element_shape=[3], element_dtype=tf.float32)
    items = raw.TensorListSetItem(input_handle=items, index=2, item=first * x[1])
    items = raw.TensorListPushBack(input_handle=items, tensor=tf.sin(x[3]))
    items, last = raw.TensorListPopBack(input_handle=items, element_shape=[3], element_dtype=tf.float32)
    rows = raw.TensorListStack(input_handle=items, element_shape=[3], element_dtype=tf.float32)
    return rows * last


@case(x=some(4, 3))
def list_rows(x):
    items = raw.TensorListFromTensor(tensor=x, element_shape=[3])
    some_rows = raw.TensorListGather(input_handle=items, indices=[3, 1], element_shape=[3], element_dtype=tf.float32)
    made = raw.TensorListScatterV2(tensor=some_rows * x[:2], indices=[2, 0], element_shape=[3], num_elements=4)
    made = raw.TensorListScatterIntoExistingList(input_handle=made, tensor=tf.exp(x[1:3]), indices=[1, 3])
    made = raw.TensorListResize(input_handle=made, size=3)
    return raw.TensorListStack(input_handle=made, element_shape=[3], element_dtype=tf.float32)


@case(x=some(6, 2), second=True)
def list_parts(x):
    parts = raw.TensorListSplit(tensor=x * x, element_shape=[-1, 2], lengths=tf.constant([1, 3, 2], tf.int64))
    joined, _ = raw.TensorListConcatV2(
        input_handle=parts, element_shape=[-1, 2], leading_dims=tf.constant([], tf.int64), element_dtype=tf.float32)
    return joined * tf.reverse(x, [0])


@case(x=some(4, 2))
def ragged_rows(x):
    rows = raw.RaggedTensorToVariant(
        rt_nested_splits=[tf.constant([0, 1, 3], tf.int64), tf.constant([0, 2, 2, 4], tf.int64)],
        rt_dense_values=x * x, batched_input=True)
    _, _, values = tf.nest.flatten(raw.RaggedTensorFromVariant(
        encoded_ragged=rows, input_ragged_rank=1, output_ragged_rank=2, Tvalues=tf.float32))
    return values * tf.reverse(x, [0])


@case(x=some(3))
def ragged_whole(x):
    whole = raw.RaggedTensorToVariant(rt_nested_splits=[tf.constant([0, 1, 3])], rt_dense_values=tf.exp(x), batched_input=False)
    _, values = tf.nest.flatten(raw.RaggedTensorFromVariant(
        encoded_ragged=whole, input_ragged_rank=1, output_ragged_rank=1, Tvalues=tf.float32, Tsplits=tf.int32))
    return values * x


(HERE / "flow.txt").write_text("\n".join(CASES) + "\n")
