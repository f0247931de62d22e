#include "codegen/entry/idle_guards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/entry/idle_places.h"
#include "codegen/entry/linear_form.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/launch_axes.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/thread_variable.h"

namespace strata {

namespace {

LinearForm sum_of(const LinearForm& a, std::int64_t factor, const Expr& b) {
  return linear_form(expression(a) + factor * b);
}

// The form e such that the condition is e >= 0. Nothing unless it compares int64 by <, <=, > or >=.
std::optional<LinearForm> surplus(const Expr& condition) {
  const Op op = condition.op();
  const bool above = op == Op::gt || op == Op::ge, below = op == Op::lt || op == Op::le;
  if ((!above && !below) || condition.args()[0].type() != i64) return std::nullopt;
  const Expr &a = condition.args()[0], &b = condition.args()[1];
  const std::int64_t strict = op == Op::gt || op == Op::lt;
  return linear_form((above ? a - b : b - a) - strict);
}

void add_conjuncts(const Expr& condition, std::vector<Expr>& all) {
  if (condition.op() != Op::logical_and) return all.push_back(condition);
  for (const Expr& part : condition.args()) add_conjuncts(part, all);
}

// A temporary buffer, and the number of loops around it.
struct Room {
  const Allocate* allocate;
  std::size_t loops;
};

// An execution, with what is around it in the launch.
struct Site {
  const Execute* execute;
  std::vector<const For*> loops;  // outermost first
  std::vector<const If*> guards;  // that hold here
  std::map<std::string, Room> rooms;
};

// The greatest step of a loop, if that is known.
std::optional<std::int64_t> last_step(const For& loop) {
  if (loop.extent) return *loop.extent - 1;
  const auto lower = as_constant(loop.lower);
  if (!lower || loop.upper.op() != Op::min) return std::nullopt;
  for (const Expr& bound : loop.upper.args())
    if (const auto upper = as_constant(bound)) return *upper - 1 - *lower;
  return std::nullopt;
}

// The least values of linear forms at a site. The variable of a loop is v = lower_v + step; the
// step of a thread loop is the thread's index on its axis.
class Ranges {
 public:
  Ranges(const Site& site, const Launch& launch) : site_(site), launch_(launch) {}

  std::optional<std::int64_t> least(LinearForm form) const {
    std::int64_t steps = 0;
    std::vector<std::int64_t> indices = launch_.threads;  // more than each index of the thread
    indices.resize(thread_axes, 1);
    for (auto at = site_.loops.rbegin(); at != site_.loops.rend(); ++at) {
      const For& loop = **at;
      const bool is_thread = loop.processor == Processor::thread;
      const std::size_t axis = is_thread ? axis_of(loop) : 0;
      if (is_thread && loop.extent) indices[axis] = *loop.extent;
      const std::int64_t factor = taken_out(form, loop.variable);
      if (factor == 0) continue;
      const auto last = last_step(loop);
      if (!last) return std::nullopt;
      form = sum_of(form, factor, loop.lower);
      if (is_thread)
        form = sum_of(form, factor, variable(thread_variable(axis)));
      else
        steps += std::min<std::int64_t>(0, factor * *last);
    }
    for (std::size_t n = 0; n < indices.size(); ++n)
      steps += std::min<std::int64_t>(0, taken_out(form, thread_variable(n)) * (indices[n] - 1));
    for (const LinearForm::Term& term : form.terms) {
      const auto size = remainders(term.atom);
      if (!size) return std::nullopt;
      steps += std::min<std::int64_t>(0, term.factor * (*size - 1));
    }
    return form.constant + steps;
  }

  bool is_inside(const Allocate& room, const std::vector<Expr>& place) const {
    if (!room.packed.empty()) return false;
    for (std::size_t d = 0; d < place.size(); ++d) {
      const auto extent = as_constant(room.extents[d]);
      const auto first = least(linear_form(place[d] - room.lowers[d]));
      if (!extent || !first || *first < 0) return false;
      const auto left = least(linear_form(room.lowers[d] + (*extent - 1) - place[d]));
      if (!left || *left < 0) return false;
    }
    return true;
  }

 private:
  // The divisor c of e % c, if it is a positive constant.
  static std::optional<std::int64_t> remainders(const Expr& e) {
    if (e.op() != Op::mod) return std::nullopt;
    const auto divisor = as_constant(e.args()[1]);
    return divisor && *divisor > 0 ? divisor : std::nullopt;
  }

  const Site& site_;
  const Launch& launch_;
};

class IdleGuards {
 public:
  explicit IdleGuards(const Launch& launch) : launch_(launch) { add_sites(launch.body, Site{}); }

  std::set<const If*> found() const {
    std::set<const If*> all;
    if (!is_odd_)
      for (const If* guard : guards_)
        if (is_idle(*guard)) all.insert(guard);
    return all;
  }

 private:
  void add_sites(const StmtPtr& s, Site here) {
    if (!s) return;
    if (const auto* execute = std::get_if<Execute>(s.get())) {
      here.execute = execute;
      sites_.push_back(here);
    } else if (const auto* loop = std::get_if<For>(s.get())) {
      here.loops.push_back(loop);
      add_sites(loop->body, here);
    } else if (const auto* branch = std::get_if<If>(s.get())) {
      add_sites(branch->otherwise, here);
      here.guards.push_back(branch);
      if (is_of_tile(*branch, here)) guards_.push_back(branch);
      add_sites(branch->then, here);
    } else if (const auto* room = std::get_if<Allocate>(s.get())) {
      here.rooms[room->buffer] = {room, here.loops.size()};
      add_sites(room->body, here);
    } else {
      is_odd_ = is_odd_ || std::holds_alternative<Mma>(*s);
      for_each_inside(*s, [&](const StmtPtr& part) { add_sites(part, here); });
    }
  }

  // Does the guard depend on an unrolled loop inside a thread?
  static bool is_of_tile(const If& guard, const Site& here) {
    bool in_thread = false, found = false;
    for (const For* loop : here.loops) {
      found = found || (in_thread && is_copied(loop->processor) &&
                        depends_on(guard.condition, loop->variable));
      in_thread = in_thread || loop->processor == Processor::thread;
    }
    return found && !guard.otherwise && !guard.masks;
  }

  bool is_idle(const If& guard) const {
    std::vector<Expr> demands;
    add_conjuncts(guard.condition, demands);
    return only_executes(guard.then) &&
           std::all_of(sites_.begin(), sites_.end(), [&](const Site& site) {
             const auto& around = site.guards;
             return std::find(around.begin(), around.end(), &guard) == around.end() ||
                    may_run_idle(site, demands);
           });
  }

  static bool only_executes(const StmtPtr& s) {
    bool only = std::holds_alternative<Execute>(*s) || std::holds_alternative<Block>(*s) ||
                std::holds_alternative<If>(*s) || std::holds_alternative<For>(*s);
    for_each_inside(*s, [&](const StmtPtr& part) { only = only && only_executes(part); });
    return only;
  }

  bool may_run_idle(const Site& site, const std::vector<Expr>& demands) const {
    const Execute& s = *site.execute;
    const auto own = site.rooms.find(s.buffer);
    if (own == site.rooms.end() || own->second.allocate->memory != Memory::local || s.atomic ||
        !s.others.empty() || !s.kept_place.empty() || s.asynchronous || s.mma)
      return false;
    const Ranges ranges(site, launch_);
    return ranges.is_inside(*own->second.allocate, s.indices) && has_value(s.value, site, ranges) &&
           std::all_of(demands.begin(), demands.end(),
                       [&](const Expr& demand) { return is_of_place(demand, site, own->second); });
  }

  // Does "e" have a value whatever its loads find, and are all its loads inside temporary buffers?
  static bool has_value(const Expr& e, const Site& site, const Ranges& ranges) {
    if (e.op() == Op::load) {
      const auto room = site.rooms.find(e.name());
      return room != site.rooms.end() && ranges.is_inside(*room->second.allocate, e.args());
    }
    if (!is_total(e)) return false;
    const auto args = e.args();
    return std::all_of(args.begin(), args.end(),
                       [&](const Expr& arg) { return has_value(arg, site, ranges); });
  }

  static bool is_total(const Expr& e) {
    switch (e.op()) {
      case Op::constant:
      case Op::variable:
      case Op::parameter: return true;
      case Op::cast: return is_float(e.type()) || !is_float(e.args()[0].type());
      default: return is_lane_by_lane(e);
    }
  }

  // Is the condition D(p) : rest + sum_d f_d p_d >= 0 for the place p of the site, with a rest that
  // no loop inside the buffer's life changes? And does D(p) hold at each place p that any site
  // touches?
  bool is_of_place(const Expr& condition, const Site& site, const Room& room) const {
    auto rest = surplus(condition);
    if (!rest) return false;
    const std::vector<Expr>& place = site.execute->indices;
    std::set<std::string> inside;
    for (std::size_t n = room.loops; n < site.loops.size(); ++n)
      inside.insert(site.loops[n]->variable);
    std::vector<std::int64_t> factors(place.size(), 0);
    for (std::size_t d = 0; d < place.size(); ++d) {
      factors[d] = multiples(*rest, place[d], inside);
      if (factors[d] != 0) rest = sum_of(*rest, -factors[d], place[d]);
    }
    const Expr left = expression(*rest);
    for (const std::string& iterator : inside)
      if (depends_on(left, iterator)) return false;
    const auto demanded = [&](const std::vector<Expr>& there) {
      LinearForm form = *rest;
      for (std::size_t d = 0; d < there.size(); ++d)
        if (factors[d] != 0) form = sum_of(form, factors[d], there[d]);
      return form;
    };
    return std::all_of(sites_.begin(), sites_.end(), [&](const Site& other) {
      bool holds = true;
      for_each_place(other, *room.allocate, [&](const std::vector<Expr>& there) {
        holds = holds && is_sure(demanded(there), other);
      });
      return holds;
    });
  }

  // The places of the room's buffer that the site touches.
  template <typename Visitor>
  static void for_each_place(const Site& site, const Allocate& allocate, const Visitor& visitor) {
    const auto room = site.rooms.find(allocate.buffer);
    if (room == site.rooms.end() || room->second.allocate != &allocate) return;
    const Execute& s = *site.execute;
    if (s.buffer == allocate.buffer) visitor(s.indices);
    const auto add_loads = [&](const Expr& whole) {
      visit(whole, [&](const Expr& e) {
        if (e.op() == Op::load && e.name() == allocate.buffer) visitor(e.args());
      });
    };
    add_loads(s.value);
    for (const Expr& index : s.indices) add_loads(index);
    for (const Execute::Other& other : s.others) {
      if (other.buffer == allocate.buffer) visitor(s.indices);
      add_loads(other.value);
    }
  }

  // Is form >= 0 whenever the site executes?
  bool is_sure(const LinearForm& form, const Site& site) const {
    const Ranges ranges(site, launch_);
    const auto follows = [&](const LinearForm& known) {
      const auto least = ranges.least(sum_of(form, -1, expression(known)));
      return least && *least >= 0;
    };
    if (follows(LinearForm{})) return true;
    for (const If* guard : site.guards) {
      std::vector<Expr> conjuncts;
      add_conjuncts(guard->condition, conjuncts);
      for (const Expr& conjunct : conjuncts)
        if (const auto known = surplus(conjunct); known && follows(*known)) return true;
    }
    return false;
  }

  const Launch& launch_;
  std::vector<Site> sites_;
  std::vector<const If*> guards_;
  bool is_odd_ = false;
};

}  // namespace

std::set<const If*> idle_guards(const Launch& launch) { return IdleGuards(launch).found(); }

}  // namespace strata
