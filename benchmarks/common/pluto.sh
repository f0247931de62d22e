#!/bin/sh
# pluto.sh POLYCC GCC FLAG.. -c FILE.c -o FILE.o: lets Pluto transform the parts of FILE.c between
# the pragmas scop and endscop, and compiles the result.
set -eu
polycc=$1
shift
for word in "$@"; do object=$word; done # the last one
for word in "$@"; do
  case $word in *.c) source=$word ;; esac
done
made=$object.pluto.c
(cd "$(dirname "$object")" && "$polycc" --tile --parallel "$source" -o "$made" >"$made.log")
# Pluto writes the pragma as other compilers spell it; gcc ignores that.
sed -i 's/#pragma ivdep/#pragma GCC ivdep/' "$made"
count=$#
while [ "$count" -gt 0 ]; do
  word=$1
  shift
  [ "$word" = "$source" ] && word=$made
  set -- "$@" "$word"
  count=$((count - 1))
done
exec "$@"
