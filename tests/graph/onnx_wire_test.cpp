// The wire format, against bytes that are written by hand after the format's description.
#include <catch2/catch.hpp>

#include <random>
#include <string>

#include "graph/onnx/load.h"
#include "graph/onnx/proto.h"
#include "graph/onnx/wire.h"

namespace strata::test::onnx_wire_test {

using namespace strata::graph;
using namespace strata::graph::onnx;

std::string bytes(std::initializer_list<int> list) {
  std::string result;
  for (const int b : list) result += char(b);
  return result;
}

TEST_CASE("fields of all kinds are read", "[graph]") {
  const std::string text = bytes({0x08, 0x96, 0x01,                                // 1: 150
                                  0x12, 0x03, 'a',  'b',  'c',                     // 2: "abc"
                                  0x1d, 0x00, 0x00, 0x80, 0x3f,                    // 3: 1.0f
                                  0x21, 0x01, 0,    0,    0,    0, 0, 0, 0x80}) +  // 4: 2^63 + 1
                           bytes({0xf8, 0xff, 0xff, 0xff, 0x0f, 0x7f});            // 2^29 - 1: 127
  WireReader reader(text);
  auto field = reader.next();
  CHECK((field->number == 1 && field->wire == Wire::varint && field->integer == 150));
  field = reader.next();
  CHECK((field->number == 2 && field->wire == Wire::bytes && field->bytes == "abc"));
  field = reader.next();
  CHECK((field->number == 3 && field->wire == Wire::fixed32 && field->integer == 0x3f800000));
  field = reader.next();
  CHECK((field->number == 4 && field->integer == 0x8000000000000001u));
  field = reader.next();
  CHECK((field->number == 0x1fffffff && field->integer == 127));
  CHECK_FALSE(reader.next());
}

TEST_CASE("a varint has ten bytes at most", "[graph]") {
  const std::string minus_one = bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01});
  CHECK(WireReader(minus_one).varint() == ~std::uint64_t{0});
  const std::string eleven(11, char(0x80));
  CHECK_THROWS_AS(WireReader(eleven).varint(), WireError);
  CHECK_THROWS_AS(WireReader(bytes({0x80})).varint(), WireError);
}

TEST_CASE("what is not a message is refused where it is", "[graph]") {
  const auto refused = [](const std::string& text) {
    WireReader reader(text, 100);
    try {
      while (reader.next()) continue;
    } catch (const WireError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refused(bytes({0x12, 0x05, 'a'})) == "5 bytes are announced, and 1 are left, at byte 102");
  CHECK(refused(bytes({0x0b})) == "field 1 is of the unknown kind 3, at byte 100");
  CHECK(refused(bytes({0x00, 0x01})) == "a field has the number 0, at byte 100");
  CHECK(refused(bytes({0x0d, 0x00})) == "4 bytes are announced, and 1 are left, at byte 101");
  // A length near 2^64 is not added to a place.
  CHECK(refused(bytes({0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}))
            .starts_with("18446744073709551615 bytes are announced, and 0 are left"));
}

TEST_CASE("repeated numbers are single or packed", "[graph]") {
  const std::string text = bytes({0x08, 0x05, 0x0a, 0x03, 0x07, 0x80, 0x01});
  WireReader reader(text);
  std::vector<std::int64_t> values;
  while (const auto field = reader.next()) append_integers(*field, values);
  CHECK(values == std::vector<std::int64_t>{5, 7, 128});
  const std::string floats = bytes({0x25, 0, 0, 0x80, 0x3f, 0x22, 4, 0, 0, 0, 0xc0});
  WireReader second(floats);
  std::vector<double> reals;
  while (const auto field = second.next()) append_floats(*field, reals);
  CHECK(reals == std::vector<double>{1, -2});
  const std::string odd = bytes({0x22, 3, 0, 0, 0});
  WireReader third(odd);
  CHECK_THROWS_AS(append_floats(*third.next(), reals), WireError);
}

TEST_CASE("messages in each other have a limit", "[graph]") {
  // A graph in an attribute of a node of a graph, ..
  std::string graph;
  for (int depth = 0; depth < 40; ++depth) {
    const auto wrapped = [&](int tag) {
      std::string length;
      std::size_t rest = graph.size();
      for (; rest >= 0x80; rest >>= 7) length += char(rest | 0x80);
      graph = char(tag) + (length + char(rest)) + graph;
    };
    wrapped(0x32);  // attribute.g
    wrapped(0x2a);  // node.attribute
    wrapped(0x0a);  // graph.node
  }
  CHECK_THROWS_WITH(model_of(std::string(1, char(0x3a)) + bytes({0xff, 0x01}) + graph),
                    Catch::Contains("announced"));
  std::string whole = graph, length;
  std::size_t rest = whole.size();
  for (; rest >= 0x80; rest >>= 7) length += char(rest | 0x80);
  CHECK_THROWS_WITH(model_of(char(0x3a) + (length + char(rest)) + whole),
                    Catch::Contains("messages are more than 100 deep"));
}

TEST_CASE("bytes by chance are refused", "[graph]") {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = char(random());
    CHECK_THROWS_AS(read_onnx(text, {}), Error);
  }
}

}  // namespace strata::test::onnx_wire_test
