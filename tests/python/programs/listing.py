import strata.tiramisu as tm
tm.init("test")
N = 100
M = 200
C = 3
input = tm.input("input", ["i", "j", "c"], [N, M, C], tm.primitive_t.p_float32)
i, j, c = tm.var("i", 0, N - 2), tm.var('j', 0, M - 2), tm.var('c', 0, 3)
cp1 = tm.computation('cp1', [i, j, c], input[i, j, c])
d = tm.expr(3).cast(tm.primitive_t.p_float32)
bx = tm.computation('bx', [i, j, c], (cp1[i, j, c] + cp1[i, j + 1, c] + cp1[i, j + 2, c]) / d)
by = tm.computation('by', [i, j, c], (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / d)
cp2 = tm.computation('cp2', [i, j, c], by[i, j, c])
by.after(bx, j)
cp1.before(bx, tm.computation.root)
cp2.after(by, tm.computation.root)
inbuf = input.get_buffer()
outbuf = cp2.get_buffer()
tm.codegen([inbuf, outbuf], "func.o")
