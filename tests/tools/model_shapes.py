"""Write the dtypes and shapes that stock TensorFlow infers for every output of every node of graphs.

usage: python model_shapes.py OUT_DIR GRAPH.pb...
For each graph OUT_DIR/NAME.shapes gets a line an output, `name:index dtype shape`, sorted; `?` is unknown.
Needs: pip install tensorflow-cpu==2.21.0
"""
import os, pathlib, sys
os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
import tensorflow as tf
NAMES = {'float32': 'float', 'float64': 'double', 'float16': 'half'}

def shape_text(shape):
    return '?' if shape.rank is None else '[' + ','.join('?' if d is None else str(d) for d in shape.as_list()) + ']'

def lines(path):
    graph_def = tf.compat.v1.GraphDef()
    graph_def.ParseFromString(path.read_bytes())
    with tf.Graph().as_default() as graph: tf.graph_util.import_graph_def(graph_def, name='')
    for op in graph.get_operations():
        for i, out in enumerate(op.outputs):
            dtype = out.dtype.base_dtype.name
            yield f'{op.name}:{i} {NAMES.get(dtype, dtype)} {shape_text(out.shape)}\n'

def main(out, graphs):
    for path in map(pathlib.Path, graphs):
        (pathlib.Path(out) / f'{path.stem}.shapes').write_text(''.join(sorted(lines(path))))
if __name__ == '__main__': main(sys.argv[1], sys.argv[2:])
