// The emulator of launches: what its instructions do, and what it finds.
#include "tests/gpu/emulator/launch.h"

#include <catch2/catch.hpp>

#include <set>

namespace strata::test::emulator_test {

using emulator::DeviceMemory;
using emulator::Fault;

namespace {

using Words = std::vector<std::uint32_t>;

std::mt19937_64 random_order;

// A kernel f of a pointer, which is in %rd1, for so many threads, whose number is in %r1.
std::string kernel(const std::string& body, int threads = 1) {
  return ".visible .entry f(\n\t.param .u64 .ptr .align 1 f_param_0\n)\n.maxntid " +
         std::to_string(threads) + ", 1, 1\n{\n\tld.param.b64 \t%rd1, [f_param_0];\n" +
         "\tmov.u32 \t%r1, %tid.x;\n" + body + "\tret;\n}\n";
}

// The words in memory after a launch of one block.
Words launched(const std::string& text, Words words, std::size_t shared_bytes = 256) {
  DeviceMemory memory;
  const auto address = reinterpret_cast<std::uint64_t>(words.data());
  memory.add(address, words.size() * sizeof words[0]);
  std::vector<std::uint8_t> parameters(sizeof address);
  std::memcpy(parameters.data(), &address, sizeof address);
  emulator::run(emulator::kernels_of(text).at("f"), {1, 1, 1}, shared_bytes, parameters, memory,
                random_order);
  return words;
}

std::uint32_t value_of(const std::string& instruction) {
  return launched(kernel("\t" + instruction + ";\n\tst.global.b32 \t[%rd1], %r9;\n"), {7})[0];
}

// The text with lines that each thread but one skips.
std::string all_but_thread_3(const std::string& lines) {
  return "\tsetp.eq.s32 \t%p1, %r1, 3;\n\t@%p1 bra \t$L__end;\n" + lines + "$L__end:\n";
}

}  // namespace

TEST_CASE("instructions of integers and floats", "[gpu][emulator]") {
  CHECK(value_of("mul.hi.u32 \t%r9, -1, 3") == 2);
  CHECK(value_of("mul.hi.s32 \t%r9, -1, 3") == 0xffffffff);
  CHECK(value_of("shr.s32 \t%r9, -8, 40") == 0xffffffff);
  CHECK(value_of("shl.b32 \t%r9, 1, 32") == 0);
  CHECK(value_of("bfe.s32 \t%r9, 0xf0, 4, 4") == 0xffffffff);
  CHECK(value_of("prmt.b32 \t%r9, 0x44332211, 0x88776655, 0x7042U") == 0x88115533);
  CHECK(value_of("cvt.rzi.s32.f32 \t%r9, 0fC0200000") == 0xfffffffe);  // -2.5
  CHECK(value_of("cvt.rni.s32.f32 \t%r9, 0f40200000") == 2);           // 2.5
  CHECK(value_of("cvt.rzi.u32.f32 \t%r9, 0f7FC00000") == 0);           // NaN
  CHECK(value_of("cvt.rzi.s32.f32 \t%r9, 0f7F800000") == 0x7fffffff);  // infinity
  CHECK(value_of("cvt.rna.tf32.f32 \t%r9, 0f3F801000") == 0x3f802000);
  CHECK(value_of("max.f32 \t%r9, 0f7FC00000, 0fBF800000") == 0xbf800000);
  CHECK(value_of("max.f32 \t%r9, 0f80000000, 0f00000000") == 0);
  CHECK(value_of("setp.neu.f32 \t%p1, 0f7FC00000, 0f00000000;\n\tselp.b32 \t%r9, 1, 0, %p1") == 1);
  CHECK(value_of("setp.ne.f32 \t%p1, 0f7FC00000, 0f00000000;\n\tselp.b32 \t%r9, 1, 0, %p1") == 0);
  CHECK(value_of("mov.pred \t%p1, -1;\n\tselp.b32 \t%r9, 5, 6, %p1") == 5);
  CHECK(value_of("mov.pred \t%p2, -1;\n\tnot.pred \t%p1, %p2;\n\tselp.b32 \t%r9, 5, 6, %p1") == 6);
  CHECK(value_of("mov.b32 \t{_, %rs1}, 0x12345678;\n\tcvt.u32.u16 \t%r9, %rs1") == 0x1234);
  CHECK(value_of("atom.global.add.u32 \t%r8, [%rd1], 5;\n\tadd.s32 \t%r9, %r8, 100") == 107);
  CHECK_THROWS_WITH(value_of("vote.sync.all.pred \t%p1, %p2, -1"),
                    Catch::Contains("does not know"));
}

TEST_CASE("an asynchronous copy arrives where its thread waits", "[gpu][emulator]") {
  const std::string load = "\tld.shared.b32 \t%r2, [16];\n\tst.global.b32 \t[%rd1], %r2;\n",
                    copy =
                        "\tst.shared.b32 \t[16], 5;\n\tmov.b32 \t%r3, 16;\n"
                        "\tcp.async.ca.shared.global \t[%r3], [%rd1+4], 4;\n",
                    wait = "\tcp.async.wait_all;\n";
  CHECK(launched(kernel(copy + load + wait), {0, 9})[0] == 5);
  CHECK(launched(kernel(copy + wait + load), {0, 9})[0] == 9);
}

TEST_CASE("threads run in a drawn order up to a barrier", "[gpu][emulator]") {
  const std::string last = "\tst.global.b32 \t[%rd1], %r1;\n";
  std::set<std::uint32_t> winners;
  for (int n = 0; n < 100; ++n) winners.insert(launched(kernel(last, 4), {9})[0]);
  CHECK(winners == std::set<std::uint32_t>{0, 1, 2, 3});
  const std::string after =
      "\tst.global.b32 \t[%rd1], 7;\n\tbar.sync \t0;\n"
      "\tatom.global.add.u32 \t%r2, [%rd1], 1;\n";
  CHECK(launched(kernel(after, 4), {9})[0] == 11);
}

TEST_CASE("threads of a warp exchange values", "[gpu][emulator]") {
  const std::string place = "\tmad.wide.u32 \t%rd2, %r1, 4, %rd1;\n",
                    store = "\tst.global.b32 \t[%rd2], %r2;\n",
                    shuffle = "\tshfl.sync.bfly.b32 \t%r2, %r1, 4, 31, -1;\n",
                    vote =
                        "\tsetp.gt.u32 \t%p1, %r1, 28;\n"
                        "\tvote.sync.ballot.b32 \t%r2, %p1, -1;\n";
  const Words shuffled = launched(kernel(place + shuffle + store, 64), Words(64));
  for (std::uint32_t n = 0; n < 64; ++n) CHECK(shuffled[n] == (n ^ 4));
  const Words voted = launched(kernel(place + vote + store, 64), Words(64));
  for (std::uint32_t n = 0; n < 64; ++n) CHECK(voted[n] == (n < 32 ? 0xe0000000 : 0xffffffff));
}

TEST_CASE("what a launch must not do", "[gpu][emulator]") {
  const auto wrong = [](const std::string& body, int threads = 1) {
    try {
      launched(kernel(body, threads), {1, 2});
    } catch (const Fault& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text) { return Catch::Contains(text); };
  CHECK(wrong("\tld.global.b32 \t%r2, [%rd1+4];\n").empty());
  CHECK_THAT(wrong("\tld.global.b32 \t%r2, [%rd1+8];\n"), has("there is no memory"));
  CHECK_THAT(wrong("\tld.global.b32 \t%r2, [%rd1+-4];\n"), has("there is no memory"));
  CHECK_THAT(wrong("\tld.global.b64 \t%rd2, [%rd1+4];\n"), has("is not aligned"));
  CHECK_THAT(wrong("\tst.shared.b32 \t[256], 1;\n"), has("of shared memory"));
  CHECK_THAT(wrong("\tdiv.s32 \t%r2, 1, 0;\n"), has("division by zero"));
  CHECK_THAT(wrong(all_but_thread_3("\tbar.sync \t0;\n"), 4), has("come to a barrier"));
  const std::string product =
      "\tmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 \t{%r2, %r3, %r4, %r5}, {%r6, %r7, "
      "%r6, %r7}, {%r6, %r7}, {%r2, %r3, %r4, %r5};\n";
  CHECK(wrong(product, 32).empty());
  CHECK_THAT(wrong(all_but_thread_3(product), 32), has("come to a product"));
  const std::string shuffle = "\tshfl.sync.bfly.b32 \t%r2, %r1, 4, 31, -1;\n";
  CHECK(wrong(shuffle, 32).empty());
  CHECK_THAT(wrong(all_but_thread_3(shuffle), 32), has("come to an exchange"));
  CHECK_THAT(wrong(shuffle, 16), has("come to an exchange"));
}

}  // namespace strata::test::emulator_test
