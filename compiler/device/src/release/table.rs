//! The table itself. `cells.rs` defines the meaning of each cell. Each cell cites its
//! document.

use super::cells::{BoardCells, Cell, ClockOption, GraphCompiler, HostApi, Packaging, Platform, Release};

/// The releases, the oldest first.
pub static RELEASES: [Release; 9] =
    [V2022_1, V2022_2, V2023_1, V2023_2, V2024_1, V2024_2, V2025_1, V2025_2, V2026_1];

// Each release states the cells that changed or that a newer document covers; the rest is as in the
// release before it, with the same document.

const V2022_1: Release = Release {
    name: "2022.1",
    buffers: Cell::cited(
        false,
        "UG1079 2023.2, Comparison between Buffer Ports and Windows: up to 2022.1 buffer ports were called windows",
    ),
    windows_deprecated: Cell::cited(
        false,
        "XD100 2025.2, Migrating from Windows to Buffers: deprecated by the release 2023.2",
    ),
    cascade_ports: Cell::cited(false, "UG1076 2022.1, Stream Data Types, table 2"),
    compiler: Cell::cited(
        GraphCompiler::Aiecompiler,
        "UG1076 2022.1, Compiling an AI Engine Graph Application",
    ),
    graph_standard: Cell::cited(
        14,
        "UG1079 2023.2, Comparison between Buffer Ports and Windows: for windows C++14 is enough",
    ),
    clock: Cell::cited(
        ClockOption::Apart,
        "UG1393 2020.2 and 2023.1, Managing Clock Frequencies; UG1079 2023.1, AI Engine to PL Interface Performance",
    ),
    merge_inputs: Cell::cited(
        4,
        "UG1079 2022.2, Explicit Packet Switching: up to four; no document says that 2022.1 took more",
    ),
    counts_wide_plio: Cell::cited(false, "Xilinx/mlir-aie#1902: from 2023.2 on"),
    host: Cell::cited(
        HostApi::Sync,
        "UG1076 2022.1, Hardware Emulation and Hardware Flows: only synchronous GMIO transactions; XRT 2022.1, xrt_aie.h",
    ),
    component: Cell::cited(false, "UG1553 2023.1, Components and System Projects: new with the unified IDE"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202210_1"),
            "UG1076 2022.1, Linking the System",
        ),
        packaging: Cell::cited(
            Packaging::SdCard,
            "UG1076 2022.1, Packaging; UG1393 2022.2, --package Options",
        ),
    },
    vck5000: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck5000_gen4x8_xdma_2_202210_1"),
            "Alveo Versal Platforms (the document that UG1531 1.1, Introduction, refers to), VCK5000 Gen4x8 XDMA Vitis Platform, Platform Details; UG1531 1.1, Next Steps",
        ),
        packaging: Cell::cited(
            Packaging::Xclbin,
            "UG1393 2022.1, Packaging for Data Center Platforms; UG1393 2021.2, --package Options: the boot mode of such platforms is qspi or ospi",
        ),
    },
};

const V2022_2: Release = Release {
    name: "2022.2",
    buffers: Cell::cited(
        false,
        "UG1079 2022.2, Buffer Ports: other names, such as input_buffer_1d; final from UG1079 2023.1 on",
    ),
    cascade_ports: Cell::cited(false, "UG1079 2022.2, Stream Data Types, table 2"),
    compiler: Cell::cited(
        GraphCompiler::Aiecompiler,
        "UG1393 2022.2, Compiling AI Engine Graph Applications",
    ),
    graph_standard: Cell::cited(
        17,
        "UG1079 2023.2, Comparison between Buffer Ports and Windows: buffer ports, new in 2022.2, use fold expressions of C++17",
    ),
    merge_inputs: Cell::cited(4, "UG1079 2022.2, Explicit Packet Switching: up to four"),
    host: Cell::cited(HostApi::Async, "XRT 2022.2, xrt_aie.h: xrt::aie::bo::async; UG1451 2022.2"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202220_1"),
            "UG1393 2022.2, Compiling AI Engine Graph Applications (base_dfx) with UG1393, Platform Naming Convention; Vitis Tutorials 2022.2, 2D-FFT, make kernels",
        ),
        packaging: Cell::cited(Packaging::SdCard, "UG1393 2022.2, --package Options"),
    },
    vck5000: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck5000_gen4x8_qdma_2_202220_1"),
            "Alveo Versal Platforms (the document that UG1531 1.1, Introduction, refers to), VCK5000 Gen4x8 QDMA Vitis Platform, Platform Details; UG1531 1.1, Next Steps",
        ),
        packaging: Cell::cited(
            Packaging::Xclbin,
            "UG1393 2022.2, Packaging for Data Center Platforms; UG1393 2021.2, --package Options: the boot mode of such platforms is qspi or ospi",
        ),
    },
    ..V2022_1
};

const V2023_1: Release = Release {
    name: "2023.1",
    buffers: Cell::cited(true, "UG1079 2023.1, Access Data From a Buffer Port"),
    cascade_ports: Cell::cited(false, "UG1079 2023.1, Stream Data Types, table 2"),
    compiler: Cell::cited(
        GraphCompiler::Aiecompiler,
        "UG1076 2023.1, Compiling an AI Engine Graph Application",
    ),
    graph_standard: Cell::cited(
        17,
        "UG1079 2023.2, Comparison between Buffer Ports and Windows: fold expressions of C++17",
    ),
    clock: Cell::cited(
        ClockOption::Apart,
        "UG1393 2023.1, --clock Options and Managing Clock Frequencies; UG1079 2023.1, AI Engine to PL Interface Performance",
    ),
    merge_inputs: Cell::cited(
        4,
        "UG1079 2022.2, Explicit Packet Switching: up to four; 32 from UG1079 2023.2 on",
    ),
    host: Cell::cited(HostApi::Async, "XRT 2023.1, xrt_aie.h: xrt::aie::bo::async"),
    component: Cell::unknown(
        "UG1553 2023.1 has components of the IDE and shows no Python; nor does UG1393 2023.1",
    ),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202310_1"),
            "UG1076 2023.1, Linking the System",
        ),
        packaging: Cell::cited(Packaging::SdCard, "UG1076 2023.1, Packaging the System for Hardware"),
    },
    vck5000: BoardCells {
        platform: Cell::cited(
            Platform::None,
            "Alveo Versal Platforms (the document that UG1531 1.1, Introduction, refers to), VCK5000 Gen4x8 QDMA Vitis Platform, Platform Details: the newest, supported by Vitis 2022.2, no support for other tools versions",
        ),
        packaging: Cell::unknown("not looked for: UG1531 1.1 and its references have no platform"),
    },
    ..V2022_2
};

const V2023_2: Release = Release {
    name: "2023.2",
    buffers: Cell::cited(true, "UG1079 2023.2 and 2026.1, Comparison between Buffer Ports and Windows"),
    windows_deprecated: Cell::cited(
        true,
        "XD100 2025.2, Migrating from Windows to Buffers: deprecated by the release 2023.2",
    ),
    cascade_ports: Cell::cited(true, "UG1079 2023.2, Stream Data Types, table 2"),
    compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2023.2, aiecompiler to Unified CLI Migration"),
    clock: Cell::cited(ClockOption::Freqhz, "UG1393 2023.2, --clock Options: --freqhz is new, for all modes"),
    merge_inputs: Cell::cited(32, "UG1079 2023.2, Packet Switching Graph Constructs"),
    counts_wide_plio: Cell::cited(true, "Xilinx/mlir-aie#1902, a message of 2023.2"),
    host: Cell::cited(HostApi::Async, "XRT 2023.2, xrt_aie.h: xrt::aie::bo::async"),
    component: Cell::cited(
        true,
        "UG1393 2023.2, Components and System Projects; a journal that Vitis 2023.2 wrote has the call",
    ),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202320_1"),
            "UG1393 2023.2, Platform Naming Convention; Vitis Tutorials 2023.2, DDC chain, VERSAL_VITIS_PLATFORM",
        ),
        packaging: Cell::cited(Packaging::SdCard, "UG1393 2023.2, Packaging the System and Packaging Images"),
    },
    ..V2023_1
};

const V2024_1: Release = Release {
    name: "2024.1",
    compiler: Cell::cited(
        GraphCompiler::Vpp,
        "UG1076 2023.2 and 2024.2, Compiling using v++ (Unified Compiler)",
    ),
    graph_standard: Cell::cited(
        17,
        "UG1079 2023.2 and 2026.1, Comparison between Buffer Ports and Windows: fold expressions of C++17",
    ),
    clock: Cell::cited(ClockOption::Freqhz, "UG1393 2023.2 and UG1702 2025.1, --clock Options"),
    merge_inputs: Cell::cited(32, "UG1079 2023.2 and 2025.1, Packet Split and Merge Connections"),
    counts_wide_plio: Cell::cited(
        true,
        "UG1076 2024.1, Mapper/Router Design Rule Checks (AIE-PRE-MAPPER-11)",
    ),
    host: Cell::cited(HostApi::Async, "XRT 2024.1, xrt_aie.h: xrt::aie::bo::async"),
    component: Cell::cited(true, "XD100 2024.1, AI Engine A-to-Z, vitis/aie_app.py"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202410_1"),
            "XD100 2024.1, Before You Begin",
        ),
        packaging: Cell::cited(
            Packaging::SdCard,
            "UG1393 2023.2, Packaging Images, and UG1702 2024.2, --package Options, the releases before and after",
        ),
    },
    ..V2023_2
};

const V2024_2: Release = Release {
    name: "2024.2",
    compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2024.2, Compiling using v++ (Unified Compiler)"),
    host: Cell::cited(HostApi::Async, "XRT 2024.2, xrt_aie.h: xrt::aie::bo::async"),
    component: Cell::cited(true, "UG1702 2024.2, Using Python APIs to Manage AI Engine Components"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202420_1"),
            "UG1700 2024.2, Linking the System",
        ),
        packaging: Cell::cited(
            Packaging::SdCard,
            "UG1702 2024.2, --package Options; UG1701 2024.2, Packaging for Vitis Flow",
        ),
    },
    ..V2024_1
};

const V2025_1: Release = Release {
    name: "2025.1",
    compiler: Cell::cited(GraphCompiler::Vpp, "UG1702 2025.1, v++ Mode AI Engine"),
    clock: Cell::cited(ClockOption::Freqhz, "UG1702 2025.1, --clock Options"),
    merge_inputs: Cell::cited(32, "UG1079 2025.1, Packet Split and Merge Connections"),
    host: Cell::cited(HostApi::Async, "XRT 2025.1, xrt_aie.h: xrt::aie::bo::async"),
    component: Cell::cited(true, "UG1702 2025.1, Create and Build AI Engine Component"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202510_1"),
            "UG1702 2025.1, Platform info for xilinx_vck190_base_202510_1",
        ),
        packaging: Cell::cited(
            Packaging::SdCard,
            "UG1702 2025.1, Revision History: only sw_emu is removed from --package Options",
        ),
    },
    ..V2024_2
};

const V2025_2: Release = Release {
    name: "2025.2",
    compiler: Cell::cited(GraphCompiler::Vpp, "UG1076 2025.2, Compiling using v++ (Unified Compiler)"),
    clock: Cell::cited(ClockOption::Freqhz, "XD100 2025.2, Step 3 - v++ linker - Building the System"),
    merge_inputs: Cell::cited(32, "UG1079 2025.2, Packet Switching Graph Constructs"),
    host: Cell::cited(HostApi::Async, "XRT 2025.2, xrt_aie.h: xrt::aie::bo::async"),
    component: Cell::cited(true, "XD260 2025.2; UG1702 2026.1, Create and Build AI Engine Component"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202520_1"),
            "XD100 2025.2, Step 5 - Packaging Design and Running on Board",
        ),
        packaging: Cell::cited(
            Packaging::SdCard,
            "XD100 2025.2, Step 5 - Packaging Design and Running on Board",
        ),
    },
    ..V2025_1
};

const V2026_1: Release = Release {
    name: "2026.1",
    compiler: Cell::cited(GraphCompiler::Vpp, "UG1702 2026.1, v++ General Compilation Options"),
    clock: Cell::cited(ClockOption::Freqhz, "UG1702 2026.1, --clock Options"),
    merge_inputs: Cell::cited(32, "UG1079 2026.1, Packet Split and Merge Connections"),
    host: Cell::cited(
        HostApi::Context,
        "XRT 2026.1, xrt_graph.h: graphs of a device are deprecated for those of an xrt::hw_context",
    ),
    component: Cell::cited(true, "UG1702 2026.1, Using Python APIs to Manage AI Engine Components"),
    vck190: BoardCells {
        platform: Cell::cited(
            Platform::Named("xilinx_vck190_base_202610_1"),
            "XD098 2026.1, 1. Vitis Packager Configuration File",
        ),
        packaging: Cell::unknown(
            "XD098 2026.1, 1. Vitis Packager Configuration File, makes an SD card from rootfs and kernel image; UG1701 2026.1, Packaging with Vitis and EDF, hands boot artefacts over in another way",
        ),
    },
    ..V2025_2
};
