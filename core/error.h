// Errors of refused commands.
//
// An error is data first and text second: tests, bindings and autoschedulers read the fields;
// people read render(). Codes never change their meaning.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata {

enum class Code {
  // E01xx: names, arguments, layer I
  E0101_unknown_computation = 101,
  E0102_unknown_loop = 102,
  E0103_ambiguous_loop = 103,
  E0104_name_taken = 104,
  E0105_bad_name = 105,
  E0106_bad_argument = 106,
  E0107_wrong_owners = 107,
  E0108_unreadable_text = 108,
  E0109_wrong_arity = 109,
  E0110_types_do_not_mix = 110,
  E0111_not_affine = 111,
  E0112_unbounded_domain = 112,
  E0113_read_outside_domain = 113,
  E0114_not_single_assignment = 114,
  E0115_unknown_buffer = 115,
  E0116_wrong_argument_list = 116,
  E0117_unsupported_expression = 117,
  // E02xx: layer II, order
  E0201_dependence_reversed = 201,
  E0202_dependence_carried = 202,
  E0203_not_injective = 203,
  E0204_not_scheduled = 204,
  E0205_tags_differ = 205,
  E0206_no_legal_order = 206,
  E0207_reduction_concurrent = 207,
  E0208_malformed_schedule = 208,
  E0209_outside_partition = 209,
  E0210_message_reversed = 210,
  // E03xx: layer III, storage
  E0301_value_overwritten = 301,
  E0302_access_out_of_bounds = 302,
  E0303_race = 303,
  E0304_output_not_last = 304,
  E0305_lanes_collide = 305,
  E0306_malformed_layout = 306,
  E0307_out_of_scope = 307,
  E0308_size_does_not_fit = 308,
  E0309_several_threads = 309,
  // E04xx: layer IV, what moves
  E0401_stale_memory = 401,
  E0402_not_on_ranks = 402,
  // E05xx: code generation
  E0501_unknown_target = 501,
  E0502_code_generation_failed = 502,
  E0503_cannot_write_file = 503,
  E0504_sum_not_in_order = 504,
  E0505_not_exact_on_gpu = 505,
  // E06xx: the operator graph
  E0601_malformed_graph = 601,
  E0602_does_not_fit = 602,
  E0603_unknown_operator = 603,
  E0604_unreadable_program = 604,
  E0605_pass_broke_contract = 605,
  E0606_bad_context = 606,
  // E09xx: limits
  E0901_out_of_budget = 901,
  E0902_set_library_failed = 902,
  E0903_too_much_code = 903,
};

// "E0201 dependence reversed"
std::string to_string(Code code);

// The line of the author's program that made the call. Owns its text, since the caller may be
// written in another language.
struct Where {
  std::string file;
  int line = 0;
  static Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// One execution of an instance: "S[2, 0]" at "[0, 2, 0, 0, 0]" (the time is empty for inputs and
// for errors of layer I).
struct Execution {
  std::string instance;
  std::string time;
};

// The smallest example of a violation: the parameters, the executions (writer, reader, and for
// storage the overwriting one), and the buffer element that they share.
struct Witness {
  std::string parameters;  // "N = 3"; empty if there are none
  std::vector<Execution> executions;
  std::string place;  // "b[1, 0]"; empty if no storage is involved
  // What the executions do, line by line; {0}, {1}, .. refer to them.
  std::vector<std::string> story;
};

struct Refusal {
  Code code;
  std::string command;      // as the author wrote it: "interchange(S.i, S.j)"
  std::string explanation;  // one sentence, present tense, no full stop
  std::optional<Witness> witness;
  std::string mend;  // how to fix it, one sentence; may be empty
  Where where;
};

// The only renderer:
//   error E0201 dependence reversed
//     in interchange(S.i, S.j) at stencil.cpp:17
//     <explanation>
//     for example, with N = 3:
//       S[1, 1] at [0, 1, 0, 1, 0] computes the value that
//       S[2, 0] at [0, 0, 0, 2, 0] uses
//     to fix it: <mend>
std::string render(const Refusal& refusal);

class Error : public std::runtime_error {
 public:
  explicit Error(Refusal refusal)
      : std::runtime_error(render(refusal)), refusal_(std::move(refusal)) {}
  const Refusal& refusal() const { return refusal_; }
  Code code() const { return refusal_.code; }

 private:
  Refusal refusal_;
};

// What the author asked for, in the author's words, and where; the context of errors.
struct Request {
  std::string text;  // "computation(by)"
  Where where;

  Error refused(Code code, std::string explanation, std::string mend = "",
                std::optional<Witness> witness = std::nullopt) const {
    return Error({code, text, std::move(explanation), std::move(witness), std::move(mend), where});
  }
};

}  // namespace strata
