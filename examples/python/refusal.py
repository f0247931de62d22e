"""What a refusal says, and what it is as data."""

import strata as st

f = st.Function("running_sum")
N = f.param("N")
i = st.Var("i", 0, N)
x = f.input("x", st.i64, [N])
s = f.declare("s", [i], st.i64)
s.define(st.select(i > 0, s[i - 1], 0) + x[i])
try:
    s.parallelize(i)
except st.Error as error:
    print(error)
    assert error.code is st.Code.E0202_dependence_carried and error.witness is not None
    print(f"line {error.line}:", " and ".join(e.instance for e in error.witness.executions))
