#include "viewer/drawing/iteration_space.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/text_scanner.h"
#include "layers/flow/initial_values.h"
#include "layers/witness.h"
#include "schedule/table/replay.h"

namespace strata {

namespace {

using Numbers = std::vector<long>;

// An instance as witnesses write it: "S[2, 0]".
struct NamedPoint {
  std::string name;
  Numbers coordinates;
};

long integer(TextScanner& scanner) {
  const bool negative = scanner.accept("-");
  const Token token = scanner.next();
  if (token.kind != Token::Kind::number || token.text.size() > 9 ||
      token.text.find_first_not_of("0123456789") != std::string::npos)
    scanner.fail_expecting("an integer");
  return negative ? -std::stol(token.text) : std::stol(token.text);
}

Numbers integers_in_brackets(TextScanner& scanner) {
  Numbers numbers;
  scanner.expect("[");
  while (!scanner.accept("]")) {
    if (!numbers.empty()) scanner.expect(",");
    numbers.push_back(integer(scanner));
  }
  return numbers;
}

NamedPoint named_point(const std::string& text) {
  TextScanner scanner(text);
  NamedPoint point;
  point.name = scanner.expect_name("the name of a computation");
  point.coordinates = integers_in_brackets(scanner);
  scanner.expect_end();
  return point;
}

// "N = 3, M = 1, in the iteration i = 0": what follows "in" are iterators, not parameters.
std::map<std::string, long> parameter_values(const std::string& text) {
  std::map<std::string, long> values;
  TextScanner scanner(text);
  while (!scanner.at_end() && !scanner.is_keyword("in")) {
    const std::string name = scanner.expect_name("the name of a parameter");
    scanner.expect("=");
    values[name] = integer(scanner);
    if (!scanner.accept(",")) break;
  }
  return values;
}

isl::set with_parameters(isl::set set, const std::map<std::string, long>& values) {
  for (const auto& [name, value] : values) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
    if (position >= 0)
      set =
          isl::manage(isl_set_fix_si(set.release(), isl_dim_param, unsigned(position), int(value)));
  }
  const unsigned parameters = unsigned(isl_set_dim(set.get(), isl_dim_param));
  return isl::manage(isl_set_project_out(set.release(), isl_dim_param, 0, parameters));
}

// A computation or an input: its domain at the witness's parameters, and its iterators.
struct DrawnDomain {
  isl::set set;
  std::vector<std::string> iterators;
};

std::optional<DrawnDomain> domain_of(const Program& program, const std::string& name,
                                     const std::map<std::string, long>& parameters) {
  const Algorithm& algorithm = *program.algorithm;
  if (const Definition* d = algorithm.find(name))
    return DrawnDomain{with_parameters(d->domain, parameters), d->iterators};
  const InputArray* input = algorithm.find_input(name);
  if (!input) return std::nullopt;
  std::vector<std::string> indices;
  for (unsigned d = 0; d < input->domain.tuple_dim(); ++d)
    indices.push_back("index " + std::to_string(d + 1));
  return DrawnDomain{with_parameters(input->domain, parameters), indices};
}

// The dimensions of a grid, first the last ones that differ between the points, then the last ones;
// at most two, in their order.
std::vector<unsigned> shown_dimensions(const std::vector<Numbers>& points) {
  const unsigned rank = unsigned(points.front().size());
  std::vector<unsigned> shown, others;
  for (unsigned d = rank; d-- > 0;) {
    const bool same = std::all_of(points.begin(), points.end(),
                                  [&](const Numbers& p) { return p[d] == points.front()[d]; });
    (same ? others : shown).push_back(d);
  }
  shown.insert(shown.end(), others.begin(), others.end());
  if (shown.size() > 2) shown.resize(2);
  std::sort(shown.begin(), shown.end());
  return shown;
}

GridPoint in_plane(const Numbers& point, const std::vector<unsigned>& shown) {
  if (shown.empty()) return {};
  return {point[shown.back()], shown.size() == 2 ? point[shown.front()] : 0};
}

// An interval of at most "longest_window" around the executions' one, inside the points' one.
std::pair<long, long> window_of(std::pair<long, long> points, std::pair<long, long> executions) {
  points = {std::min(points.first, executions.first), std::max(points.second, executions.second)};
  const long room = longest_window - (executions.second - executions.first + 1);
  long first = std::max(points.first, executions.first - room / 2);
  const long last = std::min(points.second, first + longest_window - 1);
  first = std::max(points.first, std::min(first, last - longest_window + 1));
  return {first, last};
}

std::pair<long, long> interval(const std::vector<GridPoint>& points, long GridPoint::* coordinate) {
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(),
      [&](const GridPoint& a, const GridPoint& b) { return a.*coordinate < b.*coordinate; });
  return {(*least).*coordinate, (*most).*coordinate};
}

isl::set bounded_dimension(const isl::set& set, unsigned d, long first, long last) {
  isl::set above = isl::manage(isl_set_lower_bound_si(set.copy(), isl_dim_set, d, int(first)));
  return isl::manage(isl_set_upper_bound_si(above.release(), isl_dim_set, d, int(last)));
}

// What a grid is made from.
struct GridSource {
  DrawnDomain domain;
  std::vector<Numbers> executed;  // the coordinates of the witness's executions
  std::vector<unsigned> shown;    // the dimensions of the grid
  isl::set window;                // the points of the grid, in the domain

  bool shows(unsigned d) const { return std::count(shown.begin(), shown.end(), d) > 0; }
};

// The domain in the plane of the executions; with "reach" only what is so near to them.
isl::set plane_of(const GridSource& source, std::optional<long> reach) {
  isl::set plane = source.domain.set;
  for (unsigned d = 0; d < source.executed.front().size(); ++d) {
    if (source.shows(d) && !reach) continue;
    long first = source.executed.front()[d], last = first;
    for (const Numbers& point : source.executed) {
      first = std::min(first, point[d]);
      last = std::max(last, point[d]);
    }
    const long margin = source.shows(d) ? *reach : 0;
    plane = bounded_dimension(plane, d, first - margin, last + margin);
  }
  return plane;
}

std::vector<GridPoint> points_in(const isl::set& set, const std::vector<unsigned>& shown) {
  std::vector<GridPoint> points;
  set.foreach_point([&](isl::point p) {
    points.push_back(in_plane(coordinates(isl::set(isl::basic_set(p))), shown));
  });
  std::sort(points.begin(), points.end(), [](const GridPoint& a, const GridPoint& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return points;
}

std::string fixed_dimensions(const GridSource& source) {
  std::string text;
  for (unsigned d = 0; d < source.domain.iterators.size(); ++d)
    if (!source.shows(d))
      text += (text.empty() ? "" : ", ") + source.domain.iterators[d] + " = " +
              std::to_string(source.executed.front()[d]);
  return text;
}

// Chooses the window, and lists its points.
void make_window(GridSource& source, PointGrid& grid) {
  std::vector<GridPoint> executions;
  for (const Numbers& point : source.executed) executions.push_back(in_plane(point, source.shown));
  std::vector<GridPoint> points = points_in(plane_of(source, longest_window), source.shown);
  if (points.empty()) points = executions;
  const isl::set plane = plane_of(source, std::nullopt);
  source.window = plane;
  for (std::size_t n = 0; n < 2; ++n) {
    long GridPoint::* coordinate = n == 0 ? &GridPoint::column : &GridPoint::row;
    const auto needed = interval(executions, coordinate);
    const auto [first, last] = window_of(interval(points, coordinate), needed);
    grid.first.*coordinate = first;
    grid.last.*coordinate = last;
    if (n < source.shown.size())
      source.window =
          bounded_dimension(source.window, *(source.shown.rbegin() + long(n)), first, last);
  }
  grid.points = points_in(source.window, source.shown);
  grid.cut = !plane.subtract(source.window).is_empty();
}

PointGrid grid_of(const std::string& name, GridSource& source) {
  PointGrid grid;
  grid.name = name;
  if (!source.shown.empty()) grid.across = source.domain.iterators[source.shown.back()];
  if (source.shown.size() == 2) grid.down = source.domain.iterators[source.shown.front()];
  grid.plane = fixed_dimensions(source);
  make_window(source, grid);
  return grid;
}

// ---- the order of the refused schedule ----

bool runs_in_order(const Placed& placed) {
  return std::all_of(placed.loops.begin(), placed.loops.end(), [](const Loop* loop) {
    return in_order(loop->processor) && !loop->tile_size;
  });
}

// The time of each point of the grid, row by row; empty if one has none or several.
std::vector<Numbers> execution_times(const Mapping& mapping, const std::string& name,
                                     const GridSource& source, const PointGrid& grid,
                                     const std::map<std::string, long>& parameters) {
  std::map<std::pair<long, long>, std::vector<Numbers>> found;
  const std::size_t rank = source.executed.front().size();
  for (const Placed& placed : branches_of(mapping, name)) {
    if (!runs_in_order(placed)) return {};
    const isl::map theta_here = theta(placed, 2 * max_depth(mapping) + 1);
    const isl::set executed = with_parameters(theta_here.wrap(), parameters)
                                  .unwrap()
                                  .intersect_domain(source.window)
                                  .wrap();
    executed.foreach_point([&](isl::point p) {
      const Numbers all = coordinates(isl::set(isl::basic_set(p)));
      const auto middle = all.begin() + long(rank);
      const GridPoint point = in_plane(Numbers(all.begin(), middle), source.shown);
      found[{point.row, point.column}].emplace_back(middle, all.end());
    });
  }
  std::vector<Numbers> times;
  for (const GridPoint& point : grid.points) {
    const std::vector<Numbers>& here = found[{point.row, point.column}];
    if (here.size() != 1) return {};
    times.push_back(here.front());
  }
  return times;
}

// The witness's times are those of the points that it names.
bool agree(const Witness& witness, const IterationSpace& space,
           const std::vector<std::vector<Numbers>>& times) {
  for (std::size_t e = 0; e < witness.executions.size(); ++e) {
    if (witness.executions[e].time.empty()) continue;
    TextScanner scanner(witness.executions[e].time);
    const Numbers time = integers_in_brackets(scanner);
    const auto& [grid, point] = space.executions[e];
    const auto& points = space.grids[grid].points;
    const auto found = std::find(points.begin(), points.end(), point);
    if (found == points.end() || times[grid][std::size_t(found - points.begin())] != time)
      return false;
  }
  return true;
}

void number(IterationSpace& space, const std::vector<std::vector<Numbers>>& times) {
  std::vector<Numbers> all;
  for (const auto& grid : times) all.insert(all.end(), grid.begin(), grid.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());  // windows may meet
  for (std::size_t g = 0; g < times.size(); ++g)
    for (const Numbers& time : times[g])
      space.grids[g].order.push_back(
          int(std::lower_bound(all.begin(), all.end(), time) - all.begin()) + 1);
}

// Numbers the points as the program after the refused command would run them.
void set_order(IterationSpace& space, const std::vector<GridSource>& sources,
               const Program& program, const Refusal& refusal,
               const std::map<std::string, long>& parameters) {
  const Program refused = replayed(program, refusal.command, {refusal.where, Check::deferred});
  const Mapping mapping = complete_mapping(refused);
  std::vector<std::vector<Numbers>> times;
  for (std::size_t g = 0; g < sources.size(); ++g) {
    const PointGrid& grid = space.grids[g];
    times.push_back(execution_times(mapping, grid.name, sources[g], grid, parameters));
    if (times.back().size() != grid.points.size()) return;
  }
  if (agree(*refusal.witness, space, times)) number(space, times);
}

// ---- which executions share a grid ----

// The executions of one computation or input that share a grid.
struct ExecutionGroup {
  std::string name;
  std::vector<unsigned> shown;
  std::vector<Numbers> points;

  // Is the point in the plane of the others, and so near that one window has all?
  bool has_room_for(const Numbers& point) const {
    for (unsigned d = 0; d < point.size(); ++d) {
      long least = point[d], most = point[d];
      for (const Numbers& other : points) {
        least = std::min(least, other[d]);
        most = std::max(most, other[d]);
      }
      const bool in_grid = std::count(shown.begin(), shown.end(), d) > 0;
      if (most - least >= (in_grid ? longest_window : 1)) return false;
    }
    return true;
  }
};

using Domains = std::map<std::string, DrawnDomain>;

// Of all that the executions name; nothing if one is unknown, or has another number of dimensions.
std::optional<Domains> domains_of(const Program& program, const std::vector<NamedPoint>& executions,
                                  const std::map<std::string, long>& parameters) {
  Domains domains;
  for (const NamedPoint& execution : executions) {
    const auto domain = domain_of(program, execution.name, parameters);
    if (!domain || execution.coordinates.size() != domain->iterators.size()) return std::nullopt;
    domains.emplace(execution.name, *domain);
  }
  return domains;
}

// Adds each execution to the first group that has room for it, or to a new one; sets "group_of".
std::vector<ExecutionGroup> grouped(const std::vector<NamedPoint>& executions,
                                    std::vector<std::size_t>& group_of) {
  std::map<std::string, std::vector<Numbers>> points;
  for (const NamedPoint& one : executions) points[one.name].push_back(one.coordinates);
  std::vector<ExecutionGroup> groups;
  for (const NamedPoint& one : executions) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const ExecutionGroup& g) {
      return g.name == one.name && g.has_room_for(one.coordinates);
    });
    if (group == groups.end())
      group = groups.insert(group, {one.name, shown_dimensions(points[one.name]), {}});
    group->points.push_back(one.coordinates);
    group_of.push_back(std::size_t(group - groups.begin()));
  }
  return groups;
}

std::optional<IterationSpace> space_of(const Program& program, const Refusal& refusal) {
  const auto parameters = parameter_values(refusal.witness->parameters);
  std::vector<NamedPoint> executions;
  for (const Execution& execution : refusal.witness->executions)
    executions.push_back(named_point(execution.instance));
  const auto domains = domains_of(program, executions, parameters);
  if (!domains) return std::nullopt;
  IterationSpace space;
  std::vector<GridSource> sources;
  std::vector<std::size_t> group_of;
  for (const ExecutionGroup& group : grouped(executions, group_of)) {
    const DrawnDomain& domain = domains->at(group.name);
    sources.push_back({domain, group.points, group.shown, domain.set});
    space.grids.push_back(grid_of(group.name, sources.back()));
  }
  for (std::size_t e = 0; e < executions.size(); ++e)
    space.executions.push_back(
        {group_of[e], in_plane(executions[e].coordinates, sources[group_of[e]].shown)});
  try {
    set_order(space, sources, program, refusal, parameters);
  } catch (const Error&) {  // the command is not in the table, or belongs to a group
  }
  return space;
}

}  // namespace

std::optional<IterationSpace> iteration_space(const Program& program, const Refusal& refusal) try {
  if (!refusal.witness || refusal.witness->executions.empty()) return std::nullopt;
  std::optional<IterationSpace> space;
  const bool done = program.session->within_budget([&] { space = space_of(program, refusal); });
  return done ? space : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
} catch (const isl::exception&) {
  return std::nullopt;
}

}  // namespace strata
