"""Makes ResNet50 as a small file, with stock TensorFlow: its kernels are not stored, but drawn by the graph from seeds.

usage: python make_seeded.py OUT_DIR
Writes the files of make_models.py: resnet50_seeded.pb and .npz, with two values from inside of the network among the outputs.
A kernel is `StatelessRandomUniform(shape, seed)`, moved and scaled to the variance of make_networks.py, under the name that
the stored kernel had: any runtime with that op runs the file as it is, and one that folds constants draws each kernel once.
Needs: pip install tensorflow-cpu==2.21.0
"""
import sys
from make_models import np, tf
from make_networks import application, layers, set_weights
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

SIZE = 224

def seed_of(number):
    return np.array([17, number], 'int32')

def limit(shape):
    """The largest magnitude of uniform numbers whose variance is 1.5 / fan-in."""
    return np.float32(np.sqrt(3 * 1.5 / np.prod(shape[:-1])))

def draw(shape, number):
    drawn = tf.raw_ops.StatelessRandomUniform(shape=np.array(shape, 'int32'), seed=seed_of(number), dtype=tf.float32)
    return ((drawn - np.float32(0.5)) * (2 * limit(shape))).numpy()

def with_drawn(graph_def, kernels):
    """The graph with the constants whose values are `kernels` drawn by nodes of the same names."""
    new = tf.compat.v1.GraphDef(versions=graph_def.versions)
    def constant(name, value):
        node = new.node.add(name=name, op='Const')
        node.attr['dtype'].type = tf.as_dtype(value.dtype).as_datatype_enum
        node.attr['value'].tensor.CopyFrom(tf.make_tensor_proto(value))
        return name
    def op(name, kind, inputs, **types):
        node = new.node.add(name=name, op=kind, input=inputs)
        for attr, dtype in types.items(): node.attr[attr].type = dtype.as_datatype_enum
        return name
    missing = dict(kernels)
    for node in graph_def.node:
        value = tf.make_ndarray(node.attr['value'].tensor) if node.op == 'Const' else np.zeros(0)
        number = next((n for n, kernel in missing.items() if kernel.shape == value.shape and (kernel == value).all()), None)
        if number is None:
            new.node.add().CopyFrom(node)
            continue
        del missing[number]
        n = node.name
        parts = [constant(n + '/shape', np.array(value.shape, 'int32')), constant(n + '/seed', seed_of(number))]
        drawn = op(n + '/drawn', 'StatelessRandomUniform', parts, dtype=tf.float32, Tseed=tf.int32, T=tf.int32)
        centred = op(n + '/centred', 'Sub', [drawn, constant(n + '/half', np.float32(0.5))], T=tf.float32)
        op(n, 'Mul', [centred, constant(n + '/scale', 2 * limit(value.shape))], T=tf.float32)
    assert not missing, missing.keys()
    return new

def main(out):
    tf.keras.utils.set_random_seed(7)
    model = application('ResNet50')(SIZE)
    r = np.random.default_rng(3)
    x = r.standard_normal((1, SIZE, SIZE, 3)).astype('float32')
    batch = r.standard_normal((2, SIZE, SIZE, 3)).astype('float32')
    set_weights(model, batch, 17)
    variables = [w for layer in model._flatten_layers() if not layer._layers for w in layer.weights if w.path.endswith('/kernel')]
    kernels = {number: draw(tuple(w.shape), number) for number, w in enumerate(variables)}
    for number, w in enumerate(variables): w.assign(kernels[number])
    model(batch, training=True)  # the statistics of normalisations, with these kernels
    run = tf.function(lambda a: model(a, training=False)).get_concrete_function(tf.TensorSpec((None, SIZE, SIZE, 3), tf.float32))
    graph_def = with_drawn(convert_variables_to_constants_v2(run).graph.as_graph_def(), kernels)
    open(f'{out}/resnet50_seeded.pb', 'wb').write(graph_def.SerializeToString())
    graph = tf.Graph()
    with graph.as_default(): tf.import_graph_def(graph_def, name='')
    sums = [n.name for n in graph_def.node if n.op == 'Relu']
    fetches = ['Identity:0', sums[len(sums) // 4] + ':0', sums[len(sums) // 2] + ':0']
    with tf.compat.v1.Session(graph=graph) as session: values = session.run(fetches, {'a:0': x})
    np.savez_compressed(f'{out}/resnet50_seeded.npz', **{'in:a:0': x}, **{'out:' + f: v for f, v in zip(fetches, values)})
    for f, v in zip(fetches, values): print(f, v.shape, 'mean', v.mean(), 'deviation', v.std())

if __name__ == '__main__': main(sys.argv[1])
