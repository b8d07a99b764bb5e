"""Steps of training as one graph: forward, gradients and Adam, with the loss fetched. Used by make_networks.py."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_models import np, tf, train_graph

STEPS = 3

def adam():
    """With an epsilon beyond what rounding leaves of gradients that are 0, which would else be steps of full length."""
    return tf.compat.v1.train.AdamOptimizer(1e-4, epsilon=1e-3)

class Weights:
    """Variables that a network asks for by name, with values drawn from a seed."""
    def __init__(self, seed): self.r, self.values, self.found = np.random.default_rng(seed), {}, None
    def __call__(self, name, shape, scale=None, base=0.0):
        if self.found is not None: return self.found[name]
        fan = np.prod(shape[:-1]) if len(shape) > 1 else 1
        scale = np.sqrt(1.5 / fan) if scale is None else scale
        self.values[name] = (base + scale * self.r.standard_normal(shape)).astype('float32')
        return tf.constant(self.values[name])

def resnet50(w, x):
    """Logits, with the statistics of the batch in the normalisations."""
    def conv(name, x, width, size, stride=1):
        x = tf.nn.conv2d(x, w(name, (size, size, x.shape[-1], width)), stride, 'SAME')
        gamma, beta = w(name + '_gamma', (width,), 0.1, 1.0), w(name + '_beta', (width,), 0.1)
        return tf.compat.v1.nn.fused_batch_norm(x, gamma, beta, epsilon=1e-3, is_training=True)[0]
    x = tf.nn.max_pool2d(tf.nn.relu(conv('stem', x, 64, 7, 2)), 3, 2, 'SAME')
    for stage, (width, count) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
        for block in range(count):
            name, stride = f's{stage}b{block}', 2 if stage and not block else 1
            short = conv(name + 'x', x, 4 * width, 1, stride) if not block else x
            y = tf.nn.relu(conv(name + 'a', x, width, 1, stride))
            y = tf.nn.relu(conv(name + 'b', y, width, 3))
            x = tf.nn.relu(conv(name + 'c', y, 4 * width, 1) + short)
    return tf.reduce_mean(x, [1, 2]) @ w('top', (2048, 1000)) + w('top_bias', (1000,), 0.1)

def transformer(w, ids, words=1000, width=128, heads=4, depth=2):
    """Logits of every token, as the inference network `transformer` computes them."""
    tokens = ids.shape[1]
    def norm(name, x):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return tf.nn.batch_normalization(x, mean, variance, w(name + '_beta', (width,), 0.1), w(name + '_gamma', (width,), 0.1, 1.0), 1e-6)
    def dense(name, x, n, m): return tf.reshape(tf.reshape(x, [-1, n]) @ w(name, (n, m)) + w(name + '_bias', (m,), 0.1), [-1, tokens, m])
    x = tf.gather(w('words', (words, width), 1.0), ids) + w('places', (tokens, width), 0.3)
    split = lambda a: tf.transpose(tf.reshape(a, [-1, tokens, heads, width // heads]), [0, 2, 1, 3])
    for l in range(depth):
        q, k, v = (split(dense(f'{l}{p}', x, width, width)) for p in 'qkv')
        a = tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.float32(np.sqrt(width // heads))), v)
        x = norm(f'{l}n1', x + dense(f'{l}o', tf.reshape(tf.transpose(a, [0, 2, 1, 3]), [-1, tokens, width]), width, width))
        h = dense(f'{l}up', x, width, 4 * width)
        h = h * (0.5 * (1.0 + tf.math.erf(h / np.float32(np.sqrt(2.0)))))
        x = norm(f'{l}n2', x + dense(f'{l}down', h, 4 * width, width))
    return dense('top', x, width, words)

def step(name, network, weights, batches):
    """A graph of one step; `network(weights, inputs)` gives logits, the last of a batch is the labels."""
    def make(out):
        with tf.Graph().as_default():
            network(weights, tf.constant(batches[0][0]))
        def build(feeds, variables):
            weights.found = variables
            feeds[0].set_shape(batches[0][0].shape)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=feeds[1], logits=network(weights, feeds[0]))
            return tf.reduce_mean(loss)
        train_graph(name, build, adam, batches, weights.values, finals=False)(out)
    return make

def pictures(batch):
    # Two steps: with a few pictures in a batch, what rounding makes of the first losses grows tenfold with each.
    r = np.random.default_rng(41)
    return [(r.standard_normal((batch, 224, 224, 3)).astype('float32'), r.integers(0, 1000, batch).astype('int32')) for _ in range(2)]

def sentences(batch, tokens):
    r = np.random.default_rng(43)
    return [tuple(r.integers(0, 1000, (batch, tokens)).astype('int32') for _ in range(2)) for _ in range(STEPS)]

NETWORKS = dict(resnet50_train=lambda out: step('resnet50_train', resnet50, Weights(47), pictures(4))(out),
                transformer_train=lambda out: step('transformer_train', transformer, Weights(53), sentences(8, 64))(out))
