// Two groups of sensors, one of three and one of four. Each group is an instance of a component with collectives inside.
import "spread.dsl"

design sensors
device xcvc1902
iterations 2

instance group[i: 2] of spread(N = i + 3)

input value[7] from plio(64, "data/sensors_in_{}.txt")
output spread[2] to plio(64, "data/sensors_out_{}.txt") golden "data/sensors_golden_{}.txt"

connect value[0..3] -> group[0].x
connect value[3..7] -> group[1].x
connect group.y -> spread
