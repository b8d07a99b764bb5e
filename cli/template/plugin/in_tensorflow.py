"""Loads the plugin into TensorFlow: `pip install tensorflow-cpu==2.21.0`, then `python in_tensorflow.py`."""
import tensorflow as tf

plugin = tf.load_op_library('target/release/lib{crate_name}.so')
y = plugin.scale_shift([1.0, 2.0], scale=3.0, shift=1.0)
print(y.numpy())
assert y.numpy().tolist() == [4.0, 7.0]
