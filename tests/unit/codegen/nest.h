// A computation in a nest of loops.
#pragma once

#include <string>
#include <vector>

#include "reference/handmade.h"

namespace strata::test {

inline const std::string rectangle = "0 <= i < N and 0 <= j < M";

// S[i, j] over "domain" under loops l0, l1, .. of these processors, at "time".
inline Program nest_at(const std::string& domain, const std::string& time,
                       const std::vector<Processor>& processors) {
  reference::Handmade made({"N", "M"});
  made.define("{ S[i, j] : " + domain + " }", cast(f32, variable("i") - variable("j")));
  made.store("{ S[i, j] -> s[i, j] }", BufferRole::output);
  std::vector<Node> body{made.branch("{ S[i, j] -> [" + time + "] }")};
  for (std::size_t d = processors.size(); d-- > 0;)
    body = {reference::Handmade::loop("l" + std::to_string(d), body, processors[d])};
  made.schedule(body);
  return made.program();
}

}  // namespace strata::test
