"""Make small SavedModels with stock TensorFlow, and what it computes with them.

usage: python make_saved_models.py OUT_DIR NAME...    (no NAME: all of MODELS)
A NAME writes the folder OUT_DIR/NAME, and what OUT_DIR/expected has of it. The checkpoint OUT_DIR/expected has a tensor NAME/SIGNATURE/CALL/in/INPUT for each
input of each call, and NAME/SIGNATURE/CALL/out/OUTPUT for what stock TensorFlow computed; calls of a model are numbered in
the order in which they were made, on one loaded model. A signature `loss` gives the number `loss`; of its gradients by the
variables there is NAME/gradients/CALL/by/VARIABLE; NAME/steps/STEP/out has `loss` and the variables of STEPS steps of gradient
descent by RATE from the first loss on, loss as it was before the step and variables as they are after it.
Needs: pip install tensorflow-cpu==2.21.0
"""
import os, shutil, sys
os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
os.environ.setdefault('TF_ENABLE_ONEDNN_OPTS', '0')
import numpy as np, tensorflow as tf
v1 = tf.compat.v1
OPTIONS = tf.saved_model.SaveOptions(save_debug_info=False, experimental_debug_stripper=True)
PREDICT = 'tensorflow/serving/predict'
STEPS, RATE = 3, 0.05

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

def base64(data): return tf.io.encode_base64(tf.constant(data))

def weights(*shape, seed=1):
    return tf.Variable(values(*shape, seed=seed) / np.sqrt(np.prod(shape[:-1])), dtype=tf.float32, name=f'weights_{seed}')

def convolution(x, filter, stride=1): return tf.nn.relu(tf.nn.conv2d(x, filter, stride, 'SAME'))

def detection(path):
    """Boxes and scores at each place of a feature map, decoded from anchors, the best of each class kept."""
    class Detection(tf.Module):
        def __init__(self):
            self.stem, self.boxes, self.scores = weights(3, 3, 3, 8), weights(1, 1, 8, 3 * 4, seed=2), weights(1, 1, 8, 3 * 4, seed=3)
        @tf.function(input_signature=[tf.TensorSpec([1, 32, 32, 3], tf.float32, name='image')])
        def call(self, image):
            features = convolution(image, self.stem, 4)
            rows, columns = tf.unstack(tf.shape(features))[1:3]
            y, x = tf.meshgrid((tf.range(tf.cast(rows, tf.float32)) + 0.5) / tf.cast(rows, tf.float32), (tf.range(tf.cast(columns, tf.float32)) + 0.5) / tf.cast(columns, tf.float32), indexing='ij')
            centers, sizes = tf.stack([y, x], -1)[:, :, None], tf.constant([[0.2, 0.2], [0.4, 0.2], [0.2, 0.4]])[None, None]
            offsets = tf.reshape(tf.nn.conv2d(features, self.boxes, 1, 'VALID'), [rows, columns, 3, 4])
            centers, half = centers + offsets[..., :2] * sizes * 0.1, sizes * tf.exp(offsets[..., 2:] * 0.2) / 2.0
            boxes = tf.reshape(tf.concat([centers - half, centers + half], -1), [-1, 4])
            scores = tf.sigmoid(tf.reshape(tf.nn.conv2d(features, self.scores, 1, 'VALID'), [-1, 4]))
            kept = tf.image.combined_non_max_suppression(boxes[None, :, None], scores[None], 5, 12, 0.4, 0.5)
            best, best_scores = tf.image.non_max_suppression_with_scores(boxes, tf.reduce_max(scores, -1), 8, 0.5, 0.3, 0.5)
            crops = tf.image.crop_and_resize(image, tf.gather(boxes, best), tf.zeros_like(best), [4, 4])
            return {'boxes': kept[0], 'scores': kept[1], 'classes': kept[2], 'count': kept[3], 'best': best, 'best_scores': best_scores, 'crops': crops}
    module = Detection()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'image': values(1, 32, 32, 3)}), ('serving_default', {'image': values(1, 32, 32, 3, seed=5)})]

def image_classifier(path):
    """From JPEG files, in base 64, to classes."""
    class Classifier(tf.Module):
        def __init__(self): self.first, self.second, self.out = weights(3, 3, 3, 6), weights(3, 3, 6, 8, seed=2), weights(8, 5, seed=3)
        def image(self, text):
            image = tf.image.decode_jpeg(tf.io.decode_base64(text), channels=3, dct_method='INTEGER_ACCURATE')
            image = tf.image.resize(tf.cast(image, tf.float32), [24, 24], method='bilinear')
            return tf.image.per_image_standardization(tf.image.central_crop(image, 0.8))
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='jpeg')])
        def call(self, jpeg):
            images = tf.map_fn(self.image, jpeg, fn_output_signature=tf.TensorSpec([None, None, 3], tf.float32))
            features = tf.nn.max_pool2d(convolution(convolution(images, self.first), self.second, 2), 2, 2, 'SAME')
            probabilities = tf.nn.softmax(tf.reduce_mean(features, [1, 2]) @ self.out)
            return {'probabilities': probabilities, 'best': tf.argmax(probabilities, -1)}
    module = Classifier()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    y, x = np.mgrid[0:40, 0:52]
    images = [np.stack([y * 6, x * 4, (x + y) * 2], -1), np.stack([255 - y * 3, (x * y) % 256, x * 3], -1)]
    return [('serving_default', {'jpeg': tf.stack([base64(tf.io.encode_jpeg(tf.constant(np.clip(image, 0, 255), tf.uint8), quality=90).numpy()) for image in images]).numpy()})]

def text_classifier(path):
    """Texts to words by a vocabulary, words to vectors, vectors of each text to a class: ragged all the way."""
    vocabulary = path + '.txt'
    open(vocabulary, 'w').write('the\na\ngood\nbad\nfilm\nnot\nvery\n')
    class Classifier(tf.Module):
        def __init__(self):
            reader = tf.lookup.TextFileInitializer(vocabulary, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
            self.table = tf.lookup.StaticVocabularyTable(reader, 3)
            self.vectors, self.pairs, self.out = weights(10, 4), weights(50, 4, seed=2), weights(8, 3, seed=3)
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='text')])
        def call(self, text):
            words = tf.strings.split(tf.strings.regex_replace(tf.strings.lower(text, 'utf-8'), r'[^\w\s]', ''))
            numbers = tf.ragged.map_flat_values(self.table.lookup, words)
            pairs = tf.strings.to_hash_bucket_fast(tf.strings.ngrams(words, 2), 50)
            mean = lambda table, ids: tf.math.divide_no_nan(tf.reduce_sum(tf.gather(table, ids), 1), tf.cast(ids.row_lengths(), tf.float32)[:, None])
            features = tf.concat([mean(self.vectors, numbers), mean(self.pairs, pairs)], -1)
            return {'scores': features @ self.out, 'length': words.row_lengths(), 'numbers': numbers.to_tensor(-1)}
    module = Classifier()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    os.remove(vocabulary)
    return [('serving_default', {'text': np.array(['A good, very good film!'.encode(), b'', 'Not the film \u00dcBER all'.encode()])})]

def wide_and_deep(path):
    """Examples, in base 64, parsed to dense, sparse and ragged features; crossed, bucketized and embedded."""
    features = {
        'age': tf.io.FixedLenFeature([1], tf.float32, [30.0]), 'income': tf.io.FixedLenFeature([1], tf.float32),
        'city': tf.io.VarLenFeature(tf.string), 'clicks': tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int64)}
    class WideAndDeep(tf.Module):
        def __init__(self):
            self.wide, self.cities, self.clicks = tf.Variable(values(40) * 0.1), weights(12, 3), weights(9, 2, seed=2)
            self.hidden, self.out = weights(3 + 2 + 2, 6, seed=3), weights(6, 1, seed=4)
        def logits(self, examples):
            parsed = tf.io.parse_example(tf.io.decode_base64(examples), features)
            age = tf.raw_ops.Bucketize(input=parsed['age'], boundaries=[20.0, 30.0, 45.0, 60.0])
            city = parsed['city']
            crossed = tf.sparse.cross_hashed([tf.sparse.from_dense(tf.strings.as_string(age)), city], num_buckets=40)
            wide = tf.nn.safe_embedding_lookup_sparse(self.wide[:, None], crossed, combiner='sum')
            ids = tf.SparseTensor(city.indices, tf.strings.to_hash_bucket_fast(city.values, 12), city.dense_shape)
            cities = tf.nn.safe_embedding_lookup_sparse(self.cities, ids, combiner='sqrtn')
            clicks = tf.reduce_sum(tf.gather(self.clicks, tf.math.floormod(parsed['clicks'], 9)), 1)
            numbers = tf.concat([tf.math.log1p(parsed['income']), parsed['age'] / 100.0], -1)
            return wide + tf.tanh(tf.concat([cities, clicks, numbers], -1) @ self.hidden) @ self.out
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='examples')])
        def call(self, examples): return {'probability': tf.sigmoid(self.logits(examples))[:, 0]}
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name='examples'), tf.TensorSpec([None, 1], tf.float32, name='label')])
        def loss(self, examples, label):
            return {'loss': tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(label, self.logits(examples)))}
    module = WideAndDeep()
    tf.saved_model.save(module, path, signatures={'serving_default': module.call, 'loss': module.loss}, options=OPTIONS)
    def example(**given):
        kinds = {bytes: lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v)), float: lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v)), int: lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))}
        written = tf.train.Example(features=tf.train.Features(feature={name: kinds[type(value[0])](value) for name, value in given.items()}))
        return base64(written.SerializeToString()).numpy()
    examples = np.array([example(age=[25.0], income=[1000.0], city=[b'Bern', b'Oslo'], clicks=[3, 14]), example(income=[0.0], clicks=[7]), example(age=[61.5], income=[52.5], city=[b'Lima'])])
    return [('serving_default', {'examples': examples}), ('loss', {'examples': examples, 'label': np.array([[1], [0], [1]], 'float32')})]

def ctc_decoder(path):
    class Decoder(tf.Module):
        def __init__(self): self.filters, self.out = weights(3, 6, 10), weights(10, 6, seed=2)
        def logits(self, frames):
            hidden = tf.nn.relu(tf.nn.conv1d(frames, self.filters, 1, 'SAME'))
            return tf.transpose(3.0 * tf.einsum('btf,fc->btc', hidden, self.out), [1, 0, 2])
        @tf.function(input_signature=[tf.TensorSpec([None, None, 6], tf.float32, name='frames'), tf.TensorSpec([None], tf.int32, name='lengths')])
        def call(self, frames, lengths):
            logits = self.logits(frames)
            (greedy,), score = tf.nn.ctc_greedy_decoder(logits, lengths)
            beams, probabilities = tf.nn.ctc_beam_search_decoder(logits, lengths, beam_width=8, top_paths=2)
            return {'greedy': tf.sparse.to_dense(greedy, -1), 'score': score, 'best': tf.sparse.to_dense(beams[0], -1), 'next': tf.sparse.to_dense(beams[1], -1), 'probabilities': probabilities}
    module = Decoder()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'frames': values(2, 12, 6), 'lengths': np.array([12, 9], 'int32')})]

def mfcc(path):
    class FrontEnd(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32, name='samples')])
        def call(self, samples):
            power = tf.abs(tf.signal.stft(samples, 256, 128, 256))
            mel = tf.signal.linear_to_mel_weight_matrix(20, 129, 8000, 80.0, 3800.0)
            logarithm = tf.math.log(tf.tensordot(power, mel, 1) + 1e-6)
            spectrogram = tf.raw_ops.AudioSpectrogram(input=tf.transpose(samples), window_size=256, stride=128, magnitude_squared=True)
            fixed = tf.raw_ops.Mfcc(spectrogram=spectrogram, sample_rate=8000, lower_frequency_limit=80, upper_frequency_limit=3800, filterbank_channel_count=20, dct_coefficient_count=10)
            return {'mfcc': tf.signal.mfccs_from_log_mel_spectrograms(logarithm)[..., :10], 'kernel': fixed}
    module = FrontEnd()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    time = np.arange(1024) / 8000
    samples = np.stack([np.sin(2 * np.pi * 440 * time), np.sin(2 * np.pi * (200 + 2000 * time) * time)]).astype('float32')
    return [('serving_default', {'samples': samples + 0.01 * values(2, 1024)})]

def language_model(path):
    """An LSTM that gives the next words, writes on by itself, and its loss."""
    class Model(tf.Module):
        def __init__(self):
            self.words, self.kernel, self.bias, self.out = weights(16, 6), weights(6 + 8, 32, seed=2), tf.Variable(values(32, seed=3) * 0.1), weights(8, 16, seed=4)
        def step(self, word, state):
            h, c = state
            i, f, g, o = tf.split(tf.concat([tf.gather(self.words, word), h], -1) @ self.kernel + self.bias, 4, -1)
            c = tf.sigmoid(f + 1.0) * c + tf.sigmoid(i) * tf.tanh(g)
            return tf.sigmoid(o) * tf.tanh(c), c
        def states(self, ids):
            zeros = tf.zeros([tf.shape(ids)[0], 8])
            return tf.scan(lambda state, word: self.step(word, state), tf.transpose(ids), (zeros, zeros))
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32, name='ids')])
        def call(self, ids): return {'logits': tf.transpose(tf.einsum('tbh,hw->tbw', self.states(ids)[0], self.out), [1, 0, 2])}
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32, name='ids'), tf.TensorSpec([], tf.int32, name='count')])
        def generate(self, ids, count):
            h, c = [state[-1] for state in self.states(ids)]
            word, written = tf.argmax(h @ self.out, -1, tf.int32), tf.TensorArray(tf.int32, count)
            for at in tf.range(count):
                written = written.write(at, word)
                h, c = self.step(word, (h, c))
                word = tf.argmax(h @ self.out, -1, tf.int32)
            return {'written': tf.transpose(written.stack())}
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32, name='ids')])
        def loss(self, ids):
            logits = tf.einsum('tbh,hw->tbw', self.states(ids[:, :-1])[0], self.out)
            return {'loss': tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.transpose(ids[:, 1:]), logits))}
    module = Model()
    tf.saved_model.save(module, path, signatures={'serving_default': module.call, 'generate': module.generate, 'loss': module.loss}, options=OPTIONS)
    ids = np.random.default_rng(5).integers(0, 16, (2, 7)).astype('int32')
    return [('serving_default', {'ids': ids}), ('generate', {'ids': ids, 'count': np.int32(9)}), ('loss', {'ids': ids})]

def sparse_factorization(path):
    class Factorization(tf.Module):
        def __init__(self): self.rows, self.columns = weights(6, 3), weights(5, 3, seed=2)
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int64, name='indices'), tf.TensorSpec([None], tf.float32, name='ratings')])
        def call(self, indices, ratings):
            """One round of alternating least squares."""
            ratings = tf.sparse.reorder(tf.SparseTensor(indices, ratings, [6, 5]))
            there = tf.sparse.to_dense(tf.SparseTensor(ratings.indices, tf.ones_like(ratings.values), [6, 5]))
            solve = lambda there, factors, sums: tf.linalg.solve(tf.einsum('ij,jk,jl->ikl', there, factors, factors) + 0.1 * tf.eye(3), sums[..., None])[..., 0]
            rows = self.rows.assign(solve(there, self.columns, tf.sparse.sparse_dense_matmul(ratings, self.columns)))
            columns = self.columns.assign(solve(tf.transpose(there), rows, tf.sparse.sparse_dense_matmul(ratings, rows, adjoint_a=True)))
            return {'product': tf.matmul(rows, columns, transpose_b=True)}
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int64, name='indices'), tf.TensorSpec([None], tf.float32, name='ratings')])
        def loss(self, indices, ratings):
            row, column = tf.unstack(indices, axis=1)
            found = tf.reduce_sum(tf.gather(self.rows, row) * tf.gather(self.columns, column), -1)
            norms = tf.reduce_sum(tf.square(self.rows)) + tf.reduce_sum(tf.square(self.columns))
            return {'loss': tf.reduce_mean(tf.square(found - ratings)) + 0.01 * norms}
    module = Factorization()
    tf.saved_model.save(module, path, signatures={'serving_default': module.call, 'loss': module.loss}, options=OPTIONS)
    given = {'indices': np.array([[0, 1], [1, 4], [2, 0], [2, 2], [3, 1], [4, 3], [5, 0], [5, 4]], 'int64'), 'ratings': np.array([1, 5, 2, 4, 3, 3, 1, 2], 'float32')}
    return [('loss', given), ('serving_default', given), ('serving_default', given), ('loss', given)]

def gaussian_process(path):
    class Process(tf.Module):
        def __init__(self): self.x, self.y, self.length, self.noise = [tf.Variable(value, name=name) for name, value in [('x', values(8, 2)), ('y', values(8, 1, seed=2)), ('length', 0.2), ('noise', -1.5)]]
        def kernel(self, a, b): return tf.exp(-0.5 * tf.reduce_sum(tf.math.squared_difference(a[:, None], b[None]), -1) / tf.square(tf.math.softplus(self.length)))
        def factor(self): return tf.linalg.cholesky(self.kernel(self.x, self.x) + tf.math.softplus(self.noise) * tf.eye(8))
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name='x')])
        def call(self, x):
            factor, between = self.factor(), self.kernel(self.x, x)
            mean = tf.matmul(between, tf.linalg.cholesky_solve(factor, self.y), transpose_a=True)
            left = tf.linalg.triangular_solve(factor, between)
            return {'mean': mean[:, 0], 'deviation': tf.sqrt(1.0 - tf.reduce_sum(tf.square(left), 0))}
        @tf.function(input_signature=[])
        def loss(self):
            factor = self.factor()
            fit = tf.reduce_sum(tf.square(tf.linalg.triangular_solve(factor, self.y)))
            return {'loss': 0.5 * fit + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))}
    module = Process()
    tf.saved_model.save(module, path, signatures={'serving_default': module.call, 'loss': module.loss}, options=OPTIONS)
    return [('serving_default', {'x': values(3, 2, seed=4)}), ('loss', {})]

def quantized_mobilenet(path):
    """Blocks of depthwise and pointwise convolutions in whole numbers between numbers that are made whole and back."""
    raw = tf.raw_ops
    class MobileNet(tf.Module):
        def __init__(self):
            self.stem, self.depthwise, self.pointwise, self.out = weights(3, 3, 3, 8), weights(3, 3, 8, 1, seed=2), weights(1, 1, 8, 12, seed=3), weights(12, 4, seed=4)
        @staticmethod
        def whole(x, low, high): return raw.QuantizeV2(input=x, min_range=low, max_range=high, T=tf.quint8, mode='MIN_FIRST')
        def convolution(self, x, filter, stride):
            x, filter = self.whole(x, tf.minimum(tf.reduce_min(x), 0.0), tf.reduce_max(x)), self.whole(filter, tf.reduce_min(filter), tf.reduce_max(filter))
            sums = raw.QuantizedConv2D(input=x[0], filter=filter[0], min_input=x[1], max_input=x[2], min_filter=filter[1], max_filter=filter[2], strides=[1, stride, stride, 1], padding='SAME')
            range_of = raw.RequantizationRange(input=sums[0], input_min=sums[1], input_max=sums[2])
            narrow = raw.Requantize(input=sums[0], input_min=sums[1], input_max=sums[2], requested_output_min=range_of[0], requested_output_max=range_of[1], out_type=tf.quint8)
            active = raw.QuantizedRelu6(features=narrow[0], min_features=narrow[1], max_features=narrow[2])
            return raw.Dequantize(input=active[0], min_range=active[1], max_range=active[2], mode='MIN_FIRST')
        @tf.function(input_signature=[tf.TensorSpec([None, 16, 16, 3], tf.float32, name='image')])
        def call(self, image):
            x = self.convolution(image, self.stem, 2)
            x = tf.quantization.fake_quant_with_min_max_args(tf.nn.relu6(tf.nn.depthwise_conv2d(x, tf.quantization.fake_quant_with_min_max_vars_per_channel(self.depthwise, -tf.ones(1), tf.ones(1)), [1, 1, 1, 1], 'SAME')), 0.0, 6.0)
            x = self.convolution(x, self.pointwise, 1)
            x = tf.quantization.quantize_and_dequantize_v2(tf.reduce_mean(x, [1, 2]), 0.0, 6.0, range_given=True)
            return {'probabilities': tf.nn.softmax(x @ self.out)}
    module = MobileNet()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'image': values(2, 16, 16, 3)})]

def input_pipeline(path):
    """A dataset made, turned around and summed within one call."""
    class Pipeline(tf.Module):
        def __init__(self): self.scale = tf.Variable(0.5)
        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name='rows'), tf.TensorSpec([None], tf.string, name='lines')])
        def call(self, rows, lines):
            numbers = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: row * self.scale, num_parallel_calls=2).window(3, 1, drop_remainder=True).flat_map(lambda window: window.batch(3)).map(lambda window: tf.reduce_max(window, 0))
            words = tf.data.Dataset.from_tensor_slices(lines).flat_map(lambda line: tf.data.Dataset.from_tensor_slices(tf.strings.split(line))).filter(lambda word: tf.strings.length(word) > 2)
            both = tf.data.Dataset.zip((numbers, words.repeat())).enumerate().padded_batch(4, ((), ((3,), ()))).prefetch(1)
            total = both.reduce((tf.zeros([3]), tf.constant(''), tf.constant(0, tf.int64)), lambda state, batch: (state[0] + tf.reduce_sum(batch[1][0], 0), tf.strings.join([state[1], tf.strings.reduce_join(batch[1][1])], '|'), state[2] + tf.reduce_sum(batch[0])))
            return {'sum': total[0], 'words': total[1], 'positions': total[2]}
    module = Pipeline()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'rows': values(9, 3), 'lines': np.array([b'one or two', b'of three', b'a four'])})]

def translation(path):
    """A transformer that translates greedily: the words that it has written are read again at each step."""
    width, heads = 8, 2
    class Attention(tf.Module):
        def __init__(self, seed): self.query, self.key, self.value, self.out = [weights(width, width, seed=seed + at) for at in range(4)]
        def __call__(self, x, memory, mask):
            split = lambda v: tf.transpose(tf.reshape(v, [tf.shape(v)[0], -1, heads, width // heads]), [0, 2, 1, 3])
            scores = tf.matmul(split(x @ self.query), split(memory @ self.key), transpose_b=True) / np.sqrt(width / heads).astype('float32')
            mixed = tf.matmul(tf.nn.softmax(scores + (1.0 - mask) * -1e9), split(memory @ self.value))
            return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), tf.shape(x)) @ self.out
    class Translation(tf.Module):
        def __init__(self):
            self.source, self.target, self.places = weights(12, width), weights(14, width, seed=2), weights(20, width, seed=3)
            self.encode, self.decode, self.look = Attention(10), Attention(20), Attention(30)
            self.wide, self.narrow, self.gamma, self.beta = weights(width, 16, seed=4), weights(16, width, seed=5), tf.Variable(1.0 + values(width, seed=6) * 0.1), tf.Variable(values(width, seed=7) * 0.1)
        def normed(self, x):
            mean, variance = tf.nn.moments(x, [-1], keepdims=True)
            return tf.nn.batch_normalization(x, mean, variance, self.beta, self.gamma, 1e-5)
        def block(self, x): return self.normed(x + tf.nn.gelu(x @ self.wide) @ self.narrow)
        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32, name='source'), tf.TensorSpec([], tf.int32, name='most')])
        def call(self, source, most):
            mask = tf.cast(source != 0, tf.float32)[:, None, None]
            x = tf.gather(self.source, source) + self.places[:tf.shape(source)[1]]
            memory = self.block(self.normed(x + self.encode(x, x, mask)))
            rows = tf.shape(source)[0]
            written = tf.TensorArray(tf.int32, 1, dynamic_size=True, clear_after_read=False).write(0, tf.ones([rows], tf.int32))
            done, at = tf.zeros([rows], tf.bool), tf.constant(0)
            while at < most and not tf.reduce_all(done):
                so_far = tf.transpose(written.stack())
                y = tf.gather(self.target, so_far) + self.places[:at + 1]
                causal = tf.linalg.band_part(tf.ones([at + 1, at + 1]), -1, 0)
                y = self.normed(y + self.decode(y, y, causal))
                y = self.block(self.normed(y + self.look(y, memory, mask)))
                word = tf.argmax(tf.matmul(y[:, -1], self.target, transpose_b=True), -1, tf.int32)
                word = tf.where(done, 0, word)
                done = done | (word == 2)
                at += 1
                written = written.write(at, word)
            return {'translation': tf.transpose(written.stack()), 'steps': at}
    module = Translation()
    tf.saved_model.save(module, path, signatures=module.call, options=OPTIONS)
    return [('serving_default', {'source': np.array([[3, 8, 11, 0], [5, 4, 0, 0]], 'int32'), 'most': np.int32(10)})]

MODELS = {f.__name__: f for f in [keras_cnn, keras_lstm, string_lookup, ragged, signatures, assets, v1_init_op, v1_saver, v1_sparse, dtypes, shared_variables, control_flow, embedding, training, keras_training, no_variables, detection, image_classifier, text_classifier, wide_and_deep, ctc_decoder, mfcc, language_model, sparse_factorization, gaussian_process, quantized_mobilenet, input_pipeline, translation]}

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
        if signature == 'loss':
            with tf.GradientTape() as tape: loss = call(**given)['loss']
            for variable, gradient in zip(call.variables, tape.gradient(loss, call.variables)):
                if gradient is not None: found[f'gradients/{number}/by/{variable.name.split(":")[0]}'] = tf.convert_to_tensor(gradient)
        for name, value in call(**given).items():
            for part, tensor in components(name, value).items(): found[f'{signature}/{number}/out/{part}'] = tf.convert_to_tensor(tensor)
    found.update(steps_of(path, calls))
    return found

def steps_of(path, calls):
    """Training of the loaded model by gradient descent on its first loss: loss and variables after each step."""
    given = next((inputs for signature, inputs in calls if signature == 'loss'), None)
    if given is None: return {}
    model, found = tf.saved_model.load(path, tags=['serve']), {}
    call = model.signatures['loss']
    for number in range(STEPS):
        with tf.GradientTape() as tape: loss = call(**{name: tf.constant(value) for name, value in given.items()})['loss']
        for variable, gradient in zip(call.variables, tape.gradient(loss, call.variables)):
            if gradient is not None: variable.assign_sub(RATE * tf.convert_to_tensor(gradient))
        found[f'steps/{number}/out/loss'] = loss
        found.update({f'steps/{number}/out/{variable.name.split(":")[0]}': variable.read_value() for variable in call.variables})
        print(f'loss of step {number}: {loss.numpy():.6f}')
    return found

def main(names):
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    expected, prefix = {}, os.path.join(out, 'expected')
    if names:
        reader = tf.train.load_checkpoint(prefix)
        kept = [key for key in reader.get_variable_to_shape_map() if key.split('/')[0] not in names]
        expected = {key: tf.constant(reader.get_tensor(key), reader.get_variable_to_dtype_map()[key]) for key in kept}
    for name in names or MODELS:
        path = os.path.join(out, name)
        shutil.rmtree(path, ignore_errors=True)
        tf.keras.utils.set_random_seed(17)
        calls = MODELS[name](path)
        fingerprint = os.path.join(path, 'fingerprint.pb')
        if os.path.exists(fingerprint): os.remove(fingerprint)
        expected.update({f'{name}/{key}': value for key, value in expected_of(path, calls).items()})
        print(name, sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(path) for f in fs), 'bytes', flush=True)
    expected = dict(sorted(expected.items()))
    tf.raw_ops.SaveV2(prefix=prefix, tensor_names=list(expected), shape_and_slices=[''] * len(expected), tensors=list(expected.values()))
if __name__ == '__main__': main(sys.argv[2:])
