#!/usr/bin/env python3
"""make_gallery.py [--program build/daedal] [NAME...] - the pictures of docs/gallery.md.

Each is drawn by the program itself, from the command that PICTURES has for it; NAMEs are pictures.
The pages of docs/gallery.md show the commands, too.
"""
import argparse
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "img" / "gallery"
LARGEST = 30000  # bytes
PICTURES = {
    "robot_contact": "robot_contact.mo -n 120 --vars q1,y,force",
    "robot_flexible_joints": "robot_flexible_joints.mo -n 120 --vars u1,u2",
    "shuttle_index2": "shuttle_index2.mo -n 120 --vars alpha,beta",
    "shuttle_index3": "shuttle_index3.mo -n 120 --vars beta",
    "lq_control_index1": "lq_control_index1.mo -n 100 --vars x,p,u",
    "lq_control_index3": "lq_control_index3.mo -n 100 --vars x1,x2,u",
    "reactor_prescribed": "reactor_prescribed.mo -n 120 --vars C,T,Tc",
    "cstr": "cstr.mo -n 120",
    "rlc_network": "rlc_network.mo -n 150 --vars 'e[1],e[2],e[3]'",
    "rlc_network_loop": "rlc_network_loop.mo -n 150 --vars 'i[1],v[3]'",
    "opamp_resistors": "opamp_resistors.mo -n 60 --vars 'v[1],v[2],v[3]'",
    "differentiator_index4": "differentiator_index4.mo -n 120 --vars 'v[1],v[2],v[3],v[4]'",
    "hazony_section": "hazony_section.mo -n 100 --vars v1,v2,i3",
    "unicursal_circuit": "unicursal_circuit.mo -n 150 --vars v --x i",
    "heat_rod": "heat_rod.mo --profile u --at 0,0.02,0.05,0.1,0.2",
    "ignition_lagrangian": "ignition_lagrangian.mo --profile T --at 0,0.05,0.1,0.2,0.5,1",
    "flame_moving_mesh": "flame_moving_mesh.mo -n 100 --vars 'x[6],x[11],x[16],x[21],x[26],x[31],x[36]'",
    "cavity_flow": "cavity_flow.mo -n 80 --vars 'u[4,3],u[4,5],u[4,7],p[3,4]'",
    "cavity_flow_poisson": "cavity_flow_poisson.mo -n 80 --vars 'p[3,4],p[6,6],gain'",
    "gas_network": "gas_network.mo -n 150 --vars 'p[2],p[3],p[4]'",
    "pipe_entry_flow": "pipe_entry_flow.mo --profile u --at 0,0.003,0.01,0.03,0.1,0.3",
    "steering_wheel": "steering_wheel.mo -n 100 --vars y1,y2,z",
    "kepler_perturbed": "kepler_perturbed.mo -t 40 -n 400 --method rattle --vars y --x x",
    "nonsmooth_input": "nonsmooth_input.mo -n 100 --vars x1,x2",
}


def draw(program, name, command):
    """None, or what went wrong."""
    target = FOLDER / f"{name}.svg"
    run = subprocess.run([program, "solve", *shlex.split(command), f"--plot={target}"],
                         capture_output=True, text=True, cwd=ROOT / "models")
    if run.returncode:
        return run.stderr.strip().splitlines()[0]
    size = target.stat().st_size
    return None if size <= LARGEST else f"{size} bytes, more than {LARGEST}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "daedal"))
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    program = str(Path(given.program).resolve())
    FOLDER.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, command in PICTURES.items():
        if given.names and name not in given.names:
            continue
        wrong = draw(program, name, command)
        failed += wrong is not None
        print(f"{name}: {wrong or 'drawn'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
