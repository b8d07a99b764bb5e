"""Holds what `train_digits` wrote against stock TensorFlow: compare.py FOLDER; fails beyond a difference of 1e-5."""
import os, sys
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np, tensorflow as tf

folder = sys.argv[1]
model = tf.saved_model.load(os.path.join(folder, 'digits_model'))
answers = np.load(os.path.join(folder, 'digits_model.npz'))
outputs = model.signatures['serving_default'](image=tf.constant(answers['image']))
worst = np.abs(outputs['probability'].numpy() - answers['probability']).max()
print(f'{len(answers["image"])} pictures, largest difference {worst:.2e}')
print('variables:', ', '.join(variable.name for variable in model.variables))
sys.exit(not worst <= 1e-5 or not (outputs['label'].numpy() == answers['probability'].argmax(-1)).all())
