// Refusals of commands.
#pragma once

#include <catch2/catch.hpp>

#include <stdexcept>

#include "core/error.h"

namespace strata::test {

// The refusal that "act" throws; the test fails if it throws none.
template <typename Act>
Refusal refusal_of(Act act) {
  try {
    act();
  } catch (const Error& e) {
    return e.refusal();
  }
  FAIL("nothing was refused");
  throw std::logic_error("not reached");
}

// Is "act" refused with this code, leaving the function's text unchanged?
template <typename F, typename Act>
bool refuses(const F& f, Code code, Act act) {
  const std::string before = f.text();
  try {
    act();
  } catch (const Error& e) {
    if (e.code() != code) UNSCOPED_INFO(e.what());
    if (f.text() != before) UNSCOPED_INFO("the refused command has changed the program");
    return e.code() == code && f.text() == before;
  }
  UNSCOPED_INFO("nothing was refused");
  return false;
}

}  // namespace strata::test
