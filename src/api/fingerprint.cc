#include "lookalike/fingerprint.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "api/run.h"
#include "api/steady_observer.h"
#include "batch/process_limits.h"
#include "batch/resolve_job.h"
#include "batch/search_terms.h"
#include "fingerprint/document_fingerprint.h"
#include "flow/parallel.h"

namespace lookalike {

struct Fingerprinter::Plan {
  Options options;
  FingerprintSpec spec;
  std::string design;
  size_t threads = 1;
};

namespace {

/// The bytes of text below which a thread is not worth waking up.
constexpr uint64_t kBytesForThreads = uint64_t{64} << 10;

/// The bytes of text between two questions to the observer; each row adds kBytesOfRow.
constexpr uint64_t kBytesBetweenQuestions = uint64_t{1} << 20, kBytesOfRow = 64;

template <class T>
Status CheckRoom(std::span<T> column, std::string_view name, size_t rows, size_t width) {
  if (column.empty() || column.size() == rows * width) return {};
  return Fail("the column " + std::string(name) + " has room for " + std::to_string(column.size()) +
              " values, but " + std::to_string(rows) + " texts of " + std::to_string(width) +
              " each need " + std::to_string(rows * width) + "; give it exactly that, or nothing");
}

/// The run of one batch. Rows are independent of one another.
class BatchRun {
 public:
  BatchRun(const FingerprintSpec& spec, std::span<const std::string_view> texts,
           const FingerprintColumns& columns, const Observer& observer)
      : spec_(spec), texts_(texts), columns_(columns), observer_(observer), makers_([&spec] {
          return DocumentFingerprint(spec);
        }) {}

  /// Checks that there is room for all rows, and that no row is too long or malformed.
  Status Check() {
    const size_t rows = texts_.size();
    const uint32_t keys = spec_.design ? spec_.design->keys : 0;
    LOOKALIKE_RETURN_IF_ERROR(
        CheckRoom(columns_.sketches, "sketches", rows, spec_.sketch.coordinates));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.keys, "keys", rows, keys));
    LOOKALIKE_RETURN_IF_ERROR(CheckRoom(columns_.feature_counts, "feature_counts", rows, 1));
    for (size_t row = 0; row < rows; ++row) {
      if (auto status = CheckText(spec_.features, texts_[row]); !status) {
        return Fail(status.error().what, "texts[" + std::to_string(row) + "]");
      }
      bytes_ += texts_[row].size();
    }
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
    return stopped_ ? Status(Fail("interrupted")) : Status();
  }

 private:
  void FillRows(size_t first, size_t last) {
    DocumentFingerprint& maker = makers_.local();
    uint64_t bytes = 0, work = 0;
    for (size_t row = first; row < last && !stopped_; ++row) {
      FillRow(row, &maker);
      bytes += texts_[row].size();
      work += texts_[row].size() + kBytesOfRow;
      if (work < kBytesBetweenQuestions && row + 1 < last) continue;
      Report(bytes);
      bytes = work = 0;
    }
  }

  void FillRow(size_t row, DocumentFingerprint* maker) const {
    const auto features = maker->Features(texts_[row]);
    const bool searched = !columns_.keys.empty() && maker->IsSearched(features);
    const auto sketch = RowOf(columns_.sketches, row);
    const auto keys = RowOf(columns_.keys, row);
    std::span<const uint32_t> made;
    if (!features.empty() && (searched || !sketch.empty())) made = maker->MakeSketch(features);
    if (features.empty()) {
      std::fill(sketch.begin(), sketch.end(), kNoCoordinate);
    } else if (!sketch.empty()) {
      std::copy(made.begin(), made.end(), sketch.begin());
    }
    if (searched) {
      maker->MakeKeys(made, keys);
    } else {
      std::fill(keys.begin(), keys.end(), 0);
    }
    if (columns_.feature_counts.empty()) return;
    columns_.feature_counts[row] = static_cast<uint32_t>(maker->FeatureSet(features).size());
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
  std::span<const std::string_view> texts_;
  const FingerprintColumns& columns_;
  const Observer& observer_;
  tbb::enumerable_thread_specific<DocumentFingerprint> makers_;
  uint64_t bytes_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  uint64_t done_ = 0;
};

/// Returns the job of the options, with a design unless the method is `exact`.
Result<Job> SettleJob(const Options& options, uint64_t documents) {
  LOOKALIKE_ASSIGN_OR_RETURN(Job job, BeginJob(options, false));
  if (job.design || !job.method.has_keys()) return job;
  LOOKALIKE_ASSIGN_OR_RETURN(job.design, PlanDesign(job, static_cast<double>(documents)));
  return job;
}

}  // namespace

Result<Fingerprinter> Fingerprinter::Create(const Options& options, uint64_t documents) {
  return WithoutExceptions([&]() -> Result<Fingerprinter> {
    LOOKALIKE_ASSIGN_OR_RETURN(const Job job, SettleJob(options, documents));
    Plan plan{options, job.Fingerprint(), job.DesignName(), ThreadCount(options.threads)};
    return Fingerprinter(std::make_shared<const Plan>(std::move(plan)));
  });
}

uint32_t Fingerprinter::coordinates() const { return plan_->spec.sketch.coordinates; }

uint32_t Fingerprinter::keys() const { return plan_->spec.design ? plan_->spec.design->keys : 0; }

const std::string& Fingerprinter::design() const { return plan_->design; }

const Options& Fingerprinter::options() const { return plan_->options; }

Status Fingerprinter::Run(std::span<const std::string_view> texts,
                          const FingerprintColumns& columns, const Observer& observer) const {
  return WithoutExceptions([&]() -> Status {
    const Observer steady = MakeSteady(observer);
    BatchRun run(plan_->spec, texts, columns, steady);
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
