#include "codegen/loop_tree.h"

namespace strata {

StmtPtr make_stmt(Stmt stmt) { return std::make_shared<const Stmt>(std::move(stmt)); }

}  // namespace strata
