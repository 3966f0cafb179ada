#include "adf/adf_api/AIEControlConfig.h"

void graph_init()
{
	// S_SHIM_SOUTH_ch0_C8 M_SHIM_NORTH_ch4_C8 net0
	set_switch();

	// S_SOUTH_ch4_C8_R0 M_NORTH_ch1_C8_R0 net0
	set_switch();

	// S_SOUTH_ch1_C8_R1 M_S2MM_DMA_ch0_C8_R1 net0
	set_switch();

	// S_MM2S_DMA_ch0_C8_R2 M_EAST_ch2_C8_R2 net1
	set_switch();

	// S_WEST_ch2_C9_R2 M_EAST_ch0_C9_R2 net1
	set_switch();

	// S_WEST_ch0_C10_R2 M_SOUTH_ch3_C10_R2 net1
	set_switch();

	// S_NORTH_ch3_C10_R1 M_S2MM_DMA_ch0_C10_R1 net1
	set_switch();

	// S_MM2S_DMA_ch0_C10_R1 M_SOUTH_ch1_C10_R1 net2
	set_switch();

	// S_NORTH_ch1_C10_R0 M_SOUTH_ch2_C10_R0 net2
	set_switch();

	// S_SHIM_NORTH_ch2_C10 M_SHIM_SOUTH_ch0_C10 net2
	set_switch();

}
