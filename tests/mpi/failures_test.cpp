// All ranks return when one fails, with a code and a message that say what happened.
#include "tests/mpi/ranks.h"

namespace strata::test::mpi {
namespace {

std::string of_other(const std::string& kernel, int rank, int code, const std::string& message) {
  return kernel + ": rank " + std::to_string(rank) + " failed with " + std::to_string(code) + ": " +
         message;
}

// Rank "where" returns this code and message, the others strata_error_other_rank.
void check_told(const Told& told, const std::string& kernel, int where, int code,
                const std::string& message) {
  const bool here = rank_of() == where;
  CHECK(told.code == (here ? code : strata_error_other_rank));
  CHECK_TEXT(told.message, here ? message : of_other(kernel, where, code, message));
}

// The last rank's buffer has an element too few; nothing is written on any.
void check_small_buffer(strata_team* team) {
  const int64_t N = 40, last = size_of() - 1;
  int64_t min = 0, extent = 0;
  CHECK(heat_box(team, 1, N, nullptr, 0, &min, &extent) == 0);
  Box<uint64_t> part({min}, {extent - (rank_of() == last)}, strata_uint(64));
  for (uint64_t& value : part.values) value = 7;
  const Told told = told_by([&] { return heat(team, 1, N, nullptr, part.argument()); });
  const int64_t first = std::max<int64_t>(strata_even_cut(N, last + 1, last) - 1, 0);
  check_told(told, "heat", static_cast<int>(last), strata_error_out_of_bounds,
             "heat: buffer u is accessed from " + std::to_string(first) +
                 " to 39 in dimension 0, but has elements " + std::to_string(first) +
                 " to 38 there");
  for (const uint64_t value : part.values) CHECK(value == 7);
}

void check_faults(strata_team* team) {
  const int where = size_of() / 2;
  const std::string rank = std::to_string(where);
  int received[2] = {};
  const auto fault = [&](enum fault what) {
    received[0] = 0;
    return told_by([&] { return faulty(team, what, where, received); });
  };
  check_told(fault(no_memory), "faulty", where, strata_error_out_of_memory,
             "faulty: out of memory for the temporary buffer everything of 4611686018427387903 "
             "bytes");
  CHECK(received[0] == 0);
  const std::string index = ", but the elements range from 100 to 199";
  check_told(fault(bad_index), "faulty", where, strata_error_index_out_of_range,
             "faulty: i was " + rank + " in some iteration" + index);
  CHECK(received[0] == (rank_of() ? 42 : 0));  // the protocol went on
  if (size_of() > 1) {
    const Told told = fault(two_failures);
    if (rank_of() == where + 1) {
      CHECK(told.code == strata_error_index_out_of_range);
      CHECK_TEXT(told.message,
                 "faulty: i was " + std::to_string(where + 1) + " in some iteration" + index);
    } else {
      check_told(told, "faulty", where, strata_error_index_out_of_range,
                 "faulty: i was " + rank + " in some iteration" + index);
    }
  }
  CHECK(fault(none).code == 0);
}

// Kernels that leave without an agreement, or after one that has failed.
void check_early_ends(strata_team* team) {
  const int where = size_of() / 2, here = rank_of() == where;
  for (const int agrees : {0, 1, static_cast<int>(!here)}) {
    check_told(told_by([&] { return left_early(team, here, agrees); }), "left_early", where,
               strata_error_index_out_of_range,
               "left_early: i was 7 in some iteration, but the elements range from 0 to 2");
    CHECK(left_early(team, 0, agrees) == 0);
    CHECK(left_early(nullptr, here, agrees) == strata_error_null_team);
  }
}

// Calls of MPI that fail, and messages of another size than expected.
void check_messages(strata_team* team) {
  const int where = size_of() / 2, size = size_of();
  int received[2] = {};
  Told told = told_by([&] { return faulty(team, wrong_partner, where, received); });
  check_told(told, "faulty", where, strata_error_mpi,
             "faulty: a message to rank " + std::to_string(size) + ": MPI_ERR_RANK: invalid rank");
  if (size == 1) return;
  told = told_by([&] { return faulty(team, too_long, where, received); });
  check_told(told, "faulty", where, strata_error_mpi,
             "faulty: a message from rank 0: MPI_ERR_TRUNCATE: message truncated");
  told = told_by([&] { return faulty(team, too_short, where, received); });
  const std::string text = "faulty: message 0 from rank 0 has 4 bytes, and 8 are expected";
  CHECK(told.code == (rank_of() ? strata_error_message_size : strata_error_other_rank));
  CHECK_TEXT(told.message,
             rank_of() ? text : of_other("faulty", 1, strata_error_message_size, text));
  CHECK(faulty(team, none, where, received) == 0);
}

}  // namespace

void test_failures() {
  World world;
  check_small_buffer(world.team);
  check_faults(world.team);
  check_early_ends(world.team);
  check_messages(world.team);
  // Afterwards the team is as before.
  CHECK(meet(world.team) == 0);
}

namespace {

int heat_without_rows(strata_team* team, int64_t T, int64_t N) {
  return heat_again(team, T, N, nullptr);
}

void check_parameters(strata_team* team) {
  const int odd = rank_of() == size_of() - 1 && size_of() > 1;
  Told told = told_by([&] { return heat_without_rows(team, 5 + odd, 30); });
  if (size_of() == 1) {
    CHECK(told.code == 0);
    return;
  }
  CHECK(told.code == strata_error_ranks_differ);
  CHECK_TEXT(told.message,
             "heat_again: the ranks differ in parameter T, which is 5 on one and 6 on another");
  const std::vector<int64_t> even = {0, 10, 20, 30, 30}, other = {0, 9, 20, 30, 30};
  std::vector<int64_t> cuts = odd ? other : even;
  cuts[static_cast<std::size_t>(size_of())] = 30;
  told = told_by([&] { return heat_again(team, 5, 30, cuts.data()); });
  CHECK(told.code == strata_error_ranks_differ);
  CHECK_TEXT(told.message,
             "heat_again: the ranks differ in cut 1 of rows, which is 9 on one and 10 on another");
  told = told_by([&] { return odd ? meet(team) : heat_without_rows(team, 5, 30); });
  CHECK(told.code == strata_error_ranks_differ);
  CHECK_TEXT(told.message, std::string(odd ? "meet" : "heat_again") +
                               ": the ranks call different kernels, or have different grids");
}

// Numbers besides parameters: one that is read, and scalars.
void check_further(strata_team* team) {
  const int odd = rank_of() == size_of() - 1 && size_of() > 1;
  const int64_t least = INT64_MIN;
  const uint64_t most = UINT64_MAX;
  const auto check = [&](int differs, const std::string& text) {
    const int64_t read = differs == 0 ? 5 + 5 * odd : 5;
    const int64_t n = differs == 1 && odd ? 7 : least;
    const uint64_t large = differs == 2 && odd ? 3 : most;
    const double alpha = differs == 3 && odd ? -0.5 : 0.1;
    const Told told = told_by([&] { return further(team, read, n, large, alpha); });
    CHECK(told.code == (text.empty() ? 0 : strata_error_ranks_differ));
    if (!text.empty()) CHECK_TEXT(told.message, "further: the ranks differ in " + text);
  };
  check(-1, "");
  if (size_of() == 1) return;
  check(0, "parameter steps, which is 5 on one and 10 on another");
  check(1, "scalar n, which is -9223372036854775808 on one and 7 on another");
  check(2, "scalar large, which is 18446744073709551615 on one and 3 on another");
  check(3, "scalar alpha, which is -0.5 on one and 0.10000000000000001 on another");
}

// Cuts that are not cuts of this team, on one rank.
void check_cuts(strata_team* team) {
  const int last = size_of() - 1;
  const auto size = static_cast<std::size_t>(size_of());
  const auto told = [&](std::vector<int64_t> wrong) {
    std::vector<int64_t> right;
    for (int part = 0; part <= size_of(); ++part)
      right.push_back(strata_even_cut(30, size_of(), part));
    const int64_t* const cuts = rank_of() == last ? wrong.data() : right.data();
    return told_by([&] { return heat_again(team, 5, 30, cuts); });
  };
  std::vector<int64_t> cuts(size + 1, 30);
  check_told(told(cuts), "heat_again", last, strata_error_bad_cuts,
             "heat_again: the first cut of rows is 30, not 0");
  cuts[0] = 0;
  cuts[size] = -1;
  check_told(told(cuts), "heat_again", last, strata_error_bad_cuts,
             "heat_again: cut " + std::to_string(size) + " of rows is -1, less than " +
                 (size == 1 ? "0" : "30") + " before it");
  cuts[size] = 31;
  check_told(told(cuts), "heat_again", last, strata_error_team_size,
             "heat_again: the " + std::to_string(size) +
                 " parts of rows end at 31, not at 30: the cuts are those of another number of "
                 "ranks");
}

void check_grid(strata_team* team) {
  static const int squares[][2] = {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {2, 2}};
  const int size = size_of(), rank = rank_of();
  int parts[2], part[2];
  CHECK(grid(team, 10, 10, nullptr, nullptr, parts, part) == 0);
  CHECK(parts[0] == squares[size][0]);
  CHECK(parts[1] == squares[size][1]);
  CHECK(rank == part[0] * parts[1] + part[1]);
  const int wide[] = {1, size}, wrong[] = {2, size}, negative[] = {-1, -size};
  CHECK(strata_team_set_grid(team, 2, wrong) == strata_error_team_size);
  CHECK(strata_team_set_grid(team, 2, negative) == strata_error_team_size);
  CHECK(strata_team_set_grid(team, 4, wide) == strata_error_team_size);
  CHECK_TEXT(strata_last_error(), "strata_team_set_grid: a grid has 1 to 3 axes, not 4");
  if (size > 1 && rank == 0) CHECK(strata_team_set_grid(team, 2, wide) == 0);
  if (size > 1) {
    const Told told = told_by([&] { return grid(team, 10, 10, nullptr, nullptr, parts, part); });
    CHECK(told.code == strata_error_ranks_differ);
  }
  CHECK(strata_team_set_grid(team, 2, wide) == 0);
  CHECK(grid(team, 10, 10, nullptr, nullptr, parts, part) == 0);
  CHECK(parts[0] == 1 && parts[1] == size && part[0] == 0 && part[1] == rank);
}

}  // namespace

void test_entries() {
  World world;
  check_parameters(world.team);
  check_further(world.team);
  check_cuts(world.team);
  check_grid(world.team);
  CHECK(meet(world.team) == 0);
}

}  // namespace strata::test::mpi
