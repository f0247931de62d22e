// The loop tree: the program as nested loops over int64 iterators and buffers, before any compiler.
//
// It enumerates exactly the executions of Theta, each once, in an order that the processors of its
// loops permit. All integer expressions are strata::Expr of type int64 over loop variables
// (Op::variable), parameters (Op::parameter) and the operators + - * / % min max select and
// comparisons ("/" and "%" floor). Values are Exprs whose reads are Op::load nodes. Indices,
// conditions and bounds of loops may contain such values. An index that may be out of bounds is
// under Op::checked: if it is, the kernel fails, and an Execute to such a place does nothing. Trees
// are immutable and shared.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/tree/packing.h"
#include "core/expr/expr.h"
#include "core/floats.h"
#include "layers/loop_head.h"
#include "layers/memory.h"
#include "layers/mma_shape.h"

namespace strata {

struct For;
struct If;
struct Block;
struct Execute;
struct Allocate;
struct Free;
struct PrefetchBox;
struct Launch;
struct ThreadGuard;
struct Barrier;
struct AwaitCopies;
struct DeviceCopy;
struct Mma;
struct Exchange;
struct Agree;

using Stmt = std::variant<For, If, Block, Execute, Allocate, Free, PrefetchBox, Launch, ThreadGuard,
                          Barrier, AwaitCopies, DeviceCopy, Mma, Exchange, Agree>;
using StmtPtr = std::shared_ptr<const Stmt>;

// A part of a kernel whose time is recorded, with the bytes that it touches (each element once);
// the bytes are undefined if another part of the same name has them.
struct Section {
  std::string name;
  Expr bytes;  // over parameters
};

// for variable in lower <= variable < upper, step by 1. The variable is unique in the tree; name
// and tags are those of the mapping's loop. extent is the number of iterations if it is the same
// constant for every execution.
struct For : LoopTags {
  std::string variable;
  Expr lower, upper;
  std::optional<std::int64_t> extent;
  StmtPtr body;
  // For a vector loop: may its lanes be moved innermost? Not if a loop inside starts elsewhere, or
  // is cut into other pieces, for another lane: then only lane after lane refines Theta's order.
  bool lockstep = true;
  std::shared_ptr<const Section> section = nullptr;  // null: not recorded
};

struct If {
  Expr condition;
  StmtPtr then;
  StmtPtr otherwise;  // may be null
  // Does it switch off lanes of vector loops? Then it is around one Execute, and true for at least
  // one lane.
  bool masks = false;
};

struct Block {
  std::vector<StmtPtr> body;  // in order
};

// One execution of an instance: buffer[indices] = value, after all its operands are read. A
// contribution of a reduction has its own load of buffer[indices] inside "value"; an atomic one is
// make(*atomic, {that load, contribution}), in one indivisible step. For a tuple also
// others[n].buffer[indices] = others[n].value, after all operands are read. Without a computation
// it is a copy between a buffer and registers that stand for it, or a value that several executions
// share, and executes no instance.
struct Execute {
  std::string computation;
  std::vector<Expr> instance;  // the coordinates of S[..]
  std::string buffer;
  std::vector<Expr> indices;
  Expr value;
  std::optional<Op> atomic = {};
  struct Other {
    std::string buffer;
    Expr value;
  };
  std::vector<Other> others = {};
  // Not empty where buffer[indices] is a register: the indices of the place that it stands for.
  std::vector<Expr> kept_place = {};
  // A copy that may be done at any time up to the next AwaitCopies of its thread: until then its
  // place has no value, and the place that it reads must keep its own.
  bool asynchronous = false;
  // Of a contribution A * B: the innermost loops around may be a product of tensor cores (R215).
  std::optional<MmaMark> mma = {};
};

// A temporary buffer that lives while body runs. Its elements are the box of origin "lowers" and
// size "extents" (in elements; an extent of zero or less: no elements). Initially undefined. In
// local memory "packed" says which of them exist.
struct Allocate {
  std::string buffer;
  Type type;
  std::vector<Expr> lowers, extents;
  StmtPtr body;
  Memory memory = Memory::automatic;
  std::vector<Packing> packed = {};  // by dimension; empty: all
};

// The end of a temporary buffer's life inside its Allocate: nothing touches it any more.
struct Free {
  std::string buffer;
};

// Prefetches the elements of a buffer in a box (as in Allocate), of which some may not exist. A
// hint: it reads and changes nothing, and does nothing in a vector loop.
struct PrefetchBox {
  std::string buffer;
  std::vector<Expr> lowers, extents;
};

// A launch on a GPU: all blocks of a grid run, each with all its threads. The loops over blocks
// and threads stand in "body", the outermost one a block loop. Axes are in the order x, y, z.
// Every thread of a block runs the whole body: a loop over threads is its one iteration of the
// thread's index, and a ThreadGuard leaves threads out.
struct Launch {
  std::string name;                   // the variable of the outermost block loop
  std::vector<Expr> grid;             // the number of blocks on each axis: none if one is <= 0
  std::vector<std::int64_t> threads;  // of a block, on each axis
  StmtPtr body;
};

// In a launch: the threads whose index is below counts[axis] on each axis run "body".
struct ThreadGuard {
  std::vector<std::int64_t> counts;
  StmtPtr body;
};

// All threads of the block wait for each other here, where all of them pass. What they wrote to
// memories of the fence is then there for all of them.
enum class Fence { shared, global, both };
struct Barrier {
  Fence fence = Fence::both;
};

// Each thread that passes waits until the asynchronous copies that it has begun are done.
struct AwaitCopies {};

// Host code that moves a buffer between the memory of the host and that of the GPU, between
// launches: its box, as the argument or the Allocate says.
struct DeviceCopy {
  Transfer direction;
  std::string buffer;
};

// One product of matrices, D = A B + C, by all 32 lanes of a warp on tensor cores (PTX ISA, "Matrix
// fragments for mma.m16n8k8" and "m16n8k16"). Lane 4 g + t, thread (t, g) on axes x and y, has
//
//     C and D    (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1)
//     A, tf32    (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4)
//     B, tf32    (t, g), (t + 4, g)
//     A, 16 bits (g, 2t + {0, 1}), (g + 8, 2t + {0, 1}), (g, 2t + 8 + {0, 1}), (g + 8, ..)
//     B, 16 bits (2t + {0, 1}, g), (2t + 8 + {0, 1}, g)
//
// "loops" are the same as ordinary loops, for devices without tensor cores: the statement is one
// for them, of which a back end runs one form.
struct Mma {
  MmaShape shape;
  std::string computation, buffer;          // buffer: the float32 sums
  std::array<std::vector<Expr>, 4> places;  // of this lane: C is buffer[places[n]], and so is D
  std::vector<Expr> a, b;                   // what this lane brings: loads, in the order above
  StmtPtr loops;
};

// A message of the program, exchanged with other ranks: receives are posted, elements packed and
// sent, all are waited for, and what came is unpacked. "outgoing" are loops over the elements of
// one buffer for one other rank, in one order on both sides, and "incoming" those over the elements
// from it; an element is an Execute without a computation whose value is a load of its own place.
// In them the variables "first" and "last" are the block [first, last) of that rank. Passes on the
// tree leave these loops as they are.
struct Exchange {
  struct OtherBlock {
    std::string partition;    // a name in Kernel::partitions
    std::string first, last;  // variables
  };
  struct Elements {
    std::string buffer;
    Type type = Type::float32;
    Expr most_outgoing, most_incoming;  // at a time, at most: over parameters and the block
    StmtPtr outgoing, incoming;
  };
  int tag = 0;
  OtherBlock block;
  std::vector<Elements> elements;  // one message carries all of them, in this order
};

// All ranks go on, or none does: what may fail on one of them alone is done before.
struct Agree {};

StmtPtr make_stmt(Stmt stmt);

// Calls "visitor" on the statements directly inside another, in order.
void for_each_inside(const Stmt& stmt, const std::function<void(const StmtPtr&)>& visitor);
// The same statement with edited statements inside.
StmtPtr with_insides(Stmt stmt, const std::function<StmtPtr(const StmtPtr&)>& edit);

// A buffer argument of the kernel. The kernel touches lowers[d] <= index < uppers[d] in dimension d
// (nothing if some upper <= lower), dimension 0 being the first index of store_in.
enum class Access { read, written, read_and_written };
struct ArgumentBuffer {
  std::string name;
  Type type;
  Access access;
  std::vector<Expr> lowers, uppers;  // over parameters
  bool resident = false;             // on the GPU before and after the kernel, not on the host
  bool constant = false;             // in constant memory: nothing writes it
  // Then the most elements of the box, for any parameters, if that is known.
  std::optional<std::int64_t> most_elements = {};
  // Of a kernel on ranks: a box for readers and hosts, with simple bounds, around what the rank
  // touches, and one around what it computes.
  struct Around {
    std::vector<Expr> lowers, uppers;
  };
  Around touched = {}, computed = {};
};

// An argument that is passed by value: a load of it, without indices, is that value.
struct ScalarArgument {
  std::string name;
  Type type;
};

// A condition that the kernel checks: if it is false it returns strata_error_assumption.
struct Assumption {
  Expr condition;    // over parameters
  std::string text;  // the same in messages
};

// A parameter that the kernel reads before anything else runs, once its buffer is checked.
struct SizeRead {
  std::string parameter;
  Expr value;  // a load of an argument, as int64, at indices over the parameters before it
};

// How the ranks of a team share the numbers 0 <= i < size. The rank that runs the kernel has
// first <= i < last: two further parameters of the kernel, which are not arguments.
struct KernelPartition {
  std::string name;
  Expr size;  // over the arguments among the parameters
  std::string first, last;
};

// A kernel: everything a back end needs, without isl objects. The C signature: int name(int64_t
// param.., scalar.., struct halide_buffer_t* buffer..), 0 on success. With partitions it begins
// with a struct strata_team*, and the cuts of each, const int64_t*, are between scalars and
// buffers.
struct Kernel {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<SizeRead> sizes;  // further parameters, which are not arguments
  std::vector<ScalarArgument> scalars = {};
  std::vector<KernelPartition> partitions = {};  // of a kernel that several ranks run
  int messages = 0;                              // of the program: their tags are 0 .. messages - 1
  std::vector<ArgumentBuffer> buffers;
  std::vector<Assumption> assumptions;
  // The violations by commands given through unchecked(), for the reader of the header.
  std::vector<std::string> waivers;
  Floats floats = Floats::fast;
  // Pairs of arguments that may share memory. Apart from these, no argument may overlap one that is
  // written.
  std::vector<std::pair<std::string, std::string>> may_overlap;
  StmtPtr body;
  // The same executions in fewer statements, without copies of loops for full tiles, for arguments
  // whose strides do not suit vectors. Null if "body" has no such copies.
  StmtPtr fallback = nullptr;
  // The bodies before the passes. The passes rely on their indices being free of overflow, so the
  // entry checks that too.
  std::vector<StmtPtr> before = {};
  bool profiled = false;  // is the time of the whole kernel recorded?
};

// The bodies of a kernel: "body", and "fallback" if there is one.
std::vector<StmtPtr> bodies(const Kernel& kernel);
// The kernel with each body replaced by "edit" of it.
Kernel with_bodies(Kernel kernel, const std::function<StmtPtr(const StmtPtr&)>& edit);

// C-like text, for people.
std::string to_c_text(const Kernel& kernel);

}  // namespace strata
