"""The command `python -m oplink`: runs a model, or shows what it can be asked for."""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

import oplink
from oplink import Session, Signature, Tensor


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="python -m oplink", description=__doc__)
    top.add_argument("--version", action="version", version=oplink.__version__)
    commands = top.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run a SavedModel or a graph")
    run.add_argument("model", type=Path, help="the folder of a SavedModel, or the file of a graph")
    run.add_argument("--input", action="append", default=[], metavar="NAME=VALUE", help="a .npy file or a literal")
    run.add_argument("--signature", metavar="NAME", help="which signature of a SavedModel to call")
    run.add_argument("--fetch", action="append", default=[], metavar="NAME", help="an output; all where none is named")
    run.add_argument("--save", type=Path, metavar="FOLDER", help="save the outputs as .npy files there")
    run.add_argument("--repeat", type=int, default=1, metavar="N", help="run this often and print the median time")
    run.add_argument("--device", metavar="NAME", help="run nodes on this device where it has kernels for them")
    run.add_argument("--threads", type=int, default=0, metavar="N", help="threads that a kernel may use; 0 for all")
    show = commands.add_parser("show", help="show the signatures of a SavedModel, or the inputs and outputs of a graph")
    show.add_argument("model", type=Path)
    for command in (run, show):
        command.add_argument("--plugin", action="append", default=[], metavar="FILE", help="load a plugin first")
    return top


def value(text: str) -> object:
    """The value of an input: the array of a .npy file, or a literal of Python."""
    if text.endswith(".npy"):
        return np.load(text, allow_pickle=False)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def inputs(texts: list[str]) -> dict[str, object]:
    """The inputs by name."""
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise SystemExit(f"--input {name}: write name=file.npy or name=value, such as x=[1,2]")
    return {name: value(text) for name, _, text in pairs}


def choose(model: oplink.SavedModel, name: str | None) -> Signature:
    """The signature of this name; where none is named, that for serving or the only one."""
    signatures = model.signatures
    if name is None and len(signatures) == 1:
        return next(iter(signatures.values()))
    wanted = name or "serving_default"
    if wanted not in signatures:
        raise SystemExit(f"choose a signature with --signature: {', '.join(signatures) or 'there are none'}")
    return signatures[wanted]


def run(arguments: argparse.Namespace) -> None:
    """The command `run`."""
    feeds = inputs(arguments.input)
    options = {"device": arguments.device, "threads": arguments.threads}
    call: Callable[[], Mapping[str, Tensor]]
    if arguments.model.is_dir():
        signature = choose(oplink.SavedModel(arguments.model, **options), arguments.signature)
        call = lambda: dict(signature(feeds))
    else:
        session = Session(arguments.model, **options)
        fetches = arguments.fetch or session.outputs()
        call = lambda: dict(zip(fetches, session.run(fetches, feeds)))
    times = []
    outputs: Mapping[str, Tensor] = {}
    for _ in range(max(arguments.repeat, 1)):
        start = time.perf_counter()
        outputs = call()
        times.append(time.perf_counter() - start)
    if arguments.repeat > 1:
        print(f"median of {len(times)} runs: {sorted(times)[len(times) // 2] * 1e3:.3f} ms")
    unknown = [name for name in arguments.fetch if name not in outputs]
    if unknown:
        raise SystemExit(f"--fetch {unknown[0]}: the signature has the outputs {', '.join(outputs)}")
    report({name: outputs[name] for name in arguments.fetch or outputs}, arguments.save)


def report(outputs: Mapping[str, Tensor], folder: Path | None) -> None:
    """Prints the outputs, and saves them in a folder."""
    for name, tensor in outputs.items():
        print(f"{name}: {tensor}")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            np.save(folder / (name.replace("/", "_").replace(":", "_") + ".npy"), tensor.numpy())


def show(arguments: argparse.Namespace) -> None:
    """The command `show`."""
    if arguments.model.is_dir():
        for signature in oplink.SavedModel(arguments.model).signatures.values():
            print(signature)
    else:
        session = Session(arguments.model)
        print("inputs:", ", ".join(session.placeholders()))
        print("outputs:", ", ".join(session.outputs()))


def main(arguments: list[str] | None = None) -> None:
    """Runs the command; an error of the runtime is a message and the exit code 1."""
    parsed = parser().parse_args(arguments)
    try:
        for plugin in parsed.plugin:
            oplink.load_plugin(plugin)
        run(parsed) if parsed.command == "run" else show(parsed)
    except (oplink.Error, OSError, TypeError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
