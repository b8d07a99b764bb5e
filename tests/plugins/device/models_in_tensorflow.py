"""Four networks in stock TensorFlow with every node asked for on the simulated accelerator: TensorFlow's own results.

Soft placement is for what the device cannot have. `ON_HOST` lists those ops for each network; others on the host fail.
"""

import collections
import os
import re

import numpy as np
import tensorflow as tf

MODELS = {}
TOLERANCE = 1e-5
REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
# Variables and their updates; the powers of Adam's betas are multiplied where their variables are.
VARIABLES = {"VarHandleOp", "AssignVariableOp", "ReadVariableOp", "ResourceApplyAdam", "Mul"}
CONTROL = {"NoOp", "_Recv", "_Send", "_HostRecv", "_HostSend", "_SOURCE", "_SINK"}


def model(name):
    def keep(function):
        MODELS[name] = function
        return function
    return keep


def file(name):
    """A model's file: of the repository, or of the folder in OPLINK_MODELS."""
    found = os.path.join(REPOSITORY, name)
    return found if os.path.exists(found) else os.path.join(os.environ["OPLINK_MODELS"], os.path.basename(name))


class Network:
    """A graph with all nodes on /SIM:0, in a session."""

    def __init__(self, name):
        definition = tf.compat.v1.GraphDef()
        with open(file(name + ".pb"), "rb") as stored:
            definition.ParseFromString(stored.read())
        for node in definition.node:
            node.device = "/device:SIM:0"
        self.values = np.load(file(name + ".npz"))
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.compat.v1.import_graph_def(definition, name="")
        config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
        config.graph_options.optimizer_options.opt_level = -1
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        self.session = tf.compat.v1.Session(graph=self.graph, config=config)
        self.on_host = collections.Counter()
        self.on_device = 0

    def of(self, prefix):
        return {key[len(prefix):]: self.values[key] for key in self.values.files if key.startswith(prefix)}

    def run(self, fetches, feeds):
        options = tf.compat.v1.RunOptions(trace_level=tf.compat.v1.RunOptions.FULL_TRACE)
        metadata = tf.compat.v1.RunMetadata()
        result = self.session.run(fetches, feeds, options=options, run_metadata=metadata)
        ops = {operation.name: operation.type for operation in self.graph.get_operations()}
        for device in metadata.step_stats.dev_stats:
            place = re.search(r"device:(\w+):0$", device.device)
            for node in device.node_stats if place else []:
                op = ops.get(node.node_name.split(":")[0])
                if op is None:
                    continue
                self.on_device += place[1] == "SIM"
                self.on_host[op] += place[1] == "CPU"
        return result

    def check_placement(self, *on_host):
        others = {op for op, count in self.on_host.items() if count} - CONTROL
        assert others == set(on_host), f"on the host: {sorted(others)}, on the device {self.on_device} nodes"
        assert self.on_device, "no node ran on the device"


def close(name, have, want):
    error = np.max(np.abs(np.asarray(have, np.float64) - want)) / max(np.max(np.abs(want)), 1e-30)
    assert error <= TOLERANCE, f"{name}: relative error {error:.1e}"


def inference(name, *on_host):
    network = Network(name)
    wanted = network.of("out:")
    fetched = network.run(list(wanted), network.of("in:"))
    for (output, want), have in zip(wanted.items(), fetched):
        close(output, have, want)
    network.check_placement(*on_host)


@model("digits: all labels and probabilities")
def digits(plugin):
    inference("digits/digits")


@model("mobilenetv2: activations and probabilities")
def mobilenetv2(plugin):
    inference("mobilenetv2")


@model("transformer: all outputs")
def transformer(plugin):
    inference("transformer")


@model("mlp_train: forty steps of Adam, variables on the host")
def mlp_train(plugin):
    network = Network("mlp_train")
    network.session.run("init")
    inputs, losses = network.of("in:"), network.values["loss"]
    for step, want in enumerate(losses):
        loss, _ = network.run(["loss:0", "train"], {name: values[step] for name, values in inputs.items()})
        close(f"loss of step {step}", loss, want)
    for name, want in network.of("final:").items():
        close(name, network.session.run(f"read_{name}:0"), want)
    network.check_placement(*VARIABLES)
