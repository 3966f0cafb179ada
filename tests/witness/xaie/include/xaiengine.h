// A witness of AMD's driver aie-rt: the part of its interface that sets stream switches and the
// ports of the interface row, for the files of `aiec route --emit=xaie`.
//
// Written from https://github.com/Xilinx/aie-rt at commit 1ad203de0b7f282b1c0659fd2ae3f218652c7274
// (2023.1): names, order and types of arguments, and codes. Each part names the header of the
// driver that declares it. The text is not AMD's.
#ifndef XAIENGINE_H
#define XAIENGINE_H

#include <stdint.h>

typedef uint8_t u8;

// The array of a partition. Emitted code passes it on and looks at no member.
typedef struct XAie_DevInst XAie_DevInst;

// xaiegbl.h: codes of calls that set switches. The driver has others between them.
typedef enum {
    XAIE_OK = 0,
    XAIE_INVALID_ARGS = 4,
    XAIE_INVALID_TILE = 5,
    XAIE_ERR_STREAM_PORT = 6,
    XAIE_INVALID_PLIF_WIDTH = 16,
} AieRC;

// xaiegbl.h: a tile. Row 0 is the shim.
typedef struct {
    u8 Row;
    u8 Col;
} XAie_LocType;

static inline XAie_LocType XAie_TileLoc(u8 column, u8 row)
{
    const XAie_LocType tile = {row, column};
    return tile;
}

// xaiegbl.h: the header of a packet.
typedef struct {
    u8 PktId;
    u8 PktType;
} XAie_Packet;

static inline XAie_Packet XAie_PacketInit(u8 id, u8 type)
{
    const XAie_Packet packet = {id, type};
    return packet;
}

// xaiegbl.h: bundles of ports of a stream switch.
typedef enum { CORE, DMA, CTRL, FIFO, SOUTH, WEST, NORTH, EAST, TRACE, SS_PORT_TYPE_MAX } StrmSwPortType;

// xaie_ss.h
typedef enum { XAIE_SS_PKT_DONOT_DROP_HEADER, XAIE_SS_PKT_DROP_HEADER } XAie_StrmSwPktHeader;

AieRC XAie_StrmConnCctEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType slave, u8 slave_number,
                             StrmSwPortType master, u8 master_number);
AieRC XAie_StrmPktSwSlavePortEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType slave, u8 number);
AieRC XAie_StrmPktSwSlaveSlotEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType slave, u8 number,
                                    u8 slot, XAie_Packet packet, u8 mask, u8 msel, u8 arbiter);
AieRC XAie_StrmPktSwMstrPortEnable(XAie_DevInst *device, XAie_LocType tile, StrmSwPortType master, u8 number,
                                   XAie_StrmSwPktHeader header, u8 arbiter, u8 msels);

// xaie_plif.h
typedef enum { PLIF_WIDTH_32 = 32, PLIF_WIDTH_64 = 64, PLIF_WIDTH_128 = 128 } XAie_PlIfWidth;

AieRC XAie_PlToAieIntfEnable(XAie_DevInst *device, XAie_LocType tile, u8 port, XAie_PlIfWidth width);
AieRC XAie_AieToPlIntfEnable(XAie_DevInst *device, XAie_LocType tile, u8 port, XAie_PlIfWidth width);
AieRC XAie_EnableShimDmaToAieStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port);
AieRC XAie_EnableAieToShimDmaStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port);
AieRC XAie_EnablePlToAieStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port);
AieRC XAie_EnableAieToPlStrmPort(XAie_DevInst *device, XAie_LocType tile, u8 port);

#endif
