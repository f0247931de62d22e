// kmeans_demo: what each command brings, compared with plain C.
#include "examples/common/steps.h"
#include "examples/kmeans/kmeans_algorithm.h"
#include "examples/kmeans/kmeans_case.h"

int main() {
  using namespace kmeans_example;
  Case k(100000, 32, 8);
  return examples::compare_steps([] { return Kmeans().with_arguments(); }, scheduled(),
                                 [&] { k.by_hand(); },
                                 [&](const strata::JitFunction& kernel) {
                                   return kernel({k.p, k.c, k.d}, {k.x, k.m, k.label, k.centre});
                                 },
                                 [&] { k.by_kernel(); }, [&] { return k.is_right(); }, 5);
}
