"""Lines `host | op | feature | result` from standard input, as a table: a row an op, a column a host, and in it how many
checks went well, `-` for what the host has not, and what failed below."""

import sys

hosts, rows, failed, notes = [], {}, [], {}
for line in sys.stdin:
    parts = [part.strip() for part in line.split(" | ", 3)]
    if len(parts) != 4:
        continue
    host, op, feature, result = parts
    if host not in hosts:
        hosts.append(host)
    cell = rows.setdefault(op, {}).setdefault(host, [0, 0, 0])
    if result.startswith("FAILED"):
        cell[2] += 1
        failed.append(line.strip())
    elif result.startswith("-"):
        cell[1] += 1
        notes.setdefault(f"{host}: {result[2:]}", []).append(f"{op} {feature}")
    else:
        cell[0] += 1


def shown(cell):
    if cell is None:
        return ""
    ok, none, bad = cell
    return " ".join(filter(None, [f"{ok} ok" if ok else "", f"{none} -" if none else "", f"{bad} FAILED" if bad else ""]))


width = max(map(len, rows)) if rows else 2
print("op".ljust(width), *(host.ljust(14) for host in hosts), sep=" | ")
for op, cells in rows.items():
    print(op.ljust(width), *(shown(cells.get(host)).ljust(14) for host in hosts), sep=" | ")
total = {host: [sum(cells.get(host, [0, 0, 0])[at] for cells in rows.values()) for at in range(3)] for host in hosts}
print("all".ljust(width), *(shown(total[host]).ljust(14) for host in hosts), sep=" | ")
print()
for note, where in notes.items():
    print(f"- {note} ({', '.join(where[:4])}{', …' if len(where) > 4 else ''})")
for line in failed:
    print(line)
sys.exit(1 if failed or not rows else 0)
