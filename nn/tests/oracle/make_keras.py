"""What Keras 3 gives for layers, losses, metrics, optimisers, initialisers and schedules, with gradients.

usage: python make_keras.py > keras.txt
A case is a line `case KIND NAME`, then tensors: `LABEL dtype[shape]: values`.
"""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np, tensorflow as tf, keras
from keras import layers as L, losses, optimizers, initializers, metrics

R = np.random.default_rng(7)
def show(label, value):
    value = np.asarray(value)
    values = ' '.join('%.7g' % v for v in value.reshape(-1).astype('float64'))
    print(f'{label} {value.dtype}{list(value.shape)}: {values}'.replace(', ', ','))

def draw(*shape): return R.standard_normal(shape).astype('float32')

def layer(name, make, x, training=False, state=False, kind='layer'):
    """Random weights, output, and the gradients of the output weighted by `c`. Outputs of 16 bits are shown as float32."""
    made = make()
    x = np.asarray(x); made.build(x.shape) if not made.built else None
    if isinstance(made, L.MultiHeadAttention):
        call = lambda v: made(v, v, training=training, use_causal_mask=name.endswith('causal'))
    else:
        call = lambda v: made(v, training=training) if training else made(v)
    made_weights = [np.abs(draw(*w.shape)) + .5 if 'variance' in w.path else draw(*w.shape) * .5 for w in made.weights]
    made.set_weights(made_weights)
    print(f'case {kind} {name}'); show('x', x)
    for w in made_weights: show('weight', w)
    v = tf.Variable(x) if x.dtype == np.float32 else tf.constant(x)
    with tf.GradientTape() as tape:
        y = call(v); dtype = y.dtype; y = tf.cast(y, 'float32'); c = draw(*y.shape); s = tf.reduce_sum(y * c)
    assert kind == 'layer' or dtype.name in kind
    floats = x.dtype == np.float32
    grads = tape.gradient(s, ([v] if floats else []) + [w.value for w in made.trainable_weights])
    show('y', y); show('c', c)
    if floats: show('dx', grads.pop(0))
    for g in grads: show('dw', tf.convert_to_tensor(g))
    if state:
        for w in made.non_trainable_weights: show('state', w)

def mha(**kw):
    made = L.MultiHeadAttention(2, 3, **kw); made.build((2, 4, 5), (2, 4, 5)); return made

def all_layers():
    x, image, seq, pix = draw(3, 4), draw(2, 5, 6, 3), draw(2, 4, 5), draw(2, 6, 6, 4)
    layer('dense', lambda: L.Dense(5), x)
    layer('dense_3d_no_bias', lambda: L.Dense(3, use_bias=False), seq)
    for a in ['relu', 'relu6', 'leaky_relu', 'elu', 'selu', 'gelu', 'sigmoid', 'hard_sigmoid', 'silu', 'mish', 'tanh', 'softmax', 'log_softmax',
              'softplus', 'softsign', 'exponential']:
        layer('dense_' + a, lambda: L.Dense(5, activation=a), x)
    layer('conv2d', lambda: L.Conv2D(4, 3), image)
    layer('conv2d_same_relu', lambda: L.Conv2D(4, (3, 2), padding='same', activation='relu'), image)
    layer('conv2d_strides', lambda: L.Conv2D(2, 3, strides=(2, 1), padding='same', use_bias=False), image)
    layer('conv2d_dilated', lambda: L.Conv2D(2, 2, dilation_rate=2), image)
    layer('depthwise', lambda: L.DepthwiseConv2D(3, depth_multiplier=2, padding='same'), image)
    layer('conv2d_transpose', lambda: L.Conv2DTranspose(2, 3, strides=2), image)
    layer('conv2d_transpose_same', lambda: L.Conv2DTranspose(2, 3, strides=2, padding='same'), image)
    layer('max_pooling', lambda: L.MaxPooling2D(2), image)
    layer('max_pooling_same', lambda: L.MaxPooling2D(3, strides=2, padding='same'), image)
    layer('average_pooling', lambda: L.AveragePooling2D(2), image)
    layer('average_pooling_same', lambda: L.AveragePooling2D(3, strides=2, padding='same'), image)
    layer('global_average_pooling', L.GlobalAveragePooling2D, image)
    layer('global_max_pooling', L.GlobalMaxPooling2D, image)
    layer('flatten', L.Flatten, image)
    layer('batch_norm_infer', L.BatchNormalization, image)
    layer('batch_norm_train', L.BatchNormalization, image, training=True, state=True)
    layer('batch_norm_train_2d', lambda: L.BatchNormalization(momentum=.9, epsilon=1e-5), x, training=True, state=True)
    layer('layer_norm', L.LayerNormalization, seq)
    layer('group_norm', lambda: L.GroupNormalization(2), pix)
    layer('rms_norm', L.RMSNormalization, seq)
    layer('embedding', lambda: L.Embedding(6, 3), R.integers(0, 6, (2, 4)).astype('int32'))
    layer('lstm', lambda: L.LSTM(3), seq)
    layer('lstm_sequences', lambda: L.LSTM(3, return_sequences=True), seq)
    layer('gru', lambda: L.GRU(3), seq)
    layer('gru_sequences', lambda: L.GRU(3, return_sequences=True), seq)
    layer('bidirectional', lambda: L.Bidirectional(L.LSTM(2)), seq)
    layer('bidirectional_sequences', lambda: L.Bidirectional(L.GRU(2, return_sequences=True)), seq)
    layer('attention', mha, seq)
    layer('attention_causal', mha, seq)

def loss(name, function, truth, predicted):
    v = tf.Variable(predicted)
    with tf.GradientTape() as tape: y = function(truth, v)
    print(f'case loss {name}'); show('truth', truth); show('x', predicted); show('y', y); show('dx', tape.gradient(y, v))

def all_losses():
    t, p, positive, other = draw(3, 4), draw(3, 4), np.abs(draw(3, 4)) + .1, np.abs(draw(3, 4)) + .1
    unit = lambda a: (a / a.sum(-1, keepdims=True)).astype('float32')
    binary, signs = (draw(3, 4) > 0).astype('float32'), np.sign(draw(3, 4)).astype('float32')
    loss('mean_squared_error', losses.MeanSquaredError(), t, p)
    loss('mean_absolute_error', losses.MeanAbsoluteError(), t, p)
    loss('mean_absolute_percentage_error', losses.MeanAbsolutePercentageError(), t, p)
    loss('mean_squared_logarithmic_error', losses.MeanSquaredLogarithmicError(), positive, other)
    loss('huber', losses.Huber(.7), t, p)
    loss('log_cosh', losses.LogCosh(), t, p)
    loss('hinge', losses.Hinge(), signs, p)
    loss('squared_hinge', losses.SquaredHinge(), signs, p)
    loss('poisson', losses.Poisson(), positive, other)
    loss('kl_divergence', losses.KLDivergence(), unit(positive), unit(other))
    loss('cosine_similarity', losses.CosineSimilarity(), t, p)
    loss('binary_crossentropy', losses.BinaryCrossentropy(from_logits=True), binary, p)
    loss('categorical_crossentropy', losses.CategoricalCrossentropy(from_logits=True), unit(positive), p)
    loss('sparse_categorical_crossentropy', losses.SparseCategoricalCrossentropy(from_logits=True), np.array([1, 3, 0], 'int32'), p)

def all_metrics():
    p, classes = draw(6, 4), R.integers(0, 4, 6).astype('int32')
    binary, share = (draw(6, 4) > 0).astype('float32'), R.random((6, 4)).astype('float32')
    def metric(name, made, truth, predicted):
        made.update_state(truth, predicted)
        print(f'case metric {name}'); show('truth', truth); show('x', predicted); show('y', made.result())
    metric('sparse_categorical_accuracy', metrics.SparseCategoricalAccuracy(), classes, p)
    metric('categorical_accuracy', metrics.CategoricalAccuracy(), np.eye(4, dtype='float32')[classes], p)
    metric('binary_accuracy', metrics.BinaryAccuracy(), binary, share)
    metric('top_k_accuracy', metrics.SparseTopKCategoricalAccuracy(2), classes, p)

def all_optimizers():
    O = optimizers
    for name, made in [('sgd', O.SGD(.1)), ('sgd_momentum', O.SGD(.1, .9)), ('sgd_nesterov', O.SGD(.1, .9, nesterov=True)),
                       ('sgd_decay', O.SGD(.1, weight_decay=.01)), ('adam', O.Adam(.01)), ('adam_numbers', O.Adam(.01, .8, .95, 1e-3)),
                       ('adamw', O.AdamW(.01, weight_decay=.1)), ('adamax', O.Adamax(.01)), ('rmsprop', O.RMSprop(.01)),
                       ('rmsprop_momentum', O.RMSprop(.01, momentum=.9)), ('rmsprop_centered', O.RMSprop(.01, momentum=.5, centered=True, epsilon=1e-3)),
                       ('adagrad', O.Adagrad(.1)), ('adadelta', O.Adadelta(1.)), ('ftrl', O.Ftrl(.1, l1_regularization_strength=.01, l2_regularization_strength=.02)),
                       ('lion', O.Lion(.01))]:
        v = keras.Variable(draw(2, 3)); print(f'case optimizer {name}'); show('x', v)
        for _ in range(4):
            g = draw(2, 3); made.apply([tf.constant(g)], [v]); show('g', g); show('y', v)

def all_initializers():
    I = initializers
    for name, made, shape in [('glorot_uniform', I.GlorotUniform(3), (3, 4)), ('glorot_normal', I.GlorotNormal(4), (2, 2, 3, 4)),
                              ('he_uniform', I.HeUniform(5), (3, 4)), ('he_normal', I.HeNormal(6), (5,)),
                              ('lecun_uniform', I.LecunUniform(7), (3, 4)), ('lecun_normal', I.LecunNormal(8), (3, 4)),
                              ('uniform', I.RandomUniform(-.05, .05, seed=9), (2, 5)), ('normal', I.RandomNormal(0., .05, seed=10), (2, 5)),
                              ('truncated_normal', I.TruncatedNormal(0., .5, seed=11), (2, 5))]:
        print(f'case initializer {name}'); show('seed', np.int32(made.seed)); show('y', made(shape))

def all_schedules():
    S = optimizers.schedules
    for name, made in [('exponential', S.ExponentialDecay(.1, 10, .5)), ('exponential_staircase', S.ExponentialDecay(.1, 10, .5, staircase=True)),
                       ('cosine', S.CosineDecay(.1, 30, alpha=.1)), ('cosine_warmup', S.CosineDecay(0., 30, warmup_target=.1, warmup_steps=10)),
                       ('polynomial', S.PolynomialDecay(.1, 30, .01, 2.)), ('inverse_time', S.InverseTimeDecay(.1, 10, .5)),
                       ('piecewise', S.PiecewiseConstantDecay([10, 20], [.1, .05, .01]))]:
        steps = np.array([0, 1, 5, 10, 11, 20, 21, 30, 50], 'int32')
        print(f'case schedule {name}'); show('x', steps); show('y', np.array([made(int(s)) for s in steps], 'float32'))

def all_mixed():
    """Layers under the policies of mixed precision."""
    x, image, seq, pix = draw(3, 4), draw(2, 5, 6, 3), draw(2, 4, 5), draw(2, 6, 6, 4)
    for policy in ('mixed_bfloat16', 'mixed_float16'):
        keras.config.set_dtype_policy(policy)
        of = lambda *args, **named: layer(*args, kind=policy, **named)
        of('dense_gelu', lambda: L.Dense(5, activation='gelu'), x)
        of('conv2d_same_relu', lambda: L.Conv2D(4, (3, 2), padding='same', activation='relu'), image)
        of('conv2d_transpose', lambda: L.Conv2DTranspose(2, 3, strides=2), image)
        of('depthwise', lambda: L.DepthwiseConv2D(3, depth_multiplier=2, padding='same'), image)
        of('average_pooling', lambda: L.AveragePooling2D(2), image)
        of('max_pooling', lambda: L.MaxPooling2D(2), image)
        of('batch_norm_train', L.BatchNormalization, image, training=True, state=True)
        of('layer_norm', L.LayerNormalization, seq)
        of('group_norm', lambda: L.GroupNormalization(2), pix)
        of('rms_norm', L.RMSNormalization, seq)
        of('embedding', lambda: L.Embedding(6, 3), R.integers(0, 6, (2, 4)).astype('int32'))
        of('lstm', lambda: L.LSTM(3), seq)
        of('gru_sequences', lambda: L.GRU(3, return_sequences=True), seq)
        of('attention_causal', mha, seq)
    keras.config.set_dtype_policy('float32')

def all_scaled():
    """Scaled losses (the scale behind each step is `s`) and gathered gradients."""
    O = optimizers
    for name, made in [('dynamic', O.LossScaleOptimizer(O.Adam(.01), 8., 2)), ('fixed', O.SGD(.1, loss_scale_factor=16.)),
                       ('accumulated', O.SGD(.1, .9, gradient_accumulation_steps=3)),
                       ('accumulated_clipped', O.Adam(.01, gradient_accumulation_steps=2, global_clipnorm=1.)),
                       ('dynamic_accumulated', O.LossScaleOptimizer(O.AdamW(.01, gradient_accumulation_steps=2), 4., 3))]:
        v = keras.Variable(draw(2, 3)); print(f'case scaled {name}'); show('x', v)
        for at in range(9):
            g = draw(2, 3) * 8
            if 'dynamic' in name and at in (3, 6): g[1, 2] = np.inf if at == 3 else np.nan
            made.apply([tf.constant(g)], [v]); show('g', g); show('y', v)
            show('s', made.scale_loss(tf.constant(1.)))
        show('iterations', np.int32(made.iterations))

print('# Made by make_keras.py with Keras ' + keras.__version__)
for part in (all_layers, all_losses, all_metrics, all_optimizers, all_initializers, all_schedules, all_mixed, all_scaled): part()
