#include "reference/handmade.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reference/scalar.h"

namespace strata::reference {

namespace {

std::string tuple_name(const isl::set& set) { return isl_set_get_tuple_name(set.get()); }

std::vector<std::string> dimension_names(const isl::set& domain) {
  std::vector<std::string> names;
  for (unsigned d = 0; d < domain.tuple_dim(); ++d)
    names.emplace_back(isl_set_get_dim_name(domain.get(), isl_dim_set, d));
  return names;
}

Expr constant_of(const Scalar& value) {
  ExprNode node;
  node.op = Op::constant;
  node.type = value.type;
  if (is_float(value.type))
    node.real = real_of(value);
  else
    node.integer = std::int64_t(integer_of(value));
  return Expr(std::make_shared<const ExprNode>(std::move(node)));
}

}  // namespace

Handmade::Handmade(std::vector<std::string> parameters, const std::string& context)
    : session_(std::make_shared<Session>()),
      parameters_(fmt::format("[{}] -> ", fmt::join(parameters, ", "))) {
  algorithm_.parameters = std::move(parameters);
  algorithm_.context = Context::from(set(context.empty() ? "{ : }" : context).params());
}

isl::set Handmade::set(const std::string& text) const {
  return isl::set(session_->isl(), parameters_ + text);
}

isl::map Handmade::map(const std::string& text) const {
  return isl::map(session_->isl(), parameters_ + text);
}

Handmade& Handmade::input(const std::string& domain, Type type) {
  const isl::set elements = set(domain);
  algorithm_.inputs.push_back({tuple_name(elements), type, InstanceSet::from(elements)});
  return *this;
}

Definition Handmade::definition(const std::string& domain, const Expr& value,
                                const std::vector<std::string>& reads,
                                const std::string& defines) const {
  Definition d;
  const isl::set instances = set(domain);
  d.name = tuple_name(instances);
  d.domain = InstanceSet::from(instances);
  d.iterators = dimension_names(instances);
  const isl::map identity = instances.space().identity_multi_aff_on_domain().as_map();
  const isl::map elements = defines.empty() ? identity : map(defines);
  d.array = elements.range_tuple_id().name();
  d.defines = ValueRelation::from(elements);
  d.value = value;
  d.type = value.type();
  d.given_ranges = instances;
  for (const std::string& text : reads) {
    const isl::map relation = map(text).intersect_domain(instances);
    d.reads.push_back({relation.range_tuple_id().name(), ReadRelation::from(relation)});
  }
  return d;
}

Handmade& Handmade::define(const std::string& domain, const Expr& value,
                           const std::vector<std::string>& reads, const std::string& defines) {
  algorithm_.definitions.push_back(definition(domain, value, reads, defines));
  return *this;
}

Handmade& Handmade::reduce(const std::string& domain, const std::string& results, Reduction kind,
                           const Expr& value, const std::vector<std::string>& reads,
                           const std::string& defines) {
  Definition contributions = definition(domain, value, reads, defines);
  Definition initial = definition(results, constant_of(identity(kind, value.type())), {}, "");
  initial.array = contributions.array;
  initial.defines = ValueRelation::from(isl::map(initial.defines).set_range_tuple(initial.array));
  initial.is_initial = true;
  contributions.reduction = ReductionRule{kind, initial.name, int(initial.iterators.size())};
  algorithm_.definitions.push_back(std::move(initial));
  algorithm_.definitions.push_back(std::move(contributions));
  return *this;
}

Handmade& Handmade::reference(std::vector<Node> roots) {
  algorithm_.reference.roots = std::move(roots);
  return *this;
}

Handmade& Handmade::schedule(std::vector<Node> roots) {
  schedule_ = std::move(roots);
  return *this;
}

Handmade& Handmade::store(const std::string& relation, BufferRole role) {
  const isl::map access = map(relation);
  const std::string array = access.domain_tuple_id().name();
  const std::string buffer = access.range_tuple_id().name();
  Type type = Type::float32;
  if (const InputArray* input = algorithm_.find_input(array)) type = input->type;
  for (const Definition* d : algorithm_.definitions_of(array)) type = d->type;
  if (layout_.find(buffer) == nullptr)
    layout_.buffers.push_back({buffer, type, int(access.range_tuple_dim()), role});
  layout_.store.emplace(array, AccessRelation::from(access));
  return *this;
}

Node Handmade::loop(const std::string& name, std::vector<Node> body, Processor processor) {
  return Node{Loop{LoopHead{{name, processor}}, std::move(body)}};
}

Node Handmade::branch(const std::string& time, const std::string& instances) const {
  const isl::map relation = map(time);
  const std::string name = relation.domain_tuple_id().name();
  const isl::set all = algorithm_.find(name)->domain;
  const isl::set some = instances.empty() ? all : all.intersect(set(instances));
  return Node{Branch{name, TimeMap::from(relation), InstanceSet::from(some)}};
}

Node Handmade::nest(const Definition& definition) const {
  const isl::set domain = definition.domain;
  isl_map* identity = domain.space().identity_multi_aff_on_domain().as_map().release();
  identity = isl_map_reset_tuple_id(identity, isl_dim_out);
  Node node{Branch{definition.name, TimeMap::from(isl::manage(identity)), definition.domain}};
  for (std::size_t d = definition.iterators.size(); d-- > 0;)
    node = loop(definition.iterators[d], {node});
  return node;
}

Program Handmade::program() const {
  Algorithm algorithm = algorithm_;
  std::vector<Node> nests, with_initial;
  for (const Definition& d : algorithm.definitions) {
    with_initial.push_back(nest(d));
    if (!d.is_initial) nests.push_back(nest(d));
  }
  if (algorithm.reference.roots.empty()) algorithm.reference.roots = with_initial;
  Program program;
  program.session = session_;
  program.name = "handmade";
  program.algorithm = std::make_shared<const Algorithm>(std::move(algorithm));
  program.mapping.roots = schedule_.empty() ? nests : schedule_;
  program.layout = layout_;
  return program;
}

}  // namespace strata::reference
