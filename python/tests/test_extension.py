"""The extension module: it uses nothing of Python but the stable ABI of version 3.9."""
import shutil
import subprocess
from pathlib import Path

import pytest

import daedal

EXTENSION = Path(daedal.__file__).parent / "_native.abi3.so"
# Symbols that were compared with the table of the stable ABI (Doc/data/stable_abi.dat of CPython): all
# of them exist since 3.9 or earlier.  Those with an underscore are what its macros expand to.
STABLE = set("""
PyBool_FromLong PyByteArray_FromStringAndSize PyBytes_AsString PyCapsule_GetPointer PyCapsule_New
PyDict_GetItemString PyDict_New PyDict_Next PyDict_SetItem PyDict_SetItemString PyErr_CheckSignals
PyErr_Clear PyErr_ExceptionMatches PyErr_Fetch PyErr_Format PyErr_NoMemory PyErr_Occurred
PyErr_Restore PyErr_SetNone PyErr_SetObject PyErr_SetString PyEval_RestoreThread PyEval_SaveThread
PyExc_KeyboardInterrupt PyExc_RuntimeError PyExc_TypeError PyExc_ValueError PyFloat_AsDouble
PyFloat_FromDouble PyGILState_Ensure PyGILState_Release PyList_Append PyList_GetItem PyList_New
PyList_Size PyLong_AsLongLong PyLong_AsVoidPtr PyLong_FromLong PyLong_FromLongLong PyModuleDef_Init
PyOS_snprintf PyObject_Call PyObject_GetAttr PyObject_GetAttrString PyObject_SetItem PyObject_Size
PyTuple_GetItem PyTuple_New PyTuple_SetItem PyTuple_Size PyType_GetFlags PyUnicode_DecodeUTF8
PyUnicode_FromString PyUnicode_InternFromString _PyArg_ParseTuple_SizeT _PyObject_CallFunction_SizeT
_Py_BuildValue_SizeT _Py_Dealloc _Py_EllipsisObject _Py_FalseStruct _Py_NoneStruct _Py_TrueStruct
""".split())


def imported():
    if not shutil.which("nm"):
        pytest.skip("nm is not installed")
    listing = subprocess.run(["nm", "-D", "--undefined-only", str(EXTENSION)], check=True,
                             capture_output=True, text=True).stdout
    return {line.split()[-1] for line in listing.splitlines()}


def test_symbols_are_those_of_the_stable_abi():
    names = {name for name in imported() if name.startswith(("Py", "_Py"))}
    assert names and names <= STABLE, sorted(names - STABLE)


def test_nothing_of_numpy_is_linked():
    assert not any("npy" in name.lower() or "PyArray" in name for name in imported())


def test_one_symbol_is_exported():
    listing = subprocess.run(["nm", "-D", "--defined-only", str(EXTENSION)], check=True,
                             capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in listing.splitlines()}
    assert names - {"_init", "_fini"} == {"PyInit__native"}


def test_wheel_carries_what_it_needs(monkeypatch):
    """Every library beyond the C library goes into the wheel, with the licence where Debian has one."""
    import sys
    backend = Path(__file__).parents[1] / "backend"
    if not shutil.which("ldd"):
        pytest.skip("ldd is not installed")
    monkeypatch.syspath_prepend(str(backend))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import wheel_backend
    files = wheel_backend.collect(EXTENSION.parent)
    needed = subprocess.run(["ldd", str(EXTENSION)], check=True, capture_output=True, text=True).stdout
    names = {line.split()[0] for line in needed.splitlines() if "=>" in line}
    system = {name for name in names if name.startswith(("libc.", "libm.", "libdl.", "libpthread.", "librt.",
                                                         "libgcc_s.", "linux-vdso", "ld-linux"))}
    carried = {Path(name).name for name in files if ".so" in name and "_native" not in name}
    assert carried == names - system
    assert any(name.startswith("libklu") for name in carried)
    licences = [name for name in files if "/licenses/" in name]
    assert any("daedal" in name for name in licences)
    if shutil.which("dpkg-query"):
        assert any("klu" in name for name in licences) and any("btf" in name for name in licences)
