#include "viewer/drawing/sizes.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/printer.h>
#include <isl/set.h>

#include <cstdlib>
#include <functional>
#include <optional>

#include "core/expr/expr_text.h"
#include "core/sets/coalesce.h"
#include "core/sets/difference.h"

namespace strata {

namespace {

constexpr std::size_t longest_bound = 26;

// floord(a, b), which isl's code calls, as floor((a) / b).
std::string with_floors(std::string text) {
  const std::string call = "floord(";
  for (std::size_t at; (at = text.find(call)) != std::string::npos;) {
    std::size_t end = at + call.size();
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (end == text.size()) return text;
    text.replace(end, 2, ") / ");
    text.replace(at, call.size(), "floor((");
  }
  return text;
}

// In C's notation, if it is one short expression.
std::optional<std::string> bound_text(const isl::pw_aff& bound) {
  if (isl_pw_aff_n_piece(bound.get()) != 1) return std::nullopt;
  isl_printer* printer = isl_printer_to_str(bound.ctx().get());
  printer = isl_printer_set_output_format(printer, ISL_FORMAT_C);
  printer = isl_printer_print_pw_aff(printer, bound.get());
  char* chars = isl_printer_get_str(printer);
  isl_printer_free(printer);
  const std::string text = with_floors(chars ? chars : "");
  std::free(chars);
  if (text.empty() || text.size() > longest_bound) return std::nullopt;
  return text;
}

struct SizeTexts {
  std::string least, most, extent;
};

// Of a set of one dimension, over parameters.
std::optional<SizeTexts> bounds_of(const isl::set& set, const isl::set& context) {
  const isl::set here = coalesced(set.intersect_params(context));
  if (here.is_empty() ||
      isl_set_dim_has_any_lower_bound(here.get(), isl_dim_set, 0) != isl_bool_true ||
      isl_set_dim_has_any_upper_bound(here.get(), isl_dim_set, 0) != isl_bool_true)
    return std::nullopt;
  const isl::set known = here.params();
  const auto simple = [&](const isl::pw_aff& bound) { return coalesced(bound.gist(known)); };
  const isl::pw_aff least = isl::manage(isl_set_dim_min(here.copy(), 0));
  const isl::pw_aff most = isl::manage(isl_set_dim_max(here.copy(), 0));
  const isl::pw_aff one =
      isl::manage(isl_pw_aff_val_on_domain(known.copy(), isl::val::one(known.ctx()).release()));
  const auto first = bound_text(simple(least)), last = bound_text(simple(most));
  const auto extent = bound_text(simple(most.sub(least).add(one)));
  if (!first || !last) return std::nullopt;
  return SizeTexts{*first, *last, extent.value_or("?")};
}

// The dimensions "from" .. of a set are left out.
isl::set without_dimensions(const isl::set& set, unsigned from, unsigned count) {
  return isl::manage(isl_set_project_out(set.copy(), isl_dim_set, from, count));
}

// { [t0, .., tp] -> b[places] : an instance at these times defines a value stored there }; without
// levels also the elements of inputs.
std::optional<isl::map> places_at(const Program& program, const std::string& buffer,
                                  unsigned levels) {
  std::optional<isl::map> all;
  const auto add = [&](const isl::map& values, const std::string& array) {
    const auto store = program.layout.store.find(array);
    isl::map places =
        store == program.layout.store.end() ? values : values.apply_range(store->second);
    places = isl::manage(isl_map_reset_tuple_id(places.release(), isl_dim_out));
    all = all ? all->unite(places) : places;
  };
  for (const InputArray& input : program.algorithm->inputs)
    if (levels == 0 && buffer_of(program.layout, input.name) == buffer)
      add(isl::manage(isl_map_from_range(input.domain.copy())), input.name);
  for (const Placed& placed : branches(program.mapping)) {
    const Definition* d = program.algorithm->find(placed.branch->definition);
    if (!d || buffer_of(program.layout, d->array) != buffer || placed.loops.size() < levels)
      continue;
    isl::map time = executions(*placed.branch);
    time = isl::manage(isl_map_project_out(time.release(), isl_dim_out, levels,
                                           unsigned(placed.loops.size()) - levels));
    add(time.reverse().apply_range(d->defines), d->array);
  }
  return all;
}

std::string extent_text(const isl::set& times_and_place, unsigned levels, const isl::set& context) {
  const isl::val difference = largest_difference(times_and_place.intersect_params(context));
  if (difference.is_int()) return std::to_string(difference.num_si() + 1);
  if (levels > 0) return "?";
  const auto bounds = bounds_of(times_and_place, context);
  return bounds ? bounds->extent : "?";
}

// Runs "question" under the session's budget; nothing if it runs out or isl fails.
std::string asked_of(const Program& program, const std::function<std::string()>& question) try {
  std::string answer;
  const bool done = program.session->within_budget([&] { answer = question(); });
  return done ? answer : "";
} catch (const isl::exception&) {
  return "";
}

std::string range_of(const Program& program, const Path& path) {
  std::optional<isl::set> all;
  const unsigned level = unsigned(path.size()) - 1;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, path)) continue;
    for (const Loop* loop : placed.loops)
      if (loop->tile_size) return "";
    isl::set times = executions(*placed.branch).range();
    times = without_dimensions(times, level + 1, unsigned(placed.loops.size()) - level - 1);
    all = all ? all->unite(times) : times;
  }
  if (!all) return "";
  const isl::set& context = program.algorithm->context;
  const isl::val difference = largest_difference(all->intersect_params(context));
  if (difference.is_int()) return "x " + std::to_string(difference.num_si() + 1);
  const auto bounds = bounds_of(without_dimensions(*all, 0, level), context);
  return bounds ? bounds->least + " .. " + bounds->most : "";
}

std::string extents_of(const Program& program, const std::string& buffer, const Path& path) {
  const unsigned levels = unsigned(path.size());
  const auto places = places_at(program, buffer, levels);
  if (!places) return "";
  const isl::set flat = places->wrap().flatten();
  const unsigned rank = unsigned(isl_map_dim(places->get(), isl_dim_out));
  std::string text;
  for (unsigned d = 0; d < rank; ++d) {
    isl::set one = without_dimensions(flat, levels + d + 1, rank - d - 1);
    one = without_dimensions(one, levels, d);
    text += (d ? ", " : "") + extent_text(one, levels, program.algorithm->context);
  }
  return "[" + text + "]";
}

}  // namespace

std::string range_text(const Program& program, const Path& path) {
  return asked_of(program, [&] { return range_of(program, path); });
}

std::string extents_text(const Program& program, const LayoutBuffer& buffer, const Path& path) {
  if (buffer.extents.empty())
    return asked_of(program, [&] { return extents_of(program, buffer.name, path); });
  std::string text;
  for (const Expr& extent : buffer.extents) text += (text.empty() ? "" : ", ") + to_text(extent);
  return "[" + text + "]";
}

}  // namespace strata
