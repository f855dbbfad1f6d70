"""The extension module: it uses nothing of Python but the stable ABI of version 3.9."""
import re
import shutil
import subprocess
import sys
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
PyList_Size PyLong_AsLongLong PyLong_AsSsize_t PyLong_AsVoidPtr PyLong_FromLong PyLong_FromLongLong PyModuleDef_Init
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


def test_folders_that_the_wheel_leaves_out_are_not_used():
    """cmake/groups.cmake leaves folders of src/ out of the wheel: nothing of them is linked here."""
    root = Path(__file__).parents[2]
    listed = re.search(r"UNUSED_BY_PYTHON ([^)]*)\)", (root / "cmake/groups.cmake").read_text()).group(1)
    objects = EXTENSION.parents[2] / "CMakeFiles/daedal_objects.dir/src"
    if not objects.is_dir() or not shutil.which("nm"):
        pytest.skip("the extension is not beside the objects it was made from")
    listing = subprocess.run(["nm", str(EXTENSION)], check=True, capture_output=True, text=True).stdout
    linked = {line.split()[-1] for line in listing.splitlines()}
    if "daedal_solver_create" not in linked:
        pytest.skip("the extension is stripped")
    for folder in listed.split():
        files = [str(path) for path in (objects / folder).glob("*.o")]
        assert files, folder
        defined = subprocess.run(["nm", "--defined-only", "--extern-only", *files], check=True,
                                 capture_output=True, text=True).stdout
        names = {line.split()[-1] for line in defined.splitlines() if " T " in line}
        assert names and not names & linked, (folder, sorted(names & linked)[:5])


def test_groups_hold_every_source_once(tmp_path):
    """What the wheel is compiled from: every source, without two that define one name."""
    root = Path(__file__).parents[2]
    listing = subprocess.run([sys.executable, "-B", str(root / "tools/group_sources.py"), str(root / "src"),
                              str(tmp_path), "plot"], check=True, capture_output=True, text=True).stdout
    included = [name for path in listing.split()
                for name in re.findall(r'#include "(.*)"', Path(path).read_text())]
    expected = [str(path) for path in sorted(root.glob("src/*/*.c")) if path.parent.name != "plot"]
    assert sorted(included) == expected and len(listing.split()) < len(expected) / 2


@pytest.mark.parametrize("first, second, together", [
    ("static int put(int a)\n{ return a; }\n", "static int get(int a)\n{ return a; }\n", True),
    ("static int put(int a)\n{ return a; }\n", "static double *put(void)\n{ return 0; }\n", False),
    ("enum { MOST = 3, LEAST = 1 };\n", "static const double A = 1.0, LEAST = 2.0;\n", False),
    ("#define SIZE 3\n", "#define SIZE 4\n", False),
    ("typedef struct pair { int a; } pair;\n", "struct pair { int b; };\n", False),
    ('#include "f/h.h"\n', "static int in_header(void)\n{ return 1; }\n", False),
    ('#include "f/h.h"\nint a;\n', '#include "f/h.h"\nint b;\n', True),
    ("int a;\n", "#define _GNU_SOURCE\n#include <math.h>\n", False),
    ('const char *a = "static int put(int a)";\n', "static int put(int a)\n{ return a; }\n", True)])
def test_groups_keep_equal_names_apart(tmp_path, first, second, together):
    root = Path(__file__).parents[2]
    folder = tmp_path / "src" / "f"
    folder.mkdir(parents=True)
    (folder / "h.h").write_text("typedef struct x { int a; } in_header;\n")
    (folder / "a.c").write_text(first)
    (folder / "b.c").write_text(second)
    listing = subprocess.run([sys.executable, "-B", str(root / "tools/group_sources.py"), str(tmp_path / "src"),
                              str(tmp_path / "out")], check=True, capture_output=True, text=True).stdout
    assert len(listing.split()) == (1 if together else 2)


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
