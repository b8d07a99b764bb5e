"""Writes state_shapes.txt: what TensorFlow infers for ops on state; see Shapes in programs.py. Run with TensorFlow 2.21."""

import programs
from programs import Shapes, Unknown, count, t, tf

F, I, V = tf.float32, tf.int32, tf.variant


def shape(*dims):
    return tf.TensorShape(list(dims))


def ints(*values):
    return t(list(values), "int32")


def one(value):
    return t(value, "int32")


ANY = one(-1)
DIMS = [None, (2,), (None,), (2, None), (2, 3), ()]


def variables():
    for dims in DIMS:
        p = Shapes(f"variable of shape {dims}")
        v = p("VarHandleOp", container="", shared_name="v", dtype=F, shape=tf.TensorShape(dims))
        p("ReadVariableOp", v, dtype=F)
        p("ReadVariableOp", v, dtype=I)
        p("VariableShape", v, out_type=I)
        p("VarIsInitializedOp", v)
        for value in DIMS:
            p("AssignVariableOp", v, Unknown(F, value), validate_shape=False)
            p("AssignAddVariableOp", v, Unknown(F, value))
        p("AssignSubVariableOp", v, Unknown(I, None))
        p("AssignVariableOp", v, Unknown(I, None), validate_shape=False)
        for op in ["Variable", "VariableV2"]:
            v = p(op, shape=tf.TensorShape(dims), dtype=F, container="", shared_name="")
            p("IsVariableInitialized", v, dtype=F)
            for value in DIMS:
                for check in [True, False]:
                    p("Assign", v, Unknown(F, value), validate_shape=check)
                p("AssignAdd", v, Unknown(F, value))
                p("AssignSub", v, Unknown(F, value))
        v = p("TemporaryVariable", shape=tf.TensorShape(dims), dtype=F, var_name="t")
        p("DestroyTemporaryVariable", v, var_name="t", T=F)
    p = Shapes("handles of which nothing is known")
    v = Unknown(tf.resource, ())
    p("ReadVariableOp", v, dtype=F)
    p("VariableShape", v, out_type=I)
    p("AssignVariableOp", v, Unknown(F, (2,)), validate_shape=False)
    p("VarIsInitializedOp", v)
    p("DestroyResourceOp", v)
    p("ReadVariableOp", Unknown(tf.resource, (2,)), dtype=F)


def lists():
    shapes = [ANY, Unknown(I, ()), Unknown(I, None), ints(2), ints(-1), ints(2, -1), ints(), Unknown(I, (2,)), Unknown(I, (None,))]
    p = Shapes("lists")
    for given in shapes + [one(3), t([[1]], "int32"), ints(-2)]:
        p("EmptyTensorList", given, Unknown(I, ()), element_dtype=F)
        p("TensorListReserve", given, Unknown(I, ()), element_dtype=F)
        for tensor in DIMS:
            p("TensorListFromTensor", Unknown(F, tensor), given, element_dtype=F)
            p("TensorListSplit", Unknown(F, tensor), given, Unknown(tf.int64, (None,)), element_dtype=F)
            p("TensorListScatter", Unknown(F, tensor), Unknown(I, (None,)), given, element_dtype=F)
            p("TensorListScatterV2", Unknown(F, tensor), Unknown(I, (2,)), given, Unknown(I, ()), element_dtype=F)
    made = [p("EmptyTensorList", given, one(-1), element_dtype=F) for given in shapes]
    made = [x for x in made if not isinstance(x, list)]
    for x in made + [Unknown(V, ()), Unknown(V, None), Unknown(V, (3,))]:
        p("TensorListLength", x)
        p("TensorListElementShape", x, shape_type=I)
        p("TensorListResize", x, Unknown(I, ()))
        for given in shapes:
            p("TensorListGetItem", x, Unknown(I, ()), given, element_dtype=F)
            p("TensorListPopBack", x, given, element_dtype=F)
            p("TensorListStack", x, given, element_dtype=F, num_elements=-1)
            p("TensorListConcatV2", x, given, Unknown(tf.int64, None), element_dtype=F)
            p("TensorListGather", x, Unknown(I, (None,)), given, element_dtype=F)
        p("TensorListStack", x, ANY, element_dtype=F, num_elements=4)
        p("TensorListGather", x, Unknown(I, None), ANY, element_dtype=F)
        p("TensorListGather", x, Unknown(I, (2, 2)), ANY, element_dtype=F)
        for tensor in DIMS:
            p("TensorListPushBack", x, Unknown(F, tensor), element_dtype=F)
            p("TensorListSetItem", x, Unknown(I, ()), Unknown(F, tensor), element_dtype=F)
            p("TensorListSetItem", x, Unknown(I, ()), Unknown(F, tensor), element_dtype=F, resize_if_index_out_of_bounds=True)
            p("TensorListPushBackBatch", x, Unknown(F, tensor), element_dtype=F)
            p("TensorListScatterIntoExistingList", x, Unknown(F, tensor), Unknown(I, (None,)), element_dtype=F)
        for op, rest in [("GetItem", [one(0), ANY]), ("PopBack", [ANY]), ("Stack", [ANY]), ("ConcatV2", [ANY, t([], "int64")]), ("Gather", [ints(0), ANY]),
                         ("PushBack", [count((2,), "int32")]), ("SetItem", [one(0), count((2,), "int32")]), ("PushBackBatch", [count((2,), "int32")])]:
            p("TensorList" + op, x, *rest, element_dtype=I)
        for y in made[:4] + [Unknown(V, ()), Unknown(V, (2,))]:
            p("TensorListConcatLists", x, y, element_dtype=F)
            p("TensorListConcatLists", y, x, element_dtype=F)
            if not isinstance(x, Unknown) and not isinstance(y, Unknown):  # TensorFlow crashes there.
                p("AddN", [x, y])
                p("AddN", [y, y, x])
        p("ZerosLike", x)


def optionals():
    p = Shapes("optionals")
    p("OptionalNone")
    x = p("OptionalFromValue", [Unknown(F, (2, None)), Unknown(I, None), Unknown(tf.string, ())])
    p("OptionalHasValue", x)
    p("OptionalGetValue", x, output_types=[F, I, tf.string], output_shapes=[shape(2, 3), shape(), tf.TensorShape(None)])
    p("OptionalGetValue", x, output_types=[F, I], output_shapes=[shape(2, 3)])
    p("OptionalGetValue", x, output_types=[F], output_shapes=[shape(2, 3), shape(1)])
    p("OptionalHasValue", Unknown(V, (2,)))
    p("OptionalGetValue", Unknown(V, (2,)), output_types=[F], output_shapes=[shape(2, 3)])
    p("TensorListLength", x)
    p("TensorListStack", x, ANY, element_dtype=F)
    p("TensorListPushBack", x, Unknown(F, (2,)), element_dtype=F)
    p("OptionalFromValue", [p("EmptyTensorList", ANY, ANY, element_dtype=F)])


variables()
lists()
optionals()
programs.write(__file__, "state_shapes.txt")
