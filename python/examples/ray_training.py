"""Data-parallel training of an `oplink.nn` module by `ray.train`, in which a worker is killed: `ray_training.py`.

The cluster has two nodes on this machine, with a worker each. At every step each worker computes the gradients of its
half of the batch, and all follow their mean. Every few steps a checkpoint is reported. When a worker's process is
killed, Ray Train starts both workers again, which load the last checkpoint and repeat the steps since then. The losses
must be those of one process that trains on whole batches, up to rounding.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import tempfile
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import ray
from numpy.typing import NDArray
from ray import train
from ray.cluster_utils import Cluster
from ray.train.collective import broadcast_from_rank_zero
from ray.train.v2.api.data_parallel_trainer import DataParallelTrainer

import oplink
from oplink import nn

Array = NDArray[np.float32]
FEATURES, BATCH, WORKERS = 16, 64, 2
REPORT_EVERY, CHECKPOINT_EVERY = 5, 10
Share = tuple[float, list[Array]]
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 128 << 20}


def batch_of(step: int) -> tuple[Array, Array]:
    """The batch of a step, the same in every process."""
    inputs = np.random.default_rng(step).standard_normal((BATCH, FEATURES)).astype(np.float32)
    return inputs, np.sin(inputs.sum(axis=1, keepdims=True) / 2).astype(np.float32)


class Replica:
    """A network and its optimiser; all replicas start with the same numbers."""

    def __init__(self) -> None:
        nn.set_seed(3)
        self.network = nn.Sequential(nn.Dense(FEATURES, 32, "tanh"), nn.Dense(32, 1))
        self.optimizer = nn.Adam(self.network.trainable_variables, learning_rate=0.01)
        self.losses: list[float] = []

    def gradients(self, rank: int, workers: int) -> Share:
        """Loss and gradients of one worker's share of the next batch."""
        inputs, targets = (np.split(part, workers)[rank] for part in batch_of(len(self.losses)))
        with oplink.Tape() as tape:
            loss = nn.mean_squared_error(targets, self.network(inputs, training=True))
        gradients = tape.gradient(loss, self.network.trainable_variables)
        assert all(gradient is not None for gradient in gradients)
        return float(loss.item()), [np.array(gradient) for gradient in gradients]

    def apply(self, loss: float, gradients: list[Array]) -> None:
        self.optimizer.apply([oplink.Tensor(gradient) for gradient in gradients])
        self.losses.append(loss)

    def state(self) -> dict[str, oplink.Variable]:
        """What the next step depends on, besides its number."""
        network = {f"network.{name}": variable for name, variable in self.network.variables.items()}
        return network | {f"optimizer.{name}": variable for name, variable in self.optimizer.state.items()}

    def save(self, folder: Path) -> None:
        values = {name: variable.numpy() for name, variable in self.state().items()}
        np.savez(folder / "state.npz", losses=np.array(self.losses), **values)

    def load(self, folder: Path) -> None:
        with np.load(folder / "state.npz") as values:
            for name, variable in self.state().items():
                variable.assign(values[name])
            self.losses = values["losses"].tolist()


class Mean:
    """An actor that gives a group of workers the mean of their losses and gradients, added in order of the ranks."""

    def __init__(self) -> None:
        self.groups: dict[str, dict[str, Any]] = {}
        self.open: dict[tuple[str, int], tuple[dict[int, Share], asyncio.Future[Share]]] = {}

    async def join(self, group: str, step: int, node: str, process: int) -> None:
        """Notes a worker that starts at a step."""
        self.groups.setdefault(group, {"start": step, "steps": 0, "workers": []})["workers"].append((node, process))

    async def mean(self, group: str, step: int, rank: int, share: Share) -> Share:
        shares, mean = self.open.setdefault((group, step), ({}, asyncio.get_running_loop().create_future()))
        shares[rank] = share
        if len(shares) == WORKERS:
            losses, parts = zip(*(shares[rank] for rank in range(WORKERS)), strict=True)
            mean.set_result((float(np.mean(losses)), [np.mean(part, axis=0) for part in zip(*parts, strict=True)]))
            del self.open[group, step]
            self.groups[group]["steps"] += 1
        return await mean

    async def history(self) -> list[dict[str, Any]]:
        return list(self.groups.values())


def train_worker(config: dict[str, Any]) -> list[float]:
    """What each worker runs; returns the losses of all steps."""
    replica, mean, rank = Replica(), config["mean"], train.get_context().get_world_rank()
    checkpoint = train.get_checkpoint()
    if checkpoint is not None:
        with checkpoint.as_directory() as folder:
            replica.load(Path(folder))
    # The name keeps apart what the workers of a group that was lost left in the actor.
    group = broadcast_from_rank_zero(uuid.uuid4().hex)
    ray.get(mean.join.remote(group, len(replica.losses), ray.get_runtime_context().get_node_id(), os.getpid()))
    while len(replica.losses) < config["steps"]:
        share = replica.gradients(rank, WORKERS)
        replica.apply(*ray.get(mean.mean.remote(group, len(replica.losses), rank, share)))
        if len(replica.losses) % REPORT_EVERY == 0:
            report(replica, rank, len(replica.losses) % CHECKPOINT_EVERY == 0)
    return replica.losses


def report(replica: Replica, rank: int, save: bool) -> None:
    """Reports where a worker is. The first one saves the checkpoint, since all have the same numbers."""
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = None
        if save and rank == 0:
            replica.save(Path(folder))
            checkpoint = train.Checkpoint.from_directory(folder)
        train.report({"step": len(replica.losses), "process": os.getpid()}, checkpoint)


class Killer(train.UserCallback):
    """Kills the last worker once, from the controller, after a report past a step that has no checkpoint."""

    def __init__(self, step: int) -> None:
        self.step, self.done = step, False

    def after_report(self, run_context: Any, metrics: list[dict[str, Any]], checkpoint: Any) -> None:
        if not self.done and metrics[-1]["step"] > self.step and checkpoint is None:
            os.kill(metrics[-1]["process"], signal.SIGKILL)
            self.done = True


def train_here(steps: int) -> list[float]:
    """The losses of one process on whole batches."""
    replica = Replica()
    for _ in range(steps):
        replica.apply(*replica.gradients(0, 1))
    return replica.losses


def train_there(steps: int, folder: str) -> tuple[list[float], list[dict[str, Any]]]:
    """The losses of the workers, and their groups."""
    mean: Any = ray.remote(num_cpus=0)(Mean).remote()
    callbacks: list[Any] = [Killer(steps // 2)]
    run = train.RunConfig(
        storage_path=folder, failure_config=train.FailureConfig(max_failures=1), callbacks=callbacks
    )
    scaling = train.ScalingConfig(num_workers=WORKERS, placement_strategy="STRICT_SPREAD")
    config = {"mean": mean, "steps": steps}
    trainer = DataParallelTrainer(train_worker, train_loop_config=config, scaling_config=scaling, run_config=run)
    result: Any = trainer.fit()
    return result.return_value, list(ray.get(mean.history.remote()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    steps = max(parser.parse_args().steps, 4 * CHECKPOINT_EVERY)
    expected = train_here(steps)
    # How often the controller looks at the workers; it takes their reports then.
    os.environ.setdefault("RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", "0.1")
    cluster: Any = Cluster(initialize_head=True, head_node_args={"include_dashboard": False, **NODE})
    try:
        cluster.add_node(**NODE)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        with tempfile.TemporaryDirectory() as folder:
            losses, groups = train_there(steps, folder)
    finally:
        ray.shutdown()
        cluster.shutdown()
    for group in groups:
        nodes, processes = zip(*group["workers"], strict=True)
        print(f"from step {group['start']}: {group['steps']} steps in processes {processes} on {len(set(nodes))} nodes")
        assert len(set(nodes)) == WORKERS, "both workers were on one node"
    repeated = sum(group["steps"] for group in groups) - steps
    error = float(np.max(np.abs(np.subtract(losses, expected)) / np.abs(expected)))
    print(f"{steps} steps, {repeated} of them twice: loss {expected[0]:.4f} to {expected[-1]:.4f}")
    print(f"the greatest relative difference from one process is {error:.1g}")
    assert len(groups) == 2 and groups[1]["start"] > 0, "the training did not go on from a checkpoint"
    assert expected[-1] < expected[0] / 2, "the network did not learn"
    assert error < 1e-4, "the losses are not those of one process"


if __name__ == "__main__":
    main()
