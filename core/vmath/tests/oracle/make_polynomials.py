"""Prints the polynomial coefficients of kernels/cpu/src/support/vector.

Each is a near-minimax fit: interpolation at Chebyshev nodes, refined by Remez exchange, in 60 digits, of the relative error
where `weight` says so. Needs mpmath.
"""

import mpmath as mp

mp.mp.dps = 60


def remez(function, degree, low, high, weight=lambda x: mp.mpf(1), rounds=12):
    """Coefficients, lowest first, that minimise the largest |(p(x) - function(x)) * weight(x)|."""
    low, high = mp.mpf(low), mp.mpf(high)
    count = degree + 2
    nodes = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (i + mp.mpf(1) / 2) / count) for i in range(count)]
    for _ in range(rounds):
        rows = [[x**k for k in range(degree + 1)] + [(-1) ** i / weight(x)] for i, x in enumerate(nodes)]
        solution = mp.lu_solve(mp.matrix(rows), mp.matrix([function(x) for x in nodes]))
        coefficients = [solution[k] for k in range(degree + 1)]

        def error(x):
            return (mp.polyval(coefficients[::-1], x) - function(x)) * weight(x)

        # Extrema on a grid, one between each change of sign.
        grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (24 * count)) for i in range(24 * count + 1)]
        values = [error(x) for x in grid]
        best, current = [], None
        for x, value in zip(grid, values):
            if current is None or (value > 0) != (current[1] > 0):
                if current is not None:
                    best.append(current)
                current = (x, value)
            elif abs(value) > abs(current[1]):
                current = (x, value)
        best.append(current)
        if len(best) < count:
            break
        while len(best) > count:
            best.pop(0 if abs(best[0][1]) < abs(best[-1][1]) else -1)
        nodes = [x for x, _ in best]
    return coefficients, max(abs(v) for v in values)


def show(name, fit, single=True):
    coefficients, error = fit
    digits = 9 if single else 17
    print(f"{name}: error {mp.nstr(error, 3)}")
    for c in coefficients:
        print("   ", mp.nstr(c, digits, strip_zeros=False), ",")


def main():
    half_log2 = mp.log(2) / 2
    # exp(r) = 1 + r + r^2 * q(r)
    show("exp", remez(lambda r: (mp.exp(r) - 1 - r) / r**2 if abs(r) > 1e-12 else mp.mpf(1) / 2, 4, -half_log2 * 1.003, half_log2 * 1.003, lambda r: r**2 + mp.mpf(10) ** -4))
    show("expm1", remez(lambda r: (mp.expm1(r) - r) / r**2 if abs(r) > 1e-12 else mp.mpf(1) / 2, 5, -half_log2 * 1.003, half_log2 * 1.003, lambda r: abs(r) + mp.mpf(10) ** -6))
    # log(1 + f) = f - f^2 / 2 + f^3 * q(f)
    low, high = mp.sqrt(mp.mpf(1) / 2) - 1, mp.sqrt(2) - 1
    show("log", remez(lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3 if abs(f) > 1e-12 else mp.mpf(1) / 3, 7, low * 1.001, high * 1.001, lambda f: f**2 + mp.mpf(10) ** -4))
    # sin(r) = r + r^3 * q(r^2), cos(r) = 1 - r^2 / 2 + r^4 * q(r^2)
    quarter = (mp.pi / 4 * 1.001) ** 2
    show("sin", remez(lambda s: (mp.sin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s if s > 1e-20 else -mp.mpf(1) / 6, 2, 0, quarter, lambda s: s + mp.mpf(10) ** -4))
    show("cos", remez(lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2 if s > 1e-20 else mp.mpf(1) / 24, 2, 0, quarter, lambda s: s**2 + mp.mpf(10) ** -4))
    # asin(r) = r + r^3 * q(r^2), atan(r) = r + r^3 * q(r^2)
    show("asin", remez(lambda s: (mp.asin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s if s > 1e-20 else mp.mpf(1) / 6, 4, 0, mp.mpf("0.2505"), lambda s: s + mp.mpf(10) ** -4))
    eighth = (mp.tan(mp.pi / 8) * 1.0001) ** 2
    show("atan", remez(lambda s: (mp.atan(mp.sqrt(s)) / mp.sqrt(s) - 1) / s if s > 1e-20 else -mp.mpf(1) / 3, 4, 0, eighth, lambda s: s + mp.mpf(10) ** -4))
    # erf(x) = x + x * q(x^2) below 1, 1 - exp(-x * q(x)) above
    show("erf small", remez(lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s) - 1 if s > 1e-20 else 2 / mp.sqrt(mp.pi) - 1, 6, 0, 1))
    show("erf large", remez(lambda x: -mp.log(mp.erfc(x)) / x, 7, 1, 4, lambda x: mp.erfc(x) * x))
    # erfc(a) = t * exp(-a^2) * q(t), t = 2 / (2 + a)
    def scaled_erfc(t):
        a = 2 * (1 - t) / t
        return mp.exp(a * a) * mp.erfc(a) / t

    show("erfc double", remez(scaled_erfc, 12, mp.mpf(2) / mp.mpf("12.2"), 1), False)
    # Double precision for functions that single precision cannot carry.
    show("exp double", remez(lambda r: (mp.exp(r) - 1 - r) / r**2 if abs(r) > 1e-12 else mp.mpf(1) / 2, 7, -half_log2 * 1.003, half_log2 * 1.003, lambda r: r**2 + mp.mpf(10) ** -4), False)
    top = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * 1.002) ** 2
    show("log double", remez(lambda s: mp.atanh(mp.sqrt(s)) / mp.sqrt(s) * 2 if s > 1e-20 else mp.mpf(2), 5, 0, top), False)
    show("atan double", remez(lambda s: (mp.atan(mp.sqrt(s)) / mp.sqrt(s) - 1) / s if s > 1e-20 else -mp.mpf(1) / 3, 6, 0, eighth, lambda s: s + mp.mpf(10) ** -4), False)
    show("sin double", remez(lambda s: (mp.sin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s if s > 1e-20 else -mp.mpf(1) / 6, 3, 0, quarter, lambda s: s + mp.mpf(10) ** -4), False)
    show("cos double", remez(lambda s: (mp.cos(mp.sqrt(s)) - 1 + s / 2) / s**2 if s > 1e-20 else mp.mpf(1) / 24, 3, 0, quarter, lambda s: s**2 + mp.mpf(10) ** -4), False)


main()
