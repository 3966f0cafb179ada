// Records the calls of emitted routes on standard output, a line each, and refuses what aie-rt
// refuses (xaie_ss.c, xaie_plif.c) or an AIE1 switch does not have. The numbers of ports are those
// of a VC1902: AM009, "AI Engine Tile Stream Switch" and "AI Engine Array Interface"; aie-rt
// xaiegbl_reginit.c.
#include "switches.h"

#include <stdbool.h>
#include <stdio.h>

// Columns and rows of a VC1902, the shim included (AM009).
enum { COLUMNS = 50, ROWS = 9 };
// Limits of packet switching (AM009). aie-rt alone would accept arbiters to 7.
enum { SLOTS = 4, IDS = 32, ARBITERS = 6, MSELS = 4 };
// South ports of a shim switch: from the array interface, and to it.
enum { INPUTS = 8, OUTPUTS = 6 };

struct XAie_DevInst {
    int unused;
};

static const char *const BUNDLES[SS_PORT_TYPE_MAX] = {"core", "dma",   "ctrl", "fifo", "south",
                                                      "west", "north", "east", "trace"};

// Ports by bundle, in the order of StrmSwPortType.
static const int CORE_MASTERS[SS_PORT_TYPE_MAX] = {2, 2, 1, 2, 4, 4, 6, 4, 0};
static const int CORE_SLAVES[SS_PORT_TYPE_MAX] = {2, 2, 1, 2, 6, 4, 4, 4, 2};
static const int SHIM_MASTERS[SS_PORT_TYPE_MAX] = {0, 0, 1, 2, 6, 4, 6, 4, 0};
static const int SHIM_SLAVES[SS_PORT_TYPE_MAX] = {0, 0, 1, 2, 8, 4, 4, 4, 1};

AieRC run(AieRC (*routes)(XAie_DevInst *))
{
    XAie_DevInst device = {0};
    return routes(&device);
}

static bool on_array(XAie_LocType tile)
{
    return tile.Col < COLUMNS && tile.Row < ROWS;
}

// Two columns of four have a NoC interface (aie-rt xaie_device_aie.c).
static bool is_noc(XAie_LocType tile)
{
    return tile.Row == 0 && tile.Col % 4 >= 2;
}

static bool is_slave(XAie_LocType tile, StrmSwPortType bundle, u8 number)
{
    return bundle < SS_PORT_TYPE_MAX && number < (tile.Row == 0 ? SHIM_SLAVES : CORE_SLAVES)[bundle];
}

static bool is_master(XAie_LocType tile, StrmSwPortType bundle, u8 number)
{
    return bundle < SS_PORT_TYPE_MAX && number < (tile.Row == 0 ? SHIM_MASTERS : CORE_MASTERS)[bundle];
}

AieRC XAie_StrmConnCctEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType slave, u8 slave_number,
                             StrmSwPortType master, u8 master_number)
{
    if (!device) return XAIE_INVALID_ARGS;
    if (!on_array(tile)) return XAIE_INVALID_TILE;
    if (!is_slave(tile, slave, slave_number) || !is_master(tile, master, master_number)) {
        return XAIE_ERR_STREAM_PORT;
    }
    printf("%d,%d circuit %s %d to %s %d\n", tile.Col, tile.Row, BUNDLES[slave], slave_number, BUNDLES[master],
           master_number);
    return XAIE_OK;
}

AieRC XAie_StrmPktSwSlavePortEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType slave, u8 number)
{
    if (!device) return XAIE_INVALID_ARGS;
    if (!on_array(tile)) return XAIE_INVALID_TILE;
    if (!is_slave(tile, slave, number)) return XAIE_ERR_STREAM_PORT;
    printf("%d,%d packets %s %d\n", tile.Col, tile.Row, BUNDLES[slave], number);
    return XAIE_OK;
}

AieRC XAie_StrmPktSwSlaveSlotEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType slave, u8 number,
                                    u8 slot, XAie_Packet packet, u8 mask, u8 msel, u8 arbiter)
{
    if (!device || packet.PktId >= IDS || mask >= IDS || msel >= MSELS || arbiter >= ARBITERS) {
        return XAIE_INVALID_ARGS;
    }
    if (!on_array(tile)) return XAIE_INVALID_TILE;
    if (!is_slave(tile, slave, number) || slot >= SLOTS) return XAIE_ERR_STREAM_PORT;
    printf("%d,%d slot %s %d.%d id %d mask %d to %d.%d\n", tile.Col, tile.Row, BUNDLES[slave], number, slot,
           packet.PktId, mask, arbiter, msel);
    return XAIE_OK;
}

AieRC XAie_StrmPktSwMstrPortEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType master, u8 number,
                                   XAie_StrmSwPktHeader header, u8 arbiter, u8 msels)
{
    if (!device || header > XAIE_SS_PKT_DROP_HEADER || arbiter >= ARBITERS || msels >= 1 << MSELS) {
        return XAIE_INVALID_ARGS;
    }
    if (!on_array(tile)) return XAIE_INVALID_TILE;
    if (!is_master(tile, master, number)) return XAIE_ERR_STREAM_PORT;
    printf("%d,%d master %s %d from %d.%d%s\n", tile.Col, tile.Row, BUNDLES[master], number, arbiter, msels,
           header == XAIE_SS_PKT_DROP_HEADER ? " drop" : "");
    return XAIE_OK;
}

// A port between programmable logic and array.
static AieRC logic(XAie_DevInst *device, XAie_LocType tile, u8 port, int ports, XAie_PlIfWidth width,
                   const char *what)
{
    if (!device) return XAIE_INVALID_ARGS;
    if (!on_array(tile) || tile.Row != 0) return XAIE_INVALID_TILE;
    if (width != PLIF_WIDTH_32 && width != PLIF_WIDTH_64 && width != PLIF_WIDTH_128) return XAIE_INVALID_PLIF_WIDTH;
    if (port >= ports) return XAIE_ERR_STREAM_PORT;
    printf("%d,%d %s %d width %d\n", tile.Col, tile.Row, what, port, width);
    return XAIE_OK;
}

AieRC XAie_PlToAieIntfEnable(XAie_DevInst *device, XAie_LocType tile, u8 port, XAie_PlIfWidth width)
{
    return logic(device, tile, port, INPUTS, width, "in");
}

AieRC XAie_AieToPlIntfEnable(XAie_DevInst *device, XAie_LocType tile, u8 port, XAie_PlIfWidth width)
{
    return logic(device, tile, port, OUTPUTS, width, "out");
}

// The mux of an input or the demux of an output. Bit `n` of `ports` is set if port `n` has one.
static AieRC select(XAie_DevInst *device, XAie_LocType tile, u8 port, unsigned ports, const char *what)
{
    if (!device) return XAIE_INVALID_ARGS;
    if (!on_array(tile) || !is_noc(tile)) return XAIE_INVALID_TILE;
    if (port >= INPUTS || !(ports >> port & 1)) return XAIE_ERR_STREAM_PORT;
    printf("%d,%d %s %d\n", tile.Col, tile.Row, what, port);
    return XAIE_OK;
}

AieRC XAie_EnableShimDmaToAieStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port)
{
    return select(device, tile, port, 1 << 3 | 1 << 7, "mux dma");
}

AieRC XAie_EnableAieToShimDmaStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port)
{
    return select(device, tile, port, 1 << 2 | 1 << 3, "demux dma");
}

AieRC XAie_EnablePlToAieStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port)
{
    return select(device, tile, port, 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7, "mux pl");
}

AieRC XAie_EnableAieToPlStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port)
{
    return select(device, tile, port, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5, "demux pl");
}
