#include "benchmarks/common/onednn_lstm.h"
#include "benchmarks/lstm_layers/lstm_layers_case.h"

using lstm_layers_benchmark::Case;

int main(int argc, char** argv) {
  return benchmarks::process<Case, benchmarks::OneDnnLstm<Case>>(argc, argv);
}
