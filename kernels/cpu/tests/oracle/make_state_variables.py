"""Writes state_variables.txt: programs over variables; see programs.py. Run with TensorFlow 2.21."""

import programs
from programs import Program, count, t, tf

NUMBERS = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
           "uint64", "complex64", "complex128"]
OTHERS = ["bool", "string"]


def handle(p, name="v", dtype=tf.float32, shape=None, **attrs):
    return p("VarHandleOp", container="", shared_name=name, dtype=dtype, shape=tf.TensorShape(shape), **attrs)


def variable(p, name="v", dtype=tf.float32, shape=(2,), op="VariableV2"):
    return p(op, shape=tf.TensorShape(shape), dtype=dtype, container="", shared_name=name)


def resource_variables():
    for dtype in NUMBERS + OTHERS:
        p = Program(f"read and assign {dtype}")
        kind = tf.as_dtype(dtype)
        v = handle(p, dtype=kind)
        p("VarIsInitializedOp", v)
        p("AssignVariableOp", v, count((2, 2), dtype), validate_shape=False)
        p("VarIsInitializedOp", v)
        p("ReadVariableOp", v, dtype=kind)
        if dtype in NUMBERS:
            p("AssignAddVariableOp", v, count((2, 2), dtype))
            p("AssignSubVariableOp", v, count((2, 2), dtype, 3))
            p("ReadVariableOp", v, dtype=kind)
        p("AssignVariableOp", v, count((3,), dtype), validate_shape=False)
        p("ReadVariableOp", v, dtype=kind)
    p = Program("integers wrap around")
    v = handle(p, dtype=tf.int8)
    p("AssignVariableOp", v, t([100, -100], "int8"), validate_shape=False)
    p("AssignAddVariableOp", v, t([100, -100], "int8"))
    p("ReadVariableOp", v, dtype=tf.int8)
    p = Program("without a value")
    v = handle(p)
    p("ReadVariableOp", v, dtype=tf.float32)
    p("VariableShape", v, out_type=tf.int32)
    p("AssignAddVariableOp", v, count((2,)))
    p("AssignSubVariableOp", v, count((2,)))
    p("VarIsInitializedOp", v)
    p("DestroyResourceOp", v, ignore_lookup_error=True)
    p("DestroyResourceOp", v, ignore_lookup_error=False)
    p = Program("wrong dtypes and shapes")
    v = handle(p, shape=(2,))
    p("AssignVariableOp", v, count((2,)), validate_shape=False)
    p("ReadVariableOp", v, dtype=tf.int32)
    p("AssignVariableOp", v, count((2,), "int32"), validate_shape=False)
    p("AssignAddVariableOp", v, count((2,), "int32"))
    p("AssignAddVariableOp", v, count((3,)))
    p("AssignAddVariableOp", v, count(()))
    p("AssignAddVariableOp", v, count((1, 2)))
    p("AssignVariableOp", v, count((3,)), validate_shape=True)
    p("ReadVariableOp", v, dtype=tf.float32)
    p("AssignVariableOp", v, count((2,), start=5), validate_shape=True)
    p("AssignVariableOp", v, count((3,)), validate_shape=False)
    p("ReadVariableOp", v, dtype=tf.float32)
    w = handle(p, "w")
    p("AssignVariableOp", w, count((2,)), validate_shape=True)
    p("ReadVariableOp", w, dtype=tf.float32)
    p = Program("shape")
    v = handle(p)
    for shape in [(2, 3), (), (0, 2)]:
        p("AssignVariableOp", v, count(shape), validate_shape=False)
        p("VariableShape", v, out_type=tf.int32)
        p("VariableShape", v, out_type=tf.int64)
    p = Program("destroyed and made again")
    v = handle(p)
    p("AssignVariableOp", v, count((2,)), validate_shape=False)
    p("DestroyResourceOp", v, ignore_lookup_error=False)
    p("ReadVariableOp", v, dtype=tf.float32)
    p("DestroyResourceOp", v, ignore_lookup_error=False)
    p("AssignVariableOp", v, count((3,)), validate_shape=False)
    p("ReadVariableOp", v, dtype=tf.float32)
    p = Program("names are shared")
    a, b, c = handle(p, "a"), handle(p, "a"), handle(p, "c")
    p("AssignVariableOp", a, count((2,)), validate_shape=False)
    p("ReadVariableOp", b, dtype=tf.float32)
    p("ReadVariableOp", c, dtype=tf.float32)
    p = Program("a variable of handles and of variants is read")
    v = handle(p)
    p("DisableCopyOnRead", v)
    p("AssignVariableOp", v, count((2,)), validate_shape=False)
    p("DisableCopyOnRead", v)


def ref_variables():
    for op in ["Variable", "VariableV2"]:
        for dtype in NUMBERS + OTHERS:
            p = Program(f"{op} of {dtype}")
            kind = tf.as_dtype(dtype)
            v = variable(p, dtype=kind, shape=(2, 2), op=op)
            p("IsVariableInitialized", v)
            p("Assign", v, count((2, 2), dtype))
            p("IsVariableInitialized", v)
            p.read(v)
            if dtype in NUMBERS:
                p("AssignAdd", v, count((2, 2), dtype), use_locking=True)
                p.read(v)
                p("AssignSub", v, count((2, 2), dtype, 3))
                p.read(v)
    p = Program("references without a value, wrong shapes")
    v = variable(p)
    p.read(v)
    p("AssignAdd", v, count((2,)))
    p("AssignSub", v, count((2,)))
    p("Assign", v, count((3,)))
    p("IsVariableInitialized", v)
    p("Assign", v, count((2,)), use_locking=False)
    p("Assign", v, count((3,)))
    p("Assign", v, count((1, 2)))
    p("AssignAdd", v, count((3,)))
    p("AssignAdd", v, count(()))
    p.read(v)
    p("Assign", v, count((3,)), validate_shape=False)
    p.read(v)
    p("AssignAdd", v, count((3,)))
    p.read(v)
    p("Assign", v, count((), "float32", 7), validate_shape=False)
    p.read(v)
    p("Assign", v, count((3,)))
    p("AssignAdd", v, t(1.5))
    p.read(v)
    p = Program("a reference of unknown shape")
    v = variable(p, shape=None)
    p("Assign", v, count((3,)))
    p.read(v)
    p = Program("a scalar Variable stands for any shape")
    v = variable(p, shape=(), op="Variable")
    p("Assign", v, count((3,)))
    p("Assign", v, count((3,)), validate_shape=False)
    p.read(v)


def temporaries():
    p = Program("temporary", "step")
    v = p("TemporaryVariable", shape=tf.TensorShape((2,)), dtype=tf.float32, var_name="t")
    v = p("Assign", v, count((2,)))
    v = p("AssignAdd", v, count((2,)))
    p("DestroyTemporaryVariable", v, var_name="t")


resource_variables()
ref_variables()
temporaries()
programs.write(__file__, "state_variables.txt")
