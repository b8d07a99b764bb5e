"""Loads SavedModels in stock TensorFlow in three ways, and compares what they give with what is stored.

usage: load_in_tensorflow.py FOLDER

FOLDER/expected is a checkpoint of tensors MODEL/SIGNATURE/in/NAME and MODEL/SIGNATURE/out/NAME. One line a model and way;
exits with 1 where one differs.
"""
import os, sys
import numpy as np, tensorflow as tf
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../clients'))
import c_api

v1 = tf.compat.v1

def stored(folder):
    """Inputs and outputs by model and signature."""
    reader, calls = tf.train.load_checkpoint(os.path.join(folder, 'expected')), {}
    for name in reader.get_variable_to_shape_map():
        model, signature, side, argument = name.split('/', 3)
        calls.setdefault((model, signature), ({}, {}))[side == 'out'][argument] = reader.get_tensor(name)
    return calls

def by_load(path, signature, inputs):
    model = tf.saved_model.load(path)
    print(os.path.basename(path), 'has variables', sorted(variable.name for variable in getattr(model, 'variables', [])))
    outputs = model.signatures[signature](**{name: tf.constant(value) for name, value in inputs.items()})
    return {name: value.numpy() for name, value in outputs.items()}

def by_session(path, signature, inputs):
    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ['serve'], path)
        definition = meta.signature_def[signature]
        feeds = {definition.inputs[name].name: value for name, value in inputs.items()}
        fetches = {name: info.name for name, info in definition.outputs.items()}
        return session.run(fetches, feeds)

STRING_SIZE = 24

def c_tensor(api, dtype, value):
    if dtype != c_api.STRING: return api.tensor(dtype, value.shape, np.ascontiguousarray(value).tobytes())
    tensor = api.tensor(dtype, value.shape, bytes(STRING_SIZE * value.size))
    start = api.call('TF_TensorData', c_api.vp, tensor)
    for at, text in enumerate(value.ravel()):
        element = c_api.vp(start + STRING_SIZE * at)
        api.call('TF_StringInit', None, element)
        api.call('TF_StringCopy', None, element, c_api.cp(text), c_api.sz(len(text)))
    return tensor

def c_array(api, tensor):
    tensor = c_api.vp(tensor)
    dtype, shape = api.call('TF_TensorType', c_api.i32, tensor), api.shape(tensor.value)
    start = api.call('TF_TensorData', c_api.vp, tensor)
    if dtype == c_api.STRING:
        elements = [c_api.vp(start + STRING_SIZE * at) for at in range(int(np.prod(shape)))]
        texts = [c_api.C.string_at(api.call('TF_StringGetDataPointer', c_api.vp, e), api.call('TF_StringGetSize', c_api.sz, e)) for e in elements]
        return np.array(texts, object).reshape(shape)
    data = c_api.C.string_at(start, api.call('TF_TensorByteSize', c_api.sz, tensor))
    return np.frombuffer(data, tf.as_dtype(dtype).as_numpy_dtype).reshape(shape)

def by_c_library(path, signature, inputs):
    from tensorflow.core.protobuf import meta_graph_pb2
    api = c_api.Api(os.path.dirname(tf.__file__))
    graph, tags = api.graph(), (c_api.cp * 1)(b'serve')
    options, meta = c_api.vp(api.call('TF_NewSessionOptions', c_api.vp)), c_api.vp(api.call('TF_NewBuffer', c_api.vp))
    code, session = api.tried('TF_LoadSessionFromSavedModel', c_api.vp, options, None, c_api.cp(path.encode()), tags, c_api.i32(1), graph, meta)
    if code: raise RuntimeError(api.message())
    buffer = c_api.C.cast(meta, c_api.C.POINTER(c_api.Buffer)).contents
    definition = meta_graph_pb2.MetaGraphDef.FromString(c_api.C.string_at(buffer.data, buffer.length)).signature_def[signature]
    def output(info):
        node, index = info.name.split(':')
        return c_api.vp(api.call('TF_GraphOperationByName', c_api.vp, graph, c_api.cp(node.encode()))), int(index)
    feeds = [(output(definition.inputs[name]), c_tensor(api, definition.inputs[name].dtype, value)) for name, value in inputs.items()]
    code, tensors = api.run(c_api.vp(session), feeds, [output(info) for info in definition.outputs.values()])
    if code: raise RuntimeError(api.message())
    return {name: c_array(api, tensor) for name, tensor in zip(definition.outputs, tensors)}

def is_equal(have, want):
    have, want = np.asarray(have), np.asarray(want)
    if have.shape != want.shape: return False
    if want.dtype.kind == 'f': return np.allclose(have, want, rtol=1e-5, atol=1e-6)
    return have.tolist() == want.tolist()

def main(folder):
    failed = 0
    for (model, signature), (inputs, outputs) in sorted(stored(folder).items()):
        for way in [by_load, by_session, by_c_library]:
            try:
                have = way(os.path.join(folder, model), signature, inputs)
                wrong = [name for name, value in have.items() if not is_equal(value, outputs[name])]
                wrong += [name for name in outputs if name not in have]
                verdict = f'differs in {wrong}' if wrong else 'equal'
            except Exception as error:
                verdict = f'failed: {type(error).__name__}: {error}'
            failed += verdict != 'equal'
            print(f'{model} {signature} {way.__name__}: {verdict}' if verdict != 'equal' else f'{model} {signature} {way.__name__} equal', flush=True)
    sys.exit(failed > 0)

main(sys.argv[1])
