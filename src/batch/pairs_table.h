// The pairs file as a Parquet table, for those who ask for it by the file's ending.
#ifndef LOOKALIKE_BATCH_PAIRS_TABLE_H_
#define LOOKALIKE_BATCH_PAIRS_TABLE_H_

#include <string>

#include "batch/pair_list.h"

namespace lookalike {

/// Writes the columns of the JSON Lines form: a and b (utf8), resemblance (double), common, size_a
/// and size_b (int64), of estimated pairs also exact (bool, false) and standard_error (double), in
/// row groups of some 100,000, zstd-compressed.
Status WritePairsTable(const Job& job, Sorted<DocPair>* pairs, const StoredMembers& members,
                       const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_PAIRS_TABLE_H_
