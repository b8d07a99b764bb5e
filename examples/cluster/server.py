"""A worker or parameter server, as `TF_CONFIG` says. `train.py` starts it; it ends when its standard input does."""

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
