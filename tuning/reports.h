// Files that report wrong results.
#pragma once

#include <string>

#include "tuning/record.h"

namespace strata::tuning {

// The path of a report: beside the log or, without a log, among the temporary files.
std::string wrong_result_path(const std::string& log, const std::string& function,
                              const std::string& id);

// Writes the difference, the commands and both programs. False if the file cannot be written.
bool write_wrong_result(const std::string& path, const Record& record, const std::string& before,
                        const std::string& after);

}  // namespace strata::tuning
