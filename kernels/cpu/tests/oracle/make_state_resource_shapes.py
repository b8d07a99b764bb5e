"""Writes state_resource_shapes.txt: what TensorFlow infers for arrays, stacks, queues and tables; see Shapes in programs.py.
Run with TensorFlow 2.21.
"""

import programs
from programs import Shapes, Unknown, count, t, tf

F, I, L, R, S = tf.float32, tf.int32, tf.int64, tf.resource, tf.string
FLOW = Unknown(F, ())
DIMS = [None, (2,), (None,), (2, None), (2, 3), ()]


def shape(*dims):
    return tf.TensorShape(list(dims))


def arrays():
    p = Shapes("arrays")
    made = []
    p("TensorArrayV3", Unknown(I, (2,)), dtype=F)
    for dims in DIMS:
        for same in [False, True]:
            a = p("TensorArrayV3", Unknown(I, ()), dtype=F, element_shape=tf.TensorShape(dims), identical_element_shapes=same)
            made.append(a[0])
    for a in made + [Unknown(R, (2,)), Unknown(R, ()), Unknown(R, None), Unknown(R, (3,))]:
        p("TensorArraySizeV3", a, FLOW)
        p("TensorArrayCloseV3", a)
        p("TensorArrayGradV3", a, FLOW, source="g")
        for outer in [t([], "int32"), t([4], "int32"), Unknown(I, (2,)), Unknown(I, None)]:
            p("TensorArrayGradWithShape", a, FLOW, outer, source="g")
        p("TensorArrayReadV3", a, Unknown(I, ()), FLOW, dtype=F)
        p("TensorArrayReadV3", a, Unknown(I, ()), FLOW, dtype=I)
        for dims in DIMS:
            p("TensorArrayWriteV3", a, Unknown(I, ()), Unknown(F, dims), FLOW)
            p("TensorArrayScatterV3", a, Unknown(I, (2,)), Unknown(F, dims), FLOW)
            p("TensorArraySplitV3", a, Unknown(F, dims), Unknown(L, (None,)), FLOW)
            p("TensorArrayGatherV3", a, Unknown(I, (None,)), FLOW, dtype=F, element_shape=tf.TensorShape(dims))
            p("TensorArrayConcatV3", a, FLOW, dtype=F, element_shape_except0=tf.TensorShape(dims))
        p("TensorArrayScatterV3", a, Unknown(I, None), Unknown(F, (2, 3)), FLOW)
        p("TensorArrayGatherV3", a, Unknown(I, None), FLOW, dtype=F)
        p("TensorArrayGatherV3", a, Unknown(I, (2, 2)), FLOW, dtype=F)
        p("TensorArrayGatherV3", a, Unknown(I, (3,)), FLOW, dtype=F)
        p("TensorArraySizeV3", a, Unknown(F, (1,)))
        p("TensorArrayReadV3", a, Unknown(I, (1,)), FLOW, dtype=F)
        p("TensorArrayReadV3", a, Unknown(I, ()), Unknown(F, (1,)), dtype=F)
        p("TensorArrayWriteV3", a, Unknown(I, (1,)), Unknown(F, None), FLOW)
        p("TensorArrayWriteV3", a, Unknown(I, ()), Unknown(F, None), Unknown(F, (1,)))
        p("TensorArraySplitV3", a, Unknown(F, None), Unknown(L, ()), FLOW)
        p("TensorArrayConcatV3", a, Unknown(F, (1,)), dtype=F)
    p = Shapes("stacks")
    for s in [p("StackV2", Unknown(I, ()), elem_type=F), p("StackV2", Unknown(I, (2,)), elem_type=F), Unknown(R, None), Unknown(R, ())]:
        p("StackPushV2", s, Unknown(F, (2, None)))
        p("StackPopV2", s, elem_type=F)
        p("StackCloseV2", s)
    s = p("Stack", elem_type=F)
    p("StackPush", s, Unknown(F, (2, None)))
    p("StackPop", s, elem_type=F)
    p("StackClose", s)


def queues():
    p = Shapes("queues")
    for op in ["FIFOQueue", "RandomShuffleQueue", "PaddingFIFOQueue", "PriorityQueue"]:
        for version in ["V2", ""]:
            q = p(op + version, component_types=[F, I], shapes=[shape(2), shape()])
            types = [L, F, I] if op == "PriorityQueue" else [F, I]
            p("QueueSize" + version, q)
            p("QueueIsClosed" + version, q)
            p("QueueClose" + version, q)
            p("QueueEnqueue" + version, q, [Unknown(F, (2,)), Unknown(I, ())])
            p("QueueEnqueueMany" + version, q, [Unknown(F, (2,)), Unknown(I, ())])
            p("QueueDequeue" + version, q, component_types=types)
            for n in [Unknown(I, ()), t(4, "int32"), t(-1, "int32"), Unknown(I, (2,)), Unknown(I, None)]:
                p("QueueDequeueMany" + version, q, n, component_types=types)
                p("QueueDequeueUpTo" + version, q, n, component_types=types)


def tables():
    p = Shapes("tables")
    made = []
    named = dict(container="", shared_name="", use_node_name_sharing=False)
    made.append(p("HashTableV2", key_dtype=L, value_dtype=F, **named))
    made.append(p("AnonymousHashTable", key_dtype=L, value_dtype=F))
    made.append(p("MutableHashTableV2", key_dtype=L, value_dtype=F, **named))
    made.append(p("AnonymousMutableHashTable", key_dtype=L, value_dtype=F))
    for dims in [(2,), (None,), None, ()]:
        made.append(p("MutableHashTableOfTensorsV2", key_dtype=L, value_dtype=F, value_shape=tf.TensorShape(dims), **named))
        made.append(p("AnonymousMutableHashTableOfTensors", key_dtype=L, value_dtype=F, value_shape=tf.TensorShape(dims)))
    p("HashTable", key_dtype=L, value_dtype=F, **named)
    p("MutableHashTable", key_dtype=L, value_dtype=F, **named)
    p("MutableHashTableOfTensors", key_dtype=L, value_dtype=F, value_shape=shape(2), **named)
    for a in made + [Unknown(R, ()), Unknown(R, None), Unknown(R, (2,))]:
        if isinstance(a, list):
            continue
        p("LookupTableSizeV2", a)
        p("LookupTableExportV2", a, Tkeys=L, Tvalues=F)
        p("LookupTableExportV2", a, Tkeys=I, Tvalues=F)
        for dims in DIMS:
            keys = Unknown(L, dims)
            p("LookupTableFindV2", a, keys, Unknown(F, None))
            p("LookupTableFindV2", a, keys, Unknown(F, (2,)))
            p("LookupTableRemoveV2", a, keys)
            for values in DIMS:
                p("LookupTableInsertV2", a, keys, Unknown(F, values))
                p("LookupTableImportV2", a, keys, Unknown(F, values))
                p("InitializeTableV2", a, keys, Unknown(F, values))
        p("LookupTableFindV2", a, Unknown(I, (2,)), Unknown(F, None))
        p("LookupTableFindV2", a, Unknown(L, (2,)), Unknown(I, None))
        p("InitializeTableFromTextFileV2", a, Unknown(S, ()), key_index=-2, value_index=-1)
        p("InitializeTableFromTextFileV2", a, Unknown(S, (1,)), key_index=-2, value_index=-1)
    p = Shapes("tables by reference")
    a = p("HashTable", key_dtype=L, value_dtype=F, **named)
    for dims in DIMS:
        p("LookupTableFind", a, Unknown(L, dims), Unknown(F, None))
        p("LookupTableFind", a, Unknown(L, dims), Unknown(F, (2,)))
        p("LookupTableInsert", a, Unknown(L, dims), Unknown(F, (2,)))
        p("LookupTableImport", a, Unknown(L, dims), Unknown(F, (2,)))
        p("InitializeTable", a, Unknown(L, dims), Unknown(F, (2,)))
    p("LookupTableSize", a)
    p("LookupTableExport", a, Tkeys=L, Tvalues=F)
    p("InitializeTableFromTextFile", a, Unknown(S, (1,)), key_index=-2, value_index=-1)


arrays()
queues()
tables()
programs.write(__file__, "state_resource_shapes.txt")
