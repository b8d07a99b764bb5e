"""Makes `joe_kuo.bin` of the table `new-joe-kuo-6.21201`, which is at https://web.maths.unsw.edu.au/~fkuo/sobol/.

usage: make_joe_kuo.py TABLE > joe_kuo.bin

Of the dimensions from 2 on, in order, each with a primitive polynomial of degree s, the file has bits, from the lowest of
the first byte on: the s - 1 inner coefficients of the polynomial (the column `a`), and of the numbers m_2 to m_s, which are
odd and of at most i bits, the i - 1 bits above the lowest one.
"""
import sys

DIMENSIONS = 21200

bits, count = 0, 0
parts = []
with open(sys.argv[1]) as table:
    rows = [[int(number) for number in line.split()] for line in table.readlines()[1:]]
for dimension, (number, degree, inner, *numbers) in enumerate(rows[: DIMENSIONS - 1], 2):
    assert number == dimension and len(numbers) == degree and numbers[0] == 1
    parts.append((inner, degree - 1))
    parts += [(value >> 1, at) for at, value in enumerate(numbers) if at > 0]
out = bytearray()
for value, width in parts:
    assert value < 1 << width or width == 0
    bits |= value << count
    count += width
    while count >= 8:
        out.append(bits & 255)
        bits >>= 8
        count -= 8
out.append(bits)
sys.stdout.buffer.write(out)
