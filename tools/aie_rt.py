#!/usr/bin/env python3
"""Runs emitted routes against AMD's open driver aie-rt, whose debug back end needs no hardware.

aie-rt is not part of this repository, and this script downloads nothing. Get it with

    git clone https://github.com/Xilinx/aie-rt
    git -C aie-rt checkout 1ad203de0b7f282b1c0659fd2ae3f218652c7274

and build aiec (`cargo build --release`). Then

    python3 tools/aie_rt.py aie-rt [--aiec target/release/aiec] [--keep DIR]

builds the driver with gcc in a folder of its own. FOLDER is a checkout, or a git directory without
files. The script emits the routes of some designs with `aiec route --emit=xaie`, compiles them
against the driver's headers and runs them on a VC1902. Every call must return XAIE_OK, and the
registers that the debug back end prints are counted: at least one for each call. Exit status 1 if a
design fails. For a control, one file is spoilt, and the driver must refuse it.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMIT = "1ad203de0b7f282b1c0659fd2ae3f218652c7274"

# Designs with options. The last two have 400 kernels: a tree, and a pattern of `aiec traffic`.
DESIGNS = [
    ("examples/allports.dsl", []),
    ("examples/reduce.dsl", []),
    ("examples/ports/packets.dsl", []),
    ("examples/ports/blur.dsl", []),
    ("examples/collectives/matvec.dsl", []),
    ("examples/collectives/histogram.dsl", []),
    ("examples/messages/gesummv.dsl", []),
    ("examples/messages/mail.dsl", []),
    ("examples/messages/average.dsl", []),
    ("examples/adf/gmio_loopback", []),
    ("examples/adf/packet_fanout", []),
    ("examples/adf/adder_tree", []),
    ("examples/adf/matmul", []),
    ("examples/adf/subgraphs", []),
    ("examples/reduce.dsl", ["-D", "N=400"]),
]
TRAFFIC = ["traffic", "--pattern", "neighbour", "--grid", "50x8", "--bytes", "1024", "--emit", "dsl"]

# Numbers of the device: xaie_tile_dma_loopback.c of aie-rt, AM009. The program ends with the code
# of the first call that fails.
MAIN = """
#include <stdio.h>
#include <xaiengine.h>

AieRC FUNCTION(XAie_DevInst *device);

int main(void)
{
    XAie_SetupConfig(config, XAIE_DEV_GEN_AIE, 0x20000000000, 23, 18, 50, 9, 0, 0, 0, 1, 8);
    XAie_InstDeclare(device, &config);
    if (XAie_CfgInitialize(&device, &config) != XAIE_OK) {
        return 99;
    }
    printf("routes\\n");
    return FUNCTION(&device);
}
"""


def run(command, **options):
    """Runs a command to its end. Ends the script with its output if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def build_driver(source, work):
    """The include folder and the library of aie-rt. `source` stays as it is."""
    if (source / "driver").is_dir():
        shutil.copytree(source / "driver", work / "driver")
    else:
        archive = subprocess.run(["git", "--git-dir", str(source), "archive", "HEAD", "driver"],
                                 capture_output=True, check=True).stdout
        subprocess.run(["tar", "x"], input=archive, cwd=work, check=True)
    # Without a macro for another one, the back end is the debug one (xaie_io.c).
    run(["make", "-f", "Makefile.Linux", "-j2"], cwd=work / "driver/src")
    return work / "driver/include", work / "driver/src"


def commit_of(source):
    command = ["git", "-C", str(source), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def tried(text, name, driver, work):
    """Compiles and runs emitted routes. Returns the code of the driver and the registers written."""
    include, library = driver
    file, main, program = work / f"{name}.c", work / f"{name}_main.c", work / name
    file.write_text(text)
    function = re.search(r"^AieRC (\w+)\(XAie_DevInst \*device\);$", text, re.M).group(1)
    main.write_text(MAIN.replace("FUNCTION", function))
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-isystem", include]
    run(["gcc", *flags, "-o", program, file, main, "-L", library, f"-Wl,-rpath,{library}", "-lxaiengine"])
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    writes = done.stdout.partition("routes\n")[2]
    return done.returncode, len(re.findall(r"^(?:W|MW): ", writes, re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("aie_rt", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--aiec", type=pathlib.Path, default=ROOT / "target/release/aiec")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="keep programs and routes there")
    given = parser.parse_args()
    if not given.aiec.is_file():
        parser.error(f"{given.aiec} is not there: build it, or name another one by --aiec")
    scratch = tempfile.TemporaryDirectory()
    work = (given.keep or pathlib.Path(scratch.name)).resolve()
    work.mkdir(parents=True, exist_ok=True)

    found = commit_of(given.aie_rt)
    if found != COMMIT:
        print(f"this is commit {found or 'unknown'}; {COMMIT} was tried before")
    aiec, driver = given.aiec.resolve(), build_driver(given.aie_rt.resolve(), work)

    def emitted(words):
        return run([aiec, "route", "--effort", "1", "--emit=xaie", *words], cwd=work)

    (work / "traffic.dsl").write_text(run([aiec, *TRAFFIC], cwd=work))
    designs = [(design, [ROOT / design, *options]) for design, options in DESIGNS]
    designs.append(("aiec " + " ".join(TRAFFIC), [work / "traffic.dsl"]))
    faults = 0
    for at, (name, words) in enumerate(designs):
        text = emitted(words)
        calls = len(re.findall(r"^ +TRY\(XAie_", text, re.M))
        tiles = len(re.findall(r"^static AieRC tile_", text, re.M))
        code, registers = tried(text, f"routes_{at}", driver, work)
        good = code == 0 and calls > 0 and registers >= calls
        faults += not good
        options = " ".join(map(str, words[1:]))
        print(f"{'ok' if good else 'FAILED'}: {name} {options}: {tiles} switches, {calls} calls, "
              f"{registers} registers, code {code}", flush=True)

    packets = emitted([ROOT / "examples/ports/packets.dsl"])
    code, _ = tried(re.sub(r"DMA, 0, 0, XAie_PacketInit", "DMA, 0, 4, XAie_PacketInit", packets, count=1),
                    "spoilt", driver, work)
    faults += code == 0
    print(f"control, slot 4: code {code}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
