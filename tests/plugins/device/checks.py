"""Checks plugins with devices: python tests/plugins/device/checks.py SIM.so C.so

Each plugin is called through its C interface in one process and loaded into TensorFlow in others, with several seeds and
lengths of the simulated accelerator's delays. Prints a table, a row a check; the exit code is not 0 where one failed.
"""

import json
import os
import subprocess
import sys

DELAYS = [("0", "1"), ("50", "1"), ("400", "2")]


def main(arguments):
    if arguments and arguments[0] == "--run":
        return run_here(*arguments[1:])
    if len(arguments) != 2:
        print(__doc__)
        return 2
    sim, device_c = map(os.path.abspath, arguments)
    columns = [(f"{os.path.basename(path)}, its C interface called by hand", "abi", path, {}) for path in (sim, device_c)]
    for delay, seed in DELAYS:
        settings = {"OPLINK_SIM_DELAY_US": delay, "OPLINK_SIM_SEED": seed}
        columns.append((f"{os.path.basename(sim)} in TensorFlow, delays up to {delay} us", "sim", sim, settings))
    columns.append((f"{os.path.basename(device_c)} in TensorFlow", "c", device_c, {}))
    columns.append((f"{os.path.basename(sim)} in TensorFlow, networks", "models", sim, {}))
    processes = [start(mode, path, settings) for _, mode, path, settings in columns]
    results = {column[0]: outcomes(process) for column, process in zip(columns, processes)}
    return print_table([title for title, *_ in columns], results)


def start(mode, path, settings):
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", **settings)
    if mode == "abi":
        environment.update(OPLINK_SIM_TIMEOUT_MS="300", OPLINK_SIM_MEMORY=str(16 << 20))
    command = [sys.executable, os.path.abspath(__file__), "--run", mode, path]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def outcomes(process):
    """The outcome of every check of a process, by name: None, or what failed."""
    try:
        stdout, stderr = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        stdout, stderr = process.communicate()
    lines = [line for line in stdout.splitlines() if line.startswith("outcome ")]
    found = dict(json.loads(line[len("outcome "):]) for line in lines)
    tail = "\n".join(stderr.splitlines()[-12:])
    found["the process ends well"] = f"exit code {process.returncode}\n{tail}" if process.returncode else None
    return found


def print_table(titles, results):
    names = []
    for title in titles:
        names += [name for name in results[title] if name not in names]
    names.append(names.pop(names.index("the process ends well")))
    width = max(map(len, names))
    for number, title in enumerate(titles, 1):
        print(f"[{number}] {title}")
    print(f"\n{'':{width}}  " + "  ".join(f"[{number}]".center(6) for number in range(1, len(titles) + 1)))
    passed, failures = 0, []
    for name in names:
        cells = []
        for number, title in enumerate(titles, 1):
            outcome = results[title].get(name, "-")
            passed += outcome is None
            cells.append("ok" if outcome is None else "-" if outcome == "-" else "FAILED")
            if cells[-1] == "FAILED":
                failures.append(f"[{number}] {name}: {outcome}")
        print(f"{name:{width}}  " + "  ".join(cell.center(6) for cell in cells))
    for failure in failures:
        print("\n" + failure)
    print(f"\n{passed} checks passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


def run_here(mode, path):
    """Runs the checks of a mode and prints the outcome of each."""
    if mode == "abi":
        import abi
        import abi_checks
        plugin = abi.Plugin(path)
        is_sim = hasattr(plugin.library, "oplink_sim_counters")
        checks = {name: function for name, (function, sim_only) in abi_checks.CHECKS.items() if is_sim or not sim_only}
        return report(checks, plugin)
    import in_tensorflow
    if mode == "models":
        import models_in_tensorflow
        return report(models_in_tensorflow.MODELS, in_tensorflow.load(path))
    return report(in_tensorflow.SIM if mode == "sim" else in_tensorflow.C, in_tensorflow.load(path))


def report(checks, subject):
    import traceback
    for name, check in checks.items():
        try:
            check(subject)
            outcome = None
        except Exception:
            outcome = traceback.format_exc(limit=-3)
        print("outcome " + json.dumps([name, outcome]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
