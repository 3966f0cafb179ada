#!/bin/sh
# Makes the tables and figures of the thesis: measurements beside predictions, with errors.
#
#     examples/thesis/run.sh [DIR]
#
# DIR is `thesis` without an argument. AIEC names another aiec.
set -eu
here=$(dirname "$0")
out=${1:-thesis}
aiec=${AIEC:-aiec}
"$aiec" bench "$here/../latency.dsl" --table "$here/table_3_1.csv" -o "$out/table_3_1"
"$aiec" bench "$here/reduce.dsl" --table "$here/table_4.csv" --profile vck190-initial -o "$out/table_4_1"
"$aiec" bench "$here/reduce.dsl" --table "$here/table_4.csv" -o "$out/table_4_2"
