#include "codegen/remarks/remarks.h"

#include <algorithm>
#include <set>

#include "codegen/remarks/kinds.h"

namespace strata {

namespace {

constexpr double least_share = 0.05;

std::string authors_name(const Algorithm& algorithm, const std::string& definition) {
  for (const Definition& d : algorithm.definitions)
    if (d.reduction && d.reduction->initial == definition) return d.name;
  return definition;
}

bool is_known(const Remarks& all, const Remark& one) {
  return std::any_of(all.begin(), all.end(), [&](const Remark& r) {
    return r.kind == one.kind && r.computation == one.computation && r.loop == one.loop;
  });
}

std::vector<const RemarkSite*> sites_that_matter(const Tree& tree) {
  double total = 0;
  for (const RemarkSite& site : tree.sites) total += site.work();
  std::vector<const RemarkSite*> sites;
  for (const RemarkSite& site : tree.sites)
    if (site.work() >= least_share * total) sites.push_back(&site);
  std::stable_sort(sites.begin(), sites.end(),
                   [](const RemarkSite* a, const RemarkSite* b) { return a->work() > b->work(); });
  return sites;
}

std::optional<Finding> found_at(const RemarkKind& kind, const Tree& tree, const RemarkSite& site,
                                const std::string& author) {
  if (kind.runs != Runs::anywhere && (kind.runs == Runs::in_launches) != bool(site.launch))
    return std::nullopt;
  return kind.find({tree, site, author});
}

// Tries commands.
class Trials {
 public:
  Trials(const Tree& tree, const Algorithm& algorithm, const RemarkOptions& options)
      : tree_(tree), algorithm_(algorithm), options_(options) {}

  // The first candidate after which the kind finds nothing at this loop, and nothing new at others.
  std::optional<Candidate> helping(const RemarkKind& kind, const std::string& author,
                                   const Finding& finding) {
    std::set<std::string> allowed = loops_with(kind, author, tree_);
    allowed.erase(finding.loop);
    for (const Candidate& candidate : finding.candidates) {
      if (left_ == 0) break;
      const std::optional<Kernel> kernel = options_.after(candidate.command);
      if (!kernel) continue;
      --left_;
      const Tree after = tree_of(*kernel, options_.machine, options_.sizes);
      const std::set<std::string> left = loops_with(kind, author, after);
      if (std::includes(allowed.begin(), allowed.end(), left.begin(), left.end())) return candidate;
    }
    return std::nullopt;
  }

 private:
  // The loops at which the kind finds something in a computation.
  std::set<std::string> loops_with(const RemarkKind& kind, const std::string& author,
                                   const Tree& tree) const {
    std::set<std::string> loops;
    for (const RemarkSite* site : sites_that_matter(tree)) {
      if (authors_name(algorithm_, site->execute->computation) != author) continue;
      if (const auto found = found_at(kind, tree, *site, author)) loops.insert(found->loop);
    }
    return loops;
  }

  const Tree& tree_;
  const Algorithm& algorithm_;
  const RemarkOptions& options_;
  int left_ = most_trials;
};

}  // namespace

Candidate on_loop(const std::string& method, const std::string& computation,
                  const std::string& loop, const std::string& more) {
  const std::string rest = (more.empty() ? "" : ", " + more) + ")";
  return {method + "(" + computation + "." + loop + rest,
          computation + "." + method + "(" + loop + rest};
}

const std::vector<RemarkKind>& remark_kinds() {
  static const std::vector<RemarkKind> table{
      {"no vector", Runs::on_host, find_no_vector},
      {"gather", Runs::on_host, find_gather},
      {"scalar tail", Runs::on_host, find_scalar_tail},
      {"interleaved bytes", Runs::on_host, find_interleaved_bytes},
      {"products of bytes", Runs::on_host, find_products_of_bytes},
      {"scalar call", Runs::on_host, find_scalar_call},
      {"condition in the inner loop", Runs::on_host, find_condition},
      {"allocation in a loop", Runs::on_host, find_allocation},
      {"more than registers in a thread", Runs::in_launches, find_large_thread},
      {"few threads", Runs::in_launches, find_few_threads},
      {"one thread of a block", Runs::in_launches, find_one_thread},
      {"scattered threads", Runs::in_launches, find_scattered_threads},
      {"bank conflicts", Runs::in_launches, find_bank_conflicts},
      {"little parallel work", Runs::on_host, find_little_work},
      {"checked index", Runs::anywhere, find_checked_index},
      {"sum in memory", Runs::on_host, find_sum_in_memory},
      {"operand on the stack", Runs::on_host, find_operand_on_stack},
      {"low intensity", Runs::on_host, find_low_intensity},
  };
  return table;
}

Remarks remarks(const Kernel& kernel, const Algorithm& algorithm, const RemarkOptions& options) {
  const Tree tree = tree_of(kernel, options.machine, options.sizes);
  const std::vector<const RemarkSite*> sites = sites_that_matter(tree);
  Trials trials(tree, algorithm, options);
  Remarks all;
  for (const RemarkKind& kind : remark_kinds())
    for (const RemarkSite* site : sites) {
      const std::string author = authors_name(algorithm, site->execute->computation);
      const auto found = found_at(kind, tree, *site, author);
      if (!found) continue;
      Remark remark{kind.name, author, found->loop, found->seen, found->advice};
      remark.kernel = kernel.name;
      if (is_known(all, remark)) continue;
      if (const auto helps = trials.helping(kind, author, *found)) {
        remark.commands = {helps->command};
        remark.advice = "give " + helps->in_cpp + ", which is legal now" + helps->also;
      }
      all.push_back(remark);
    }
  return all;
}

}  // namespace strata
