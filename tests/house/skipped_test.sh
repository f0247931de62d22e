#!/usr/bin/env bash
# skipped_test.sh ROOT CTEST: tools/check fails if a test fails or is skipped, and then only if that
# is not allowed.
set -euo pipefail
source "$1/tools/setup"
PATH="$(dirname "$2"):$PATH"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# of TEST..: a folder of tests that pass, fail, or are skipped.
of() {
  local test
  : >"$folder/CTestTestfile.cmake"
  for test in "$@"; do
    cat >>"$folder/CTestTestfile.cmake" <<END
add_test([=[$test: a name]=] "bash" "-c" "echo $test; [ $test != fails ]")
set_tests_properties([=[$test: a name]=] PROPERTIES SKIP_REGULAR_EXPRESSION "skipped")
END
  done
}

# expect CODE ALLOW_SKIPPED TEXT: TEXT is part of what is said.
expect() {
  local said code=0
  said=$(run_tests "$2" --test-dir "$folder" 2>&1) || code=$?
  if ((($1 == 0) != (code == 0))) || [[ $said != *"$3"* ]]; then
    printf 'code %d, not %d, or it does not say: %s\n%s\n' "$code" "$1" "$3" "$said"
    exit 1
  fi
}

of passes
expect 0 0 "100% tests passed"
of passes fails
expect 1 0 "fails: a name (Failed)"
expect 1 1 "fails: a name (Failed)"
of passes skipped
expect 1 0 $'== skipped:\n  skipped: a name\n== a skipped test counts as a failure'
expect 0 1 $'== skipped:\n  skipped: a name'
of skipped fails
expect 1 1 "fails: a name (Failed)"
