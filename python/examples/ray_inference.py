"""A SavedModel served by actors of a Ray cluster, one of which is killed: `python ray_inference.py [MODEL]`.

The cluster has two nodes on this machine. Each of four actors loads the model with oplink. In the middle of the work one
actor's process is killed; Ray starts it again and repeats its calls. The results must be those of one process, bit by bit.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import ray
from ray.cluster_utils import Cluster
from ray.util import ActorPool

import oplink

Arrays = dict[str, np.ndarray]
AFFINE = Path(__file__).parents[1] / "tests" / "data" / "affine"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=AFFINE, help="the folder of a SavedModel")
    parser.add_argument("--actors", type=int, default=4)
    parser.add_argument("--batches", type=int, default=200)
    parser.add_argument("--batch-size", type=int, default=8, help="the extent of open dimensions")
    return parser.parse_args()


class Model:
    """A model in one process; on one thread, since the actors are the parallelism."""

    def __init__(self, path: Path) -> None:
        self.model = oplink.SavedModel(path, threads=1)

    def run(self, batch: Arrays) -> Arrays:
        return {name: np.array(tensor) for name, tensor in self.model(**batch).items()}


class Worker(Model):
    """A model in a process of the cluster."""

    def where(self) -> tuple[str, int]:
        return ray.get_runtime_context().get_node_id(), os.getpid()

    def answer(self, at: int, batch: Arrays) -> tuple[int, int, Arrays]:
        return at, os.getpid(), self.run(batch)


RemoteWorker: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD")(Worker)


def make_batches(path: Path, count: int, size: int) -> list[Arrays]:
    """Random inputs of the shapes that the model's signature asks for."""
    signature = oplink.SavedModel(path)["serving_default"]
    random = np.random.default_rng(7)
    shapes = {}
    for name, (dtype, dims) in signature.inputs.items():
        if dtype != oplink.float32 or dims is None:
            raise SystemExit(f"the input {name} is {dtype} {dims}: this example makes float32 inputs of a known rank")
        shapes[name] = [size if extent is None else extent for extent in dims]
    return [{name: random.random(shape, np.float32) for name, shape in shapes.items()} for _ in range(count)]


def work(path: Path, batches: list[Arrays], actors: int) -> list[Arrays]:
    """The results of the actors, of which one is killed when a third of the results is there."""
    workers = [RemoteWorker.remote(path) for _ in range(actors)]
    places = ray.get([worker.where.remote() for worker in workers])
    print(f"{actors} actors on {len({node for node, _ in places})} nodes, processes {[pid for _, pid in places]}")
    victim, results = places[0][1], dict[int, Arrays]()
    by_process = Counter[int]()
    pool: Any = ActorPool(workers)
    calls = pool.map_unordered(lambda worker, item: worker.answer.remote(*item), enumerate(batches))
    for at, pid, result in calls:
        results[at] = result
        by_process[pid] += 1
        if len(results) == len(batches) // 3:
            os.kill(victim, signal.SIGKILL)
            print(f"killed process {victim} after {len(results)} of {len(batches)} results")
    print("results by process:", dict(by_process))
    started_again = ray.get(workers[0].where.remote())[1]
    assert started_again != victim
    print(f"the first actor's process is {started_again} now")
    return [results[at] for at in range(len(batches))]


def main() -> None:
    options = arguments()
    path = options.model.resolve()
    batches = make_batches(path, options.batches, options.batch_size)
    here = Model(path)
    expected = [here.run(batch) for batch in batches]
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=max(options.actors - 2, 1))
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        start = time.perf_counter()
        results = work(path, batches, options.actors)
        seconds = time.perf_counter() - start
    finally:
        ray.shutdown()
        cluster.shutdown()
    for at, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        for name in wanted:
            np.testing.assert_array_equal(result[name], wanted[name], err_msg=f"batch {at}, output {name}")
    print(f"{len(results)} batches in {seconds:.1f} s, start of the actors included: equal to one process, bit by bit")


if __name__ == "__main__":
    main()
