#include "tuning/interrupt.h"

namespace strata::tuning {

namespace {

volatile sig_atomic_t noted_interrupt = 0;

void note_interrupt(int) { noted_interrupt = 1; }

}  // namespace

Interruptible::Interruptible() {
  noted_interrupt = 0;
  struct sigaction noting{};
  noting.sa_handler = note_interrupt;
  sigemptyset(&noting.sa_mask);
  sigaction(SIGINT, nullptr, &before_);
  is_ignored_ = before_.sa_handler == SIG_IGN;
  if (!is_ignored_) sigaction(SIGINT, &noting, nullptr);
}

Interruptible::~Interruptible() {
  if (!is_ignored_) sigaction(SIGINT, &before_, nullptr);
}

bool Interruptible::is_interrupted() const { return noted_interrupt; }

}  // namespace strata::tuning
