"""Data-parallel training of an `oplink.nn` module on a Ray cluster, a worker of which is killed: `ray_training.py`.

The cluster has two nodes on this machine, with a worker each. At every step each worker computes the gradients of its
half of the batch, and all follow their mean. Every few steps the variables are saved. When a worker's process is
killed, Ray starts it again, all workers load the last checkpoint, and the steps since then are repeated. The losses
must be those of one process that trains on whole batches, up to rounding.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray
from ray.cluster_utils import Cluster

import oplink
from oplink import nn

Array = NDArray[np.float32]
FEATURES, BATCH, WORKERS = 16, 64, 2
RESTART_SECONDS = 60


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--checkpoint-every", type=int, default=10, help="steps between two checkpoints")
    options = parser.parse_args()
    if options.steps <= options.checkpoint_every or options.checkpoint_every < 1:
        raise SystemExit("--steps must be above --checkpoint-every, which is at least 1")
    return options


def batch_of(step: int) -> tuple[Array, Array]:
    """The batch of a step, the same in every process."""
    inputs = np.random.default_rng(step).standard_normal((BATCH, FEATURES)).astype(np.float32)
    return inputs, np.sin(inputs.sum(axis=1, keepdims=True) / 2).astype(np.float32)


class Replica:
    """A network and its optimiser; all replicas start with the same numbers."""

    def __init__(self) -> None:
        nn.set_seed(3)
        self.network = nn.Sequential(nn.Dense(FEATURES, 32, "tanh"), nn.Dense(32, 1))
        self.optimizer = nn.SGD(self.network.trainable_variables, learning_rate=0.1)

    def gradients(self, step: int, rank: int, workers: int) -> tuple[float, list[Array]]:
        """Loss and gradients of one worker's share of a batch."""
        inputs, targets = (np.split(part, workers)[rank] for part in batch_of(step))
        with oplink.Tape() as tape:
            loss = nn.mean_squared_error(targets, self.network(inputs, training=True))
        gradients = tape.gradient(loss, self.network.trainable_variables)
        assert all(gradient is not None for gradient in gradients)
        return float(loss.item()), [np.array(gradient) for gradient in gradients]

    def apply(self, gradients: list[Array]) -> None:
        self.optimizer.apply([oplink.Tensor(gradient) for gradient in gradients])

    def save(self, path: Path) -> None:
        """The file is there whole or not at all."""
        partial = path.with_name("partial.npz")
        np.savez(partial, **{name: variable.numpy() for name, variable in self.network.variables.items()})
        partial.replace(path)

    def load(self, path: Path) -> None:
        with np.load(path) as values:
            for name, variable in self.network.variables.items():
                variable.assign(values[name])


class Worker(Replica):
    """A replica in a process of the cluster."""

    def where(self) -> tuple[str, int]:
        return ray.get_runtime_context().get_node_id(), os.getpid()


# The process is started again when it ends, but no call is repeated: a step must not be taken twice.
RemoteWorker: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0, scheduling_strategy="SPREAD")(Worker)


class Trainer:
    """The driver's part: steps, checkpoints, and what happens when a worker is lost."""

    def __init__(self, folder: Path, every: int) -> None:
        self.folder, self.every = folder, every
        self.workers = [RemoteWorker.remote() for _ in range(WORKERS)]
        self.losses: list[float] = []
        self.saved = self.repeated = 0
        Replica().save(self.checkpoint(0))

    def places(self) -> list[tuple[str, int]]:
        places: list[tuple[str, int]] = ray.get([worker.where.remote() for worker in self.workers])
        return places

    def checkpoint(self, step: int) -> Path:
        return self.folder / f"step-{step}.npz"

    def step(self) -> None:
        step = len(self.losses)
        if step % self.every == 0:
            ray.get(self.workers[-1].save.remote(self.checkpoint(step)))
            self.saved = step
        shares = ray.get([worker.gradients.remote(step, rank, WORKERS) for rank, worker in enumerate(self.workers)])
        mean = ray.put([np.mean(parts, axis=0) for parts in zip(*(gradients for _, gradients in shares), strict=True)])
        ray.get([worker.apply.remote(mean) for worker in self.workers])
        self.losses.append(float(np.mean([loss for loss, _ in shares])))

    def recover(self) -> None:
        """Waits for the workers, and goes back to the last checkpoint with all of them."""
        for worker in self.workers:
            self.load(worker, time.monotonic() + RESTART_SECONDS)
        self.repeated += len(self.losses) - self.saved
        del self.losses[self.saved:]

    def load(self, worker: Any, deadline: float) -> None:
        while True:
            try:
                ray.get(worker.load.remote(self.checkpoint(self.saved)), timeout=deadline - time.monotonic())
                return
            except ray.exceptions.RayActorError:
                if time.monotonic() > deadline - 1:
                    raise
                time.sleep(0.1)

    def train(self, steps: int) -> None:
        kill_at, victim = steps // 2 + self.every // 2, self.places()[0][1]
        while len(self.losses) < steps:
            if victim and len(self.losses) == kill_at:
                os.kill(victim, signal.SIGKILL)
                print(f"killed process {victim} before step {kill_at}", flush=True)
                victim = 0
            try:
                self.step()
            except ray.exceptions.RayActorError:
                self.recover()
                processes = [pid for _, pid in self.places()]
                print(f"going on from step {len(self.losses)} in processes {processes}", flush=True)


def train_here(steps: int) -> list[float]:
    """The losses of one process on whole batches."""
    replica, losses = Replica(), []
    for step in range(steps):
        loss, gradients = replica.gradients(step, 0, 1)
        replica.apply(gradients)
        losses.append(loss)
    return losses


def main() -> None:
    options = arguments()
    expected = train_here(options.steps)
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        with tempfile.TemporaryDirectory() as folder:
            trainer = Trainer(Path(folder), options.checkpoint_every)
            places = trainer.places()
            nodes = len({node for node, _ in places})
            print(f"{WORKERS} workers on {nodes} nodes, processes {[pid for _, pid in places]}", flush=True)
            trainer.train(options.steps)
    finally:
        ray.shutdown()
        cluster.shutdown()
    error = float(np.max(np.abs(np.subtract(trainer.losses, expected)) / np.abs(expected)))
    print(f"{options.steps} steps, {trainer.repeated} of them twice: loss {expected[0]:.4f} to {expected[-1]:.4f}")
    print(f"the greatest relative difference from one process is {error:.1g}")
    assert expected[-1] < expected[0] / 2, "the network did not learn"
    assert nodes == WORKERS, "both workers were on one node"
    assert error < 1e-4, "the losses are not those of one process"


if __name__ == "__main__":
    main()
