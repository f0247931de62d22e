#include "dsl/scopes.h"

#include <algorithm>
#include <utility>

#include "core/stage.h"
#include "driver/guard.h"
#include "schedule/table/replay.h"

namespace strata {

OpenLoop::OpenLoop(std::shared_ptr<FunctionState> state, const std::string& loop)
    : state_(std::move(state)) {
  if (state_->open_loops.empty()) state_->command_in_loop = false;
  state_->open_loops.push_back(loop);
}

OpenLoop::~OpenLoop() {
  state_->open_loops.pop_back();
  state_->existing_loops = std::min(state_->existing_loops, int(state_->open_loops.size()));
}

Group::Group(std::shared_ptr<FunctionState> state, const Where& where)
    : state_(std::move(state)),
      where_(where),
      open_(!state_->together),
      before_(state_->program),
      command_before_(state_->command_in_loop),
      places_before_(state_->places) {
  if (!open_) return;
  state_->take(with_group_begun(before_));
  state_->together = true;
}

Group::~Group() {
  if (open_) undo();
}

void Group::undo() {
  open_ = false;
  state_->together = false;
  state_->command_in_loop = command_before_;
  state_->places = std::move(places_before_);
  state_->take(std::move(before_));
}

void Group::end() {
  if (!open_) return;
  state_->together = false;
  const CpuTimer timer;
  state_->take(guarded("together", where_,
                       [&] { return with_group_ended(before_, state_->program, Given{where_}); }));
  open_ = false;
  timer.report(state_->program.name, "together");
}

}  // namespace strata
