#include "schedule/legality/violation.h"

#include "layers/witness.h"

namespace strata {

std::optional<Witness> witness_of(const Violation& violation, const Algorithm& algorithm) {
  if (!violation.of_instances) return std::nullopt;
  const auto& parameters = algorithm.parameters;
  isl::map pair = smallest(violation.pairs, parameters);
  const isl::set source = pair.domain(), sink = pair.range();
  Witness witness;
  witness.parameters = parameters_text(source, parameters);
  witness.executions = {{instance_text(source), time_text(source, violation.theta)},
                        {instance_text(sink), time_text(sink, violation.theta)}};
  if (violation.places)
    witness.place = instance_text(smallest(source.apply(*violation.places), parameters));
  witness.story = violation.story;
  if (violation.overwrites) {
    isl::set third = smallest(
        source.apply(*violation.overwrites).intersect(sink.apply(*violation.before_reader)),
        parameters);
    witness.executions.push_back({instance_text(third), time_text(third, violation.theta)});
  }
  return witness;
}

}  // namespace strata
