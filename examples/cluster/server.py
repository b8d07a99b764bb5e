"""A worker or parameter server: `train.py` starts it, `TF_CONFIG` says which it is. It ends when its standard input does."""

import os
import sys
import threading

import tensorflow as tf

import network


def end_with_parent():
    sys.stdin.read()
    os._exit(0)


def main(arguments):
    threading.Thread(target=end_with_parent, daemon=True).start()
    network.load(*arguments)
    cluster = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    server = tf.distribute.Server(
        cluster.cluster_spec(), job_name=cluster.task_type, task_index=cluster.task_id, protocol="grpc")
    server.join()


if __name__ == "__main__":
    main(sys.argv[1:])
