"""Builds the package again when a source of its crate changed since it was built."""

import importlib
import os
import subprocess


def refresh():
    """Raises ImportError where the crate does not build; what cargo says stands on standard error."""
    if not _is_stale():
        return
    done = subprocess.run(COMMAND, cwd=FOLDER, check=False)
    if done.returncode != 0:
        raise ImportError(f"{__package__} could not be built from its changed sources: {' '.join(COMMAND)} failed")
    importlib.invalidate_caches()


def _is_stale():
    try:
        built = os.stat(os.path.join(os.path.dirname(os.path.abspath(__file__)), "built")).st_mtime_ns
        return any(os.stat(source).st_mtime_ns > built for source in (*MANIFESTS, *_sources()))
    except OSError:
        return True


def _sources():
    """The files that cargo's list names behind the colon; spaces in names stand behind a backslash."""
    with open(DEPENDENCIES, encoding="utf-8") as file:
        listed = [line.rstrip("\n").partition(": ")[2] for line in file]
    names = [name.replace("\0", " ") for line in listed for name in line.replace("\\ ", "\0").split(" ")]
    return [name for name in names if name]

