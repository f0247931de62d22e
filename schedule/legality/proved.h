// What was proved of one program, and how it is kept for the next.
//
// An answer is kept together with the facts that were read for it.  It is the answer about another
// program, too, if all these facts are the same there: then the question would read the same facts
// again and answer the same.  Facts are compared as values and not by name, and whatever is not
// plainly equal is asked again; so no answer is stale.
//
// No fact can be forgotten: questions are plain functions that are given a view of the program
// (scheduled.h) and names, and a view notes each fact that it tells.
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

// Facts about one program, and answers that follow from them.
struct Proved {
  using Known = std::pair<const Fact, FactValue>;
  struct Answer {
    std::vector<const Known*> read;  // in "facts"
    std::any value;
  };
  std::shared_ptr<const Algorithm> algorithm;  // facts about another algorithm are not compared
  std::map<Fact, FactValue> facts;
  std::unordered_map<std::string, Answer> answers;
};

// Notes what is read and answered about one program.
class Record {
 public:
  // "tell" says what the program has for a fact; "before" is what another one has proved, or null.
  Record(std::shared_ptr<const Algorithm> algorithm, std::shared_ptr<const Proved> before,
         std::function<FactValue(const Fact&)> tell);

  // The value of a fact, which every question that is being asked depends on from now on.
  const FactValue& read(const Fact& fact);

  // The answer known to a question, here or in what was proved before; or null.
  const std::any* known(const std::string& question);
  // Answers a question by what "ask" says; an empty value is no answer, and is not kept.
  std::any answer(const std::string& question, const std::function<std::any()>& ask);

  // All that was read and answered.
  std::shared_ptr<const Proved> proved() const { return now_; }

 private:
  using Reads = std::vector<const Proved::Known*>;

  const Proved::Known& told(const Fact& fact);
  const Proved::Known* same_now(const Proved::Known& before);
  bool same_now(const Reads& before, Reads& now);

  std::shared_ptr<Proved> now_ = std::make_shared<Proved>();
  std::shared_ptr<const Proved> before_;
  std::function<FactValue(const Fact&)> tell_;
  std::vector<Reads> open_;  // of the questions that are being asked, the innermost last
  std::unordered_map<const Proved::Known*, const Proved::Known*> compared_;
};

}  // namespace strata
