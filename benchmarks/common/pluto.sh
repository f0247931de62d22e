#!/bin/sh
# pluto.sh POLYCC FILE.c MADE.c: lets Pluto transform what FILE.c has between the pragmas scop and
# endscop. In MADE.c the macro IVDEP stands where Pluto says that a loop has no dependences.
set -eu
polycc=$1 source=$2 made=$3
# polycc leaves files of fixed names in its folder.
folder=$made.pluto
mkdir -p "$folder"
# Pluto reads loops over int only, and no OpenMP.
sed '/#pragma omp/d; s/for (int64_t /for (int /' "$source" >"$folder/plain.c"
if ! (cd "$folder" && "$polycc" --tile --parallel plain.c -o transformed.c >log 2>&1); then
  cat "$folder/log" >&2
  exit 1
fi
# It writes the pragma as other compilers spell it; gcc ignores that.
sed 's/#pragma ivdep/IVDEP/' "$folder/transformed.c" >"$made"
