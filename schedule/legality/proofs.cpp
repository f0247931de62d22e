#include "schedule/legality/proofs.h"

#include <algorithm>

namespace strata {

namespace {

// Collects the facts read for one question, during its lifetime.
class Frame {
 public:
  using Reads = std::vector<const Proofs::Known*>;

  explicit Frame(std::vector<Reads>& open) : open_(open) { open_.emplace_back(); }
  ~Frame() { open_.pop_back(); }
  Frame(const Frame&) = delete;

  // Without duplicates.
  Reads reads() const {
    Reads all = open_.back();
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  std::vector<Reads>& open_;
};

}  // namespace

Record::Record(std::shared_ptr<const Algorithm> algorithm, std::shared_ptr<const Proofs> before,
               std::function<FactValue(const Fact&)> evaluate)
    : before_(std::move(before)), evaluate_(std::move(evaluate)) {
  now_->algorithm = std::move(algorithm);
  if (before_ && before_->algorithm != now_->algorithm) before_ = nullptr;
}

// What is read to evaluate a fact is not recorded for the questions around it: the value covers it.
const Proofs::Known& Record::evaluated(const Fact& fact) {
  if (const auto known = now_->facts.find(fact); known != now_->facts.end()) return *known;
  const Frame apart(open_);
  FactValue value = evaluate_(fact);
  return *now_->facts.emplace(fact, std::move(value)).first;
}

const FactValue& Record::read(const Fact& fact) {
  const Proofs::Known& known = evaluated(fact);
  if (!open_.empty()) open_.back().push_back(&known);
  return known.second;
}

const Proofs::Known* Record::same_now(const Proofs::Known& before) {
  const auto compared = compared_.find(&before);
  if (compared != compared_.end()) return compared->second;
  const Proofs::Known& now = evaluated(before.first);
  const Proofs::Known* result = same(before.second, now.second) ? &now : nullptr;
  compared_.emplace(&before, result);
  return result;
}

bool Record::same_now(const Reads& before, Reads& now) {
  return std::all_of(before.begin(), before.end(), [&](const Proofs::Known* fact) {
    now.push_back(same_now(*fact));
    return now.back() != nullptr;
  });
}

const std::any* Record::known(const std::string& question) {
  auto answer = now_->answers.find(question);
  if (answer == now_->answers.end()) {
    if (!before_) return nullptr;
    const auto before = before_->answers.find(question);
    Reads now;
    if (before == before_->answers.end() || !same_now(before->second.read, now)) return nullptr;
    answer =
        now_->answers.emplace(question, Proofs::Answer{std::move(now), before->second.value}).first;
  }
  const Reads& read = answer->second.read;
  if (!open_.empty()) open_.back().insert(open_.back().end(), read.begin(), read.end());
  return &answer->second.value;
}

std::any Record::answer(const std::string& question, const std::function<std::any()>& compute) {
  std::any value;
  Reads reads;
  {
    const Frame frame(open_);
    value = compute();
    reads = frame.reads();
  }
  if (!open_.empty()) open_.back().insert(open_.back().end(), reads.begin(), reads.end());
  if (value.has_value()) now_->answers.emplace(question, Proofs::Answer{std::move(reads), value});
  return value;
}

}  // namespace strata
