"""Work in a child process that may die: TensorFlow sometimes ends its process over bad inputs."""
import json
import os
import signal
import time
import traceback

# Seconds after which a case of TensorFlow counts as hanging.
PATIENCE = 120


def write(out, **event):
    """Notes an event as a line of JSON."""
    os.write(out, (json.dumps(event) + "\n").encode())


def survive(path, start, work, after):
    """Calls `work(out, start)` in a child that notes each case as an event `begin` before it starts; where the child dies,
    notes `crash` with what `begin` had, and goes on in another child from `after(begin)`."""
    out = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_APPEND, 0o644)
    while True:
        child = os.fork()
        if child == 0:
            end_with(lambda: work(out, start))
        status, hung = _wait(child, path)
        if status == 0:
            return
        last = _last_begun(path)
        if last is None or os.WIFEXITED(status):
            raise SystemExit(f"the worker failed with status {status} at {last}")
        how = "hangs" if hung else f"dies of signal {os.WTERMSIG(status)}"
        write(out, **{**last, "event": "crash", "how": how})
        start = after(last)


def end_with(work):
    """Calls `work` and ends this process, in place of going on as a copy of its parent."""
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _wait(child, path):
    """The child's status, and whether it was ended because it hung."""
    size, since = -1, time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status, False
        if os.path.getsize(path) != size:
            size, since = os.path.getsize(path), time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1], True
        time.sleep(0.05)


def _last_begun(path):
    with open(path, "rb") as lines:
        begun = [line for line in lines if b'"event": "begin"' in line]
    return json.loads(begun[-1]) if begun else None
