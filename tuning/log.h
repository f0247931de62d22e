// The file of a log: lines of tuning/record.h. Processes add lines under a lock.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "tuning/record.h"

namespace strata::tuning {

class Log {
 public:
  // Reads the file if it exists; append() makes it. E0106 if it is not a file, cannot be opened or
  // made, or has another format. With "reads" the file must exist, and is not written.
  Log(const std::string& path, bool reads, const Request& request);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // The records of a key, each with the number of its line, from 1.
  const std::vector<std::pair<std::size_t, Record>>& records() const { return records_; }
  std::size_t torn() const { return torn_; }      // lines that are damaged
  std::size_t others() const { return others_; }  // records of other keys

  // Keeps only the records of this key.
  void choose(const std::string& key);
  // Adds a line by one write, whole or not at all. If another process left a torn line at the end,
  // the new line does not join it. E0503.
  void append(const Record& record);

 private:
  void open_file(bool reads);
  void read_all();
  bool write_line(std::string line);
  Error refused(const std::string& what) const;

  std::string path_;
  const Request& request_;
  int file_ = -1;
  std::vector<std::pair<std::size_t, Record>> records_;
  std::size_t torn_ = 0, others_ = 0;
};

}  // namespace strata::tuning
