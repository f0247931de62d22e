#include "codegen/boxes.h"

#include <isl/aff.h>
#include <isl/set.h>

#include "codegen/index_math.h"
#include "codegen/isl_expr.h"
#include "codegen/layout_of.h"

namespace strata {

namespace {

struct Touched {
  isl::set places;  // { b[..] }
  bool initial_values_read = false;
  bool written = false;
};

class Collection {
 public:
  Collection(const Program& program, const Request& request)
      : program_(program), request_(request) {}

  void add(const TimeBranch& branch) {
    const Definition& definition = *branch.definition;
    const isl::set written = branch.instances.apply(definition.defines);
    touch(written, definition.array, [](Touched& buffer) { buffer.written = true; });
    for (const Read& read : definition.reads) {
      const isl::set values = branch.instances.apply(read.relation);
      const Definition* producer = program_.algorithm->find(read.producer);
      if (producer)
        touch(values.apply(producer->defines), producer->array, [](Touched&) {});
      else
        touch(values, read.producer, [](Touched& buffer) { buffer.initial_values_read = true; });
    }
  }

  std::map<std::string, Touched> buffers;

 private:
  template <typename Mark>
  void touch(const isl::set& values, const std::string& array, const Mark& mark) {
    const isl::set places = values.apply(store_of(program_.layout, array, request_));
    Touched& buffer = buffers[tuple_name(places)];
    buffer.places = buffer.places.is_null() ? places : buffer.places.unite(places);
    mark(buffer);
  }

  const Program& program_;
  const Request& request_;
};

// "bound", and zero for the parameters for which there is none.
isl::pw_aff everywhere(const isl::pw_aff& bound, const isl::set& context) {
  const isl::set rest = context.subtract(bound.domain());
  const isl::pw_aff zero = rest.pw_aff_on_domain(0);
  return rest.is_empty() ? bound : bound.union_add(zero).coalesce();
}

// E0112 where dimension d of the touched places has no bounds.
void check_bounded(const isl::set& places, int d, const std::string& name,
                   const Request& request) {
  if (!isl_set_dim_is_bounded(places.get(), isl_dim_set, unsigned(d)))
    throw request.refused(Code::E0112_unbounded_domain,
                          "dimension " + std::to_string(d) + " of buffer " + name +
                              " is touched without bound");
}

Box box(const Touched& touched, const std::string& name, const isl::set& context,
        const Request& request) {
  Box result{{}, {}, touched.initial_values_read, touched.written};
  const isl::set places = touched.places.intersect_params(context).coalesce();
  for (int d = 0; d < int(places.tuple_dim()); ++d) {
    if (places.is_empty()) {
      result.lowers.push_back(constant(i64, 0));
      result.uppers.push_back(constant(i64, 0));
      continue;
    }
    check_bounded(places, d, name, request);
    const auto least = isl::manage(isl_set_dim_min(places.copy(), d));
    const auto most = isl::manage(isl_set_dim_max(places.copy(), d)).add_constant(1);
    result.lowers.push_back(parametric(everywhere(least, context), context));
    result.uppers.push_back(parametric(everywhere(most, context), context));
  }
  return result;
}

}  // namespace

std::map<std::string, Box> boxes(const Program& program, const TimeSpace& space,
                                 const Request& request) {
  Collection collection(program, request);
  for (const TimeBranch& branch : space.branches) collection.add(branch);
  std::map<std::string, Box> result;
  for (const auto& [name, touched] : collection.buffers)
    result.emplace(name, box(touched, name, space.context, request));
  return result;
}

}  // namespace strata
