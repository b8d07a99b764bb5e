"""The models of `models.rs` in Keras 3 on TensorFlow or in PyTorch, trained as they are asked: the same lines in and out.

usage: worker.py keras|torch digits|lstm|transformer THREADS
"""

import os
import sys
import time

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="tensorflow")
LIBRARY, MODEL, THREADS = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ["OMP_NUM_THREADS"] = str(THREADS)
import numpy as np

TOKENS, STEPS, WIDTH = 1000, 64, 128


def classes(length, count):
    return np.array([at * 7919 % 10_007 % count for at in range(length)], np.int32)


def batch():
    random = np.random.default_rng(2)
    if MODEL == "digits":
        return random.integers(0, 256, [64, 28, 28, 1], np.uint8), classes(64, 10)
    if MODEL == "lstm":
        return random.random([32, 64, 32], np.float32), classes(32, 10)
    tokens = classes(16 * STEPS, TOKENS)
    return tokens.reshape(16, STEPS), tokens


def keras_step(x, y):
    """A step as one graph, compiled as `jit_compile=False` has it."""
    import tensorflow as tf
    import keras
    from keras import layers

    tf.config.threading.set_intra_op_parallelism_threads(THREADS)
    tf.config.threading.set_inter_op_parallelism_threads(THREADS)
    given = keras.Input(x.shape[1:], dtype=x.dtype)
    if MODEL == "digits":
        chain = [
            layers.Rescaling(1 / 255),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(10),
        ]
    elif MODEL == "lstm":
        chain = [layers.LSTM(128), layers.Dense(10)]
    else:
        chain = []
    value = given
    for layer in chain:
        value = layer(value)
    if MODEL == "transformer":
        positions = keras.layers.Embedding(STEPS, WIDTH)(np.arange(STEPS))
        value = layers.Embedding(TOKENS, WIDTH)(given) + positions
        for _ in range(2):
            normal = layers.LayerNormalization()(value)
            value += layers.MultiHeadAttention(4, WIDTH // 4)(normal, normal, use_causal_mask=True)
            normal = layers.LayerNormalization()(value)
            value += layers.Dense(WIDTH)(layers.Dense(4 * WIDTH, activation="relu")(normal))
        value = layers.Reshape([STEPS, TOKENS])(layers.Dense(TOKENS)(layers.LayerNormalization()(value)))
    model = keras.Model(given, value)
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)

    @tf.function(jit_compile=False)
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        return loss

    x, y = tf.constant(x), tf.constant(y.reshape(value.shape[1:-1] and [x.shape[0], *value.shape[1:-1]] or y.shape))
    return lambda: float(step(x, y))


def torch_step(x, y):
    """A step call by call, with the optimiser's fused form."""
    import torch
    from torch import nn

    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    positions = []
    if MODEL == "digits":
        x = x.transpose(0, 3, 1, 2).copy()
        model = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(7 * 7 * 32, 64), nn.ReLU(), nn.Linear(64, 10),
        )
        forward = lambda x: model(x.float() / 255)
    elif MODEL == "lstm":
        model = nn.ModuleList([nn.LSTM(32, 128, batch_first=True), nn.Linear(128, 10)])
        forward = lambda x: model[1](model[0](x)[0][:, -1])
    else:
        block = lambda: nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True, norm_first=True)
        mask = nn.Transformer.generate_square_subsequent_mask(STEPS)
        model = nn.ModuleList(
            [nn.Embedding(TOKENS, WIDTH), block(), block(), nn.LayerNorm(WIDTH), nn.Linear(WIDTH, TOKENS)]
        )
        positions = [nn.Parameter(torch.rand(STEPS, WIDTH) * 0.1 - 0.05)]

        def forward(x):
            value = model[0](x) + positions[0]
            for block in model[1:3]:
                value = block(value, src_mask=mask, is_causal=True)
            return model[4](model[3](value)).flatten(0, 1)

    x, y = torch.from_numpy(x), torch.from_numpy(y).long()
    optimizer = torch.optim.Adam([*model.parameters(), *positions], 1e-3, eps=1e-7, fused=True)

    def step():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def main():
    step = {"keras": keras_step, "torch": torch_step}[LIBRARY](*batch())
    print(step(), flush=True)
    for line in sys.stdin:
        wanted, steps, start = float(line), 0, time.perf_counter()
        while steps == 0 or time.perf_counter() - start < wanted:
            loss = step()
            steps += 1
        print(steps, time.perf_counter() - start, loss, flush=True)


main()
