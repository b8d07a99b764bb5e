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
from tensorflow.python.ops import gen_optional_ops
from tensorflow.python.ops.linalg.sparse import gen_sparse_csr_matrix_ops

import tensorflow.python.ops.linalg.sparse.sparse_csr_matrix_grad  # Registers gradients.

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


def graph_case(**arguments):
    """As `case`, without functions: loops are of `Enter` and `Exit`, conditions of `Switch` and `Merge`."""

    def add(function):
        v1 = tf.compat.v1
        with tf.Graph().as_default() as graph, v1.Session(graph=graph) as session:
            v1.disable_control_flow_v2()
            places = {name: v1.placeholder(x.dtype, x.shape, name) for name, x in arguments.items()}
            y = tf.identity(function(**places), "y")
            forward = graph.as_graph_def()
            xs = [name for name, x in arguments.items() if x.dtype.is_floating]
            values = {places[name]: x.numpy() for name, x in arguments.items()}
            dy = RNG.uniform(-1.0, 1.0, session.run(y, values).shape).round(3).astype("float32")
            found = tf.gradients(y, [places[name] for name in xs], tf.constant(dy))
            found = session.run([tf.convert_to_tensor(g) for g in found], values)
            v1.enable_control_flow_v2()
        ops = {node.op for node in forward.node}
        assert not ops & {"While", "StatelessWhile", "If", "StatelessIf"}, ops
        name = function.__name__
        (HERE / "flow" / f"{name}.pb").write_bytes(forward.SerializeToString(deterministic=True))
        CASES.append("|".join([
            name,
            ";".join(f"{n}={text(x)}" for n, x in arguments.items()),
            "y",
            ";".join(xs),
            text(tf.constant(dy)),
            ";".join(text(tf.constant(g)) for g in found),
            "-",
        ]))

    return add


@graph_case(n=N, x=some(3), w=some(3))
def v1_power(n, x, w):
    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.tanh(y) * w + x), (0, x))[1]


@graph_case(n=tf.constant(0), x=some(3), w=some(3))
def v1_no_iteration(n, x, w):
    return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * w), (0, x * x))[1]


@graph_case(n=tf.constant(3), x=some(2), w=some(2))
def v1_nested(n, x, w):
    def outer(i, y):
        inner = tf.while_loop(lambda j, z: j <= i, lambda j, z: (j + 1, tf.sin(z) * w), (0, y))[1]
        return i + 1, inner + y * x

    return tf.while_loop(lambda i, y: i < n, outer, (0, x))[1]


@graph_case(p=tf.constant(True), x=some(3), w=some(3))
def v1_cond_true(p, x, w):
    return branches(p, x, w) * x


@graph_case(p=tf.constant(False), x=some(3), w=some(3))
def v1_cond_false(p, x, w):
    return branches(p, x, w) * x


@graph_case(p=tf.constant(False), q=tf.constant(True), x=some(3), w=some(3))
def v1_cond_in_cond(p, q, x, w):
    return tf.cond(p, lambda: x, lambda: tf.cond(q, lambda: tf.exp(x) * w, lambda: w) * x)


@graph_case(n=tf.constant(5), x=some(3), w=some(3))
def v1_cond_in_loop(n, x, w):
    def body(i, y, z):
        y, z = tf.cond(tf.equal(i % 2, 0), lambda: (tf.tanh(y) * w, z * y), lambda: (y + x * y, z))
        return i + 1, y, z

    _, y, z = tf.while_loop(lambda i, y, z: i < n, body, (0, x, w))
    return y + z


@graph_case(n=tf.constant(4), x=some(3), w=some(3))
def v1_cond_in_cond_in_loop(n, x, w):
    def body(i, y):
        inner = lambda: tf.cond(tf.equal(i, 1), lambda: tf.sin(y) * x, lambda: y * w * w)
        return i + 1, tf.cond(i < 3, inner, lambda: tf.ones_like(y) * y) + y

    return tf.while_loop(lambda i, y: i < n, body, (0, x))[1]


@graph_case(n=N, p=tf.constant(True), x=some(3), w=some(3))
def v1_loop_in_cond(n, p, x, w):
    def loop():
        return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * w + x), (0, x))[1]

    return tf.cond(p, loop, lambda: w)


@graph_case(x=some(4, 2, 3), lengths=tf.constant([2, 4]), k=some(5, 8), b=some(8))
def v1_dynamic_rnn(x, lengths, k, b):
    """An LSTM over steps with arrays of tensors, where each row of the batch has a length."""
    steps = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, steps, element_shape=[2, 3]).unstack(x)
    out = tf.TensorArray(tf.float32, steps, element_shape=[2, 2])
    zeros = tf.zeros([2, 2])

    def step(row, h, c):
        i, f, g, o = tf.split(tf.concat([row, h], 1) @ k + b, 4, 1)
        memory = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(memory), memory

    def body(t, h, c, out):
        state, memory = step(rows.read(t), h, c)
        goes_on = tf.tile((t < lengths)[:, None], [1, 2])
        state, memory = tf.cond(
            t < tf.reduce_min(lengths), lambda: (state, memory),
            lambda: (tf.where(goes_on, state, h), tf.where(goes_on, memory, c)))
        return t + 1, state, memory, out.write(t, state)

    _, h, _, out = tf.while_loop(lambda t, *_: t < steps, body, (0, zeros, zeros, out))
    return tf.reduce_sum(out.stack(), 0) + h


CSR = gen_sparse_csr_matrix_ops
AT = np.array([[0, 1], [1, 0], [1, 2], [2, 2]])
BATCH_AT = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 2], [1, 2, 2]])


def to_matrix(values, at, shape):
    return CSR.sparse_tensor_to_csr_sparse_matrix(indices=at, values=values, dense_shape=tf.constant(shape, tf.int64))


def to_dense(matrix):
    return CSR.csr_sparse_matrix_to_dense(matrix, tf.float32)


@graph_case(x=some(4))
def csr_to_dense(x):
    return to_dense(CSR.sparse_matrix_transpose(to_matrix(x * x, AT, [3, 3]), type=tf.float32))


@graph_case(x=some(2, 3, 3))
def csr_of_dense(x):
    matrix = CSR.dense_to_csr_sparse_matrix(dense_input=tf.exp(x), indices=BATCH_AT)
    return CSR.csr_sparse_matrix_to_sparse_tensor(matrix, type=tf.float32)[1]


def csr_products():
    """Products of a sparse matrix and a dense one, of every form that gradients in TensorFlow serve."""
    forms = [{}, {"transpose_a": True}, {"adjoint_b": True}, {"transpose_a": True, "transpose_b": True}]
    for at, form in enumerate(forms):
        for turned in [False, True]:
            def product(x, w, form=form, turned=turned):
                return CSR.sparse_matrix_mat_mul(to_matrix(x, AT, [3, 3]), w, transpose_output=turned, **form)

            product.__name__ = f"csr_product_{2 * at + turned}"
            graph_case(x=some(4), w=some(3, 3))(product)

            def batched(x, w, form=form, turned=turned):
                return CSR.sparse_matrix_mat_mul(to_matrix(x, BATCH_AT, [2, 3, 3]), w, transpose_output=turned, **form)

            batched.__name__ = f"csr_products_{2 * at + turned}"
            graph_case(x=some(5), w=some(2, 3, 3))(batched)


def csr_sparse_products():
    other = np.array([[0, 0], [1, 0], [1, 1], [2, 1], [2, 2]])
    forms = [{}, {"adjoint_a": True}, {"adjoint_b": True}, {"adjoint_a": True, "adjoint_b": True}]
    for at, form in enumerate(forms):
        def product(x, w, form=form):
            matrices = to_matrix(x, AT, [3, 3]), to_matrix(w, other, [3, 3])
            return to_dense(CSR.sparse_matrix_sparse_mat_mul(*matrices, type=tf.float32, **form))

        product.__name__ = f"csr_sparse_product_{at}"
        graph_case(x=some(4), w=some(5))(product)


csr_products()
csr_sparse_products()


@graph_case(x=some(3), w=some(2))
def optional(x, w):
    held = gen_optional_ops.optional_from_value([x * x, w])
    a, b = gen_optional_ops.optional_get_value(held, [tf.float32, tf.float32], [[3], [2]])
    return tf.exp(a) * tf.reduce_sum(b)


(HERE / "flow.txt").write_text("\n".join(CASES) + "\n")
