// A refusal as a picture.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata {

// The refusal of a command on "program" as SVG: the text of the error, with its witness drawn in
// the iteration space (viewer/drawing/iteration_space.h). Each point of a computation NAME has
// data-mark="c:NAME". The executions of the witness have a shape each and their names; an arrow
// goes from what computes or keeps a value to what uses it, and a dashed line joins executions that
// meet without using each other's value. Points are numbered in the order of the refused schedule
// where it is known. A refusal without a witness, or whose witness cannot be drawn, is a picture of
// its text.
std::string draw_refusal(const Program& program, const Refusal& refusal);
// The same without the text of the error; "" if the witness cannot be drawn.
std::string draw_witness(const Program& program, const Refusal& refusal);

}  // namespace strata
