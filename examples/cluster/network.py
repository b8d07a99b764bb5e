"""What is trained: a network whose hidden layer goes through a plugin's op. Every process of the cluster loads it.

The values do not depend on who computes them: a step adds the gradients of fixed shards in the shards' order.
"""

import numpy as np
import tensorflow as tf

OP = "OplinkAffine"
SHARDS, SHARD_SIZE, FEATURES, HIDDEN = 6, 16, 8, 32
LEARNING_RATE = 0.3


def load(plugin, device_plugin=None):
    """Loads the plugins into this process and gives the op its gradient; before TensorFlow makes its devices."""
    if device_plugin:
        from tensorflow.python.framework import load_library
        load_library.load_pluggable_device_library(device_plugin)
    tf.config.set_soft_device_placement(False)
    ops = tf.load_op_library(plugin)

    @tf.RegisterGradient(OP)
    def _(op, dy):
        (least, greatest), y = op.get_attr("bounds"), op.outputs[0]
        dx = ops.oplink_affine(x=dy, scale=op.get_attr("scale"))
        return tf.where((y > least) & (y < greatest), dx, tf.zeros_like(dx))

    return ops


def make_variables():
    random = np.random.default_rng(1)
    shapes = {"hidden": (FEATURES, HIDDEN), "output": (HIDDEN, 1)}
    values = {name: 0.3 * random.standard_normal(shape) for name, shape in shapes.items()}
    return [tf.Variable(value, dtype=tf.float32, name=name) for name, value in values.items()]


def make_gradients(ops, variables, device=None):
    """A traced function from a shard's number to its loss and gradients; the products are on `device`, if given."""
    random = np.random.default_rng(2)
    inputs = random.standard_normal((SHARDS, SHARD_SIZE, FEATURES)).astype(np.float32)
    targets = np.sin(inputs.sum(axis=2, keepdims=True) / 3)
    count = inputs.shape[0] * inputs.shape[1]

    def product(x, w):
        with tf.device(device):
            return x @ w

    @tf.function(input_signature=[tf.TensorSpec((), tf.int32)])
    def gradients(shard):
        x, wanted = tf.gather(inputs, shard), tf.gather(targets, shard)
        with tf.GradientTape() as tape:
            hidden = ops.oplink_affine(x=product(x, variables[0]), scale=0.5, mode="clip", bounds=[-1.0, 1.0])
            loss = tf.reduce_sum(tf.square(product(hidden, variables[1]) - wanted)) / count
        return [loss, *tape.gradient(loss, variables)]

    return gradients


def apply(variables, shards):
    """Follows the sum of the shards' gradients; returns the sum of their losses."""
    loss, *gradients = [np.sum(np.stack(parts), axis=0) for parts in zip(*shards, strict=True)]
    for variable, gradient in zip(variables, gradients, strict=True):
        variable.assign_sub(LEARNING_RATE * gradient)
    return float(loss)


def train_here(ops, steps, device=None):
    """The losses of one process, and its variables at the end."""
    variables = make_variables()
    gradients = make_gradients(ops, variables, device)
    losses = []
    for _ in range(steps):
        shards = [gradients(tf.constant(shard)) for shard in range(SHARDS)]
        losses.append(apply(variables, [[part.numpy() for part in shard] for shard in shards]))
    return losses, [variable.numpy() for variable in variables]
