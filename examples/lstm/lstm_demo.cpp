// lstm_demo: prints the commands and loops, and the speed compared with plain C.
#include "examples/common/demo.h"
#include "examples/lstm/lstm_case.h"
#include "examples/lstm/plain_lstm.h"

int main() {
  examples::print_file(SCHEDULE_TEXT);
  lstm_example::Layer layer(100, 512, 512), plain = layer;
  strata::Array<float> c({layer.cells}), z({4, layer.cells});
  return examples::compare(
      "lstm, 100 steps of 512 cells",
      [&] {
        plain_lstm(plain.steps, plain.cells, plain.inputs, plain.x.data(), plain.w.data(),
                   plain.u.data(), plain.bias.data(), plain.h.data(), c.data(), z.data());
      },
      [&] { layer.run(); }, [&] { return layer.largest_error() < 1e-5; });
}
