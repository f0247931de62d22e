#include "codegen/device/warp_paths.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "codegen/device/ptx_blocks.h"
#include "codegen/device/text_lines.h"

namespace strata::device {

namespace {

constexpr long threads_of_warp = 32;

// The threads of a block on axis x, and on x and y together; 0 if the kernel does not say.
struct BlockShape {
  long x = 0, plane = 0;
};

BlockShape block_shape(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::string x = between(line, ".maxntid ", ","), y = between(line, ", ", ",");
    if (!x.empty()) return {std::atol(x.c_str()), std::atol(x.c_str()) * std::atol(y.c_str())};
  }
  return {};
}

bool is_of_warps(long threads) { return threads > 0 && threads % threads_of_warp == 0; }

// For each block those that are on all ways from it to the end, with itself.
std::vector<std::vector<bool>> postdominators(const std::vector<PtxBlock>& blocks) {
  const std::size_t count = blocks.size();
  std::vector<std::vector<bool>> all(count, std::vector<bool>(count, true));
  all.back().assign(count, false);
  all.back().back() = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = count - 1; b-- > 0;) {
      std::vector<bool> common(count, true);
      for (const std::size_t next : blocks[b].next)
        for (std::size_t n = 0; n < count; ++n) common[n] = common[n] && all[next][n];
      common[b] = true;
      changed = changed || common != all[b];
      all[b] = std::move(common);
    }
  }
  return all;
}

bool begins_with_one_of(const std::string& text, std::initializer_list<const char*> all) {
  return std::any_of(all.begin(), all.end(),
                     [&](const char* begin) { return text.starts_with(begin); });
}

bool sets_register(const PtxInstruction& one) {
  return !one.operands.empty() && !leaves_block(one) &&
         !begins_with_one_of(one.operation, {"st.", "red.", "bar", "call", "cp.", "prefetch"});
}

// "%r5", which instructions set; others, as "%clock64", are special.
bool is_virtual(const std::string& name) {
  static const std::set<std::string> kinds{"%p", "%r", "%rs", "%rd", "%rq", "%f", "%fd", "%h"};
  const std::size_t digits = name.find_first_of("0123456789");
  return digits != std::string::npos && kinds.count(name.substr(0, digits)) &&
         name.find_first_not_of("0123456789", digits) == std::string::npos;
}

// Does the result depend on the operands alone?
bool is_function(const PtxInstruction& one) {
  if (one.operation.starts_with("ld.param.")) return one.operands[1].find("[retval") != 0;
  if (begins_with_one_of(one.operation, {"ld.global.nc.", "ld.const."})) return true;
  return !begins_with_one_of(one.operation, {"ld", "atom", "tex", "shfl", "vote", "match", "mma"});
}

class WarpPaths {
 public:
  explicit WarpPaths(const std::vector<std::string>& lines)
      : lines_(lines),
        blocks_(blocks_of(lines)),
        postdominators_(postdominators(blocks_)),
        deciding_(blocks_.size()),
        shape_(block_shape(lines)) {
    find_copies_of_x();
    while (grow()) {
    }
  }

  std::vector<std::string> of_lines() const {
    std::vector<std::string> all(lines_.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (const PtxInstruction& one : blocks_[b].instructions) all[one.line] = deciding_[b];
    return all;
  }

 private:
  // None, if one of them is set otherwise, too.
  void find_copies_of_x() {
    std::set<std::string> others;
    for (const PtxBlock& block : blocks_)
      for (const PtxInstruction& one : block.instructions) {
        if (!sets_register(one)) continue;
        const bool copies = one.operands.size() == 2 && is_copy_of_x(one) && one.predicate.empty();
        (copies ? copies_of_x_ : others).insert(one.operands[0]);
      }
    const bool is_lost = std::any_of(others.begin(), others.end(), [&](const std::string& name) {
      return copies_of_x_.count(name) > 0;
    });
    if (is_lost) copies_of_x_.clear();
  }

  bool is_copy_of_x(const PtxInstruction& one) const {
    return begins_with_one_of(one.operation, {"mov.", "cvt.u64.u32"}) &&
           (one.operands[1] == "%tid.x" || copies_of_x_.count(one.operands[1]));
  }

  // One round; false if nothing is new.
  bool grow() {
    bool changed = false;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (const PtxInstruction& one : blocks_[b].instructions) {
        if (parts(one)) changed = decide(b, one) || changed;
        if (sets_register(one) && (!deciding_[b].empty() || result_varies(one)))
          for (const std::string& name : registers_in(one.operands[0]))
            changed = varying_.insert(name).second || changed;
      }
    return changed;
  }

  // May threads of a warp go on at different places?
  bool parts(const PtxInstruction& one) const {
    if (!leaves_block(one)) return false;
    const bool chooses = one.operation.starts_with("brx") && !one.operands.empty();
    return varies(one.predicate) || (chooses && varies(one.operands[0]));
  }

  // The last instruction of block b is taken by some threads of a warp.
  bool decide(std::size_t b, const PtxInstruction& branch) {
    bool changed = false;
    std::vector<std::size_t> ways = blocks_[b].next;
    std::vector<bool> seen(blocks_.size());
    while (!ways.empty()) {
      const std::size_t at = ways.back();
      ways.pop_back();
      const bool follows_on_all_ways = at != b && postdominators_[b][at];
      if (seen[at] || follows_on_all_ways) continue;
      seen[at] = true;
      if (deciding_[at].empty()) {
        deciding_[at] = text_of(branch);
        changed = true;
      }
      ways.insert(ways.end(), blocks_[at].next.begin(), blocks_[at].next.end());
    }
    return changed;
  }

  std::string text_of(const PtxInstruction& one) const {
    const std::string& line = lines_[one.line];
    std::string text = line.substr(1, line.find(';') - 1);
    std::erase(text, '\t');
    return text;
  }

  bool result_varies(const PtxInstruction& one) const {
    if (is_of_warp(one)) return false;
    if (!is_function(one) || varies(one.predicate)) return true;
    return std::any_of(one.operands.begin() + 1, one.operands.end(),
                       [&](const std::string& operand) { return varies(operand); });
  }

  bool varies(const std::string& operand) const {
    for (const std::string& name : registers_in(operand)) {
      if (varying_.count(name)) return true;
      const bool is_same = begins_with_one_of(name, {"%ctaid.", "%nctaid.", "%ntid.", "%SP"});
      const bool is_of_axis = (name == "%tid.y" && is_of_warps(shape_.x)) ||
                              (name == "%tid.z" && is_of_warps(shape_.plane));
      if (!is_virtual(name) && !is_same && !is_of_axis) return true;
    }
    return false;
  }

  // x / 32, x with the last 5 bits cleared, and x < 32 n, of the thread's index x.
  bool is_of_warp(const PtxInstruction& one) const {
    const bool has_form = is_of_warps(shape_.x) && one.operands.size() == 3 &&
                          copies_of_x_.count(one.operands[1]) && one.predicate.empty();
    if (!has_form) return false;
    char* end = nullptr;
    const long number = std::strtol(one.operands[2].c_str(), &end, 10);
    if (*end != '\0') return false;
    if (one.operation.starts_with("shr.")) return number >= 5;
    if (begins_with_one_of(one.operation, {"and.", "setp.lt.", "setp.ge."}))
      return number % threads_of_warp == 0;
    return begins_with_one_of(one.operation, {"setp.gt.", "setp.le."}) &&
           (number + 1) % threads_of_warp == 0;
  }

  const std::vector<std::string>& lines_;
  std::vector<PtxBlock> blocks_;
  std::vector<std::vector<bool>> postdominators_;
  std::set<std::string> copies_of_x_;  // registers that never hold anything else
  std::set<std::string> varying_;
  std::vector<std::string> deciding_;  // the branch that decides about the block
  BlockShape shape_;
};

}  // namespace

std::vector<std::string> parting_branches(const std::vector<std::string>& lines) {
  return WarpPaths(lines).of_lines();
}

}  // namespace strata::device
