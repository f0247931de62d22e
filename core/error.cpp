#include "core/error.h"

#include <algorithm>
#include <string_view>

#include "core/witness_text.h"

namespace strata {

namespace {

struct CodeName {
  Code code;
  std::string_view enumerator;
};

#define STRATA_CODE(name) \
  CodeName { Code::name, #name }
constexpr CodeName code_names[] = {
    STRATA_CODE(E0101_unknown_computation),
    STRATA_CODE(E0102_unknown_loop),
    STRATA_CODE(E0103_ambiguous_loop),
    STRATA_CODE(E0104_name_taken),
    STRATA_CODE(E0105_bad_name),
    STRATA_CODE(E0106_bad_argument),
    STRATA_CODE(E0107_wrong_owners),
    STRATA_CODE(E0108_unreadable_text),
    STRATA_CODE(E0109_wrong_arity),
    STRATA_CODE(E0110_types_do_not_mix),
    STRATA_CODE(E0111_not_affine),
    STRATA_CODE(E0112_unbounded_domain),
    STRATA_CODE(E0113_read_outside_domain),
    STRATA_CODE(E0114_not_single_assignment),
    STRATA_CODE(E0115_unknown_buffer),
    STRATA_CODE(E0116_wrong_argument_list),
    STRATA_CODE(E0117_unsupported_expression),
    STRATA_CODE(E0201_dependence_reversed),
    STRATA_CODE(E0202_dependence_carried),
    STRATA_CODE(E0203_not_injective),
    STRATA_CODE(E0204_not_scheduled),
    STRATA_CODE(E0205_tags_differ),
    STRATA_CODE(E0206_no_legal_order),
    STRATA_CODE(E0207_reduction_concurrent),
    STRATA_CODE(E0208_malformed_schedule),
    STRATA_CODE(E0209_outside_partition),
    STRATA_CODE(E0210_message_reversed),
    STRATA_CODE(E0301_value_overwritten),
    STRATA_CODE(E0302_access_out_of_bounds),
    STRATA_CODE(E0303_race),
    STRATA_CODE(E0304_output_not_last),
    STRATA_CODE(E0305_lanes_collide),
    STRATA_CODE(E0306_malformed_layout),
    STRATA_CODE(E0307_out_of_scope),
    STRATA_CODE(E0308_size_does_not_fit),
    STRATA_CODE(E0309_several_threads),
    STRATA_CODE(E0401_stale_memory),
    STRATA_CODE(E0402_not_on_ranks),
    STRATA_CODE(E0501_unknown_target),
    STRATA_CODE(E0502_code_generation_failed),
    STRATA_CODE(E0503_cannot_write_file),
    STRATA_CODE(E0504_sum_not_in_order),
    STRATA_CODE(E0505_not_exact_on_gpu),
    STRATA_CODE(E0601_malformed_graph),
    STRATA_CODE(E0602_does_not_fit),
    STRATA_CODE(E0603_unknown_operator),
    STRATA_CODE(E0604_unreadable_program),
    STRATA_CODE(E0605_pass_broke_contract),
    STRATA_CODE(E0606_bad_context),
    STRATA_CODE(E0901_out_of_budget),
    STRATA_CODE(E0902_set_library_failed),
    STRATA_CODE(E0903_too_much_code),
};
#undef STRATA_CODE

std::string in_words(const Execution& e) {
  return e.time.empty() ? e.instance : e.instance + " at " + e.time;
}

// The line with the command and its location; empty if neither is known.
std::string call_line(const Refusal& r) {
  std::string place;
  if (!r.where.file.empty()) place = r.where.file + ":" + std::to_string(r.where.line);
  if (r.command.empty()) return place.empty() ? "" : "  at " + place + "\n";
  return "  in " + r.command + (place.empty() ? "" : " at " + place) + "\n";
}

std::string witness_lines(const Witness& w) {
  std::string out = "  for example";
  if (!w.parameters.empty()) out += ", with " + w.parameters;
  out += ":\n";
  for (const std::string& line : w.story) out += "    " + told(line, w.executions) + "\n";
  if (!w.place.empty()) out += "    at element: " + w.place + "\n";
  return out;
}

}  // namespace

std::string told(const std::string& line, const std::vector<Execution>& executions) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t digits = at + 1;
    while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
    const bool marked = line[at] == '{' && digits > at + 1 && digits < at + 5 &&
                        digits < line.size() && line[digits] == '}';
    const std::size_t number =
        marked ? std::stoul(line.substr(at + 1, digits - at - 1)) : executions.size();
    if (number >= executions.size()) {
      out += line[at++];
      continue;
    }
    out += in_words(executions[number]);
    at = digits + 1;
  }
  return out;
}

std::string to_string(Code code) {
  for (const CodeName& c : code_names) {
    if (c.code != code) continue;
    std::string words(c.enumerator);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
  }
  return "E" + std::to_string(static_cast<int>(code));
}

std::string render(const Refusal& r) {
  std::string out = "error " + to_string(r.code) + "\n" + call_line(r);
  if (!r.explanation.empty()) out += "  " + r.explanation + "\n";
  if (r.witness) out += witness_lines(*r.witness);
  if (!r.mend.empty()) out += "  to fix it: " + r.mend + "\n";
  return out;
}

}  // namespace strata
