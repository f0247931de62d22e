"""Tests common/pluto.sh with a script in place of polycc."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "common/pluto.sh"

PLAIN = """void plain(int64_t n, double* x) {
#pragma scop
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) x[i] = 1;
#pragma endscop
}
"""
READ = """void plain(int64_t n, double* x) {
#pragma scop
  for (int i = 0; i < n; ++i) x[i] = 1;
#pragma endscop
}
"""
# As polycc, it leaves a file where it runs.
POLYCC = """#!/bin/sh
set -eu
[ "$1 $2 $4" = "--tile --parallel -o" ]
echo left >.srcfilename
sed 's/#pragma scop/  #pragma ivdep/' "$3" >"$5"
"""


class Pluto(unittest.TestCase):
    def run_script(self, folder, polycc):
        program, source, made = folder / "polycc", folder / "plain.c", folder / "built/made.c"
        program.write_text(polycc)
        program.chmod(0o755)
        source.write_text(PLAIN)
        made.parent.mkdir()
        done = subprocess.run([SCRIPT, program, source, made], capture_output=True, text=True,
                              check=False)
        self.assertEqual(source.read_text(), PLAIN)
        return done, made

    def test_pluto_reads_and_gcc_gets_what_each_knows(self):
        with tempfile.TemporaryDirectory() as folder:
            done, made = self.run_script(pathlib.Path(folder), POLYCC)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(made.read_text(), READ.replace("#pragma scop", "  IVDEP"))
            self.assertFalse((made.parent / ".srcfilename").exists())

    def test_what_pluto_refuses_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            done, made = self.run_script(pathlib.Path(folder), "#!/bin/sh\necho no loops\nexit 3\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn("no loops", done.stderr)
            self.assertFalse(made.exists())


if __name__ == "__main__":
    unittest.main()
