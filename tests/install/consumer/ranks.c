/* A team from the installed package: each rank adds 1 to its block of an array. */
#include <strata/mpi.h>

#include <stdio.h>

enum { size = 10 };

static int add_one(strata_team* team, int rank, int ranks) {
  const int64_t min = strata_even_cut(size, ranks, rank),
                extent = strata_even_cut(size, ranks, rank + 1) - min, whole_extent = size;
  int32_t values[size], own[size];
  strata_dimension of_whole, of_part;
  strata_buffer whole, part;
  for (int i = 0; i < size; ++i) values[i] = i;
  strata_buffer_init(&whole, strata_int(32), values, 1, &of_whole, &whole_extent);
  strata_buffer_init(&part, strata_int(32), own, 1, &of_part, &extent);
  of_part.min = (int32_t)min;
  int code = strata_scatter(team, 0, strata_argument(&whole), strata_argument(&part));
  for (int64_t i = 0; i < extent; ++i) ++own[i];
  if (!code) code = strata_gather(team, 0, strata_argument(&part), strata_argument(&whole));
  for (int i = 0; i < size && !code && rank == 0; ++i) code = values[i] != i + 1;
  return code;
}

int main(int argc, char** argv) {
  int level, rank, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  strata_team* const team = strata_team_of(MPI_COMM_WORLD);
  const int code = team ? add_one(team, rank, ranks) : strata_last_code();
  if (code) fprintf(stderr, "%d: %s\n", code, strata_last_error());
  strata_team_free(team);
  MPI_Finalize();
  return code != 0;
}
