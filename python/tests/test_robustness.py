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

from daedal import solve_dae


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
