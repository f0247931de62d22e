#include "tuning/reports.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace strata::tuning {

std::string wrong_result_path(const std::string& log, const std::string& function,
                              const std::string& id) {
  if (!log.empty()) return log + ".wrong-" + id;
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed);
  return (folder / (function + ".tuning.wrong-" + id)).string();
}

bool write_wrong_result(const std::string& path, const Record& record, const std::string& before,
                        const std::string& after) {
  std::ofstream file(path);
  file << "Strata's commands changed a result. Please report this file.\n\n"
       << record.function << ", " << record.sizes << ", " << record.threads << " threads, "
       << record.cpu << "\n"
       << record.text << "\n"
       << record.detail << "\n\n# commands\n";
  for (const std::string& command : record.commands) file << command << "\n";
  file << "\n# the program\n" << before << "\n# the program after the commands\n" << after;
  file.close();
  return bool(file);
}

}  // namespace strata::tuning
