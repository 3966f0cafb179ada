#!/usr/bin/env python3
"""Compiles graphs of public projects against the witness of ADF (tests/witness/adf).

Takes a folder with checkouts of the projects below, each in OWNER/NAME or OWNER+NAME. The script
downloads nothing, and no file of these projects belongs into this repository. Prints a line for each
file. Exit status 1 if an existing file does not compile or fewer than ten files exist.

    python3 tools/witness_public.py FOLDER [--verbose]

A project may need, beside <adf.h>:
  headers     vendor headers whose contents <adf.h> has here; the script supplies empty ones
  restrict    the word `restrict`, which the vendor's compilers accept in C++
  array       <array>, which the project expects <adf.h> to include
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

WITNESS = pathlib.Path(__file__).resolve().parent.parent / "tests/witness/adf/include"

HEADERS = ["adf/stream/types.h", "adf/window/types.h", "aie_api/aie.hpp", "aie_api/aie_adf.hpp", "aie_api/utils.hpp"]

IN_DEPTH = "AI_Engine_Development/Feature_Tutorials"
DESIGNS = "AI_Engine_Development/Design_Tutorials"

# Project and commit, then files: release, C++ standard, path, include folders (beside the file's
# own), needs.
PROJECTS = [
    ("Xilinx/xup_aie_training", "0cf36b2534aa", [
        ("20221", "14", "sources/vadd_lab/aie/src/graph.cpp", [], "headers"),
        ("20221", "14", "sources/matmult_lab/aie/src/graph.cpp", [], "headers array"),
        ("20221", "17", "pbl/aie_single_kernel/fir_lowpass/aie/src/graph.cpp", [], "headers"),
        ("20221", "17", "pbl/aie_multi_kernel/fir_interconnect/fir_m2m/prj/aie/src/graph.hpp", [], "headers"),
        ("20221", "17", "pbl/aie_multi_kernel/fir_interconnect/fir_cascade/prj/aie/src/graph.hpp", [], "headers"),
        ("20221", "17", "pbl/aie_multi_kernel/fir_interconnect/fir_stream_memory/prj/aie/src/graph.hpp", [], "headers"),
    ]),
    ("Xilinx/Vitis_Model_Composer", "346d950c8025", [
        ("20241", "17", "Tutorials/AIEngine_Library/07-Export_to_Vitis/aie/graph.cpp", [], "headers"),
        ("20241", "17", "Examples/AIENGINE_plus_PL/AIE_HLS/Channelizer/aie/m16_ssr8_dft_app.cpp", [], "headers array"),
        ("20221", "14", "Examples/AIENGINE/SingleStreamSSR_FIR/src/SSRgraph.h", ["aie_kernels"], ""),
        ("20221", "14", "Examples/AIENGINE/DualStreamSSR_FIR/aie/SSRgraph.h", ["aie_kernels"], "restrict"),
        ("20241", "17", "Examples/AIENGINE/Importing_AIE_blocks/AIE_Graph/win_in_win_out.h", ["src/kernels"], "restrict headers"),
    ]),
    ("Xilinx/Vitis-In-Depth-Tutorial", "419a71d47ce6", [
        ("20221", "14", f"{IN_DEPTH}/04-packet-switching/window_aie/aie/graph.h", [], ""),
        ("20221", "14", f"{IN_DEPTH}/04-packet-switching/window_aie_mix_int32_float_cint16/aie/graph.h", [], ""),
        ("20221", "14", f"{IN_DEPTH}/04-packet-switching/pktstream_aie/aie/graph.h", [], ""),
        ("20221", "14", f"{IN_DEPTH}/07-AI-Engine-Floating-Point/MatMult/src/graph.h", [], "restrict"),
        ("20221", "14", f"{DESIGNS}/02-super_sampling_rate_fir/SingleStreamSSR/src/SSRgraph.h", ["aie_kernels"], ""),
        ("20221", "14", f"{DESIGNS}/02-super_sampling_rate_fir/MultiKernel/src/graph.h", ["aie_kernels"], ""),
        ("20221", "14", f"{DESIGNS}/03-beamforming/Module_02_AI_Engine_Design/src/test_bf.h", ["inc"], "restrict headers"),
    ]),
    ("arc-research-lab/CHARM", "0e4265b969ee", [
        ("20221", "14", "example/Single_GEMM/aie/mm_top.h", [], "headers"),
        ("20221", "14", "example/BERT/one_monolithic/aie/mm_top.h", [], "headers"),
        ("20221", "14", "example_new/FP32/aie/layer0/aie_top_L0.h", [], "headers"),
        ("20221", "14", "example_new/INT16/ViT/one_mon/aie/layer0/aie_top_L0.h", [], "headers"),
    ]),
    ("Matsubarai/CCC2023", "877a1e45b5b1", [
        ("20221", "17", "sources/aie/src/graph.cpp", [], "headers array"),
    ]),
    ("necst/VersalAutomationTemplate", "bcc7723fb97a", [
        ("20221", "17", "aie/src/graph.cpp", [], "restrict headers"),
    ]),
    ("carminepacilio01/SWAIE", "22c823f2f66c", [
        ("20221", "17", "aie/src/graph.cpp", [], "restrict headers"),
    ]),
    ("Paolo309/XOHW-23-Versal-Registration", "447886596b2a", [
        ("20221", "17", "aie/src/graph.cpp", ["../.."], "restrict headers"),
    ]),
    ("GiovanniZago/w3pi-system-project", "94c8e4a1e0ea", [
        ("20221", "17", "aie/src/graph.cpp", [], "headers"),
    ]),
    ("gpalves/FPGA_BFS", "3efa70f7ad20", [
        ("20221", "17", "aie/graph.h", [], "headers"),
    ]),
]


def checkout(folder, project):
    """The folder of a project, or None."""
    named = (folder / project, folder / project.replace("/", "+"))
    return next((path for path in named if path.is_dir()), None)


def command(file, release, standard, folders, needs, supplied):
    """What compiles one file, as simulators do and with the project's own warnings left out."""
    words = ["g++", f"-std=c++{standard}", "-fsyntax-only", "-w", f"-DAIEC_WITNESS_RELEASE={release}", "-D__AIESIM__", "-I", str(WITNESS)]
    for below in [".", *folders]:
        words += ["-I", str(file.parent / below)]
    words += ["-I", str(supplied)] if "headers" in needs else []
    words += ["-Drestrict=__restrict"] if "restrict" in needs else []
    words += ["-include", "array"] if "array" in needs else []
    return words + ["-x", "c++", str(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true", help="print what the compiler says")
    arguments = parser.parse_args()
    jobs = []
    for project, commit, files in PROJECTS:
        at = checkout(arguments.folder, project)
        if at is None:
            print(f"absent  {project} ({commit})")
            continue
        jobs += [(f"{project} {path}", at / path, release, standard, folders, needs)
                 for release, standard, path, folders, needs in files]
    with tempfile.TemporaryDirectory() as supplied:
        supplied = pathlib.Path(supplied)
        for name in HEADERS:
            (supplied / name).parent.mkdir(parents=True, exist_ok=True)
            (supplied / name).write_text("#include <adf.h>\n")
        compiles = lambda job: subprocess.run(command(*job[1:], supplied), capture_output=True, text=True)
        with ThreadPoolExecutor(2) as workers:
            results = list(workers.map(compiles, jobs))
    passed = 0
    for (name, _, release, standard, *_), result in zip(jobs, results):
        passed += result.returncode == 0
        print(f"{'passes' if result.returncode == 0 else 'FAILS '}  {release} C++{standard}  {name}")
        if arguments.verbose and result.stderr:
            print(result.stderr)
    print(f"{passed} of {len(jobs)} files compile against {WITNESS.name}/adf.h")
    return 0 if passed == len(jobs) >= 10 else 1


if __name__ == "__main__":
    sys.exit(main())
