"""Make small SavedModels with stock TensorFlow, and what it computes with them.

usage: python make_saved_models.py OUT_DIR NAME...    (no NAME: all of MODELS, which also writes OUT_DIR/expected)
A NAME writes the folder OUT_DIR/NAME. The checkpoint OUT_DIR/expected has a tensor NAME/SIGNATURE/CALL/in/INPUT for each
input of each call, and NAME/SIGNATURE/CALL/out/OUTPUT for what stock TensorFlow computed; calls of a model are numbered in
the order in which they were made, on one loaded model. `expected` is written anew as a whole.
Needs: pip install tensorflow-cpu==2.21.0
"""
import os, shutil, sys
os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('TF_ENABLE_ONEDNN_OPTS', '0')
import numpy as np, tensorflow as tf
v1 = tf.compat.v1
OPTIONS = tf.saved_model.SaveOptions(save_debug_info=False, experimental_debug_stripper=True)
PREDICT = 'tensorflow/serving/predict'

def values(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype('float32')

def keras(path, model):
    model.export(path, verbose=False)

def keras_cnn(path):
    L = tf.keras.layers
    keras(path, tf.keras.Sequential([tf.keras.Input((8, 8, 1), name='image'), L.Conv2D(4, 3, activation='relu'), L.BatchNormalization(), L.MaxPooling2D(), L.Flatten(), L.Dense(3, activation='softmax')]))
    return [('serving_default', {'image': values(2, 8, 8, 1)}), ('serve', {'image': values(3, 8, 8, 1, seed=2)})]

def keras_lstm(path):
    L = tf.keras.layers
    keras(path, tf.keras.Sequential([tf.keras.Input((5, 3), name='sequence'), L.LSTM(4, use_cudnn=False), L.Dense(2)]))
    return [('serving_default', {'sequence': values(2, 5, 3)})]

def string_lookup(path):
    vocabulary = path + '.txt'
    open(vocabulary, 'w').write('red\ngreen\nblue\nviolet\n')
    class Lookup(tf.Module):
        def __init__(self):
            reader = tf.lookup.TextFileInitializer(vocabulary, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
            self.table = tf.lookup.StaticVocabularyTable(reader, 3)
            self.scores = tf.Variable(values(7))
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='word')])
        def call(self, word):
            at = self.table.lookup(tf.strings.lower(word))
            return {'index': at, 'score': tf.gather(self.scores, at)}
    module = Lookup()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    os.remove(vocabulary)
    return [('serving_default', {'word': np.array([b'green', b'BLUE', b'mauve', b'red', b''])})]

def ragged(path):
    class Ragged(tf.Module):
        @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
        def rows(self, rows):
            return {'sum': tf.reduce_sum(rows, axis=1), 'mean': tf.reduce_mean(rows, axis=1), 'dense': rows.to_tensor(-1.0), 'twice': rows * 2.0}
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='text')])
        def words(self, text):
            words = tf.strings.split(text)
            return {'count': words.row_lengths(), 'words': words.to_tensor('')}
    module = Ragged()
    tf.saved_model.save(module, path, signatures={'serving_default': module.rows, 'words': module.words}, options=OPTIONS)
    return [('serving_default', {'rows': values(6), 'rows_1': np.array([0, 2, 2, 6], 'int64')}),
            ('words', {'text': np.array([b'one two  three', b'', b'four'])})]

def signatures(path):
    class Several(tf.Module):
        def __init__(self):
            self.scale = tf.Variable(3.0)
            self.calls = tf.Variable(0, dtype=tf.int64)
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name='x')])
        def scaled(self, x):
            return {'scaled': x * self.scale}
        @tf.function(input_signature=[tf.TensorSpec([], tf.int32, name='a'), tf.TensorSpec([], tf.int32, name='b')])
        def divide(self, a, b):
            return {'quotient': a // b, 'remainder': a % b}
        @tf.function(input_signature=[tf.TensorSpec([], tf.int64, name='by')])
        def count(self, by):
            return {'calls': self.calls.assign_add(by)}
        @tf.function(input_signature=[])
        def state(self):
            return {'scale': self.scale.read_value(), 'calls': self.calls.read_value()}
    module = Several()
    tf.saved_model.save(module, path, signatures={name: getattr(module, name) for name in ['scaled', 'divide', 'count', 'state']}, options=OPTIONS)
    return [('scaled', {'x': values(3, 2)}), ('divide', {'a': np.int32(17), 'b': np.int32(-5)}), ('count', {'by': np.int64(4)}),
            ('count', {'by': np.int64(38)}), ('state', {})]

def assets(path):
    names = []
    for name, text in [('greeting.txt', 'good morning'), ('weights.txt', '1.5,-2,0.25')]:
        names.append(os.path.join(os.path.dirname(path), name))
        open(names[-1], 'w').write(text)
    class Assets(tf.Module):
        def __init__(self):
            self.greeting, self.weights = tf.saved_model.Asset(names[0]), tf.saved_model.Asset(names[1])
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='x')])
        def call(self, x):
            weights = tf.strings.to_number(tf.strings.split([tf.io.read_file(self.weights)], ',').values)
            return {'greeting': tf.io.read_file(self.greeting), 'weighted': x * weights}
    module = Assets()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    for name in names: os.remove(name)
    return [('serving_default', {'x': values(3)})]

def v1_init_op(path):
    vocabulary = os.path.join(os.path.dirname(path), 'animals.txt')
    open(vocabulary, 'w').write('cat\ndog\nowl\n')
    with tf.Graph().as_default(), v1.Session() as session:
        v1.disable_resource_variables()
        word = v1.placeholder(tf.string, [None], name='word')
        file = tf.constant(vocabulary, name='vocabulary')
        v1.add_to_collection(v1.GraphKeys.ASSET_FILEPATHS, file)
        table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(file, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
        legs = v1.get_variable('legs', initializer=np.array([4, 4, 2], 'int32'), trainable=False)
        at = table.lookup(word)
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        outputs = {'legs': tf.gather(legs, tf.maximum(at, 0)), 'index': at}
        signature = v1.saved_model.predict_signature_def({'word': word}, outputs)
        builder = v1.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(session, ['serve'], {'serving_default': signature}, assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS), main_op=v1.tables_initializer(name='main'), strip_default_attrs=True)
        v1.enable_resource_variables()
        builder.save()
    os.remove(vocabulary)
    return [('serving_default', {'word': np.array([b'owl', b'dog', b'cat', b'cow'])})]

def v1_saver(path):
    """References and resources, one variable in parts, graphs for serving and for training with their own tags."""
    def build(training):
        x = v1.placeholder(tf.float32, [None, 3], name='x')
        v1.disable_resource_variables()
        with v1.variable_scope('layer', partitioner=v1.fixed_size_partitioner(2)):
            weights = tf.convert_to_tensor(v1.get_variable('weights', [3, 2], initializer=v1.random_uniform_initializer(-1, 1, seed=3)))
        v1.enable_resource_variables()
        bias = v1.get_variable('bias', initializer=values(2, seed=2), use_resource=True)
        y = tf.add(x @ weights, bias, name='y')
        inputs, outputs, train = {'x': x}, {'y': y}, None
        if training:
            target = v1.placeholder(tf.float32, [None, 2], name='target')
            inputs['target'] = target
            loss = tf.reduce_mean(tf.square(y - target), name='loss')
            train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, name='train')
            with tf.control_dependencies([train]): outputs = {'loss': tf.identity(loss)}
        return v1.saved_model.build_signature_def({k: v1.saved_model.build_tensor_info(t) for k, t in inputs.items()}, {k: v1.saved_model.build_tensor_info(t) for k, t in outputs.items()}, 'tensorflow/supervised/training' if training else PREDICT)
    builder = v1.saved_model.Builder(path)
    for tags, training in [(['serve'], False), (['train', 'cpu'], True)]:
        with tf.Graph().as_default(), v1.Session() as session:
            signature = build(training)
            saver = v1.train.Saver()
            if training:
                builder.add_meta_graph(tags, {'train': signature}, saver=saver, strip_default_attrs=True)
            else:
                session.run(v1.global_variables_initializer())
                builder.add_meta_graph_and_variables(session, tags, {'serving_default': signature}, saver=saver, strip_default_attrs=True)
    builder.save()
    return [('serving_default', {'x': values(4, 3, seed=5)})]

def v1_sparse(path):
    with tf.Graph().as_default(), v1.Session() as session:
        sparse = v1.sparse_placeholder(tf.float32, [None, 4], name='sparse')
        signature = v1.saved_model.predict_signature_def({'sparse': sparse}, {'dense': tf.scatter_nd(sparse.indices, sparse.values, sparse.dense_shape), 'twice': tf.SparseTensor(tf.identity(sparse.indices), sparse.values * 2.0, tf.identity(sparse.dense_shape))})
        builder = v1.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(session, ['serve'], {'serving_default': signature}, strip_default_attrs=True)
        builder.save()
    return [('serving_default', {'sparse_indices': np.array([[0, 1], [2, 3]], 'int64'), 'sparse_values': values(2), 'sparse_dense_shape': np.array([3, 4], 'int64')})]

def dtypes(path):
    kinds = ['float32', 'float64', 'float16', 'bfloat16', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'bool', 'complex64', 'complex128']
    class DTypes(tf.Module):
        def __init__(self):
            self.variables_of = {kind: tf.Variable(tf.cast(tf.constant([[0, 1, 2], [100, 5, 6]]), kind), name=kind) for kind in kinds}
            self.variables_of['string'] = tf.Variable([b'\xff\x00', 'schön', ''], name='string')
            self.empty = tf.Variable(tf.zeros([0, 3]))
        @tf.function(input_signature=[])
        def read(self):
            return {**{kind: variable.read_value() for kind, variable in self.variables_of.items()}, 'empty': self.empty.read_value()}
    module = DTypes()
    tf.saved_model.save(module, path, signatures=module.read, options=OPTIONS)
    return [('serving_default', {})]

def shared_variables(path):
    class Layer(tf.Module):
        def __init__(self, weights): super().__init__(); self.weights = weights
        def __call__(self, x): return x @ self.weights
    class Tied(tf.Module):
        def __init__(self):
            weights = tf.Variable(values(3, 3))
            self.first, self.second = Layer(weights), Layer(weights)
        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name='x')])
        def call(self, x): return {'y': self.second(tf.nn.relu(self.first(x)))}
        @tf.function(input_signature=[tf.TensorSpec([], tf.float32, name='factor')])
        def scale(self, factor): return {'norm': tf.norm(self.first.weights.assign(self.second.weights * factor))}
    module = Tied()
    tf.saved_model.save(module, path, signatures={'serving_default': module.call, 'scale': module.scale}, options=OPTIONS)
    x = values(2, 3, seed=4)
    return [('serving_default', {'x': x}), ('scale', {'factor': np.float32(0.5)}), ('serving_default', {'x': x})]

def control_flow(path):
    class Flow(tf.Module):
        def __init__(self): self.step = tf.Variable(2, dtype=tf.int32)
        @tf.function(input_signature=[tf.TensorSpec([], tf.int32, name='n')])
        def collatz(self, n):
            steps, path = tf.constant(0), tf.TensorArray(tf.int32, 0, dynamic_size=True)
            while n != 1:
                path = path.write(steps, n)
                if n % self.step == 0: n = n // self.step
                else: n = 3 * n + 1
                steps += 1
            return {'steps': steps, 'path': path.stack()}
        @tf.function(input_signature=[tf.TensorSpec([], tf.int32, name='which'), tf.TensorSpec([None], tf.float32, name='x')])
        def choose(self, which, x):
            return {'y': tf.switch_case(which, [lambda: x, lambda: x * x, lambda: tf.map_fn(lambda v: tf.exp(v) - 1.0, x)])}
    module = Flow()
    tf.saved_model.save(module, path, signatures={'serving_default': module.collatz, 'choose': module.choose}, options=OPTIONS)
    return [('serving_default', {'n': np.int32(27)}), ('serving_default', {'n': np.int32(1)}), ('choose', {'which': np.int32(1), 'x': values(3)}), ('choose', {'which': np.int32(2), 'x': values(3)})]

def embedding(path):
    class Embedding(tf.Module):
        def __init__(self): self.table, self.positions = tf.Variable(values(20, 6)), tf.Variable(values(8, 6, seed=3))
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int64, name='ids')])
        def call(self, ids):
            x = tf.nn.embedding_lookup(self.table, ids) + self.positions[:tf.shape(ids)[1]]
            mask = tf.cast(ids != 0, tf.float32)[..., None]
            pooled = tf.reduce_sum(x * mask, 1) / tf.maximum(tf.reduce_sum(mask, 1), 1.0)
            scores, best = tf.math.top_k(tf.linalg.matmul(pooled, self.table, transpose_b=True), 3)
            return {'pooled': pooled, 'scores': scores, 'best': best}
    module = Embedding()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'ids': np.array([[3, 7, 0], [19, 0, 0]], 'int64')})]

def training(path):
    class Training(tf.Module):
        def __init__(self):
            self.w1, self.b1, self.w2 = tf.Variable(values(3, 5) * 0.5), tf.Variable(tf.zeros([5])), tf.Variable(values(5, 1, seed=2) * 0.5)
            self.momentum = [tf.Variable(tf.zeros_like(v)) for v in (self.w1, self.b1, self.w2)]
        def predict(self, x): return tf.tanh(x @ self.w1 + self.b1) @ self.w2
        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name='x')])
        def call(self, x): return {'y': self.predict(x)}
        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name='x'), tf.TensorSpec([None, 1], tf.float32, name='target')])
        def train(self, x, target):
            variables = [self.w1, self.b1, self.w2]
            with tf.GradientTape() as tape: loss = tf.reduce_mean(tf.square(self.predict(x) - target))
            for variable, momentum, gradient in zip(variables, self.momentum, tape.gradient(loss, variables)):
                variable.assign_sub(0.1 * momentum.assign(0.9 * momentum + gradient))
            return {'loss': loss}
    module = Training()
    tf.saved_model.save(module, path, signatures={'serving_default': module.call, 'train': module.train}, options=OPTIONS)
    x, target = values(8, 3, seed=6), values(8, 1, seed=7)
    return [('serving_default', {'x': x})] + [('train', {'x': x, 'target': target})] * 5 + [('serving_default', {'x': x})]

def keras_training(path):
    """The saver in this graph restores copies of the variables: TensorFlow 2 restores them as objects."""
    L = tf.keras.layers
    model = tf.keras.Sequential([tf.keras.Input((4,)), L.Dense(3, activation='relu'), L.Dense(1)])
    model.compile('adam', 'mse')
    class Training(tf.Module):
        def __init__(self):
            self.model, self.optimizer = model, model.optimizer
            self.optimizer.build(model.trainable_variables)
        @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name='x'), tf.TensorSpec([None, 1], tf.float32, name='target')])
        def train(self, x, target):
            with tf.GradientTape() as tape: loss = tf.reduce_mean(tf.square(self.model(x, training=True) - target))
            self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables))
            return {'loss': loss}
    module = Training()
    tf.saved_model.save(module, path, signatures={'train': module.train}, options=OPTIONS)
    return [('train', {'x': values(6, 4), 'target': values(6, 1, seed=2)})] * 3

def no_variables(path):
    class Plain(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name='x'), tf.TensorSpec([], tf.float32, name='exponent')])
        def call(self, x, exponent): return {'power': tf.pow(tf.abs(x), exponent), 'sorted': tf.sort(x)}
    module = Plain()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'x': values(5), 'exponent': np.float32(1.5)})]

MODELS = {f.__name__: f for f in [keras_cnn, keras_lstm, string_lookup, ragged, signatures, assets, v1_init_op, v1_saver, v1_sparse, dtypes, shared_variables, control_flow, embedding, training, keras_training, no_variables]}

def components(name, value):
    if isinstance(value, tf.RaggedTensor): return {f'{name}_flat_values': value.flat_values, f'{name}_row_splits': value.row_splits}
    if isinstance(value, (tf.SparseTensor, v1.SparseTensorValue)): return {f'{name}_indices': value.indices, f'{name}_values': value.values, f'{name}_dense_shape': value.dense_shape}
    return {name: value}

def expected_of(path, calls):
    """What the loaded model answers, by signature and number of the call."""
    model, found = tf.saved_model.load(path, tags=['serve']), {}
    for number, (signature, inputs) in enumerate(calls):
        call, given = model.signatures[signature], {name: tf.constant(value) for name, value in inputs.items()}
        found.update({f'{signature}/{number}/in/{name}': value for name, value in given.items()})
        for name, value in call(**given).items():
            for part, tensor in components(name, value).items(): found[f'{signature}/{number}/out/{part}'] = tf.convert_to_tensor(tensor)
    return found

def main(names):
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    expected = {}
    for name in names or MODELS:
        path = os.path.join(out, name)
        shutil.rmtree(path, ignore_errors=True)
        tf.keras.utils.set_random_seed(17)
        calls = MODELS[name](path)
        fingerprint = os.path.join(path, 'fingerprint.pb')
        if os.path.exists(fingerprint): os.remove(fingerprint)
        expected.update({f'{name}/{key}': value for key, value in expected_of(path, calls).items()})
        print(name, sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(path) for f in fs), 'bytes', flush=True)
    if not names:
        tf.raw_ops.SaveV2(prefix=os.path.join(out, 'expected'), tensor_names=list(expected), shape_and_slices=[''] * len(expected), tensors=list(expected.values()))
if __name__ == '__main__': main(sys.argv[2:])
