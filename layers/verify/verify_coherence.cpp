#include "layers/verify/verify_coherence.h"

#include <algorithm>

#include "core/sets/coalesce.h"
#include "layers/flow/initial_values.h"
#include "layers/witness.h"

namespace strata {

namespace {

Transfer to_side(int side) { return side == device_side ? Transfer::to_device : Transfer::to_host; }
std::string the_side(int side) { return side == device_side ? "the GPU" : "the host"; }

isl::set times_of_copies(const CoherenceEvents& events, const std::vector<CoherenceCopy>& copies,
                         Transfer direction) {
  isl::set all = isl::set::empty(events.writes[0].space());
  for (const CoherenceCopy& copy : copies)
    if (copy.buffer == events.buffer && copy.direction == direction)
      all = all.unite(copy_times(copy, events));
  return all;
}

// The names of the definitions under a node, or "the caller" after the last one.
std::string names_at(const Mapping& mapping, const Path& node) {
  const bool is_end = node.size() == 1 && node[0] == int(mapping.roots.size());
  if (is_end) return "the caller";
  const std::vector<std::string> names = owners(node_at(mapping, node));
  std::string text = names.front();
  for (std::size_t n = 1; n < names.size(); ++n)
    text += (n + 1 == names.size() ? " or " : ", ") + names[n];
  return text;
}

std::string iterators_text(const Mapping& mapping, const Path& node, const isl::set& time) {
  const std::vector<long> at = coordinates(time);
  std::string text;
  for (std::size_t n = 0; n + 1 < node.size(); ++n) {
    const Path loop = prefix(node, n + 1);
    text += ", " + node_at(mapping, loop).loop().name + " = " + std::to_string(at[2 * n + 1]);
  }
  return text;
}

void refuse_stale(const Program& program, const Mapping& mapping, const CoherenceEvents& events,
                  int side, const isl::set& readers, const Request& request) {
  for (const Path& unit : events.units) {
    const auto at = times_at(readers.ctx(), unit, false, events.dimensions).range();
    const isl::set there = readers.intersect(at);
    if (there.is_empty()) continue;
    const isl::set one = smallest(there, program.algorithm->parameters);
    throw request.refused(
        Code::E0401_stale_memory,
        names_at(mapping, unit) + " needs " + events.buffer + " on " + the_side(side) +
            ", but its newest values are only on " + the_side(1 - side) + " (" +
            parameters_text(one) + iterators_text(mapping, unit, one) + ")",
        std::string(side == device_side ? "host_to_device" : "device_to_host") + "(" +
            events.buffer + ") before it, or leave out the copies given: they are derived");
  }
  throw request.refused(Code::E0401_stale_memory,
                        "a copy of " + events.buffer + " to " + the_side(1 - side) +
                            " moves old values: the newest are there already",
                        "leave it out");
}

void verify_buffer(const Program& program, const Mapping& mapping, const CoherenceEvents& events,
                   const std::vector<CoherenceCopy>& copies, const Request& request) {
  for (const int side : {host_side, device_side}) {
    const isl::set sources = times_of_copies(events, copies, to_side(1 - side));
    const isl::set arriving = times_of_copies(events, copies, to_side(side));
    const isl::set readers =
        stale(events, side, events.needs[side].unite(sources), events.writes[side].unite(arriving));
    if (!readers.is_empty()) refuse_stale(program, mapping, events, side, readers, request);
  }
}

Error refused_place(const Request& request, const std::string& what, const std::string& mend) {
  return request.refused(Code::E0106_bad_argument, what, mend);
}

void verify_place(const Mapping& mapping, const CoherenceCopy& copy, const CoherenceEvents& events,
                  const Request& request) {
  for (const Loop* loop : loops_along(mapping, copy.loop))
    if (loop->processor != Processor::sequential)
      throw refused_place(request,
                          copy.buffer + " is copied between host and GPU in the " +
                              to_string(loop->processor) + " loop " + loop->name,
                          "copy it in a sequential loop around the launches, or in none");
  if (copy.loop != events.scope && !is_inside(copy.loop, events.scope))
    throw request.refused(Code::E0307_out_of_scope,
                          copy.buffer +
                              " is copied between host and GPU outside of the loop that "
                              "allocates it",
                          "copy it in that loop");
}

void verify_given(const Mapping& mapping, const CoherenceCopy& copy,
                  const std::vector<CoherenceEvents>& all, const Request& request) {
  bool is_known = false;
  for (const CoherenceEvents& events : all) {
    if (events.buffer != copy.buffer) continue;
    verify_place(mapping, copy, events, request);
    is_known = true;
  }
  if (!is_known)
    throw refused_place(request,
                        copy.buffer +
                            " is copied between host and GPU, but is not on both: launches " +
                            "and the host, or the caller, do not both touch it",
                        "leave out the copy");
}

void verify_resident(const Program& program, const LayoutBuffer& buffer,
                     const std::vector<CoherenceEvents>& all, const Request& request) {
  const std::string what = buffer.name + " is resident on the GPU, but ";
  if (buffer.role == BufferRole::temporary)
    throw refused_place(request, what + "is not an argument of the kernel", "leave out resident");
  const auto events = std::find_if(
      all.begin(), all.end(), [&](const CoherenceEvents& e) { return e.buffer == buffer.name; });
  const bool is_size =
      std::any_of(program.algorithm->sizes.begin(), program.algorithm->sizes.end(),
                  [&](const SizeParameter& size) {
                    return buffer_of(program.layout, size.element.name()) == buffer.name;
                  });
  if (is_size)
    throw refused_place(request, what + "a parameter is read from it on the host",
                        "make the parameter an argument");
  if (events == all.end())
    throw refused_place(request, what + "no launch touches it", "leave out resident");
  const isl::set on_host = events->writes[host_side].unite(events->needs[host_side]);
  if (!on_host.is_empty())
    throw refused_place(request, what + "the host touches it too",
                        "compute that in a launch as well, or leave out resident");
}

void refuse_resident(const Program& program, const std::vector<GivenCopy>& copies,
                     const Request& request) {
  for (const GivenCopy& copy : copies) {
    const std::string name = buffer_of(program.layout, copy.array);
    const LayoutBuffer* buffer = program.layout.find(name);
    if (buffer && buffer->resident)
      throw refused_place(
          request, name + " is resident on the GPU, so it is not copied between host and GPU",
          "leave out resident, or the copy");
  }
}

void refuse_resident(const Program& program, const std::vector<Node>& nodes,
                     const Request& request) {
  for (const Node& node : nodes) {
    if (!node.is_loop()) continue;
    refuse_resident(program, node.loop().copies, request);
    refuse_resident(program, node.loop().body, request);
  }
}

void verify(const Program& program, const Mapping& mapping, const std::vector<CoherenceEvents>& all,
            const std::vector<CoherenceCopy>& copies, const Request& request) {
  for (const LayoutBuffer& buffer : program.layout.buffers)
    if (buffer.resident) verify_resident(program, buffer, all, request);
  for (const CoherenceCopy& copy : copies)
    if (copy.is_given) verify_given(mapping, copy, all, request);
  for (const CoherenceEvents& events : all)
    verify_buffer(program, mapping, events, copies, request);
}

}  // namespace

void verify_coherence(const Program& program, const std::vector<CoherenceCopy>& copies,
                      const Request& request) {
  const Mapping mapping = complete_mapping(program);
  verify(program, mapping, coherence_events(program, mapping, request), copies, request);
}

void verify_coherence(const Program& program, const Request& request) {
  const Mapping mapping = complete_mapping(program);
  const std::vector<CoherenceEvents> all = coherence_events(program, mapping, request);
  verify(program, mapping, all, copies_for(program, mapping, all), request);
}

void verify_resident_copies(const Program& program, const Request& request) {
  refuse_resident(program, program.layout.copies, request);
  refuse_resident(program, program.mapping.roots, request);
}

}  // namespace strata
