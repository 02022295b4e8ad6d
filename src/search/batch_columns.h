// The columns that pass one makes from one batch of records, independently of all others.
#ifndef LOOKALIKE_SEARCH_BATCH_COLUMNS_H_
#define LOOKALIKE_SEARCH_BATCH_COLUMNS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "fingerprint/document_fingerprint.h"
#include "run/document_sketch.h"
#include "run/input_pass.h"
#include "run/job.h"
#include "run/units.h"
#include "search/audit_sample.h"
#include "search/document_features.h"
#include "search/keep_order.h"
#include "stages/candidates/containment.h"
#include "stages/sketch/bottom_k.h"
#include "stages/sketch/set_sketch.h"

namespace lookalike {

/// A set that may belong to the audit's sample.
struct SampledSet {
  StreamHash hash;
  std::vector<uint64_t> set;
};

/// Columns of a batch; documents are numbered from 0.
struct BatchColumns {
  uint32_t source = 0;
  uint32_t documents = 0;
  uint64_t bytes = 0;  ///< Size of the records, which shows when a unit is full.
  ReadPosition end;
  bool whole = true;
  bool end_of_source = false;
  std::optional<Error> bad;
  std::vector<uint64_t> checks, ids;
  std::vector<uint64_t> guards;  ///< With guards: GuardSpec::words() for every document.
  std::vector<uint8_t> codes;
  KeepColumn keep;
  std::vector<ClassRecord> classes;
  std::vector<uint32_t> bottom;  ///< For each searched class record: a bottom-k sketch.
  std::vector<PackedKey> keys;
  std::vector<PackedKey> few_features;  ///< For each document in few_sizes.
  std::vector<FewSize> few_sizes;
  std::vector<SampleSizes> sizes;               ///< For every document, if samples are stored.
  std::vector<uint64_t> sketch_ends, sketches;  ///< If pairs are estimated; ends in bytes.
  std::vector<SampledSet> sampled;
  std::vector<Rejection> rejections;
  uint64_t null_text = 0, repaired_text = 0, too_short = 0;
};

/// Makes columns. One per thread.
class ColumnMaker {
 public:
  explicit ColumnMaker(const Job& job);

  /// `sampled`: the sets of the lane that may belong to the audit's sample.
  BatchColumns Make(PassItem item, const AuditReservoir& sampled);

 private:
  void Add(Document& document, BatchColumns* columns);
  void AddFeatures(const Document& document, BatchColumns* columns);
  void AddEstimated(const Document& document, BatchColumns* columns);
  void AddSketch(std::span<const uint32_t> sketch, BatchColumns* columns);
  void AddSample(std::span<const uint64_t> set, BatchColumns* columns);
  void AddSearched(std::span<const uint64_t> features, BatchColumns* columns);
  void AddFew(std::span<const uint64_t> set, BatchColumns* columns);
  static void AddKey(uint64_t key, uint32_t doc, std::vector<PackedKey>* keys);

  const Job& job_;
  const AuditReservoir* sampled_ = nullptr;  // of the batch
  DocumentFingerprint fingerprint_;
  DocumentFeatures features_;
  DocumentSketcher sketcher_;
  KeyCoordinates key_coordinates_;
  BottomSketcher bottom_;
  std::vector<uint64_t> band_keys_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_BATCH_COLUMNS_H_
