// The output of pass one: runs over consecutive documents, the units of the fingerprint stage.
#ifndef LOOKALIKE_RUN_UNITS_H_
#define LOOKALIKE_RUN_UNITS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/lookalike.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "run/input_pass.h"
#include "run/lanes.h"
#include "run/pair_guards.h"
#include "spill/columns.h"
#include "spill/run.h"

namespace lookalike {

/// Raised whenever streams or records of any unit change: a run with another layout cannot be
/// resumed.
inline constexpr int kUnitLayout = 12;

/// Streams of a fingerprint unit. Records name documents by their position in the unit.
enum UnitStream : uint32_t {
  kUnitFacts,     ///< One UnitFacts.
  kUnitSources,   ///< A SourceFacts for every input that the unit has a part of, in order.
  kUnitReasons,   ///< The reasons why inputs with SourceFacts::bad ended, back to back.
  kUnitChecks,    ///< A uint64_t per document: half of its stream hash, to notice changed inputs.
  kUnitGuards,    ///< With guards: GuardSpec::words() uint64_t per document.
  kUnitCodes,     ///< CodeCount() bytes per document that has keys.
  kUnitKeep,      ///< A KeepWords per document and criterion of values of --keep (keep_order.h).
  kUnitKeepEnds,  ///< Per document and field of --keep: where its text ends in kUnitKeepTexts.
  kUnitKeepTexts,
  kUnitSampled,  ///< Sets that may belong to the audit's sample (audit_sample.h).
  kUnitClasses,  ///< A ClassRecord for each document that may have copies.
  /// With an audit: the bottom-k sketch of each searched record of kUnitClasses, up to the first
  /// kNoBottomValue.
  kUnitBottom,
  kUnitIds,           ///< A uint64_t hash for each document that has an id.
  kUnitSketchEnds,    ///< If pairs are estimated: where each sketch ends in kUnitSketches.
  kUnitSketches,      ///< Likewise: the stored sketch of each document with enough features.
  kUnitSizes,         ///< With samples for containment: a SampleSizes per document.
  kUnitFewSizes,      ///< A FewSize for each document joined by its features.
  kUnitMessages,      ///< A StoredMessage for each message about records and inputs,
  kUnitMessageTexts,  ///< and its text.
  /// From here on: PackedKey records of band keys (or samples), one stream per partition; then, in
  /// as many streams, the features of the documents in kUnitFewSizes.
  kUnitKeys,
};

struct UnitFacts {
  uint64_t documents = 0;
  uint64_t next_source = 0;  ///< Where reading goes on after this unit: input and position in it.
  ReadPosition next;
};

struct SourceFacts {
  uint64_t source = 0;
  uint64_t documents = 0, rejected = 0, null_text = 0, repaired_text = 0;
  uint64_t too_short = 0;  ///< With some features, but too few to be searched.
  uint64_t rows = 0;       ///< Rows of the input, up to the end of its part in this unit.
  uint64_t ids = 0;        ///< Hashes in kUnitIds.
  uint64_t sampled = 0;    ///< Sets in kUnitSampled.
  uint64_t bytes = 0;      ///< Size of the records, decompressed, roughly.
  uint32_t ended = 0;      ///< 1: the input ends in this unit.
  uint32_t bad = 0;  ///< 1: it ends here because it turned out to be unreadable; it is skipped.
  /// Where its text ends in kUnitReasons; if it has none, where the previous text ends.
  uint64_t reason_end = 0;
};

/// A message about a row of an input (LaneMessage).
struct StoredMessage {
  uint32_t source, bytes;
  uint64_t row;
};

/// The way a document is searched for.
enum class Searched : uint32_t {
  kNot,  ///< It has too few features to be in a pair.
  kByKeys,
  kByFeatures,  ///< It has few features (FewFeatures), and no keys.
};

/// One document's part in the search for exact copies.
struct ClassRecord {
  StreamHash stream;
  uint64_t
      text_hash;  ///< Hash of the text field's bytes: distinguishes identical from exact copies.
  uint32_t doc;
  Searched searched;
};

/// The number of features of a document that is joined by its features (FewFeatures::TakesPart).
struct FewSize {
  uint32_t doc, features;
};

/// A band key, or feature, of a document, in twelve bytes.
struct PackedKey {
  uint32_t low, high, doc;

  [[nodiscard]] uint64_t key() const { return uint64_t{high} << 32 | low; }
};

/// The codes of documents that have keys. Reading is safe from several threads.
class DocumentCodes {
 public:
  explicit DocumentCodes(uint32_t width = 1) : values_(width) {}

  [[nodiscard]] uint32_t width() const { return values_.width(); }

  /// Adds the codes of the next documents that have codes: all of a stream.
  void AddPart(const RunPointer& run, uint32_t stream) {
    values_.AddPart(run, stream, run->bytes(stream) / width());
  }

  /// Says which documents have codes. REQUIRES: as many as were added.
  void SetDocuments(Bitmap coded) { coded_ = RankedBitmap(std::move(coded)); }

  /// Reads the codes that are in files into memory, if the store has room for them.
  Status MoveToMemory(RunStore* store) { return values_.MoveToMemory(store); }

  /// Copies the codes of these documents, back to back. REQUIRES: ascending, all have codes.
  Status Gather(std::span<const DocNumber> documents, std::byte* out) const {
    std::vector<uint64_t> positions;
    positions.reserve(documents.size());
    for (const DocNumber doc : documents) positions.push_back(coded_.Rank(doc));
    return values_.Gather(positions, out);
  }

 private:
  FixedColumn values_;
  RankedBitmap coded_;
};

/// A finished unit.
struct Unit {
  RunPointer run;
  DocNumber first = 0;
  uint64_t documents = 0;
  uint32_t source = 0;  ///< The place of its first document: input and position in it.
  ReadPosition begin;
};

/// The units that were read from one lane, which may be none.
struct UnitLane {
  Lane lane;
  size_t first_unit = 0, units = 0;
  uint64_t rows_before = 0;  ///< Rows of its first input that come before the lane.
  DocNumber first_doc = 0, end_doc = 0;

  /// Returns the range that a later pass reads for all its units.
  [[nodiscard]] PassRange Range() const {
    return {.source = lane.first,
            .position = {lane.from, rows_before},
            .doc = first_doc,
            .end_source = lane.end,
            .until = lane.until,
            .at_cut = lane.from != 0,
            .end_doc = lane.is_part() ? end_doc : UINT64_MAX};
  }
};

/// All units, and the state of their inputs. Documents of an input that was skipped after part of
/// it was read keep their numbers, but take part in nothing.
struct DocumentUnits {
  std::vector<Unit> units;
  std::vector<UnitLane> lanes;
  uint64_t documents = 0;  ///< Document numbers in use, including skipped inputs.
  KnownInputs inputs;
  std::map<uint32_t, std::string> skip_reasons;  ///< For skipped inputs.
  std::vector<uint64_t> rejected;                ///< By input: records that could not be read.
  RecordCounts records;
  uint64_t plain_bytes = 0;   ///< Size of the records of inputs that count, decompressed, roughly.
  uint64_t packed_bytes = 0;  ///< The compressed part of them.
  DocumentCodes codes;
  FixedColumn checks;
  PairGuards guards;
  VariableColumn keep_texts;  ///< A text per document and field of --keep.

  /// True if a document is from an input that was not skipped.
  [[nodiscard]] bool IsAlive(DocNumber doc) const;
  /// Returns the number of documents that are alive.
  [[nodiscard]] uint64_t alive() const { return records.in - records.rejected + records.reference; }
  /// Frees the memory of keys, codes and bottom-k sketches, which are only needed to find
  /// candidates.
  void ForgetSketches() const {
    for (const Unit& unit : units) {
      unit.run->Forget(kUnitCodes);
      unit.run->Forget(kUnitBottom);
      for (uint32_t s = kUnitKeys; s < unit.run->streams(); ++s) unit.run->Forget(s);
    }
  }
  /// Frees all runs, which only the search needs. The lanes stay.
  void DropRuns() {
    units.clear();
    codes = DocumentCodes();
    checks = FixedColumn();
    keep_texts = {};
  }
  /// Makes a unit of each lane, after DropRuns(), for a pass that reads inputs again.
  void MakeUnitOfEachLane() {
    for (UnitLane& lane : lanes) {
      lane.first_unit = units.size();
      lane.units = 1;
      Unit& unit = units.emplace_back();
      unit.first = lane.first_doc;
      unit.documents = lane.end_doc - lane.first_doc;
    }
  }
  /// Returns the runs of all units.
  [[nodiscard]] std::vector<RunPointer> runs() const;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_UNITS_H_
