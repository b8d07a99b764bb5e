"""Compares oplink with TensorFlow: starts the workers, gathers what they found, prints it.

usage: diff.py SERVER [--factor F] [--seed N] [--jobs N] [--page FILE] [--keep FOLDER] [OP...]
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import report
import results
from uncovered import UNCOVERED


def main():
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(arguments.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        paths = _work(arguments, folder)
        found = results.gather(paths)
        seconds = time.monotonic() - started
    lines = report.problems(found, UNCOVERED, not arguments.ops, arguments.page is not None)
    print(report.failures(found))
    print(report.summary(found, seconds))
    for line in lines:
        print(f"FAILED {line}")
    if arguments.page and not arguments.ops:
        page = pathlib.Path(arguments.page)
        page.write_text(report.markdown(found, UNCOVERED, page.read_text() if page.exists() else ""))
    sys.exit(1 if lines else 0)


def _arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--factor", type=float, default=1.0, help="multiplies the number of cases of every op")
    parser.add_argument("--seed", type=int, default=1)
    # TensorFlow and oplink wait for one another: two workers keep a processor busy.
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
    parser.add_argument("--page", help="the page to write")
    parser.add_argument("--keep", help="where to leave the workers' files")
    parser.add_argument("ops", nargs="*")
    return parser.parse_intermixed_args()


def _work(arguments, folder):
    """Runs the workers to their end; the files they wrote."""
    worker = pathlib.Path(__file__).with_name("worker.py")
    environment = os.environ | {"PYTHONWARNINGS": "ignore", "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    # What cases write lies there, apart from that of other runs.
    files = folder / "files"
    files.mkdir(exist_ok=True)
    environment["TMPDIR"] = str(files)
    # The ops that workers have begun, which an earlier run may have left.
    shutil.rmtree(folder / "claims", ignore_errors=True)
    paths, running = [], []
    for share in range(arguments.jobs):
        path = folder / f"share-{share}.jsonl"
        command = [sys.executable, str(worker), arguments.server, str(path), str(arguments.seed), str(arguments.factor), *arguments.ops]
        log = open(folder / f"share-{share}.log", "w")
        running.append((subprocess.Popen(command, env=environment, stdout=log, stderr=log), log))
        paths.append(path)
    for process, log in running:
        if process.wait() != 0:
            sys.exit(f"a worker failed, see the end of its log:\n{pathlib.Path(log.name).read_text()[-3000:]}")
    return paths


if __name__ == "__main__":
    main()
