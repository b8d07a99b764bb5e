"""Runs a SavedModel's `serving_default` in stock TensorFlow on the numbers of `exports.rs`: run_saved_model.py FOLDER"""
import sys
import numpy as np, tensorflow as tf

model = tf.saved_model.load(sys.argv[1])
x = (np.arange(3 * 48) % 17 / 17 - 0.5).astype('float32').reshape(3, 4, 4, 3)
y = model.signatures['serving_default'](x=tf.constant(x))['y'].numpy()
print('y:', ' '.join('%.9g' % v for v in y.reshape(-1)))
print('variables:', ' '.join(v.name for v in model.variables))
