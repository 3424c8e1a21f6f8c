#!/usr/bin/env python3
"""Finds the tables of a GPU's special function unit in what record.cu recorded, and prints special-functions.txt.

A result is a polynomial's value, cut off: (C0 << shift) + C1 * place + (C2 * square << more) + bias. For each interval of a function, all C1 and C2 near
the derivatives are tried; the results of all places leave one pair, and one C0. Needs numpy.
Usage: fit.py FOLDER > special-functions.txt
"""
import math
import sys

import numpy as np

PLACES = np.arange(1 << 17, dtype=np.int64)
TURN = 0xa2f983


def square(place):
    """The square of 17 bits over 2^19 as the unit adds it up: partial products without their last 18 bits."""
    total = np.zeros_like(place)
    for i in range(17):
        total += np.where(place >> i & 1, place >> 18 - i, 0)
    return total >> 1


def load(name):
    return np.fromfile(f"{sys.argv[1]}/{name}", dtype=np.uint32).astype(np.int64)


def row(places, squares, low, high, more, first, second, shift, bias, wide=(12, 40)):
    """The coefficients for which low <= value < high everywhere; fails unless there is one pair of C1 and C2 and one C0."""
    few = np.unique(np.linspace(0, len(places) - 1, 1024).astype(np.int64))
    found = []
    for c2 in range(round(second) - wide[1], round(second) + wide[1] + 1):
        for c1 in range(round(first) - wide[0], round(first) + wide[0] + 1):
            at = c1 * places[few] + (c2 * squares[few] << more)
            if (low[few] - at).max() < (high[few] - at).min():
                at = c1 * places + (c2 * squares << more)
                least, end = int((low - at).max()), int((high - at).min())
                c0 = -((bias - least) >> shift)
                if least < end and (c0 << shift) + bias < end:
                    found.append((c0, c1, c2))
    if len(found) != 1:
        raise SystemExit(f"{len(found)} solutions near {first}, {second}: {found}")
    return found[0]


def cut_off(results, down):
    """What a value that is shifted down to such results lies between."""
    return results << down, results + 1 << down


def show(name, rows):
    for one in rows:
        print(name, *one)


def significand(results):
    return results & 0x7fffff | 0x800000


def rcp():
    results = load("rcp-3f800000") - 0x3f000000 + (1 << 23)
    places = PLACES[:1 << 16]
    for i in range(128):
        t = 1 + i / 128
        yield row(places, square(places << 1), *cut_off(results[i << 16:i + 1 << 16], 15), 0, -65536 / t ** 2, 1024 / t ** 3, 13, 0x7e7)


def rsqrt():
    results = load("rsqrt-3f800000") - 0x3f000000 + (1 << 23)
    for i in range(128):
        # The unit knows the roots of powers of four without the table.
        first = 1 if i == 0 else 0
        wide = 1 + i // 64
        t = wide * (1 + i % 64 / 64)
        places = PLACES[first:]
        low, high = cut_off(results[(i << 17) + first:i + 1 << 17], 16)
        yield row(places, square(places), low, high, 2, -65536 * wide * t ** -1.5, 768 * wide ** 2 * t ** -2.5, 14, 0x3fff)


def sqrt():
    results = load("sqrt-3f800000") - 0x3f800000 + (1 << 23)
    for i in range(128):
        wide = 1 + i // 64
        t = wide * (1 + i % 64 / 64)
        low, high = cut_off(results[i << 17:i + 1 << 17], 18 - wide)
        yield row(PLACES, square(PLACES), low, high, 0, 65536 * t ** -0.5, -1024 * wide * t ** -1.5, 16 - wide, 0x7fff >> wide - 1)


def ex2():
    results = load("ex2-3f800000") - 0x40000000 + (1 << 23)
    for i in range(64):
        t = 2 ** (i / 64)
        yield row(PLACES, square(PLACES), *cut_off(results[i << 17:i + 1 << 17], 15), 0, math.log(2) * t * 2 ** 15, math.log(2) ** 2 * t * 2 ** 10, 13, 0x17e2)


def lg2():
    results = load("lg2-40000000") & 0x7fffff
    for i in range(64):
        t = 1 + i / 64
        yield row(PLACES, square(PLACES), *cut_off(results[i << 17:i + 1 << 17], 15), 1, 2 ** 15 / math.log(2) / t, -512 / math.log(2) / t ** 2, 12, 0x345)


def sin():
    results = load("sin-3f800000")
    sources = np.arange(len(results), dtype=np.int64) + 0x3f800000
    product = significand(sources) * TURN
    longer = product >> 47
    # Turns in units of 2^-25, cut off twice.
    down = 150 - 25 - (sources >> 23) - 0x7c + 127 - longer
    fixed = product >> 23 + longer >> np.maximum(down, 0) << np.maximum(-down, 0)
    fraction = np.where(fixed >> 23 & 1, ~fixed, fixed) & 0x7fffff
    exponent = results >> 23 & 0xff
    # Results are normalized: a small one has more bits of the value than a large one.
    down = 14 - (127 - exponent)
    low = np.where(down >= 0, significand(results) << np.maximum(down, 0), significand(results) >> np.clip(-down, 0, 62))
    high = np.where(down >= 0, significand(results) + 1 << np.maximum(down, 0), low + 1)
    for i in range(64):
        some = np.nonzero(fraction >> 17 == i)[0]
        places = fraction[some] & 0x1ffff
        angle = i / 128 * math.pi
        yield row(places, square(places), low[some], high[some], 0, math.pi / 4 * math.cos(angle) * 2 ** 15, -math.pi ** 2 / 16 * math.sin(angle) * 2 ** 11, 11, 0)


def tanh():
    results = load("tanh-3b800000").reshape(11, 1 << 23)
    for binade, left_out in enumerate((6, 6, 6, 5, 5, 4, 4, 4, 3, 2, 3)):
        results_of = results[binade][::1 << left_out]
        top = min(119 + binade, 126)
        for i in range(len(results_of) >> 17):
            some = results_of[i << 17:i + 1 << 17]
            # In units of 2^-16 of the last place that numbers have just below the power of two that ends the binade.
            up = 16 - (top - (some >> 23))
            low, high = significand(some) << up, significand(some) + 1 << up
            squares = square(PLACES)
            middle = (low + high) / 2
            weights = 1 / (high - low)
            guess = np.linalg.lstsq(np.stack([np.ones(1 << 17), PLACES, squares], 1) * weights[:, None], middle * weights, rcond=None)[0]
            # The unit keeps the first derivative's 16 bits or so; the last zeros stand for what it leaves out.
            yield row_with_zeros(squares, low, high, guess)


def row_with_zeros(squares, low, high, guess):
    for zeros in range(9, -1, -1):
        unit = 1 << zeros
        c1, c2 = (unit * round(g / unit) for g in guess[1:])
        at = c1 * PLACES + c2 * squares
        least, end = int((low - at).max()), int((high - at).min())
        c0 = -(-least >> 16)
        if least < end and c0 << 16 < end:
            return c0, c1, c2
    raise SystemExit(f"no solution near {guess}")


for function in (rcp, rsqrt, sqrt, ex2, lg2, sin, tanh):
    show(function.__name__, function())
