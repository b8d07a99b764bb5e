"""Writes state_lists.txt: programs over tensor lists and optionals; see programs.py. Run with TensorFlow 2.21."""

import programs
from programs import Program, count, t, tf

ALL = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
       "complex64", "complex128", "bool", "string"]
F, I = tf.float32, tf.int32


def ints(*values):
    return t(list(values), "int32")


def one(value):
    return t(value, "int32")


ANY = one(-1)


def empty(p, shape=ANY, most=-1, dtype=F):
    return p("EmptyTensorList", shape, one(most), element_dtype=dtype)


def reserve(p, number, shape=ANY, dtype=F):
    return p("TensorListReserve", shape, one(number), element_dtype=dtype)


def of(p, tensor, shape=ANY, dtype=F):
    return p("TensorListFromTensor", tensor, shape, element_dtype=dtype)


def stack(p, made, shape=ANY, dtype=F, **attrs):
    p("TensorListLength", made)
    return p("TensorListStack", made, shape, element_dtype=dtype, **attrs)


def dtypes():
    for name in ALL:
        p, kind = Program(f"a list of {name}", "eager"), tf.as_dtype(name)
        made = of(p, count((3, 2), name), ints(2), kind)
        stack(p, made, ANY, kind)
        p("TensorListGetItem", made, one(1), ANY, element_dtype=kind)
        made = p("TensorListSetItem", made, one(1), count((2,), name, 50), element_dtype=kind)
        made = p("TensorListPushBack", made, count((2,), name, 60), element_dtype=kind)
        made = p("TensorListResize", made, one(5))
        stack(p, made, ANY, kind)
        p("TensorListGather", made, ints(4, 1, 1), ANY, element_dtype=kind)
        made, _ = p("TensorListPopBack", made, ANY, element_dtype=kind)
        made, _ = p("TensorListPopBack", made, ANY, element_dtype=kind)
        p("TensorListConcatV2", made, ANY, t([], "int64"), element_dtype=kind)
        made = p("TensorListSplit", count((5, 2), name), ints(-1, 2), t([2, 0, 3], "int64"), element_dtype=kind)
        p("TensorListConcatV2", made, ints(-1, 2), t([], "int64"), element_dtype=kind)
        zeros = p("ZerosLike", made)
        if name != "string":
            p("TensorListConcatV2", zeros, ints(-1, 2), t([], "int64"), element_dtype=kind)
        if name not in ["bool", "string"]:
            made = p("AddN", [of(p, count((3, 2), name), ANY, kind), of(p, count((3, 2), name, 7), ANY, kind), of(p, count((3, 2), name, 9), ANY, kind)])
            stack(p, made, ANY, kind)


def items():
    p = Program("get", "eager")
    made = of(p, count((3, 2)))
    for index in [0, 2, 3, -1]:
        p("TensorListGetItem", made, one(index), ints(2), element_dtype=F)
    p("TensorListGetItem", made, ints(1), ANY, element_dtype=F)
    p("TensorListGetItem", made, one(1), ANY, element_dtype=I)
    p("TensorListGetItem", made, one(1), ints(3), element_dtype=F)
    p = Program("get what was not set", "eager")
    for shape in [ANY, ints(2), ints(-1, 2), ints()]:
        made = reserve(p, 2, shape)
        for wanted in [ANY, ints(2), ints(3), ints(-1), ints(1, 2), ints(), ints(-1, 2)]:
            p("TensorListGetItem", made, one(1), wanted, element_dtype=F)
            p("TensorListStack", made, wanted, element_dtype=F)
        p("TensorListElementShape", made, shape_type=I)
        p("TensorListElementShape", made, shape_type=tf.int64)
    made = p("TensorListSetItem", reserve(p, 2), one(0), count((2,)), element_dtype=F)
    p("TensorListGetItem", made, one(1), ANY, element_dtype=F)
    p("TensorListStack", made, ANY, element_dtype=F)
    p("TensorListStack", made, ints(3), element_dtype=F)
    p("TensorListGather", made, ints(1), ANY, element_dtype=F)
    p("TensorListGather", made, ints(1, 0), ANY, element_dtype=F)
    p("TensorListPopBack", made, ANY, element_dtype=F)
    p("TensorListPopBack", made, ints(3), element_dtype=F)
    p = Program("set", "eager")
    made = reserve(p, 2, ints(-1, 2))
    made = p("TensorListSetItem", made, one(1), count((3, 2)), element_dtype=F)
    for index, value in [(2, count((1, 2))), (-1, count((1, 2))), (0, count((2,))), (0, count((1, 3)))]:
        p("TensorListSetItem", made, one(index), value, element_dtype=F)
        if index >= 0:  # TensorFlow crashes there.
            p("TensorListSetItem", made, one(index), value, element_dtype=F, resize_if_index_out_of_bounds=True)
    p("TensorListSetItem", made, one(0), count((1, 2), "int32"), element_dtype=I)
    p("TensorListSetItem", made, ints(0), count((1, 2)), element_dtype=F)
    made = p("TensorListSetItem", made, one(4), count((1, 2)), element_dtype=F, resize_if_index_out_of_bounds=True)
    p("TensorListLength", made)
    p("TensorListGetItem", made, one(4), ANY, element_dtype=F)
    p("TensorListGetItem", made, one(3), ANY, element_dtype=F)
    p = Program("a list that was changed leaves the one before as it is", "eager")
    a = of(p, count((2, 2)))
    b = p("TensorListSetItem", a, one(0), t([8.0, 9.0]), element_dtype=F)
    c = p("TensorListPushBack", a, t([10.0, 11.0]), element_dtype=F)
    for made in [a, b, c]:
        stack(p, made)


def sizes():
    p = Program("reserve", "eager")
    for number in [0, 3, -1]:
        made = reserve(p, number, ints(2))
        if not isinstance(made, list):
            stack(p, made)
    p("TensorListReserve", ints(2), ints(2), element_dtype=F)
    for shape in [one(-2), one(3), ints(-2), t([[1]], "int32"), t([2, -1], "int64"), t(-1, "int64")]:
        made = reserve(p, 1, shape)
        if not isinstance(made, list):
            p("TensorListElementShape", made, shape_type=I)
        made = empty(p, shape)
    p = Program("push and pop", "eager")
    made = empty(p, ints(2), 2)
    p("TensorListPopBack", made, ANY, element_dtype=F)
    p("TensorListPushBack", made, count((3,)), element_dtype=F)
    p("TensorListPushBack", made, count((2,), "int32"), element_dtype=I)
    made = p("TensorListPushBack", made, count((2,)), element_dtype=F)
    made = p("TensorListPushBack", made, count((2,), start=5), element_dtype=F)
    p("TensorListPushBack", made, count((2,)), element_dtype=F)
    p("TensorListPopBack", made, ANY, element_dtype=I)
    made, _ = p("TensorListPopBack", made, ints(2), element_dtype=F)
    made, _ = p("TensorListPopBack", made, ints(5), element_dtype=F)
    p("TensorListLength", made)
    made = empty(p, ANY, 0)
    p("TensorListPushBack", made, count((2,)), element_dtype=F)
    p = Program("push keeps an unknown shape", "eager")
    made = p("TensorListPushBack", empty(p), count((2,)), element_dtype=F)
    p("TensorListElementShape", made, shape_type=I)
    made = p("TensorListPushBack", made, count((3,)), element_dtype=F)
    stack(p, made)
    p("TensorListConcatV2", made, ANY, t([], "int64"), element_dtype=F)
    p = Program("resize", "eager")
    made = of(p, count((3, 2)), ints(2))
    for size in [0, 2, 3, 5, -1]:
        again = p("TensorListResize", made, one(size))
        if not isinstance(again, list):
            stack(p, again, ints(2))
    p("TensorListResize", made, ints(2))


def whole():
    p = Program("stack", "eager")
    for number in [-1, 2, 3, 0]:
        p("TensorListStack", of(p, count((3, 2))), ANY, element_dtype=F, num_elements=number)
    p("TensorListStack", of(p, count((3, 2))), ints(3), element_dtype=F)
    p("TensorListStack", of(p, count((3, 2))), ANY, element_dtype=I)
    for shape in [ANY, ints(2), ints(-1), ints(0)]:
        p("TensorListStack", empty(p, shape), ANY, element_dtype=F)
        p("TensorListStack", empty(p), shape, element_dtype=F)
        p("TensorListGather", empty(p, shape), ints(), ANY, element_dtype=F)
        p("TensorListGather", of(p, count((3, 2))), ints(), shape, element_dtype=F)
    p("TensorListStack", of(p, count((2, 0))), ANY, element_dtype=F)
    p("TensorListStack", of(p, count((3,))), ints(), element_dtype=F)
    p = Program("from a tensor", "eager")
    for shape in [ANY, ints(2), ints(-1), ints(3), ints(2, 2), ints()]:
        of(p, count((3, 2)), shape)
    of(p, count(()))
    stack(p, of(p, count((0, 2))))
    of(p, count((2,), "int32"), ANY, I)
    p = Program("gather", "eager")
    made = of(p, count((3, 2)))
    for at in [ints(2, 0), ints(3), ints(-1), ints(0, 0, 0, 0), one(1), t([[1]], "int32")]:
        p("TensorListGather", made, at, ANY, element_dtype=F)
    p("TensorListGather", made, ints(1), ints(3), element_dtype=F)
    p("TensorListGather", made, ints(1), ANY, element_dtype=I)
    p = Program("scatter", "eager")
    for at in [ints(0, 1, 2), ints(2, 0, 1), ints(0, 0, 4), ints(0, 1), ints(0, 1, -1), one(0)]:
        made = p("TensorListScatter", count((3, 2)), at, ANY, element_dtype=F)
        if not isinstance(made, list):
            stack(p, made, ints(2))
        for number in [-1, 3, 6]:
            made = p("TensorListScatterV2", count((3, 2)), at, ints(2), one(number), element_dtype=F)
            if not isinstance(made, list):
                stack(p, made)
        if -1 in at[0]:
            continue  # TensorFlow crashes there.
        made = p("TensorListScatterIntoExistingList", of(p, count((4, 2), start=20)), count((3, 2)), at, element_dtype=F)
        if not isinstance(made, list):
            stack(p, made)
    p("TensorListScatterV2", count((3, 2)), ints(0, 1, 2), ints(3), one(3), element_dtype=F)
    p("TensorListScatter", count(()), ints(0), ANY, element_dtype=F)
    p("TensorListScatterIntoExistingList", of(p, count((4, 2)), ints(2)), count((1, 3)), ints(0), element_dtype=F)
    p("TensorListScatterIntoExistingList", of(p, count((4, 2)), ints(2)), count((1, 2), "int32"), ints(0), element_dtype=I)
    p = Program("split and concat", "eager")
    for lengths in [[5], [2, 3], [0, 5], [2, 2], [6, -1], [2, 4], [], [1, 1, 1, 1, 1]]:
        for shape in [ANY, ints(-1, 2), ints(2, 2), ints(5, 2), ints(-1, 3), ints(-1)]:
            made = p("TensorListSplit", count((5, 2)), shape, t(lengths, "int64"), element_dtype=F)
            if not isinstance(made, list):
                p("TensorListConcatV2", made, ANY, t([], "int64"), element_dtype=F)
                p("TensorListConcatV2", made, ints(-1, 2), t([], "int64"), element_dtype=F)
    p("TensorListSplit", count(()), ANY, t([1], "int64"), element_dtype=F)
    p("TensorListSplit", count((2,)), ANY, t(2, "int64"), element_dtype=F)
    p("TensorListSplit", count((2,)), ANY, t([1, 1], "int64"), element_dtype=F)
    p = Program("concat", "eager")
    for shape in [ANY, ints(-1, 2), ints(3, 2), ints(-1, 3), ints(2), one(-1), ints()]:
        p("TensorListConcatV2", empty(p), shape, t([], "int64"), element_dtype=F)
        p("TensorListConcatV2", of(p, count((3, 2, 2))), shape, t([], "int64"), element_dtype=F)
        made = p("TensorListSetItem", reserve(p, 3), one(1), count((3, 2)), element_dtype=F)
        for leading in [[], [3, 3, 3], [1, 3, 2], [4, 4, 4], [1, 3]]:
            p("TensorListConcatV2", made, shape, t(leading, "int64"), element_dtype=F)
        p("TensorListConcatV2", reserve(p, 2), shape, t([1, 2], "int64"), element_dtype=F)
    p("TensorListConcatV2", of(p, count((3,))), ANY, t([], "int64"), element_dtype=F)
    p("TensorListConcatV2", of(p, count((3, 2))), ANY, t([], "int64"), element_dtype=I)
    p = Program("lists joined", "eager")
    for a, b in [(ANY, ANY), (ints(2), ints(2)), (ints(2), ANY), (ints(-1), ints(2)), (ints(3), ints(2))]:
        made = p("TensorListConcatLists", empty(p, a), of(p, count((2, 2)), b), element_dtype=F)
        if not isinstance(made, list):
            p("TensorListElementShape", made, shape_type=I)
            stack(p, made)
    p("TensorListConcatLists", of(p, count((2, 2))), of(p, count((3, 2))), element_dtype=I)
    p("TensorListConcatLists", empty(p), empty(p, dtype=I), element_dtype=F)


def sums():
    p = Program("sums", "eager")
    stack(p, p("AddN", [of(p, count((3, 2))), of(p, count((3, 2)))]))
    p("AddN", [of(p, count((3, 2))), of(p, count((2, 2)))])
    p("AddN", [of(p, count((3, 2))), of(p, count((3, 2), "int32"), ANY, I)])
    p("AddN", [of(p, count((3, 2))), of(p, count((3, 3)))])
    p("AddN", [of(p, count((3, 2)), ints(2)), of(p, count((3, 3)), ints(3))])
    p("AddN", [of(p, count((3, 2)), ints(2)), of(p, count((3, 3)))])
    a = p("AddN", [of(p, count((3, 2)), ints(2)), of(p, count((3, 2)))])
    p("TensorListElementShape", a, shape_type=I)
    part = p("TensorListSetItem", reserve(p, 3), one(1), count((2,)), element_dtype=F)
    stack(p, p("AddN", [part, of(p, count((3, 2)))]))
    stack(p, p("AddN", [of(p, count((3, 2))), part]))
    stack(p, p("AddN", [part, part, part]))
    stack(p, p("AddN", [part]))
    made = p("AddN", [reserve(p, 2), reserve(p, 2)])
    p("TensorListStack", made, ints(2), element_dtype=F)
    made = p("ZerosLike", part)
    stack(p, made)
    p("TensorListGetItem", made, one(0), ANY, element_dtype=F)
    p("AddN", [of(p, t(["a"], "string"), ANY, tf.string)] * 2)
    p = Program("lists of lists", "eager")
    inner = of(p, count((2, 2)))
    made = empty(p, ANY, -1, tf.variant)
    made = p("TensorListPushBack", made, inner, element_dtype=tf.variant)
    made = p("TensorListPushBack", made, p("ZerosLike", inner), element_dtype=tf.variant)
    both = p("AddN", [made, made])
    for at in range(2):
        stack(p, p("TensorListGetItem", both, one(at), ANY, element_dtype=tf.variant))
    stack(p, p("TensorListGetItem", p("ZerosLike", made), one(0), ANY, element_dtype=tf.variant))
    all_of_them = p("TensorListStack", made, ANY, element_dtype=tf.variant)
    p("TensorListLength", p("TensorListFromTensor", all_of_them, ANY, element_dtype=tf.variant))
    more = p("TensorListPushBackBatch", all_of_them, count((2, 2), start=30), element_dtype=F)
    made = p("TensorListFromTensor", more, ANY, element_dtype=tf.variant)
    for at in range(2):
        stack(p, p("TensorListGetItem", made, one(at), ANY, element_dtype=tf.variant))
    p("TensorListPushBackBatch", all_of_them, count((3, 2)), element_dtype=F)
    p("TensorListPushBackBatch", all_of_them, count((2, 2), "int32"), element_dtype=I)
    p("TensorListPushBackBatch", all_of_them, count(()), element_dtype=F)
    p("TensorListPushBackBatch", inner, count((2, 2)), element_dtype=F)
    p("TensorListPushBackBatch", inner, count((2,)), element_dtype=F)
    made = p("TensorListSetItem", reserve(p, 2, ANY, tf.variant), one(0), inner, element_dtype=tf.variant)
    p("TensorListGetItem", made, one(1), ints(), element_dtype=tf.variant)
    p = Program("wrong variants", "eager")
    optional = p("OptionalNone")
    p("TensorListLength", optional)
    p("TensorListStack", optional, ANY, element_dtype=F)
    p("TensorListPushBack", optional, count((2,)), element_dtype=F)
    made = of(p, count((2, 2)))
    p("AddN", [optional, made])
    p("AddN", [made, optional])
    both = p("TensorListPushBack", empty(p, ANY, -1, tf.variant), made, element_dtype=tf.variant)
    both = p("TensorListPushBack", both, made, element_dtype=tf.variant)
    batch = p("TensorListStack", both, ANY, element_dtype=tf.variant)
    p("TensorListLength", batch)
    p("TensorListLength", p("ZerosLike", batch))


def optionals():
    p = Program("optionals", "eager")
    none = p("OptionalNone")
    p("OptionalHasValue", none)
    shape = tf.TensorShape
    p("OptionalGetValue", none, output_types=[F], output_shapes=[shape(None)])
    some = p("OptionalFromValue", [count((2,)), count((), "int32"), t(["a"], "string")])
    p("OptionalHasValue", some)
    types = [F, I, tf.string]
    p("OptionalGetValue", some, output_types=types, output_shapes=[shape([2]), shape([]), shape(None)])
    p("OptionalGetValue", some, output_types=types, output_shapes=[shape([3]), shape([]), shape([1])])
    p("OptionalGetValue", some, output_types=types[:2], output_shapes=[shape([2]), shape([])])
    p("OptionalGetValue", some, output_types=[F, F, tf.string], output_shapes=[shape(None)] * 3)
    p("ZerosLike", some)
    zeros = p("ZerosLike", p("OptionalFromValue", [count((2,)), count((), "int32")]))
    p("OptionalGetValue", zeros, output_types=types[:2], output_shapes=[shape(None)] * 2)
    p("OptionalHasValue", p("ZerosLike", none))
    a, b = p("OptionalFromValue", [count((2,))]), p("OptionalFromValue", [count((2,), start=5)])
    p("OptionalGetValue", p("AddN", [a, b]), output_types=[F], output_shapes=[shape(None)])
    p("OptionalHasValue", p("AddN", [none, none]))
    p("AddN", [a, none])
    p("AddN", [none, a])
    p("AddN", [some, some])
    p("AddN", [a, some])
    p("OptionalGetValue", p("OptionalFromValue", [a]), output_types=[tf.variant], output_shapes=[shape([])])
    p("OptionalHasValue", p("EmptyTensorList", ANY, one(-1), element_dtype=F))


dtypes()
items()
sizes()
whole()
sums()
optionals()
programs.write(__file__, "state_lists.txt")
