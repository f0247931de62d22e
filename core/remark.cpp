#include "core/remark.h"

namespace strata {

std::string render(const Remark& remark) {
  std::string place = "computation " + remark.computation;
  if (!remark.loop.empty()) place += ", loop " + remark.loop;
  if (!remark.where.file.empty())
    place += ", at " + remark.where.file + ":" + std::to_string(remark.where.line);
  return "remark: " + remark.kind + "\n  in " + place + "\n  " + remark.seen +
         "\n  what to do: " + remark.advice + "\n";
}

}  // namespace strata
