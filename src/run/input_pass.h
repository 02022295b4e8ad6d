// One pass over all inputs: reads in order, works in parallel, takes the results in order.
#ifndef LOOKALIKE_RUN_INPUT_PASS_H_
#define LOOKALIKE_RUN_INPUT_PASS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/bitmap.h"
#include "records/document_batch.h"
#include "run/job.h"
#include "run/pass_progress.h"
#include "stages/input/reader.h"
#include "threads/parallel.h"

namespace lookalike {

/// An item from the reading end of a pass: a batch of one input, or that input's end.
struct PassItem {
  DocumentBatch batch;
  DocNumber first_doc = 0;     ///< Document number of the batch's first document; not in pass one.
  ReadPosition end;            ///< Where reading of the input continues after this batch.
  bool whole = true;           ///< False: more documents up to the same `end` follow.
  bool end_of_source = false;  ///< No batch: the input `batch.source` ends here.
  std::optional<Error> bad;    ///< With end_of_source: why it is unreadable and is skipped.
};

/// The range of inputs that a reader of a pass reads.
struct PassRange {
  uint32_t source = 0;
  ReadPosition position = {};        ///< Position in the first input.
  DocNumber doc = 0;                 ///< Number of the first document from there on.
  uint32_t end_source = UINT32_MAX;  ///< The first input that is no longer read.
  /// The same as in ReadPart, if the range is a part of a single input.
  uint64_t until = UINT64_MAX;
  bool at_cut = false;
  /// In a later pass, with `until`: the number of the first document after the part.
  DocNumber end_doc = UINT64_MAX;
  /// In a later pass, flags by document: for the others only raw bytes and rows are requested.
  /// Null: all are read in full. Must outlive the pass.
  const Bitmap* wanted = nullptr;
  uint64_t ahead = 0;                ///< As in ReadLimits.
  PassProgress* progress = nullptr;  ///< Shared with the other readers of the pass; null: none.
};

/// Reads all inputs of a job, batch by batch. Pass one may skip bad inputs (--skip-bad-inputs). A
/// later pass may not: an input that has changed since pass one is an Error, as decisions refer to
/// its documents by number. A cancelled observer ends a pass with an Error.
class PassReader {
 public:
  /// `known` is null in pass one. `stage`: the name under which progress is reported, unless the
  /// range shares a PassProgress.
  PassReader(const Job& job, const KnownInputs* known, ReadColumns columns, std::string_view stage,
             const Observer& observer, const PassRange& range = {});

  /// Returns the next item, perhaps with lines that are not read yet; nothing after the last input
  /// or an error (see status()).
  std::optional<PassItem> Next();

  /// Returns the next items: one item, or several if they are small, as in a collection of many
  /// small files. Handing them on one by one would cost more than processing them. An item that
  /// IsLong comes alone. Returns nothing at the end.
  std::optional<std::vector<PassItem>> NextSeveral();

  /// Reads the lines of an item that are not read yet. Safe from several threads.
  Status ReadLines(PassItem* item) const;

  [[nodiscard]] const Status& status() const { return status_; }

  /// Waits for the turn of this reader to process a long record, among those that share progress.
  [[nodiscard]] std::unique_lock<std::mutex> TakeTurn() { return progress_.TakeTurn(); }

  /// True if the batch has a record that must be processed alone.
  [[nodiscard]] bool IsLong(const DocumentBatch& batch) const;

 private:
  std::optional<PassItem> ReadNext();
  void SayLimit() const;
  Result<bool> ReadBatch(DocumentBatch* batch);
  PassItem Slice();
  bool OpenNext();
  bool PassOver();
  [[nodiscard]] bool IsUnwanted(uint32_t source) const;
  std::optional<PassItem> FailOrSkip(Error bad);
  std::optional<PassItem> FinishSource();
  PassItem EndOfSource(std::optional<Error> bad);
  [[nodiscard]] bool HasEveryRow() const;
  [[nodiscard]] Status CheckCount(bool at_end) const;
  [[nodiscard]] Status FailChanged(uint32_t source) const;
  void TellLeftOut();
  void Report(uint64_t bytes_read);
  [[nodiscard]] bool EndsInside() const;
  std::optional<PassItem> FinishPart();

  const Job& job_;
  const KnownInputs* known_;
  ReadColumns columns_;
  const Observer& observer_;
  const Bitmap* wanted_;
  ReadLimits limits_;
  uint32_t next_source_, end_source_;
  uint32_t source_ = 0;
  DocNumber next_doc_;
  ReadPosition begin_;  // in the first input that is opened
  uint64_t until_;      // in the last one
  bool at_cut_;
  DocNumber end_doc_;
  std::optional<PassProgress> own_progress_;
  PassProgress& progress_;
  /// Plain bytes of the current input that were reported as read, and as its estimated size.
  /// Nothing is known of what was read before a part of an input.
  std::optional<uint64_t> read_of_source_;
  uint64_t size_of_source_ = 0;
  std::unique_ptr<InputReader> reader_;
  std::optional<PassItem> large_;  // a batch of very many documents, handed out in slices
  size_t sliced_ = 0;              // records of it that were handed out so far
  size_t slice_;                   // records per slice
  Status status_;
  bool told_left_out_ = false;
  std::optional<PassItem> held_;  // a long item, read after small ones
};

/// Returns the estimated plain bytes of the inputs from `first` on.
uint64_t GuessedBytes(const Job& job, uint32_t first = 0);

/// Returns the message about a record that cannot be read.
std::string RejectionMessage(const Job& job, uint32_t source, uint64_t row,
                             std::string_view reason);

/// Returns an Error if that many rejected records are more than --max-errors allows.
Status CheckRejections(const Job& job, uint64_t rejected);

/// Reports a record that cannot be read. `so_far`: the records rejected so far, this one included;
/// returns an Error if they are more than --max-errors allows.
Status TakeRejection(const Job& job, const Observer& observer, uint32_t source,
                     const Rejection& rejection, uint64_t so_far);

/// Reports an input that is skipped, if any, and counts it.
void TakeSkipped(const Observer& observer, const std::optional<Error>& bad, RecordCounts* records);

/// Runs `map(PassItem) -> Mapped` in parallel and `consume(Mapped) -> Status` in input order.
/// The first error stops the pass. At most `batches` are in flight.
template <class Map, class Consume>
Status RunPass(PassReader* reader, Map map, Consume consume, size_t batches) {
  using Mapped = decltype(map(std::declval<PassItem>()));
  struct Read {
    std::vector<PassItem> items;
    std::vector<Result<Mapped>> mapped;  // for items that were processed while reading
  };
  Status failed;
  const auto work_one = [&](PassItem item) -> Result<Mapped> {
    LOOKALIKE_RETURN_IF_ERROR(reader->ReadLines(&item));
    return map(std::move(item));
  };
  const auto work = [&](std::vector<PassItem> items) {
    std::vector<Result<Mapped>> mapped;
    mapped.reserve(items.size());
    for (PassItem& item : items) {
      mapped.push_back(work_one(std::move(item)));
      if (!mapped.back()) break;
    }
    return mapped;
  };
  ParallelPipeline(
      batches,
      [&]() -> std::optional<Read> {
        auto items = reader->NextSeveral();
        if (!items) return std::nullopt;
        if (!reader->IsLong(items->front().batch)) return Read{*std::move(items), {}};
        // Processed before anything else is read, so that there is only one at a time.
        const auto turn = reader->TakeTurn();
        return Read{{}, work(*std::move(items))};
      },
      [&](Read read) {
        return read.items.empty() ? std::move(read.mapped) : work(std::move(read.items));
      },
      [&](std::vector<Result<Mapped>> mapped) {
        for (Result<Mapped>& each : mapped) {
          failed = each ? consume(*std::move(each)) : tl::make_unexpected(each.error());
          if (!failed) return false;
        }
        return true;
      });
  if (!failed) return failed;
  return reader->status();
}

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_INPUT_PASS_H_
