#include "core/sets/session.h"

#include <isl/ctx.h>
#include <isl/set.h>

#include "core/sets/announced_work.h"

namespace strata {

namespace {

// An operation limit of zero means no limit.
class Limit {
 public:
  Limit(isl_ctx* ctx, unsigned long budget)
      : ctx_(ctx), before_(isl_ctx_get_max_operations(ctx)) {
    isl_ctx_reset_operations(ctx_);
    isl_ctx_set_max_operations(ctx_, budget);
  }
  ~Limit() {
    isl_ctx_set_max_operations(ctx_, before_);
    isl_ctx_reset_operations(ctx_);
    isl_ctx_reset_error(ctx_);
  }

  // True if the limit was reached; then every further operation fails.
  bool is_reached() const {
    isl_set* probe = isl_set_read_from_str(ctx_, "{ [i] : 2 i = 1 }");
    isl_set_free(probe);
    return probe == nullptr;
  }

 private:
  isl_ctx* ctx_;
  unsigned long before_;
};

}  // namespace

std::string message_of(const isl::exception& failure) {
  const std::string all = failure.what();  // "isl_stream.c:140: syntax error"
  const auto place = all.find(".c:");
  const auto message = place == std::string::npos ? place : all.find(": ", place);
  return message == std::string::npos ? all : all.substr(message + 2);
}

Session::Session(unsigned long budget)
    : ctx_(isl_ctx_alloc(), &isl_ctx_free), budget_(budget) {
  isl_options_set_on_error(ctx_.get(), ISL_ON_ERROR_CONTINUE);
}

bool Session::within_budget(const std::function<void()>& question) const {
  if (isl_ctx_get_max_operations(ctx_.get()) != 0) {
    question();
    return true;
  }
  return within(budget_, question);
}

bool Session::within(unsigned long operations, const std::function<void()>& question) const {
  Limit limit(ctx_.get(), operations);
  try {
    question();
  } catch (const TooMuchWork&) {
    return false;
  } catch (const std::exception&) {
    // An operation that exceeds the limit inside another one is reported by isl as an error of the
    // latter.
    if (!limit.is_reached()) throw;
  }
  return !limit.is_reached();
}

}  // namespace strata
