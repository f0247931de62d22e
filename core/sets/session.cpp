#include "core/sets/session.h"

#include "core/error.h"
#include "core/sets/meter.h"

namespace strata {

std::string message_of(const isl::exception& failure) {
  const std::string all = failure.what();  // "isl_stream.c:140: syntax error"
  const auto place = all.find(".c:");
  const auto message = place == std::string::npos ? place : all.find(": ", place);
  return message == std::string::npos ? all : all.substr(message + 2);
}

namespace {

// Runs the question; false if the meter ran out. What fails then fails for that reason: a call of
// isl that runs out inside another one is reported as an error of the latter. A refusal that says
// which part of the question ran out is passed on.
bool answered(Meter& meter, const std::function<void()>& question) {
  try {
    question();
  } catch (const Error& error) {
    if (error.code() == Code::E0901_out_of_budget || !meter.is_exhausted()) throw;
  } catch (const std::exception&) {
    if (!meter.is_exhausted()) throw;
  }
  return !meter.is_exhausted();
}

}  // namespace

Session::Session(unsigned long budget) : ctx_(isl_ctx_alloc(), &isl_ctx_free), budget_(budget) {
  isl_options_set_on_error(ctx_.get(), ISL_ON_ERROR_CONTINUE);
}

bool Session::within_budget(const std::function<void()>& question) const {
  Meter* const around = Meter::of(ctx_.get());
  return around ? answered(*around, question) : within(double(budget_), question);
}

bool Session::within(double work, const std::function<void()>& part) const {
  Meter meter(ctx_.get(), work);
  return answered(meter, part);
}

}  // namespace strata
