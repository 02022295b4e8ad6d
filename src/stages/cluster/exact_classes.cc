#include "stages/cluster/exact_classes.h"

#include <algorithm>
#include <tuple>

namespace lookalike {

std::vector<ExactCopy> FindExactCopies(std::vector<ClassMember>* members) {
  std::sort(members->begin(), members->end(), [](const ClassMember& x, const ClassMember& y) {
    return std::tie(x.hash, x.rank) < std::tie(y.hash, y.rank);
  });
  std::vector<ExactCopy> copies;
  const ClassMember* rep = nullptr;
  for (const ClassMember& member : *members) {
    if (rep != nullptr && rep->hash == member.hash) {
      copies.push_back({member.rank, rep->rank});
    } else {
      rep = &member;
    }
  }
  std::sort(copies.begin(), copies.end(),
            [](const ExactCopy& x, const ExactCopy& y) { return x.copy < y.copy; });
  return copies;
}

}  // namespace lookalike
