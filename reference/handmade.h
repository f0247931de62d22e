// Programs built by hand from isl texts, to test the judges without the builders of layers/.
#pragma once

#include "layers/program.h"

namespace strata::reference {

class Handmade {
 public:
  explicit Handmade(std::vector<std::string> parameters, const std::string& context = "");

  Handmade& input(const std::string& domain, Type type);

  // S over "{ S[i] : .. }" = value; "reads" are texts { S[i] -> P[j] }. It defines S(i), or the
  // element that "defines" gives: "{ X_1[i] -> X[2i] }" is an update of X.
  Handmade& define(const std::string& domain, const Expr& value,
                   const std::vector<std::string>& reads = {}, const std::string& defines = "");

  // S over "{ S[i, k] : .. }" contributes to "{ S[i, k] -> S[i] }"; "results" is the domain
  // { S_init[i] : .. } of its initial value.
  Handmade& reduce(const std::string& domain, const std::string& results, Reduction kind,
                   const Expr& value, const std::vector<std::string>& reads,
                   const std::string& defines);

  // The reference order and the schedule. By default definitions run one after the other, each in
  // its own loops, in the order of its iterators. Only the reference order contains initial
  // values.
  Handmade& reference(std::vector<Node> roots);
  Handmade& schedule(std::vector<Node> roots);

  // { X[i] -> b[i % 2] }
  Handmade& store(const std::string& relation, BufferRole role = BufferRole::temporary);

  // A loop, and a branch { S[i, j] -> [j, i] } of all or of some instances (in isl's notation).
  static Node loop(const std::string& name, std::vector<Node> body,
                   Processor processor = Processor::sequential);
  Node branch(const std::string& time, const std::string& instances = "") const;

  Program program() const;
  Algorithm& algorithm() { return algorithm_; }

 private:
  isl::set set(const std::string& text) const;
  isl::map map(const std::string& text) const;
  Definition definition(const std::string& domain, const Expr& value,
                        const std::vector<std::string>& reads, const std::string& defines) const;
  Node nest(const Definition& definition) const;

  std::shared_ptr<Session> session_;
  std::string parameters_;
  Algorithm algorithm_;
  std::vector<Node> schedule_;
  Layout layout_;
};

}  // namespace strata::reference
