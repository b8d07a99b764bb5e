"""Writes the shapes that TensorFlow 2.21 infers for a GraphDef: python make_shapes.py GRAPH.pb > NAME.shapes

One line an output, `name:index dtype shape`, in the order of the graph; `?` is unknown. `.pbtxt` files are read as text.
Without arguments, writes the graph `shape_arithmetic.pb` and its shapes next to this file.
"""

import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def shape_text(shape):
    if shape.rank is None:
        return "?"
    return "[" + ",".join("?" if d is None else str(d) for d in shape.as_list()) + "]"


def dtype_text(dtype):
    names = {"float32": "float", "float64": "double", "float16": "half"}
    return names.get(dtype.name, dtype.name)


def shapes(graph_def):
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(graph_def, name="")
    for op in graph.get_operations():
        for i, out in enumerate(op.outputs):
            yield f"{op.name}:{i} {dtype_text(out.dtype)} {shape_text(out.shape)}\n"


def shape_arithmetic():
    """Every way in which a shape is known from shapes and constants."""
    with tf.Graph().as_default() as graph:
        raw = tf.raw_ops
        x = tf.compat.v1.placeholder(tf.float32, [None, 4, 6], name="x")
        full = tf.compat.v1.placeholder(tf.float32, [2, 4, 6], name="full")
        unranked = tf.compat.v1.placeholder(tf.float32, None, name="unranked")
        dims = tf.compat.v1.placeholder(tf.int32, [3], name="dims")
        anything = tf.compat.v1.placeholder(tf.int32, [None], name="anything")
        c = lambda v, dtype=tf.int32: tf.constant(v, dtype)

        def fill(shape, name):
            return raw.Fill(dims=shape, value=1.0, name=name)

        def element(shape, i):
            return raw.StridedSlice(input=shape, begin=[i], end=[i + 1] if i != -1 else [0], strides=[1], shrink_axis_mask=1)

        def part(shape, begin, end, stride=1, begin_mask=0, end_mask=0):
            return raw.StridedSlice(
                input=shape, begin=[begin], end=[end], strides=[stride], begin_mask=begin_mask, end_mask=end_mask
            )

        s = raw.Shape(input=x)
        fill(c([2, 3]), "of_constant")
        fill(s, "of_shape")
        fill(raw.Shape(input=full), "of_full_shape")
        fill(raw.Shape(input=unranked), "of_unranked_shape")
        fill(dims, "of_fed_vector")
        fill(anything, "of_any_vector")
        fill(c([], tf.int32), "of_empty")
        fill(raw.Pack(values=[element(s, 0), c(24)]), "of_pack")
        fill(raw.Pack(values=[element(s, 1), element(s, 2)]), "of_pack_of_known")
        fill(raw.Pack(values=[element(s, -1), element(s, -2)]), "of_pack_from_the_end")
        fill(raw.Pack(values=[element(raw.Shape(input=unranked), 0), c(3)]), "of_pack_of_unranked")
        fill(part(s, 1, 3), "of_part")
        fill(part(s, 0, -1), "of_part_to_the_end")
        fill(part(s, 1, 0, end_mask=1), "of_tail")
        fill(part(s, 0, 2, begin_mask=1), "of_head")
        fill(part(s, 0, 3, 2), "of_every_other")
        fill(part(s, 2, 0, -1), "of_reversed_part")
        fill(raw.ConcatV2(values=[part(s, 0, 1), c([5, 7])], axis=0), "of_concat")
        fill(raw.ConcatV2(values=[s, raw.Shape(input=full)], axis=0), "of_concat_of_shapes")
        fill(raw.ConcatV2(values=[s, anything], axis=0), "of_concat_with_unknown")
        fill(raw.ConcatV2(values=[s, dims], axis=0), "of_concat_with_fed")
        fill(raw.Cast(x=s, DstT=tf.int64), "of_cast")
        fill(raw.Cast(x=raw.Cast(x=s, DstT=tf.float32), DstT=tf.int32), "of_cast_through_float")
        fill(raw.Cast(x=c([2.0, 3.0], tf.float32), DstT=tf.int32), "of_cast_constant")
        raw.Reshape(tensor=x, shape=raw.Pack(values=[element(s, 0), c(-1)]), name="reshape_flat")
        raw.Reshape(tensor=full, shape=raw.Pack(values=[c(-1), element(raw.Shape(input=full), 2)]), name="reshape_rows")
        raw.Reshape(tensor=full, shape=raw.Mul(x=c([2, 3]), y=c([4, 2])), name="reshape_computed")
        raw.Reshape(
            tensor=full,
            shape=raw.Pack(values=[raw.Mul(x=element(s, 1), y=element(s, 2)), c(2)]),
            name="reshape_of_product",
        )
        raw.Reshape(tensor=full, shape=raw.Pack(values=[raw.Size(input=full), c(1)]), name="reshape_of_size")
        fill(raw.Pack(values=[raw.Rank(input=x), raw.Rank(input=full)]), "of_ranks")
        fill(raw.Pack(values=[raw.Size(input=x), c(1)]), "of_unknown_size")
        n = raw.ShapeN(input=[x, full])
        fill(n[0], "of_shape_n_0")
        fill(n[1], "of_shape_n_1")
        fill(tf.compat.v1.placeholder_with_default(c([2, 3]), [2], name="default"), "of_placeholder_with_default")
        fill(raw.Identity(input=c([2, 3])), "of_identity_of_constant")
        fill(raw.Identity(input=s), "of_identity_of_shape")
    return graph.as_graph_def()


def main():
    if len(sys.argv) == 1:
        here = pathlib.Path(__file__).parent
        graph_def = shape_arithmetic()
        (here / "shape_arithmetic.pb").write_bytes(graph_def.SerializeToString(deterministic=True))
        (here / "shape_arithmetic.shapes").write_text("".join(shapes(graph_def)))
        return
    graph_def = tf.compat.v1.GraphDef()
    graph_def.ParseFromString(pathlib.Path(sys.argv[1]).read_bytes())
    sys.stdout.writelines(shapes(graph_def))


main()
