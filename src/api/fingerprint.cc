#include "lookalike/fingerprint.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>

#include "fingerprint/document_fingerprint.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/search_terms.h"
#include "run/steady_observer.h"
#include "threads/parallel.h"

namespace lookalike {

struct Fingerprinter::Plan {
  Options options;
  FingerprintSpec spec;
  std::optional<FewFeatures> few;  ///< None: no document is searched by its features.
  std::string design;
  size_t threads = 1;
};

namespace {

/// Bytes of text below which it is not worth waking up a thread.
constexpr uint64_t kBytesForThreads = uint64_t{64} << 10;

/// Bytes of text between two checks of the observer; each row adds kBytesOfRow.
constexpr uint64_t kBytesBetweenQuestions = uint64_t{1} << 20, kBytesOfRow = 64;

template <class T>
Status CheckRoom(std::span<T> column, std::string_view name, size_t rows, size_t width) {
  if (column.empty() || column.size() == rows * width) return {};
  return UsageError("the column " + std::string(name) + " has room for " +
                    std::to_string(column.size()) + " values, but " + std::to_string(rows) +
                    " texts need " + std::to_string(rows * width) + " (" + std::to_string(width) +
                    " each); pass a column of exactly that size, or an empty one");
}

/// The run of one batch. Rows are independent of one another.
class BatchRun {
 public:
  BatchRun(const FingerprintSpec& spec, const std::optional<FewFeatures>& few,
           std::span<const std::string_view> texts, const FingerprintColumns& columns,
           const Observer& observer)
      : spec_(spec),
        few_(few),
        texts_(texts),
        columns_(columns),
        observer_(observer),
        makers_([&spec] { return DocumentFingerprint(spec); }) {}

  /// Checks that there is room for all rows, and that no row is too long or malformed.
  Status Check() {
    const size_t rows = texts_.size();
    const uint32_t keys = spec_.design ? spec_.design->keys : 0;
    LOOKALIKE_RETURN_IF_ERROR(
        CheckRoom(columns_.sketches, "sketches", rows, spec_.sketch.coordinates));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.keys, "keys", rows, keys));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.feature_counts, "feature_counts", rows, 1));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.hashes, "hashes", rows, kHashBytes));
    LOOKALIKE_RETURN_IF_ERROR(
        CheckRoom(columns_.codes, "codes", rows, CodeCount(spec_.sketch.coordinates)));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.searched, "searched", rows, 1));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.text_hashes, "text_hashes", rows, 1));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.masks, "masks", rows, 1));
    for (size_t row = 0; row < rows; ++row) {
      if (auto status = CheckText(spec_.features, texts_[row]); !status) {
        return AtPlace(status.error(), "texts[" + std::to_string(row) + "]");
      }
      bytes_ += texts_[row].size();
    }
    if (columns_.sets != nullptr) columns_.sets->offsets.assign(rows + 1, 0);
    return {};
  }

  Status Run(size_t threads) {
    const size_t rows = texts_.size();
    if (threads == 1 || bytes_ < kBytesForThreads) {
      FillRows(0, rows);
    } else {
      LOOKALIKE_RETURN_IF_ERROR(RunWithThreads(threads, [&]() -> Status {
        ParallelForRanges(size_t{0}, rows, 1,
                          [&](size_t first, size_t last) { FillRows(first, last); });
        return {};
      }));
    }
    if (columns_.sets != nullptr) JoinSets();
    return stopped_ ? Status(Cancelled()) : Status();
  }

 private:
  static constexpr size_t kHashBytes = sizeof(StreamHash);

  /// The feature sets of consecutive rows.
  struct SetsOfRows {
    size_t first = 0;
    std::vector<uint64_t> features;
  };

  void FillRows(size_t first, size_t last) {
    DocumentFingerprint& maker = makers_.local();
    SetsOfRows sets{first, {}};
    std::vector<uint64_t> masked;
    uint64_t bytes = 0, work = 0;
    for (size_t row = first; row < last && !stopped_; ++row) {
      FillRow(row, &maker, &masked, &sets.features);
      bytes += texts_[row].size();
      work += texts_[row].size() + kBytesOfRow;
      if (work < kBytesBetweenQuestions && row + 1 < last) continue;
      Report(bytes);
      bytes = work = 0;
    }
    if (columns_.sets == nullptr) return;
    const std::lock_guard lock(mutex_);
    sets_.push_back(std::move(sets));
  }

  void FillRow(size_t row, DocumentFingerprint* maker, std::vector<uint64_t>* masked,
               std::vector<uint64_t>* sets) const {
    const auto features = Masked(row, maker->Features(texts_[row]), masked);
    const bool asks = !columns_.keys.empty() || !columns_.codes.empty() ||
                      !columns_.searched.empty() || columns_.sets != nullptr;
    const bool searched = asks && maker->IsSearched(features);
    FillSketch(row, features, searched, maker);
    FillHash(row, features);
    FillTextHash(row);
    FillSet(row, features, searched, maker, sets);
  }

  /// Returns the features of a row, changed by its mask if there are masks.
  std::span<const uint64_t> Masked(size_t row, std::span<const uint64_t> features,
                                   std::vector<uint64_t>* masked) const {
    if (columns_.masks.empty()) return features;
    masked->clear();
    for (const uint64_t feature : features) masked->push_back(feature ^ columns_.masks[row]);
    return *masked;
  }

  /// Fills the columns that are made from the sketch.
  void FillSketch(size_t row, std::span<const uint64_t> features, bool searched,
                  DocumentFingerprint* maker) const {
    const auto sketch = RowOf(columns_.sketches, row);
    const auto keys = RowOf(columns_.keys, row);
    const auto codes = RowOf(columns_.codes, row);
    std::fill(sketch.begin(), sketch.end(), kNoCoordinate);
    std::fill(keys.begin(), keys.end(), 0);
    std::fill(codes.begin(), codes.end(), 0);
    const bool finds = searched && !(keys.empty() && codes.empty());
    if (features.empty() || (sketch.empty() && !finds)) return;
    const auto made = maker->MakeSketch(features);
    if (!sketch.empty()) std::copy(made.begin(), made.end(), sketch.begin());
    if (searched && !keys.empty()) maker->MakeKeys(made, keys);
    if (searched && !codes.empty()) MakeCodes(made, codes.data());
  }

  /// Fills the columns that need the distinct features. The set of a text with many features is
  /// not made if it is not wanted.
  void FillSet(size_t row, std::span<const uint64_t> features, bool searched,
               DocumentFingerprint* maker, std::vector<uint64_t>* sets) const {
    const bool finds = !columns_.searched.empty();
    if (finds) columns_.searched[row] = searched ? SearchedBy::kKeys : SearchedBy::kNothing;
    const bool all = columns_.sets != nullptr && columns_.sets_of == SetsOf::kAll;
    const bool counts = !columns_.feature_counts.empty();
    const bool may_be_few = searched && few_ && (finds || columns_.sets != nullptr) &&
                            !DocumentFingerprint::HasMoreFeatures(features, few_->most());
    if (!all && !counts && !may_be_few) return;
    const auto set = maker->FeatureSet(features);
    if (counts) columns_.feature_counts[row] = static_cast<uint32_t>(set.size());
    if (finds && may_be_few && few_->IsFew(set.size())) {
      columns_.searched[row] = SearchedBy::kFeatures;
    }
    if (!all && !(columns_.sets != nullptr && may_be_few && few_->TakesPart(set.size()))) return;
    sets->insert(sets->end(), set.begin(), set.end());
    columns_.sets->offsets[row + 1] = static_cast<int64_t>(set.size());
  }

  void FillTextHash(size_t row) const {
    if (columns_.text_hashes.empty()) return;
    columns_.text_hashes[row] = HashText(texts_[row]);
  }

  void FillHash(size_t row, std::span<const uint64_t> features) const {
    if (columns_.hashes.empty()) return;
    const StreamHash hash = HashStream(features);
    std::memcpy(RowOf(columns_.hashes, row).data(), &hash.low, sizeof(hash.low));
    std::memcpy(RowOf(columns_.hashes, row).data() + sizeof(hash.low), &hash.high,
                sizeof(hash.high));
  }

  /// Puts the sets of all ranges back to back.
  void JoinSets() {
    FeatureSetColumns& all = *columns_.sets;
    std::partial_sum(all.offsets.begin(), all.offsets.end(), all.offsets.begin());
    std::sort(sets_.begin(), sets_.end(),
              [](const SetsOfRows& x, const SetsOfRows& y) { return x.first < y.first; });
    all.features.clear();
    all.features.reserve(static_cast<size_t>(all.offsets.back()));
    for (SetsOfRows& some : sets_) {
      all.features.insert(all.features.end(), some.features.begin(), some.features.end());
      some.features = {};
    }
  }

  template <class T>
  std::span<T> RowOf(std::span<T> column, size_t row) const {
    const size_t width = column.size() / texts_.size();
    return column.subspan(row * width, width);
  }

  void Report(uint64_t bytes) {
    if (observer_.cancelled && observer_.cancelled()) stopped_ = true;
    if (!observer_.progress) return;
    const std::lock_guard lock(mutex_);  // so that reports are ascending
    done_ += bytes;
    observer_.progress({"fingerprint", done_, bytes_, "bytes"});
  }

  const FingerprintSpec& spec_;
  const std::optional<FewFeatures>& few_;
  std::span<const std::string_view> texts_;
  const FingerprintColumns& columns_;
  const Observer& observer_;
  tbb::enumerable_thread_specific<DocumentFingerprint> makers_;
  uint64_t bytes_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  uint64_t done_ = 0;
  std::vector<SetsOfRows> sets_;
};

}  // namespace

Result<Fingerprinter> Fingerprinter::Create(const Options& options, uint64_t documents) {
  return WithoutExceptions([&]() -> Result<Fingerprinter> {
    LOOKALIKE_ASSIGN_OR_RETURN(const Job job, JobInMemory(options, documents, false));
    Plan plan{options, job.Fingerprint(), job.few, job.DesignName(), ThreadCount(options.threads)};
    return Fingerprinter(std::make_shared<const Plan>(std::move(plan)));
  });
}

uint32_t Fingerprinter::coordinates() const { return plan_->spec.sketch.coordinates; }

uint32_t Fingerprinter::code_bytes() const { return CodeCount(plan_->spec.sketch.coordinates); }

uint32_t Fingerprinter::keys() const { return plan_->spec.design ? plan_->spec.design->keys : 0; }

const std::string& Fingerprinter::design() const { return plan_->design; }

const Options& Fingerprinter::options() const { return plan_->options; }

Status Fingerprinter::Run(std::span<const std::string_view> texts,
                          const FingerprintColumns& columns, const Observer& observer) const {
  return WithoutExceptions([&]() -> Status {
    const Observer steady = MakeSteady(observer);
    BatchRun run(plan_->spec, plan_->few, texts, columns, steady);
    LOOKALIKE_RETURN_IF_ERROR(run.Check());
    return run.Run(plan_->threads);
  });
}

Result<std::vector<uint64_t>> Fingerprinter::Features(std::string_view text) const {
  return WithoutExceptions([&]() -> Result<std::vector<uint64_t>> {
    LOOKALIKE_RETURN_IF_ERROR(CheckText(plan_->spec.features, text));
    FeatureExtractor extractor(plan_->spec.features);
    std::vector<uint64_t> set;
    MakeFeatureSet(extractor.Features(text), &set);
    return set;
  });
}

}  // namespace lookalike
