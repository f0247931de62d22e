/* heat_by_rows ROWS COLUMNS STEPS [check]: 2-D heat in C and MPI, written by hand, as a peer of
 * distributed kernels. Ranks have blocks of rows that differ by one at most; a row is one message,
 * in one piece of memory, which travels while the rows inside are computed. Prints the seconds of
 * a step; with "check", compares with plain loops. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
  int rank, ranks, first, end, columns, rows; /* rows first .. end - 1 of all */
  float *now, *next;                          /* from row first - 1 */
};

static int cut(int rows, int ranks, int rank) {
  const int rest = rows % ranks;
  return rows / ranks * rank + (rank < rest ? rank : rest);
}

static float start_at(int i, int j) { return (float)((i * 37 + j * 11) % 101); }

static float* row(const struct block* b, float* u, int i) {
  return u + (size_t)(i - b->first + 1) * (size_t)b->columns;
}

static void compute(const struct block* b, int first, int end) {
  for (int i = first; i < end; ++i) {
    if (i < 1 || i >= b->rows - 1) continue;
    const float* restrict up = row(b, b->now, i - 1), * restrict u = row(b, b->now, i), * restrict down = row(b, b->now, i + 1);
    float* restrict to = row(b, b->next, i);
    for (int j = 1; j < b->columns - 1; ++j)
      to[j] = u[j] + 0.1f * (up[j] + down[j] + u[j - 1] + u[j + 1] - 4 * u[j]);
  }
}

/* Blocks have 1 row or more, so neighbours are the ranks before and after. */
static void step(struct block* b) {
  MPI_Request requests[4];
  const int before = b->rank ? b->rank - 1 : MPI_PROC_NULL,
            after = b->rank + 1 < b->ranks ? b->rank + 1 : MPI_PROC_NULL, n = b->columns;
  MPI_Irecv(row(b, b->now, b->first - 1), n, MPI_FLOAT, before, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(row(b, b->now, b->end), n, MPI_FLOAT, after, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(row(b, b->now, b->end - 1), n, MPI_FLOAT, after, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(row(b, b->now, b->first), n, MPI_FLOAT, before, 1, MPI_COMM_WORLD, &requests[3]);
  compute(b, b->first + 1, b->end - 1);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  compute(b, b->first, b->first + 1);
  if (b->end - 1 > b->first) compute(b, b->end - 1, b->end);
  float* const now = b->now;
  b->now = b->next;
  b->next = now;
}

static void start(struct block* b) {
  const size_t count = (size_t)(b->end - b->first + 2) * (size_t)b->columns;
  b->now = calloc(count, sizeof *b->now);
  b->next = calloc(count, sizeof *b->next);
  if (!b->now || !b->next) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = b->first; i < b->end; ++i)
    for (int j = 0; j < b->columns; ++j) row(b, b->now, i)[j] = start_at(i, j);
  memcpy(b->next, b->now, count * sizeof *b->now);
}

/* The rows that differ from those of one block of all rows. */
static int differences(const struct block* b, int steps) {
  struct block all = {0, 1, 0, b->rows, b->columns, b->rows, NULL, NULL};
  start(&all);
  for (int t = 0; t < steps; ++t) {
    compute(&all, 0, all.rows);
    float* const now = all.now;
    all.now = all.next;
    all.next = now;
  }
  int wrong = 0;
  for (int i = b->first; i < b->end; ++i)
    wrong +=
        memcmp(row(b, b->now, i), row(&all, all.now, i), (size_t)b->columns * sizeof *all.now) != 0;
  return wrong;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  struct block b = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
  b.rows = argc > 3 ? atoi(argv[1]) : 0;
  b.columns = argc > 3 ? atoi(argv[2]) : 0;
  const int steps = argc > 3 ? atoi(argv[3]) : 0;
  if (b.rows < b.ranks || b.columns < 1) {
    if (b.rank == 0) fprintf(stderr, "heat_by_rows ROWS COLUMNS STEPS [check]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  b.first = cut(b.rows, b.ranks, b.rank);
  b.end = cut(b.rows, b.ranks, b.rank + 1);
  start(&b);
  MPI_Barrier(MPI_COMM_WORLD);
  const double from = MPI_Wtime();
  for (int t = 0; t < steps; ++t) step(&b);
  MPI_Barrier(MPI_COMM_WORLD);
  if (b.rank == 0 && steps) printf("%g s\n", (MPI_Wtime() - from) / steps);
  const int wrong = argc > 4 ? differences(&b, steps) : 0;
  if (wrong) fprintf(stderr, "rank %d: %d rows are wrong\n", b.rank, wrong);
  MPI_Finalize();
  return wrong > 0;
}
