#include "benchmarks/common/onednn_lstm.h"
#include "benchmarks/lstm/lstm_case.h"

using lstm_benchmark::Case;

int main(int argc, char** argv) {
  return benchmarks::process<Case, benchmarks::OneDnnLstm<Case>>(argc, argv);
}
