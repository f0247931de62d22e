// A loop's head in a program's text.
#include <algorithm>

#include "core/expr/expr_text.h"
#include "layers/text/text_reader.h"

namespace strata {

namespace {

std::string text_of(const Prefetch& p) {
  return quoted_name(p.array) + " for " + quoted_name(p.definition) + " ahead " +
         std::to_string(p.distance);
}

std::vector<std::string> quoted(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(quoted_name(name));
  return result;
}

// The arrays that each iteration copies in this direction.
std::vector<std::string> copied(const LoopHead& loop, Transfer direction) {
  std::vector<std::string> arrays;
  for (const GivenCopy& copy : loop.copies)
    if (copy.direction == direction) arrays.push_back(quoted_name(copy.array));
  return arrays;
}

}  // namespace

const std::vector<TextReader::Mark>& TextReader::tags() {
  using Texts = std::vector<std::string>;
  static const std::vector<Mark> rows = {
      {"tiles",
       [](const LoopHead& loop) {
         return loop.tile_size ? Texts{quoted_name(*loop.tile_size)} : Texts{};
       },
       [](TextReader& reader, LoopHead& loop) { loop.tile_size = reader.tile_size(); }},
      {"by",
       [](const LoopHead& loop) {
         return loop.partition.empty() ? Texts{} : Texts{quoted_name(loop.partition)};
       },
       [](TextReader& reader, LoopHead& loop) { loop.partition = reader.partition_named(); }},
      {"tail",
       [](const LoopHead& loop) {
         return loop.tail == TailStrategy::automatic ? Texts{} : Texts{to_string(loop.tail)};
       },
       [](TextReader& reader, LoopHead& loop) { loop.tail = reader.tail_strategy(); }},
      {"min_blocks",
       [](const LoopHead& loop) {
         return loop.min_blocks ? Texts{std::to_string(loop.min_blocks)} : Texts{};
       },
       [](TextReader& reader, LoopHead& loop) { loop.min_blocks = reader.min_blocks(); }},
  };
  return rows;
}

const std::vector<TextReader::Mark>& TextReader::belongings() {
  static const std::vector<Mark> rows = {
      {"allocates", [](const LoopHead& loop) { return quoted(loop.allocations); },
       [](TextReader& reader, LoopHead& loop) {
         loop.allocations.push_back(reader.scanner_.expect_name("the name of a buffer"));
       }},
      {"prefetches",
       [](const LoopHead& loop) {
         std::vector<std::string> texts;
         for (const Prefetch& p : loop.prefetches) texts.push_back(text_of(p));
         return texts;
       },
       [](TextReader& reader, LoopHead& loop) { loop.prefetches.push_back(reader.prefetch()); }},
      {"barrier",
       [](const LoopHead& loop) {
         return loop.barrier ? std::vector<std::string>{"at end"} : std::vector<std::string>{};
       },
       [](TextReader& reader, LoopHead& loop) {
         reader.scanner_.expect_keyword("at");
         reader.scanner_.expect_keyword("end");
         loop.barrier = true;
       }},
      {"to_device", [](const LoopHead& loop) { return copied(loop, Transfer::to_device); },
       [](TextReader& reader, LoopHead& loop) {
         loop.copies.push_back(reader.given_copy(Transfer::to_device));
       }},
      {"to_host", [](const LoopHead& loop) { return copied(loop, Transfer::to_host); },
       [](TextReader& reader, LoopHead& loop) {
         loop.copies.push_back(reader.given_copy(Transfer::to_host));
       }},
  };
  return rows;
}

std::string TextReader::tile_size() {
  const Token at = scanner_.peek();
  std::string size = scanner_.expect_name("the size of the tiles");
  require(names_.parameters.count(size) != 0, at, "there is no parameter named '" + size + "'");
  return size;
}

std::string TextReader::partition_named() {
  const Token at = scanner_.peek();
  std::string name = scanner_.expect_name("the name of a partition");
  require(algorithm_.find_partition(name), at, "there is no partition named '" + name + "'");
  return name;
}

TailStrategy TextReader::tail_strategy() {
  const Token at = scanner_.peek();
  const auto found = tail_strategy_named(scanner_.expect_name("a tail strategy"));
  require(found.has_value(), at,
          "expected automatic, separate, guard or mask, found '" + at.text + "'");
  return *found;
}

std::int64_t TextReader::min_blocks() {
  const Token at = scanner_.peek();
  const std::int64_t blocks = number("the number of blocks", 2);
  require(blocks >= 1 && blocks <= most_min_blocks, at,
          "expected 1 to " + std::to_string(most_min_blocks) + " blocks");
  return blocks;
}

// The processor, if the next word names one: a name that is not a tag; else sequential.
Processor TextReader::processor() {
  const Token at = scanner_.peek();
  const bool tag = std::any_of(tags().begin(), tags().end(),
                               [&](const Mark& row) { return scanner_.is_keyword(row.word); });
  if (at.kind != Token::Kind::name || tag) return Processor::sequential;
  const auto found = processor_named(scanner_.next().text);
  require(found.has_value(), at, "expected " + names_of_processors() + ", found '" + at.text + "'");
  return *found;
}

Node TextReader::loop(int loops) {
  const Token at = scanner_.peek();
  require(loops < 1000, at, "loops are nested more than 1000 deep");
  Loop loop;
  loop.name = scanner_.expect_name("the name of a loop");
  loop.processor = processor();
  for (const Mark& tag : tags())
    if (scanner_.accept_keyword(tag.word)) tag.read(*this, loop);
  scanner_.expect("{");
  for (const Mark& belonging : belongings())
    while (scanner_.accept_keyword(belonging.word)) belonging.read(*this, loop);
  loop.body = nodes(loops);
  require(!loop.body.empty(), at, "loop " + loop.name + " is empty");
  return Node{std::move(loop)};
}

std::string TextReader::array() {
  const Token at = scanner_.peek();
  std::string name = scanner_.expect_name("the name of an array");
  require(type_of(name).has_value(), at, "there is no array named '" + name + "'");
  return name;
}

GivenCopy TextReader::given_copy(Transfer direction) { return {direction, array()}; }

Prefetch TextReader::prefetch() {
  Prefetch p;
  p.array = array();
  scanner_.expect_keyword("for");
  const Token at = scanner_.peek();
  p.definition = scanner_.expect_name("the name of a computation");
  require(algorithm_.find(p.definition), at, "there is no computation '" + p.definition + "'");
  scanner_.expect_keyword("ahead");
  const Token number_at = scanner_.peek();
  p.distance = number("the number of iterations", 9);
  require(p.distance >= 1, number_at, "a loop prefetches one iteration ahead or more");
  return p;
}

}  // namespace strata
