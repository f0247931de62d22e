// Proofs about one program, and their reuse for the next.
//
// An answer is kept together with the facts that were read to find it. If all these facts are the
// same in another program, the question would read the same facts there and get the same answer, so
// the answer is reused. Facts are compared by value, not by name, and a question with a fact that
// is not plainly equal is asked again; so no answer is stale.
//
// No fact can be missed: questions are plain functions of a view of the program (program_view.h)
// and of names, and the view records each fact that it returns.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "layers/program.h"
#include "schedule/legality/facts.h"

namespace strata {

// Facts about one program, and answers derived from them.
struct Proofs {
  using Known = std::pair<const Fact, FactValue>;
  struct Answer {
    std::vector<const Known*> read;  // point into "facts"
    std::any value;
  };
  std::shared_ptr<const Algorithm> algorithm;  // proofs about another algorithm are not reused
  std::map<Fact, FactValue> facts;
  std::unordered_map<std::string, Answer> answers;
};

// Records the facts read and the answers found about one program.
class Record {
 public:
  // "evaluate" evaluates a fact of the program; "before" holds the proofs of an earlier one, or is
  // null.
  Record(std::shared_ptr<const Algorithm> algorithm, std::shared_ptr<const Proofs> before,
         std::function<FactValue(const Fact&)> evaluate);

  // The value of a fact, recorded as read by every question that is being asked.
  const FactValue& read(const Fact& fact);

  // The known answer to a question, found here or reused from "before"; or null.
  const std::any* known(const std::string& question);
  // Answers a question by calling "compute"; an empty value means no answer and is not kept.
  std::any answer(const std::string& question, const std::function<std::any()>& compute);

  // All facts read and answers found.
  std::shared_ptr<const Proofs> proofs() const { return now_; }

 private:
  using Reads = std::vector<const Proofs::Known*>;

  const Proofs::Known& evaluated(const Fact& fact);
  const Proofs::Known* same_now(const Proofs::Known& before);
  bool same_now(const Reads& before, Reads& now);

  std::shared_ptr<Proofs> now_ = std::make_shared<Proofs>();
  std::shared_ptr<const Proofs> before_;
  std::function<FactValue(const Fact&)> evaluate_;
  std::vector<Reads> open_;  // one for each question being asked, the innermost last
  std::unordered_map<const Proofs::Known*, const Proofs::Known*> compared_;
};

}  // namespace strata
