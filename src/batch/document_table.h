// What is remembered of every document after the first pass.
#ifndef LOOKALIKE_BATCH_DOCUMENT_TABLE_H_
#define LOOKALIKE_BATCH_DOCUMENT_TABLE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "batch/audit_sample.h"
#include "batch/input_pass.h"
#include "batch/job.h"
#include "batch/keep_order.h"
#include "flow/records.h"
#include "lookalike/lookalike.h"
#include "spill/key_partitions.h"

namespace lookalike {

/// Columns by document number. The large ones (keys, codes, hashes) are what moves to scratch
/// space when memory is short; ranks and flags stay.
struct DocumentTable {
  uint64_t documents = 0;
  std::vector<StreamHash> streams;
  std::vector<uint64_t> text_hashes;  ///< Of the text field's bytes: tells identical from exact.
  std::vector<uint64_t> id_hashes;    ///< Of the id; only of documents that have one.
  std::vector<bool> searched;         ///< In the search: has enough features.
  std::vector<uint8_t> codes;         ///< CodeCount() bytes a document; empty without a sketch.
  KeyPartitions keys;
  KeepValues keep;

  KnownInputs inputs;
  std::map<uint32_t, std::string> skip_reasons;  ///< Of skipped inputs.
  std::vector<uint64_t> rejected;                ///< By input: records that could not be read.
  RecordCounts records;
};

/// Pass one: reads every record once, fills the table, and offers the audit its sample. Sends one
/// message a rejection.
Result<DocumentTable> FingerprintInputs(const Job& job, const Observer& observer, size_t threads,
                                        AuditReservoir* reservoir);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_DOCUMENT_TABLE_H_
