// Pages about a function, for several targets.
#pragma once

#include <string>

#include "driver/page.h"
#include "strata/codegen_each.h"

namespace strata {

// Function::html, with the machine code for a target.
void write_page(const Scheduled& scheduled, const std::string& target, const std::string& path,
                const Where& where);

// What Function::html shows, without machine code.
Page page_of(const Scheduled& scheduled, const Where& where);

}  // namespace strata
