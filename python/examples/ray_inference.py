"""Batch inference with a SavedModel by `ray.data`, in which a process is killed: `python ray_inference.py [MODEL]`.

The cluster has two nodes on this machine. `map_batches` runs a pool of four actors, each with the model in a process of
its own. In the middle of the work one actor's process is killed; Ray starts it again and repeats its calls. The results
must be those of one process, bit by bit.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import ray
import ray.data
from ray.cluster_utils import Cluster

import oplink

Arrays = dict[str, np.ndarray]
AFFINE = Path(__file__).parents[1] / "tests" / "data" / "affine"
NODE: dict[str, Any] = {"object_store_memory": 128 << 20}
# How long the work waits for the last of the actors.
START_SECONDS = 90


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path, default=AFFINE, help="the folder of a SavedModel")
    parser.add_argument("--actors", type=int, default=4)
    parser.add_argument("--batches", type=int, default=200)
    parser.add_argument("--batch-size", type=int, default=8, help="the extent of open dimensions")
    options = parser.parse_args()
    if options.actors < 2 or options.batches < 3:
        raise SystemExit("there must be 2 actors and 3 batches at least")
    return options


class Model:
    """A model in one process; on one thread, since the actors are the parallelism."""

    def __init__(self, path: Path) -> None:
        self.model = oplink.SavedModel(path, threads=1)

    def run(self, batch: Arrays) -> Arrays:
        """A row of each output for each example; what is one for the whole batch is repeated."""
        count = len(next(iter(batch.values())))
        outputs = {name: np.array(tensor) for name, tensor in self.model(**batch).items()}
        return {
            name: value if value.shape[:1] == (count,) else np.broadcast_to(value, (count, *value.shape))
            for name, value in outputs.items()
        }


class Predictor(Model):
    """A model in an actor of the pool: outputs replace the inputs of a batch, beside the numbers of its examples."""

    def __call__(self, batch: Arrays) -> Arrays:
        examples = batch.pop("example")
        node, process = ray.get_runtime_context().get_node_id(), os.getpid()
        where = {"node": np.full(len(examples), node), "process": np.full(len(examples), process)}
        return {"example": examples, **where, **self.run(batch)}


def make_batches(path: Path, count: int, size: int) -> list[Arrays]:
    """Random inputs of the shapes that the model's signature asks for; the first extent counts the examples."""
    signature = oplink.SavedModel(path)["serving_default"]
    random = np.random.default_rng(7)
    shapes = {}
    for name, (dtype, dims) in signature.inputs.items():
        if dtype != oplink.float32 or not dims:
            raise SystemExit(f"the input {name} is {dtype} {dims}: this example makes float32 batches of a known rank")
        shapes[name] = [size if extent is None else extent for extent in dims]
    if len({shape[0] for shape in shapes.values()}) != 1:
        raise SystemExit(f"the inputs {shapes} have no common number of examples")
    return [{name: random.random(shape, np.float32) for name, shape in shapes.items()} for _ in range(count)]


def rows(batches: list[Arrays]) -> list[dict[str, Any]]:
    """One row for each example, with its number: actors finish in any order."""
    examples = [dict(zip(batch, row, strict=True)) for batch in batches for row in zip(*batch.values(), strict=True)]
    return [{"example": at, **example} for at, example in enumerate(examples)]


def predict(path: Path, batches: list[Arrays], actors: int) -> Arrays:
    """The outputs for all examples, in their order; an actor is killed when a third of the results is there."""
    items = rows(batches)
    # A block for each batch: the actors' batches are those of one process.
    dataset = ray.data.from_items(items, override_num_blocks=len(batches)).map_batches(
        Predictor,
        fn_constructor_args=[path],
        batch_size=len(items) // len(batches),
        compute=ray.data.ActorPoolStrategy(size=actors),
        num_cpus=1,
    )
    results: list[Arrays] = []
    by_process, nodes = Counter[int](), set[str]()
    for result in dataset.iter_batches(batch_size=None, batch_format="numpy"):
        results.append(result)
        by_process.update(set(result["process"].tolist()))
        nodes.update(result["node"].tolist())
        if len(results) == len(batches) // 3:
            victim = int(result["process"][0])
            os.kill(victim, signal.SIGKILL)
            print(f"killed process {victim} after {len(results)} of {len(batches)} results", flush=True)
    print(f"{actors} actors on {len(nodes)} nodes; results by process: {dict(by_process)}")
    assert len(nodes) == 2, "all actors were on one node"
    assert len(by_process) == actors + 1, "no process took the place of the killed one"
    joined = {name: np.concatenate([result[name] for result in results]) for name in results[0]}
    order = np.argsort(joined["example"])
    np.testing.assert_array_equal(joined["example"][order], np.arange(len(items)))
    return {name: values[order] for name, values in joined.items() if name not in ("example", "node", "process")}


def main() -> None:
    options = arguments()
    path = options.model.resolve()
    batches = make_batches(path, options.batches, options.batch_size)
    here = Model(path)
    outputs = [here.run(batch) for batch in batches]
    expected = {name: np.concatenate([output[name] for output in outputs]) for name in outputs[0]}
    head = {"num_cpus": options.actors // 2, "include_dashboard": False, **NODE}
    cluster: Any = Cluster(initialize_head=True, head_node_args=head)
    try:
        cluster.add_node(num_cpus=options.actors - head["num_cpus"], **NODE)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        logging.getLogger("ray.data").setLevel(logging.WARNING)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.wait_for_min_actors_s = START_SECONDS
        start = time.perf_counter()
        results = predict(path, batches, options.actors)
        seconds = time.perf_counter() - start
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert results.keys() == expected.keys()
    for name, wanted in expected.items():
        assert results[name].dtype == wanted.dtype, f"output {name} is {results[name].dtype}"
        np.testing.assert_array_equal(results[name], wanted, err_msg=f"output {name}")
    print(f"{len(batches)} batches in {seconds:.1f} s, start of the actors included: equal to one process, bit by bit")


if __name__ == "__main__":
    main()
