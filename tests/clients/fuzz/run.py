"""Calls every function of the C headers with arguments that no client should pass: each must answer, with a status where it
has one, and never end the process, panic or hang. A child process does the calls, so that a crash is told by function and arguments.

usage: run.py LIBRARY [--calls N] [--seed S] [--only FUNCTION [--call I]] [--declined FILE]"""
import argparse
import ctypes as C
import mmap
import os
import random
import resource
import select
import signal
import sys
import tempfile
import threading
import time

import headers
from arguments import Arguments
from world import INSIDE, Library, World

JOURNAL = 1 << 16
HANGS_AFTER = 30  # seconds
UNIMPLEMENTED = 12
# Functions that take a status to read it, or have nothing to refuse.
ALWAYS_OK = {"TF_DeleteSession", "TF_DeleteStatus", "TF_GetAllRegisteredKernels", "TF_GetCode", "TF_Message", "TF_OpKernelConstruction_Failure",
             "TF_OpKernelContext_Failure"}


class Child:
    """The calls of one process, each noted in the journal before it is made."""

    def __init__(self, options, journal, errors):
        self.options, self.journal, self.errors = options, journal, errors
        self.functions, self.enums = headers.declared()
        lib = C.CDLL(options.library, mode=C.RTLD_GLOBAL)
        self.library = Library(lib, self.functions, self.enums)

    def note(self, name, index, text):
        data = f"{name}\t{index}\t{text}".encode()[: JOURNAL - 8]
        self.journal[:8] = len(data).to_bytes(8, "little")
        self.journal[8 : 8 + len(data)] = data

    def call(self, name, index):
        """The status's code, or None where the function was given none."""
        rng = random.Random(f"{self.options.seed}/{name}/{index}")
        world = World(self.library, rng)
        arguments = Arguments(world, self.functions[name], self.enums)
        self.note(name, index, "(objects for it)")
        inside = [a.base for a in self.functions[name].arguments if a.base in INSIDE]
        if inside and rng.random() < 0.9:
            return self.called_inside(world, arguments, name, index, inside[0])
        return self.made(world, arguments, name, index)

    def called_inside(self, world, arguments, name, index, kind):
        codes = []

        def body(context):
            arguments.lent = context
            try:
                codes.append(self.made(world, arguments, name, index))
            except Exception as problem:  # noqa: BLE001: it would end in the callback
                codes.append(problem)

        assert world.inside(kind, body), f"{kind} was not lent: {self.message(world.status)}"
        if isinstance(codes[0], Exception):
            raise codes[0]
        return codes[0]

    def made(self, world, arguments, name, index):
        values, texts = arguments.make()
        self.note(name, index, ", ".join(texts))
        if world.rng.random() < 0.1:
            thread = threading.Thread(target=self.library.bound[name], args=values)
            thread.start()
            thread.join()
        else:
            self.library.bound[name](*values)
        return self.check(arguments.status)

    def message(self, status):
        text = self.library.TF_Message(status)
        return C.string_at(text) if text else b""

    def check(self, status):
        text = os.pread(self.errors, 1 << 16, 0)
        assert b"panicked" not in text, text.decode(errors="replace")
        if status is None:
            return None
        code = self.library.TF_GetCode(status)
        message = self.message(status)
        if code == UNIMPLEMENTED:
            self.refusal = message.decode(errors="replace").splitlines()[0]
        assert code == 0 or message, f"code {code} without a message"
        assert b"panicked" not in message, message
        return code

    def run(self, names, first, results):
        """Calls these functions; the first from a call other than the first on."""
        for name in names:
            codes = []
            if self.library.bound[name] is None:
                os.write(results, f"P{name} is declared and not exported\nD{name}\t0\t0\n".encode())
                continue
            indexes = [self.options.call] if self.options.call is not None else range(first, self.options.calls)
            for index in indexes:
                try:
                    codes.append(self.call(name, index))
                except AssertionError as problem:
                    os.write(results, f"P{name}\t{index}\t{problem}\n".encode())
            first = 0
            if UNIMPLEMENTED in codes and 0 not in codes:
                os.write(results, f"U{name}\t{self.refusal}\n".encode())
            errors = sum(code not in (None, 0) for code in codes)
            os.write(results, f"D{name}\t{len(codes)}\t{errors}\n".encode())


def child(options, journal, names, first, results):
    """What the forked process does; it never returns."""
    os.chdir(tempfile.mkdtemp(dir=options.work))
    errors = os.open("errors", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.dup2(errors, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not options.unlimited:
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
    status = 0
    try:
        Child(options, journal, errors).run(names, first, results)
    except BaseException as problem:  # noqa: BLE001: told to the parent, whatever it is
        os.write(results, f"X{type(problem).__name__}: {problem}\n".encode())
        status = 1
    os._exit(status)


class Parent:
    def __init__(self, options):
        self.options, self.problems, self.calls, self.errors, self.declined = options, [], {}, {}, {}
        self.journal = mmap.mmap(-1, JOURNAL)

    def last(self):
        length = int.from_bytes(self.journal[:8], "little")
        return self.journal[8 : 8 + length].decode(errors="replace").split("\t", 2)

    def wait(self, pid, reader):
        """How the child ended; kills it where nothing happens any more."""
        seen, since, text = None, time.monotonic(), b""
        while True:
            ready, _, _ = select.select([reader], [], [], 1)
            if ready:
                data = os.read(reader, 1 << 16)
                if not data:
                    return os.waitpid(pid, 0)[1], text
                text += data
            if self.journal[: 1 << 12] != seen:
                seen, since = self.journal[: 1 << 12], time.monotonic()
            elif time.monotonic() - since > HANGS_AFTER:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return None, text

    def take(self, text):
        for line in text.decode(errors="replace").splitlines():
            kind, rest = line[:1], line[1:].split("\t")
            if kind == "D":
                self.calls[rest[0]] = self.calls.get(rest[0], 0) + int(rest[1])
                self.errors[rest[0]] = self.errors.get(rest[0], 0) + int(rest[2])
            elif kind == "U":
                self.declined[rest[0]] = rest[1]
            else:
                self.problems.append(line[1:])

    def run(self, names):
        names, first, crashes = list(names), 0, {}
        while names:
            self.journal[:8] = bytes(8)
            reader, writer = os.pipe()
            pid = os.fork()
            if pid == 0:
                os.close(reader)
                child(self.options, self.journal, names[:CHUNK], first, writer)
            os.close(writer)
            ended, text = self.wait(pid, reader)
            os.close(reader)
            self.take(text)
            if ended == 0:
                names, first = names[CHUNK:], 0
                continue
            how = "hangs" if ended is None else f"ends the process ({describe(ended)})"
            last = self.last()
            if len(last) < 3:
                self.problems.append(f"{how} before the first call: {text.decode(errors='replace')}")
                return
            name, index, arguments = last
            self.problems.append(f"{name}\t{index}\t{how}: {name}({arguments})")
            crashes[name] = crashes.get(name, 0) + 1
            names = names[names.index(name) :]
            first = int(index) + 1
            if crashes[name] >= 3 or self.options.call is not None:
                self.calls[name], names, first = int(index), names[1:], 0


CHUNK = 24


def describe(status):
    return signal.Signals(status & 127).name if status & 127 else f"exit {status >> 8}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only")
    parser.add_argument("--call", type=int)
    parser.add_argument("--declined", help="where to write the functions that only ever answer UNIMPLEMENTED, with the reason")
    parser.add_argument("--unlimited", action="store_true", help="no limit of memory, for sanitizers")
    options = parser.parse_args()
    options.library = os.path.realpath(options.library)
    functions, enums = headers.declared()
    names = [options.only] if options.only else sorted(functions)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as options.work:
        parent = Parent(options)
        parent.run(names)
    told = [name for name in names if functions[name].arguments and functions[name].arguments[-1].type == "TF_Status*"]
    silent = [] if options.only else [name for name in told if not parent.errors.get(name) and name not in ALWAYS_OK]
    parent.problems += [f"{name}\t\tnever answered with an error" for name in silent]
    parent.problems += [f"{name}\t\twas not called" for name in names if name not in parent.calls]
    if options.declined:
        with open(options.declined, "w") as file:
            file.writelines(f"{name}\t{why}\n" for name, why in sorted(parent.declined.items()))
    for problem in parent.problems:
        print(problem.replace("\t", " "))
    print(f"fuzz: {len(parent.calls)} functions, {sum(parent.calls.values())} calls, {sum(parent.errors.values())} errors "
          f"told, {len(parent.problems)} problems, {time.monotonic() - start:.0f} s")
    sys.exit(bool(parent.problems))


main()
