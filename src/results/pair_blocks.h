// The pairs of a result, block by block, with the names of their documents.
#ifndef LOOKALIKE_RESULTS_PAIR_BLOCKS_H_
#define LOOKALIKE_RESULTS_PAIR_BLOCKS_H_

#include <utility>
#include <vector>

#include "results/doc_pair.h"
#include "run/members.h"

namespace lookalike {

struct PairBlock {
  std::vector<DocPair> pairs;  ///< Empty after the last pair.
  MemberList members;          ///< For all their documents.
};

/// Reads pairs block by block; both forms of a pairs file are written from these blocks.
class PairBlocks {
 public:
  PairBlocks(const Job& job, const StoredMembers& members, Sorted<DocPair>* pairs)
      : job_(job), members_(members), pairs_(*pairs) {}

  Result<PairBlock> Next() {
    PairBlock block;
    std::vector<DocNumber> docs;
    while (block.pairs.size() < kPairs) {
      const DocPair* pair = pairs_.Next();
      if (pair == nullptr) break;
      block.pairs.push_back(*pair);
      docs.insert(docs.end(), {pair->a, pair->b});
    }
    LOOKALIKE_RETURN_IF_ERROR(pairs_.status());
    LOOKALIKE_ASSIGN_OR_RETURN(block.members, members_.Gather(job_, std::move(docs)));
    return block;
  }

 private:
  static constexpr size_t kPairs = 1 << 11;

  const Job& job_;
  const StoredMembers& members_;
  Sorted<DocPair>& pairs_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_BLOCKS_H_
