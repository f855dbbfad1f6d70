#!/usr/bin/env python3
"""read_results.py STEM - read STEM.csv, .npz, .mat, .json with readers of its own and compare.

The table is the one of test_output_formats.c (function fill_sample).  Only the standard library is
needed; where NumPy and SciPy are installed, they must read the same.
"""
import csv
import json
import math
import struct
import sys
import zipfile

TIME = [0.0, 0.5, 0.5, 1.0]
NAMES = ["x", 'phi["a,b"]', "k", "on", "c", "nx", "nc", "f\u00f6hn"]
UNITS = ["m", "rad", "", "", "kg", "m", "kg", "\u00b0C"]
KINDS = ["real", "real", "integer", "boolean", "real", "real", "real", "real"]
X = [0.1, 1 / 3, -2e-300, 1e22]
PHI = [math.pi, -0.25, 12345678.9, 5e-324]
COLUMNS = [X, PHI, [1, 2, 3, -4], [0, 1, 0, 1], [2.5] * 4, [-x for x in X], [-2.5] * 4, PHI]


def check(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got!r} instead of {wanted!r}")


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    check("csv header", rows[0], ["time"] + NAMES)
    numbers = [[float(x) for x in row] for row in rows[1:]]
    check("csv", [list(c) for c in zip(*numbers)], [TIME] + COLUMNS)


def read_npy(data):
    check("npy magic", data[:8], b"\x93NUMPY\x01\x00")
    length = struct.unpack("<H", data[8:10])[0]
    check("npy alignment", (10 + length) % 64, 0)
    header = eval(data[10:10 + length].decode("ascii"), {"__builtins__": {}})
    body, count = data[10 + length:], math.prod(header["shape"])
    if header["descr"] == "<f8":
        values = list(struct.unpack(f"<{count}d", body))
    elif header["descr"] == "|u1":
        values = list(body)
    else:
        width = 4 * int(header["descr"].removeprefix("<U"))
        check("npy text bytes", len(body), count * width)
        values = [body[k * width:(k + 1) * width].decode("utf-32-le").rstrip("\0")
                  for k in range(count)]
    check("npy count", len(values), count)
    return header["shape"], values


def read_npz(path):
    with zipfile.ZipFile(path) as archive:
        check("zip checksums", archive.testzip(), None)
        arrays = {n.removesuffix(".npy"): read_npy(archive.read(n)) for n in archive.namelist()}
    n, m = len(TIME), len(NAMES)
    check("npz t", arrays["t"], ((n,), TIME))
    check("npz y", arrays["y"], ((n, m), [COLUMNS[j][i] for i in range(n) for j in range(m)]))
    check("npz names", arrays["names"], ((m,), NAMES))
    check("npz units", arrays["units"], ((m,), UNITS))
    kinds = ["real", "integer", "boolean", "enumeration"]
    check("npz kinds", [kinds[k] for k in arrays["kinds"][1]], KINDS)


def read_matrices(data):
    """{name: (rows, columns, flat list by columns)} of a MAT file of version 4."""
    matrices, at = {}, 0
    while at < len(data):
        kind, rows, cols, imaginary, length = struct.unpack_from("<5i", data, at)
        check("mat header", (kind in (0, 20, 51), imaginary), (True, 0))
        name = data[at + 20:at + 20 + length - 1].decode()
        at += 20 + length
        code = {0: "d", 20: "i", 51: "B"}[kind]
        matrices[name] = rows, cols, struct.unpack_from(f"<{rows * cols}{code}", data, at)
        at += rows * cols * struct.calcsize(code)
    return matrices


def texts(matrix):
    rows, cols, flat = matrix
    return [bytes(flat[j * rows:(j + 1) * rows]).decode().rstrip("\0") for j in range(cols)]


def read_mat(path):
    with open(path, "rb") as file:
        matrices = read_matrices(file.read())
    check("mat order", list(matrices),
          ["Aclass", "name", "description", "dataInfo", "data_1", "data_2"])
    rows, cols, flat = matrices["Aclass"]
    lines = ["".join(chr(flat[i + j * rows]) for j in range(cols)).rstrip("\0") for i in range(rows)]
    check("Aclass", lines, ["Atrajectory", "1.1", "", "binTrans"])
    check("mat names", texts(matrices["name"]), ["time"] + NAMES)
    check("mat units", [d.rpartition("[")[2].rstrip("]") for d in texts(matrices["description"])],
          ["s"] + UNITS)
    _, n, info = matrices["dataInfo"]
    rows, cols, series = matrices["data_2"]
    check("mat stored columns", (rows, cols), (1 + 4, len(TIME)))
    table = []
    for j in range(n):
        which, row = info[4 * j:4 * j + 2]
        source = matrices["data_1"] if which == 1 else matrices["data_2"]
        sign, row = (-1 if row < 0 else 1), abs(row) - 1
        values = [sign * source[2][row + k * source[0]] for k in range(source[1])]
        check("constants at start and end", which != 1 or len(values) == 2, True)
        table.append(values if which != 1 else [values[0]] * len(TIME))
    check("mat", table, [TIME] + COLUMNS)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    check("json names", data["names"], NAMES)
    check("json units", data["units"], UNITS)
    check("json kinds", data["kinds"], KINDS)
    check("json time", data["time"], TIME)
    check("json columns", data["columns"], dict(zip(NAMES, COLUMNS)))
    check("json order", list(data["columns"]), NAMES)


def read_with_libraries(stem):
    try:
        import numpy
        import scipy.io
    except ImportError:
        print("notice: NumPy or SciPy is not installed, their readers were not tried")
        return
    data = numpy.load(stem + ".npz")
    check("numpy names", list(data["names"]), NAMES)
    check("numpy y", data["y"].T.tolist(), COLUMNS)
    mat = scipy.io.loadmat(stem + ".mat", chars_as_strings=False)
    check("scipy time", mat["data_2"][0].tolist(), TIME)
    check("scipy x", mat["data_2"][1].tolist(), X)


def main():
    stem = sys.argv[1]
    read_csv(stem + ".csv")
    read_npz(stem + ".npz")
    read_mat(stem + ".mat")
    read_json(stem + ".json")
    read_with_libraries(stem)
    print("the four files agree")


main()
