"""Makes the networks that `cargo xtask bench models` measures, with stock TensorFlow: graphs with fixed random weights.

usage: python make_networks.py OUT_DIR NAME...    (no NAME: all of NETWORKS), or --list
Writes the files of make_models.py: NAME.pb, and NAME.npz with inputs and TensorFlow's outputs or losses. Weights are
drawn from a seed; means and variances of normalisations are those of a batch, so that activations keep their scale.
Needs: pip install tensorflow-cpu==2.21.0
"""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_models import freeze, main, np, tf
import training_networks

layers = tf.keras.layers

def set_weights(model, batch, seed):
    """Kernels of variance 1.5 / fan-in, scales near 1, offsets near 0, and statistics of `batch`."""
    r = np.random.default_rng(seed)
    leaves = [layer for layer in model._flatten_layers() if not layer._layers]
    for layer in leaves:
        depthwise = isinstance(layer, layers.DepthwiseConv2D)
        for w in layer.weights:
            kind, shape = w.path.split('/')[-1], tuple(w.shape)
            if kind == 'kernel':
                fan = np.prod(shape[:2] if depthwise else shape[:-1])
                w.assign(r.standard_normal(shape).astype('float32') * np.float32(np.sqrt(1.5 / fan)))
            elif kind == 'gamma': w.assign(r.uniform(0.7, 1.3, shape).astype('float32'))
            elif kind.startswith('layer_scale') or type(layer).__name__ == 'LayerScale': w.assign(r.uniform(0.2, 0.4, shape).astype('float32'))
            elif kind in ('bias', 'beta'): w.assign(r.standard_normal(shape).astype('float32') * np.float32(0.1))
    norms = [layer for layer in leaves if isinstance(layer, layers.BatchNormalization)]
    for layer in norms: layer.momentum = 0.0
    if norms: model(batch, training=True)

def picture(name, make, size=224, classes=None):
    def write(out):
        tf.keras.utils.set_random_seed(7)
        model = make(size)
        r = np.random.default_rng(3)
        x = r.standard_normal((1, size, size, 3)).astype('float32')
        set_weights(model, r.standard_normal((2, size, size, 3)).astype('float32'), 17)
        freeze(lambda a: model(a, training=False), [tf.TensorSpec((None, size, size, 3), tf.float32)], out, name, [x])
    return write

def application(name):
    """A network of Keras, its logits."""
    return lambda size: getattr(tf.keras.applications, name)(weights=None, input_shape=(size, size, 3), classifier_activation=None)

def unet(size):
    def block(x, width):
        for _ in range(2):
            x = layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(width, 3, padding='same', use_bias=False)(x)))
        return x
    widths = [32, 64, 128, 256]
    x = inputs = tf.keras.Input((size, size, 3)); skips = []
    for width in widths:
        x = block(x, width); skips.append(x); x = layers.MaxPooling2D()(x)
    x = block(x, 512)
    for width, skip in zip(reversed(widths), reversed(skips)):
        x = layers.Conv2DTranspose(width, 2, strides=2)(x)
        x = block(layers.Concatenate()([skip, x]), width)
    return tf.keras.Model(inputs, layers.Conv2D(4, 1)(x))

def branches(size):
    """Blocks of four branches of small convolutions, as in Inception."""
    def conv(x, width, window):
        return layers.ReLU()(layers.BatchNormalization()(layers.Conv2D(width, window, padding='same', use_bias=False)(x)))
    inputs = tf.keras.Input((size, size, 3))
    x = conv(inputs, 64, 3)
    for _ in range(12):
        x = layers.Concatenate()([conv(x, 32, 1), conv(conv(x, 24, 1), 32, 3), conv(conv(conv(x, 16, 1), 24, 3), 32, 3),
                                  conv(layers.AveragePooling2D(3, 1, 'same')(x), 32, 1)])
    return tf.keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling2D()(x)))

def encoder(out, name='bert', depth=12, width=384, heads=12, tokens=128, words=30522, seed=19, longest=512):
    """Token, position and type embeddings; layers of attention and GELU, normalised after each; a mask of valid tokens."""
    r = np.random.default_rng(seed)
    f = lambda *s, scale=None: tf.Variable(r.standard_normal(s).astype('float32') * np.float32(scale or 1 / np.sqrt(s[0])))
    vec = lambda n, base: tf.Variable(base + 0.1 * r.standard_normal(n).astype('float32'))
    def norm(w, x):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return tf.nn.batch_normalization(x, mean, variance, w['beta'], w['gamma'], 1e-12)
    new_norm = lambda: dict(gamma=vec(width, 1), beta=vec(width, 0))
    dense = lambda w, x: tf.nn.bias_add(tf.reshape(tf.reshape(x, [-1, w['kernel'].shape[0]]) @ w['kernel'], tf.concat([tf.shape(x)[:-1], [w['kernel'].shape[1]]], 0)), w['bias'])
    new_dense = lambda a, b: dict(kernel=f(a, b), bias=vec(b, 0))
    words_t, places, kinds = f(words, width, scale=1), f(longest, width, scale=1), f(2, width, scale=1)
    first = new_norm()
    blocks = [dict(q=new_dense(width, width), k=new_dense(width, width), v=new_dense(width, width), o=new_dense(width, width), n1=new_norm(),
                   up=new_dense(width, 4 * width), down=new_dense(4 * width, width), n2=new_norm()) for _ in range(depth)]
    pool = new_dense(width, width)
    def run(ids, mask, types):
        n, t = tf.shape(ids)[0], tf.shape(ids)[1]
        x = tf.gather(words_t, ids) + tf.gather(places, tf.range(t)) + tf.gather(kinds, types)
        x = norm(first, x)
        bias = (1.0 - tf.cast(mask, tf.float32))[:, None, None, :] * -1e4
        split = lambda a: tf.transpose(tf.reshape(a, [n, t, heads, width // heads]), [0, 2, 1, 3])
        for b in blocks:
            q, k, v = (split(dense(b[p], x)) for p in 'qkv')
            scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(width // heads) + bias
            a = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
            x = norm(b['n1'], x + dense(b['o'], tf.reshape(a, [n, t, width])))
            h = dense(b['up'], x)
            h = h * (0.5 * (1.0 + tf.math.erf(h / np.sqrt(2.0))))
            x = norm(b['n2'], x + dense(b['down'], h))
        return x, tf.tanh(dense(pool, x[:, 0, :]))
    ids = r.integers(0, words, (1, tokens)).astype('int32')
    mask = np.ones((1, tokens), 'int32'); mask[:, tokens * 7 // 8:] = 0
    types = (np.arange(tokens)[None] >= tokens // 2).astype('int32')
    freeze(run, [tf.TensorSpec((None, None), tf.int32)] * 3, out, name, [ids, mask, types])

def decoder(out, depth=12, width=384, heads=6, words=8192, length=64, seed=23):
    """Generates `length` tokens after the first, the likeliest each time; keys and values of all tokens stay in a cache."""
    r = np.random.default_rng(seed)
    f = lambda a, b, scale=1.0: tf.Variable(r.standard_normal((a, b)).astype('float32') * np.float32(scale / np.sqrt(a)))
    vec = lambda n, base: tf.Variable((base + 0.1 * r.standard_normal(n)).astype('float32'))
    embed, places = f(words, width, np.sqrt(words)), f(length + 1, width, np.sqrt(length + 1))
    table = None
    blocks = [dict(g1=vec(width, 1), b1=vec(width, 0), qkv=f(width, 3 * width), bqkv=vec(3 * width, 0), o=f(width, width), bo=vec(width, 0),
                   g2=vec(width, 1), b2=vec(width, 0), up=f(width, 4 * width), bup=vec(4 * width, 0), down=f(4 * width, width), bdown=vec(width, 0)) for _ in range(depth)]
    g, b, head = vec(width, 1), vec(width, 0), f(width, words)
    def norm(x, gamma, beta):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + 1e-5) * gamma + beta
    def gelu(x): return 0.5 * x * (1.0 + tf.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + 0.044715 * tf.pow(x, 3.0))))
    def step(i, tokens, logits, keys, values):
        x = tf.gather(table, tokens[:, i]) + places[i]
        n = tf.shape(x)[0]
        seen = tf.where(tf.range(length + 1) <= i, 0.0, -1e9)
        new_keys, new_values = [], []
        for l, w in enumerate(blocks):
            q, k, v = tf.split(norm(x, w['g1'], w['b1']) @ w['qkv'] + w['bqkv'], 3, axis=-1)
            part = lambda a: tf.reshape(a, [n, heads, width // heads])
            k_all = tf.tensor_scatter_nd_update(keys[l], [[i]], part(k)[None])
            v_all = tf.tensor_scatter_nd_update(values[l], [[i]], part(v)[None])
            new_keys.append(k_all); new_values.append(v_all)
            scores = tf.matmul(part(q)[:, :, None, :], tf.transpose(k_all, [1, 2, 3, 0])) / np.float32(np.sqrt(width // heads)) + seen
            a = tf.matmul(tf.nn.softmax(scores), tf.transpose(v_all, [1, 2, 0, 3]))
            x = x + tf.reshape(a, [n, width]) @ w['o'] + w['bo']
            x = x + gelu(norm(x, w['g2'], w['b2']) @ w['up'] + w['bup']) @ w['down'] + w['bdown']
        logits = norm(x, g, b) @ head
        chosen = tf.argmax(logits, -1, output_type=tf.int32)
        tokens = tf.transpose(tf.tensor_scatter_nd_update(tf.transpose(tokens), [[i + 1]], chosen[None]))
        return i + 1, tokens, logits, new_keys, new_values
    def run(first):
        nonlocal table
        table = tf.convert_to_tensor(embed)
        n = tf.shape(first)[0]
        tokens = tf.pad(first[:, None], [[0, 0], [0, length]])
        empty = [tf.zeros([length + 1, n, heads, width // heads]) for _ in range(depth)]
        shape = tf.TensorShape([length + 1, None, heads, width // heads])
        state = tf.while_loop(lambda i, *_: i < length, step, [0, tokens, tf.zeros([n, words]), empty, list(empty)], shape_invariants=[
            tf.TensorShape([]), tf.TensorShape([None, None]), tf.TensorShape([None, words]), [shape] * depth, [shape] * depth])
        return state[1], state[2]
    freeze(run, [tf.TensorSpec((None,), tf.int32)], out, 'gpt', [np.array([5], 'int32')])

def speech(out, frames=500, bands=80):
    """Frames of a spectrogram to letters: convolutions along time, two bidirectional LSTMs."""
    tf.keras.utils.set_random_seed(29)
    x = inputs = tf.keras.Input((frames, bands))
    for width, kernel, stride in [(256, 11, 2), (256, 11, 1), (384, 13, 1)]:
        x = layers.Conv1D(width, kernel, strides=stride, padding='same', use_bias=False)(x)
        x = layers.ReLU(6.0)(layers.BatchNormalization()(x))
    for _ in range(2): x = layers.Bidirectional(layers.LSTM(256, return_sequences=True, use_cudnn=False))(x)
    model = tf.keras.Model(inputs, layers.Dense(29)(x))
    r = np.random.default_rng(31)
    batch = r.standard_normal((2, frames, bands)).astype('float32')
    model(batch, training=True)
    for layer in model.layers:
        if isinstance(layer, layers.BatchNormalization): layer.momentum = 0.0
    model(batch, training=True)
    freeze(lambda a: tf.nn.log_softmax(model(a, training=False)), [tf.TensorSpec((None, frames, bands), tf.float32)], out, 'speech', [batch[:1]])

def any_size(out):
    """MobileNetV2 for pictures of any size."""
    tf.keras.utils.set_random_seed(7)
    model = tf.keras.applications.MobileNetV2(weights=None, input_shape=(None, None, 3), include_top=False, pooling='avg')
    r = np.random.default_rng(3)
    set_weights(model, r.standard_normal((2, 224, 224, 3)).astype('float32'), 17)
    x = r.standard_normal((1, 224, 224, 3)).astype('float32')
    freeze(lambda a: model(a, training=False), [tf.TensorSpec((None, None, None, 3), tf.float32)], out, 'mobilenetv2_any', [x])

NETWORKS = {n.lower(): picture(n.lower(), application(n)) for n in
            ['ResNet50', 'VGG19', 'DenseNet169', 'ResNet50V2', 'MobileNetV2', 'MobileNet', 'EfficientNetB1', 'ConvNeXtSmall',
             'NASNetMobile']}
NETWORKS.update(
    inceptionresnetv2=picture('inceptionresnetv2', application('InceptionResNetV2'), 299), unet=picture('unet', unet, 256),
    branches=picture('branches', branches, 16),
    bert=encoder, gpt=decoder, speech=speech, mobilenetv2_any=any_size,
    attention=lambda out: encoder(out, 'attention', 1, 256, 4, 128, 1000, 37, 8192))
NETWORKS.update(training_networks.NETWORKS)

if __name__ == '__main__':
    if sys.argv[1:] == ['--list']: print(*NETWORKS, sep='\n')
    else: main(NETWORKS)
