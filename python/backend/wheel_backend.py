"""A build backend (PEP 517) that makes a wheel with CMake and the standard library alone.

`pip install .` calls build_wheel: CMake configures and builds the extension, which is zipped with the
Python files and with the shared libraries it needs beyond those of the C library.  KLU and BTF are
under the LGPL: they stay shared objects that a user can replace, and their licences go with them.
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAG = "cp39-abi3"
# What every Linux has: the C library and the compiler's support library.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s)\.so|ld-linux|linux-vdso")
NEEDED = re.compile(r"^\s*(\S+) => (/\S+)", re.M)


def version():
    text = (ROOT / "include/daedal.h").read_text()
    return ".".join(re.search(rf"#define DAEDAL_VERSION_{part} (\d+)", text).group(1)
                    for part in ("MAJOR", "MINOR", "PATCH"))


def platform():
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: daedal", f"Version: {version()}",
             "Summary: Solve differential-algebraic equations F(t, y, y') = 0 of any index",
             "License: BSD-3-Clause", "Requires-Python: >=3.9", "Requires-Dist: numpy",
             "Description-Content-Type: text/markdown", "", (ROOT / "README.md").read_text()]
    return "\n".join(lines)


def wheel_text():
    return (f"Wheel-Version: 1.0\nGenerator: daedal\nRoot-Is-Purelib: false\nTag: {TAG}-{platform()}\n")


def build_extension(folder):
    """Configure and build in `folder`; the package with its extension."""
    jobs = str(os.cpu_count() or 2)
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
                    "-DDAEDAL_PYTHON=WHEEL", "-DDAEDAL_GROUPS=ON", "-DDAEDAL_TESTS=OFF",
                    "-DDAEDAL_BENCH=OFF", "-DDAEDAL_PETSC=OFF", "-DDAEDAL_EXAMPLES=OFF",
                    f"-DDAEDAL_GROUPS_PYTHON={sys.executable}",
                    f"-DDAEDAL_PYTHON_PROGRAM={sys.executable}"],
                   check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", str(folder), "-j", jobs, "--target", "daedal_python"],
                   check=True, stdout=sys.stderr)
    return folder / "python" / "daedal"


def carried_libraries(extension):
    """(name, path) of the shared libraries that the extension needs and a machine may lack."""
    listing = subprocess.run(["ldd", str(extension)], check=True, capture_output=True, text=True).stdout
    return [(name, Path(path)) for name, path in NEEDED.findall(listing) if not SYSTEM.match(name)]


def debian_packages(paths):
    """The names of the Debian packages that own files, asked for at once: a question takes 0.1 s."""
    if not shutil.which("dpkg-query"):
        return []
    names = sorted({str(name) for path in paths for name in (path, path.resolve())})
    answer = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True).stdout
    return sorted({line.split(":")[0] for line in answer.splitlines() if ": /" in line})


def licences(libraries):
    """Licence files of the wheel: daedal's, and those of what it carries."""
    files = {"daedal": (ROOT / "LICENSE").read_bytes()}
    for package in debian_packages([path for _, path in libraries]):
        text = Path("/usr/share/doc", package, "copyright")
        if text.is_file():
            files[package] = text.read_bytes()
    return files


def write_wheel(target, files):
    """Zip the files and their RECORD."""
    info = f"daedal-{version()}.dist-info"
    record = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
        record.append(f"{info}/RECORD,,")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "\n".join(record) + "\n")


def collect(package):
    """All files of the wheel: name -> bytes."""
    info = f"daedal-{version()}.dist-info"
    libraries = carried_libraries(package / "_native.abi3.so")
    files = {f"daedal/{path.name}": path.read_bytes() for path in sorted(package.iterdir())
             if path.is_file()}
    files.update({f"daedal/{name}": path.read_bytes() for name, path in libraries})
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = wheel_text().encode()
    files.update({f"{info}/licenses/{name}.txt": data for name, data in licences(libraries).items()})
    return files


# ---- the hooks of PEP 517 ----

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"daedal-{version()}-{TAG}-{platform()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        write_wheel(Path(wheel_directory, name), collect(build_extension(Path(folder))))
    return name


def build_sdist(sdist_directory, config_settings=None):
    stem = f"daedal-{version()}"
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True,
                             capture_output=True).stdout
    with tarfile.open(Path(sdist_directory, f"{stem}.tar.gz"), "w:gz") as archive:
        for path in filter(None, listing.decode().split("\0")):
            archive.add(ROOT / path, f"{stem}/{path}", recursive=False)
        with tempfile.NamedTemporaryFile("w", delete=False) as text:
            text.write(metadata())
        archive.add(text.name, f"{stem}/PKG-INFO")
        os.unlink(text.name)
    return f"{stem}.tar.gz"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks for first; without it the wheel would be built twice."""
    name = f"daedal-{version()}.dist-info"
    folder = Path(metadata_directory, name)
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    (folder / "WHEEL").write_text(wheel_text())
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
