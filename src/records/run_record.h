// The record of a finished unit of work.
#ifndef LOOKALIKE_RECORDS_RUN_RECORD_H_
#define LOOKALIKE_RECORDS_RUN_RECORD_H_

#include <cstdint>
#include <string>

namespace lookalike {

/// The journal's record of a durable run, enough to find it again and to trust it.
struct RunRecord {
  std::string unit;
  std::string file;  ///< Name within the store's folder.
  uint64_t bytes = 0;
  uint64_t xxh3 = 0;  ///< XXH3-64 of the whole file.
  bool operator==(const RunRecord&) const = default;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_RUN_RECORD_H_
