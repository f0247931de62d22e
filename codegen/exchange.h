// The messages of a kernel that several ranks run, as statements of its loop tree.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "codegen/memory/storage.h"
#include "codegen/nests/nest.h"
#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/flow/messages.h"
#include "layers/program.h"

namespace strata {

// Adds to "space" a branch for each message, which runs in each iteration of the loops around it in
// which a rank sends or receives anything, and to "nests" its place. The mapping's nests must be
// those of "mapping". The branches point to "definitions", which have no meaning besides.
void add_messages(TimeSpace& space, std::vector<Nest>& nests, const Mapping& mapping,
                  const std::vector<Message>& messages, std::vector<Definition>& definitions);

// The statement of message number "tag", where the loops around have these iterators. The
// variables of its loops are none of "taken", which gets them.
StmtPtr exchange(const Message& message, int tag, const std::vector<Expr>& iterators,
                 const Program& program, const Storage& storage, std::set<std::string>& taken,
                 const Request& request);

// E0402 for what a kernel on ranks does not do yet: launches, and buffers of an iteration in the
// heap, of which there may be no more when other ranks wait already.
void require_on_ranks(const Kernel& kernel, const Request& request);

}  // namespace strata
