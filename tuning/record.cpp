#include "tuning/record.h"

#include <fmt/format.h>

#include <map>

#include "core/json.h"
#include "core/record.h"
#include "tuning/json.h"

namespace strata::tuning {

namespace {

std::string numbers_text(const std::string& name, const Times& times) {
  return fmt::format(", \"{}_ns\": {}, \"{}_median_ns\": {}", name, times.minimum, name,
                     times.median);
}

Times times_of(const JsonObject& object, const std::string& name) {
  return {object.number(name + "_ns"), object.number(name + "_median_ns")};
}

}  // namespace

std::string Record::id() const { return fmt::format("{:016x}", hash_of_text(recorded(commands))); }

std::string to_line(const Record& r) {
  std::string line(record_begin);
  line +=
      fmt::format("\"key\": {}, \"function\": {}, \"cpu\": {}, \"threads\": {}, \"sizes\": {}",
                  in_json(r.key), in_json(r.function), in_json(r.cpu), r.threads, in_json(r.sizes));
  line += fmt::format(", \"candidate\": {}, \"outcome\": {}", in_json(r.text), in_json(r.outcome));
  if (!r.detail.empty()) line += ", \"detail\": " + in_json(r.detail);
  if (r.is_measured()) line += numbers_text("time", r.times);
  if (!r.against.empty())
    line += ", \"against\": " + in_json(r.against) + numbers_text("against", r.other);
  if (r.samples) line += fmt::format(", \"samples\": {}", r.samples);
  if (r.repeated) line += fmt::format(", \"repeated\": {}", r.repeated);
  return line + ", \"commands\": " + in_json(r.commands) + "}\n";
}

std::optional<Record> find_record(std::string_view line) {
  if (!line.starts_with(record_begin)) return std::nullopt;
  const auto object = find_json_object(line);
  if (!object || !object->has("key") || !object->has("commands")) return std::nullopt;
  Record r;
  r.key = object->text("key");
  r.function = object->text("function");
  r.cpu = object->text("cpu");
  r.sizes = object->text("sizes");
  r.threads = object->number("threads");
  r.text = object->text("candidate");
  r.commands = object->texts("commands");
  r.outcome = object->text("outcome");
  r.detail = object->text("detail");
  r.times = times_of(*object, "time");
  r.against = object->text("against");
  r.other = times_of(*object, "against");
  r.samples = object->number("samples");
  r.repeated = object->number("repeated");
  if (r.is_measured() && r.times.minimum <= 0) return std::nullopt;
  return r;
}

}  // namespace strata::tuning
