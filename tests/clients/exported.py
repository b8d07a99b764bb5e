"""Prints `docs/c-api-functions.md`: what this library answers for each function that TensorFlow's C library exports.

usage: exported.py LIBRARY DECLINED   DECLINED is what `fuzz/run.py --declined` wrote of the library
`exported.txt` has the functions, with a remark where one has no status by which it could say what the remark says.
"""
import ctypes
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
INCLUDE = HERE.parents[1] / "capi" / "include"

HEAD = """# The functions of the C API

Each of the {count} functions that TensorFlow 2.21's C library exports is exported here; {works} of them work, {declined}
answer `UNIMPLEMENTED` and say why, and {remarked} have a remark. `tests/clients/exported.py` prints this page from the
library itself; the groups are the headers of `capi/include`.
"""


def functions():
    """{name: remark}"""
    lines = (line.rstrip("\n").split(" ", 1) for line in (HERE / "exported.txt").open())
    return {name: rest[0] if rest else "" for name, *rest in lines}


def headers():
    """{name: header that declares it}"""
    found = {}
    for path in sorted((INCLUDE / "oplink" / "c").rglob("*.h")):
        text = re.sub(r"/\*.*?\*/|^#.*?(?<!\\)$", " ", path.read_text(), flags=re.S | re.M)
        for name in re.findall(r"\b(TFE?_\w+)\s*\(", text):
            found.setdefault(name, str(path.relative_to(INCLUDE)))
    return found


def answers(library, declined):
    """{name: answer}"""
    lib = ctypes.CDLL(library)
    made = {}
    for name, remark in functions().items():
        if not hasattr(lib, name):
            made[name] = "not exported"
        elif name in declined:
            made[name] = "`UNIMPLEMENTED`: " + declined[name].removeprefix(f"{name}: ")
        else:
            made[name] = remark or "works"
    return made


def main():
    declined = dict(line.rstrip("\n").split("\t", 1) for line in open(sys.argv[2]))
    made, header_of = answers(sys.argv[1], declined), headers()
    works = sum(answer == "works" for answer in made.values())
    refused = sum(answer.startswith("`UNIMPLEMENTED`") for answer in made.values())
    print(HEAD.format(count=len(made), works=works, declined=refused, remarked=len(made) - works - refused))
    groups = {}
    for name in made:
        groups.setdefault(header_of.get(name, ""), []).append(name)
    for header in sorted(groups, key=lambda header: (not header, header)):
        print(f"## `{header}`\n" if header else "## Declared in no header\n")
        print("| function | answer |\n|---|---|")
        print("\n".join(f"| `{name}` | {made[name]} |" for name in groups[header]), end="\n\n")


main()
