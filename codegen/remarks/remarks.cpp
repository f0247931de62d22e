#include "codegen/remarks/remarks.h"

#include <algorithm>

#include "codegen/remarks/kinds.h"

namespace strata {

namespace {

constexpr double least_share = 0.05;

std::string authors_name(const Algorithm& algorithm, const std::string& definition) {
  for (const Definition& d : algorithm.definitions)
    if (d.reduction && d.reduction->initial == definition) return d.name;
  return definition;
}

bool is_known(const std::vector<Remark>& all, const Remark& one) {
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

}  // namespace

const std::vector<RemarkKind>& remark_kinds() {
  static const std::vector<RemarkKind> table{
      {"no vector", Runs::on_host, find_no_vector},
      {"gather", Runs::on_host, find_gather},
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
      {"low intensity", Runs::on_host, find_low_intensity},
  };
  return table;
}

std::vector<Remark> remarks(const Kernel& kernel, const Algorithm& algorithm,
                            const RemarkOptions& options) {
  const Tree tree = tree_of(kernel, options.machine, options.sizes);
  const std::vector<const RemarkSite*> sites = sites_that_matter(tree);
  std::vector<Remark> all;
  for (const RemarkKind& kind : remark_kinds())
    for (const RemarkSite* site : sites) {
      if (kind.runs != Runs::anywhere && (kind.runs == Runs::in_launches) != bool(site->launch))
        continue;
      const std::string author = authors_name(algorithm, site->execute->computation);
      const auto found = kind.find({tree, *site, author, options.is_legal});
      if (!found) continue;
      const Remark remark{kind.name, author, found->loop, found->seen, found->advice};
      if (!is_known(all, remark)) all.push_back(remark);
    }
  return all;
}

}  // namespace strata
