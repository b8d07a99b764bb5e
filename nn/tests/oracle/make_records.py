"""Writes `examples.tfrecord` of this folder: five examples, as TensorFlow writes them. usage: python make_records.py OUT"""
import os, sys
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tensorflow as tf

F = tf.train.Feature
with tf.io.TFRecordWriter(sys.argv[1]) as writer:
    for at in range(5):
        features = {'x': F(float_list=tf.train.FloatList(value=[at, at + .5])), 'label': F(int64_list=tf.train.Int64List(value=[at % 3])),
                    'text': F(bytes_list=tf.train.BytesList(value=[b'example %d' % at]))}
        if at == 4: del features['text']
        writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())
