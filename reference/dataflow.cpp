#include "reference/dataflow.h"

#include <fmt/format.h>

#include <set>

namespace strata::reference {

namespace {

using Producer = std::pair<std::string, Point>;  // an instance, or an element of an input
using Producers = std::set<Producer>;

class Dataflow {
 public:
  Dataflow(const Program& program, const Parameters& parameters)
      : program_(program),
        algorithm_(*program.algorithm),
        parameters_(parameters),
        steps_(reference_steps(algorithm_, parameters)) {
    for (const Step& s : steps_) makers_[maker_key(s)].emplace(producer(s));
  }

  std::vector<std::string> compare(const Arrays& inputs, const Externs& externs) {
    run(program_, parameters_, inputs, externs,
        [this](std::int64_t reader, const std::string& name, const Point& element,
               std::int64_t writer) { note(reader, name, element, writer); });
    for (const Definition& d : algorithm_.definitions) compare(d);
    return std::move(differences_);
  }

 private:
  const Definition& definition(const Step& s) const {
    return algorithm_.definitions[s.execution.definition];
  }
  Producer producer(const Step& s) const { return {definition(s).name, s.execution.instance}; }

  // The same key for all instances that make one value together: the instances of a reduction are
  // keyed by its initial definition and the element; any other instance has its own key.
  Producer maker_key(const Step& s) const {
    const Definition& d = definition(s);
    if (d.reduction) return {d.reduction->initial, s.element};
    return {d.name, d.is_initial ? s.element : s.execution.instance};
  }

  void note(std::int64_t reader, const std::string& name, const Point& element,
            std::int64_t writer) {
    Producers& read = read_[producer(steps_[std::size_t(reader)])];
    if (writer < 0)
      read.emplace(name, element);
    else
      read.merge(Producers(makers_[maker_key(steps_[std::size_t(writer)])]));
  }

  void compare(const Definition& d) {
    std::map<Point, Producers> must, may;
    for (const Read& read : d.reads)
      for (const auto& [reader, instance] : pairs(read.relation, parameters_)) {
        may[reader].emplace(read.producer, instance);
        if (!read.may) must[reader].emplace(read.producer, instance);
      }
    for (const Step& s : steps_) {
      if (&definition(s) != &d) continue;
      const Point& reader = s.execution.instance;
      for (const Producer& p : read_[producer(s)])
        if (may[reader].count(p) == 0) tell(s, "reads and its read relations lack", p);
      for (const Producer& p : must[reader])
        if (read_[producer(s)].count(p) == 0) tell(s, "does not read", p);
    }
  }

  void tell(const Step& reader, const std::string& what, const Producer& p) {
    if (differences_.size() < 50)
      differences_.push_back(fmt::format("{} {} {}", name_of(algorithm_, reader.execution), what,
                                         to_string(p.first, p.second)));
  }

  const Program& program_;
  const Algorithm& algorithm_;
  const Parameters& parameters_;
  std::vector<Step> steps_;
  std::map<Producer, Producers> makers_;
  std::map<Producer, Producers> read_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> dataflow_differences(const Program& program, const Parameters& parameters,
                                              const Arrays& inputs, const Externs& externs) {
  return Dataflow(program, parameters).compare(inputs, externs);
}

}  // namespace strata::reference
