"""Training by TensorFlow's own distributed runtime with plugins: `python train.py PLUGIN.so [DEVICE_PLUGIN.so]`.

Two workers and a parameter server are processes of this machine; each loads PLUGIN.so, which brings the op
OplinkAffine, and DEVICE_PLUGIN.so, whose first device computes the products. In the middle one worker is killed, and
started again some steps later. Losses and variables must be those of one process.
"""

import argparse
import collections
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

os.environ.update(
    TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="", GRPC_FAIL_FAST="use_caller")

import numpy as np
import tensorflow as tf

import network

WORKERS, STEPS, KILLED_AT, STARTED_AT = 2, 60, 20, 30
TOLERANCE = 1e-6
HERE = Path(__file__).resolve().parent


def free_addresses(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    addresses = [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()
    return addresses


class Processes:
    """The cluster's other processes."""

    def __init__(self, plugins):
        self.plugins, self.running = plugins, {}
        chief, server, *workers = free_addresses(2 + WORKERS)
        self.cluster = {"chief": [chief], "ps": [server], "worker": workers}

    def start(self, job, task):
        config = json.dumps({"cluster": self.cluster, "task": {"type": job, "index": task}})
        command = [sys.executable, str(HERE / "server.py"), *self.plugins]
        environment = os.environ | {"TF_CONFIG": config}
        self.running[job, task] = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE)
        return self.running[job, task].pid

    def kill(self, job, task):
        process = self.running.pop((job, task))
        process.send_signal(signal.SIGKILL)
        process.wait()
        return process.pid

    def kill_all(self):
        for job, task in list(self.running):
            self.kill(job, task)


def strategy_of(processes):
    """Waits until the cluster's processes answer."""
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec(processes.cluster), task_type="chief", task_id=0, rpc_layer="grpc")
    return tf.distribute.ParameterServerStrategy(resolver)


def train(ops, processes, device):
    """Losses, variables at the end, and how many shards each process computed."""
    strategy = strategy_of(processes)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        variables = network.make_variables()
    places = {variable.device for variable in variables}
    assert all("/job:ps/" in place for place in places), places
    gradients = network.make_gradients(ops, variables, device)
    compute = tf.function(lambda shard: (process_id(), gradients(shard)), input_signature=gradients.input_signature)
    losses, computed, started_again = [], collections.Counter(), None
    # Until the worker that was started again has a share; the program's timeout bounds the wait.
    while len(losses) < STEPS or started_again not in computed:
        step = len(losses)
        if step == STARTED_AT:
            started_again = processes.start("worker", 0)
            print(f"step {step}: started worker 0 again, process {started_again}", flush=True)
        shards = [coordinator.schedule(compute, args=(tf.constant(shard),)) for shard in range(network.SHARDS)]
        if step == KILLED_AT:
            print(f"step {step}: killed worker 0, process {processes.kill('worker', 0)}", flush=True)
        coordinator.join()
        results = []
        for shard in shards:
            process, values = shard.fetch()
            computed[int(process)] += 1
            results.append(values)
        losses.append(network.apply(variables, results))
    return losses, [variable.numpy() for variable in variables], computed


def process_id():
    """The id of the process that runs the graph."""
    line = tf.data.TextLineDataset("/proc/self/stat").get_single_element()
    return tf.strings.to_number(tf.strings.split(line, " ")[0], tf.int32)


def watch(seconds, processes):
    def give_up():
        print(f"not done after {seconds} s: {processes.running}", file=sys.stderr, flush=True)
        processes.kill_all()
        os._exit(1)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plugin", type=os.path.abspath)
    parser.add_argument("device_plugin", type=os.path.abspath, nargs="?")
    parser.add_argument("--timeout", type=float, default=100, help="seconds after which the program gives up")
    options = parser.parse_args()
    plugins = [path for path in (options.plugin, options.device_plugin) if path]
    start = time.perf_counter()
    processes = Processes(plugins)
    watch(options.timeout, processes)
    try:
        for job, task in [("ps", 0), *(("worker", task) for task in range(WORKERS))]:
            processes.start(job, task)
        ops = network.load(*plugins)
        kinds = {device.device_type for device in tf.config.list_physical_devices()} - {"CPU"}
        device = f"/device:{min(kinds)}:0" if kinds else None
        losses, variables, computed = train(ops, processes, device)
    finally:
        processes.kill_all()
    report(ops, device, losses, variables, computed)
    print(f"{time.perf_counter() - start:.1f} s in all")


def report(ops, device, losses, variables, computed):
    with tf.device("/job:chief/task:0"):
        wanted_losses, wanted = network.train_here(ops, len(losses), device)
    pairs = list(zip([losses, *variables], [wanted_losses, *wanted], strict=True))
    error = max(np.abs(np.subtract(have, want)).max() for have, want in pairs)
    first = next((step for step, pair in enumerate(zip(*pairs[0])) if abs(pair[0] - pair[1]) > TOLERANCE), "the last")
    print(f"{len(losses)} steps, loss {losses[0]:.4f} to {losses[-1]:.4f}; products on {device or 'the CPU'}")
    print(f"shards by process: {dict(computed)}")
    print(f"the greatest difference from one process is {error:.1g}")
    assert losses[-1] < losses[0] / 2, "the network did not learn"
    assert error <= TOLERANCE, f"the difference is above {TOLERANCE}, first at step {first}"


if __name__ == "__main__":
    main()
