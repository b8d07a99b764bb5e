"""Shows plugins of the two example ops in stock TensorFlow: python tests/plugins/in_tensorflow.py PLUGIN.so...

Each plugin is loaded in processes of its own, by `tf.load_op_library` and by `load_pluggable_device_library`, and all of
them together in one more. Prints a table, a row a check; the exit code is not 0 where one failed.

The ops are OplinkAffine and OplinkJoin, or these names with the suffix C or Cc: whichever the plugin brings.
"""

import json
import os
import subprocess
import sys

SUFFIXES = ["", "C", "Cc"]
METHODS = ["load_op_library", "load_pluggable_device_library"]


def main(arguments):
    if arguments and arguments[0] == "--run":
        return run_here(arguments[1], arguments[2:])
    if not arguments:
        print(__doc__)
        return 2
    plugins = [os.path.abspath(path) for path in arguments]
    columns = [(f"{os.path.basename(path)}\n{method}", method, [path]) for path in plugins for method in METHODS]
    if len(plugins) > 1:
        columns.append((f"all {len(plugins)}\n{METHODS[0]}", METHODS[0], plugins))
    results = {title: run_apart(method, paths) for title, method, paths in columns}
    return print_table([title for title, _, _ in columns], results)


def run_apart(method, paths):
    """The outcome of every check, by name, of a process that loads these plugins."""
    command = [sys.executable, os.path.abspath(__file__), "--run", method, *paths]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("outcome ")]
    outcomes = dict(json.loads(line[len("outcome "):]) for line in lines)
    if done.returncode != 0:
        tail = "\n".join(done.stderr.splitlines()[-8:])
        outcomes["the process ends well"] = f"exit code {done.returncode}\n{tail}"
    else:
        outcomes["the process ends well"] = None
    return outcomes


def print_table(titles, results):
    names = []
    for title in titles:
        names += [name for name in results[title] if name not in names]
    width = max(map(len, names))
    for number, title in enumerate(titles, 1):
        print(f"[{number}] {title.replace(chr(10), ' by ')}")
    print(f"\n{'':{width}}  " + "  ".join(f"[{number}]".center(6) for number in range(1, len(titles) + 1)))
    failures = []
    for name in names:
        cells = []
        for number, title in enumerate(titles, 1):
            outcome = results[title].get(name, "not run")
            cells.append("ok" if outcome is None else "FAILED")
            if outcome is not None:
                failures.append(f"[{number}] {name}: {outcome}")
        print(f"{name:{width}}  " + "  ".join(cell.center(6) for cell in cells))
    for failure in failures:
        print("\n" + failure)
    print(f"\n{len(names) * len(titles) - len(failures)} of {len(names) * len(titles)} checks passed")
    return 1 if failures else 0


def run_here(method, paths):
    """Loads the plugins and prints the outcome of every check."""
    import traceback

    import in_tensorflow_checks as checks

    suffixes = checks.load(method, paths)
    for name, check in checks.CHECKS.items():
        try:
            for suffix in suffixes:
                check(checks.Ops(suffix))
            outcome = None
        except Exception:
            outcome = f"suffix '{suffix}'\n{traceback.format_exc(limit=-3)}"
        print("outcome " + json.dumps([name, outcome]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
