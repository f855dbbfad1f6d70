"""Exceptions, interrupts, threads, fork, nesting, memory."""
import gc
import os
import resource
import signal
import threading
import time
import traceback

import numpy as np
import pytest

from daedal import Model, solve_dae


def decay(t, y, yp):
    return yp + y


class Special(Exception):
    pass


def test_exceptions_come_out_unchanged():
    error = Special("mine")

    def fun(t, y, yp):
        if t > 0.3:
            raise error
        return yp + y
    with pytest.raises(Special) as caught:
        solve_dae(fun, (0, 1), [1.0])
    assert caught.value is error
    assert "fun" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]


def interrupt_after(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("trace", [False, True])
def test_interrupt_keeps_the_part_before(trace):
    fun = lambda t, y, yp: [yp[0] - y[1], yp[1] + 100.0 * y[0]]
    timer = interrupt_after(0.4)
    began = time.monotonic()
    res = solve_dae(fun, (0, 1e9), [1.0, 0.0], trace=trace, t_eval=np.linspace(0, 1e9, 10**6))
    timer.join()
    assert res.status == 2 and not res.success and "Ctrl-C" in res.message
    assert time.monotonic() - began < 3.0  # a busy machine; 0.02 s at rest
    assert res.y.shape[0] == 2


OSCILLATOR = """model M parameter Real k = 100; Real x(start = 1, fixed = true); Real v(start = 0, fixed = true);
equation der(x) = v; der(v) = -k*x; end M;"""
LONG = (0.0, 1e9)
MEASURED = {"time": np.linspace(0.0, 1e9, 5), "x": np.ones(5)}
STUDIES = {
    "simulate": lambda m: m.simulate(LONG),
    "sensitivities": lambda m: m.sensitivities(["k"], LONG),
    "sweep": lambda m: m.sweep({"k": [90.0, 100.0, 110.0]}, LONG, threads=1),
    "sweep in threads": lambda m: m.sweep({"k": [90.0, 100.0, 110.0]}, LONG, threads=2, one_by_one=True),
    "fit": lambda m: m.fit({"k": 90.0}, MEASURED),
    "advance": lambda m: m.begin(LONG).advance(1e9),
}


@pytest.mark.parametrize("study", STUDIES)
def test_interrupt_of_studies(study):
    model = Model.from_text(OSCILLATOR)
    timer = interrupt_after(0.2)
    began = time.monotonic()
    try:
        res = STUDIES[study](model)
    except KeyboardInterrupt:
        res = None
    timer.join()
    assert time.monotonic() - began < 3.0
    if study == "advance":
        assert res is None  # the run can go on: its state is that of the last step
    elif study == "fit":
        assert not res.has_converged and "stopped" in res.message and abs(res["k"] - 90.0) < 1.0
    elif study.startswith("sweep"):
        assert res.interrupted and not res.success.any() and len(res) == 3
    else:
        assert not res.success and "Ctrl-C" in res.message
        assert model.simulate((0.0, 1.0)).success


def test_threads():
    results = {}

    def work(k):
        results[k] = solve_dae(decay, (0, 1), [1.0 + k], trace=k % 2 == 0).y[0, -1]
    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(abs(results[k] - (1.0 + k) * np.exp(-1)) < 1e-4 for k in range(8))


def test_nested_solves():
    def outer(t, y, yp):
        inner = solve_dae(decay, (0, 1), [1.0], trace=False)
        return yp + y * inner.y[0, -1] * np.e
    res = solve_dae(outer, (0, 1), [1.0], trace=False)
    assert abs(res.y[0, -1] - np.exp(-1)) < 1e-4


def test_fork():
    pid = os.fork()
    if pid == 0:
        good = solve_dae(decay, (0, 1), [1.0]).success
        os._exit(0 if good else 1)
    assert os.waitpid(pid, 0)[1] == 0


@pytest.mark.parametrize("trace", [False, "auto"])
def test_memory_stays_flat(trace):
    def solve(count):
        for k in range(count):
            solve_dae(decay, (0, 1), [1.0], trace=trace, t_eval=[0.5, 1.0])
            try:
                solve_dae(lambda t, y, yp: 1 / 0, (0, 1), [1.0], trace=False)
            except ZeroDivisionError:
                pass
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    solve(200)
    before = solve(1)
    assert solve(400) - before < 3000  # kB; flat over 10 000 solves, see docs/python/README.md
