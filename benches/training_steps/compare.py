"""Steps of training a second in oplink and in other libraries, as the table of docs/performance.md.

    OPLINK_TENSORFLOW_VENV=... OPLINK_TORCH_VENV=... python3 benches/training_steps/compare.py [MODEL...]

Each library trains in a process of its own, with as many threads as the machine has processors; they take turns, so
that what else the machine does meets all of them. A figure is the median of the turns. Keras and PyTorch are left out
where their environment is not named. candle and burn are built for this processor from `peers`, candle with MKL where
MKLROOT names a folder that has it. OPLINK_TRAINING_STEPS and OPLINK_TRAINING_PEERS name binaries that are built already;
OPLINK_TRAINING_PEERS= leaves candle and burn out.
"""

import functools
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
THREADS, ROUNDS, SECONDS = os.cpu_count(), 5, 0.6
# Threads of OpenMP spin for 0.2 seconds after their last work.
PAUSE = 0.3
MODELS = {
    "digits": "digits: two convolutions, batch of 64",
    "lstm": "LSTM of 128 units, 64 steps, batch of 32",
    "transformer": "transformer: two causal blocks, 128 wide, 64 tokens, batch of 16",
}
LIBRARIES = {"keras": "Keras 3", "torch": "PyTorch", "candle": "candle", "burn": "burn"}


@functools.cache
def built(name, command, folder, flags=None):
    """The binary of this name, that cargo's command builds in the folder."""
    command = ["cargo", *command.split(), "--message-format", "json"]
    environment = os.environ | ({"RUSTFLAGS": flags} if flags else {})
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment).stdout
    artifacts = (json.loads(line) for line in output.splitlines() if line.startswith("{"))
    return next(a["executable"] for a in artifacts if a.get("executable") and a["target"]["name"] == name)


def steps():
    named = os.environ.get("OPLINK_TRAINING_STEPS")
    return named or built("training_steps", "bench --bench training_steps --no-run", HERE)


def peers():
    named = os.environ.get("OPLINK_TRAINING_PEERS")
    if named is not None:
        return named
    features = " --features mkl" if "MKLROOT" in os.environ else ""
    return built("training-peers", f"build --release --locked{features}", HERE / "peers", "-C target-cpu=native")


def commands(model):
    found = {"oplink": [steps(), "serve", model]}
    for library, variable in (("keras", "OPLINK_TENSORFLOW_VENV"), ("torch", "OPLINK_TORCH_VENV")):
        if venv := os.environ.get(variable):
            found[library] = [f"{venv}/bin/python", str(HERE / "worker.py"), library, model, str(THREADS)]
    if binary := peers():
        # candle is fastest so: its own threads and MKL's spin where they wait, in each other's way.
        found["candle"] = ["env", "OMP_NUM_THREADS=1", binary, "candle", model]
        found["burn"] = [binary, "burn", model]
    return found


def start(command):
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return worker, float(worker.stdout.readline())


def turn(worker, seconds):
    worker.stdin.write(f"{seconds}\n")
    worker.stdin.flush()
    steps, took, loss = worker.stdout.readline().split()
    return int(steps) / float(took), float(loss)


def measure(model):
    """Steps a second by library, and the first and the last loss."""
    workers = {library: start(command) for library, command in commands(model).items()}
    rates, losses = {library: [] for library in workers}, {}
    for worker, _ in workers.values():
        turn(worker, SECONDS / 2)
    for _ in range(ROUNDS):
        for library, (worker, first) in workers.items():
            rate, loss = turn(worker, SECONDS)
            rates[library].append(rate)
            losses[library] = first, loss
            time.sleep(PAUSE)
    for worker, _ in workers.values():
        worker.stdin.close()
        worker.wait()
    for library, (first, last) in losses.items():
        print(f"{model}, {library}: loss {first:.3f}, then {last:.3f}", file=sys.stderr)
        if not last < first:
            sys.exit(f"{library} does not learn {model}")
    return {library: sorted(of)[len(of) // 2] for library, of in rates.items()}


def main():
    measured = {model: measure(model) for model in sys.argv[1:] or MODELS}
    heads = ["a step of training, steps a second", "oplink"]
    for title in LIBRARIES.values():
        heads += [title, "ratio"]
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for model, rates in measured.items():
        cells = [MODELS[model], f"{rates['oplink']:.4g}"]
        for library in LIBRARIES:
            rate = rates.get(library)
            cells += [f"{rate:.4g}", f"{rates['oplink'] / rate:.2f}"] if rate else ["", ""]
        print("| " + " | ".join(cells) + " |")


main()
