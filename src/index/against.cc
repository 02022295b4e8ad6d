#include "index/against.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "format/feature_file.h"
#include "index/index_state.h"
#include "index/tables.h"
#include "lookalike/options_table.h"
#include "lookalike/reader.h"
#include "records/feature_text.h"
#include "text/decimal.h"

namespace lookalike {
namespace {

/// Documents of a key that an input is compared with. One of them is enough to remove it, and of a
/// family that is larger than this, the oldest ones stand for it.
constexpr size_t kRemovingOfKey = 256;

/// True if an option has the same value, or names a table of the same content.
Result<bool> HasSame(const OptionRow& row, const Options& own, const Options& options) {
  if (!NamesTable(row, own) || !NamesTable(row, options)) {
    return OptionText(row, options) == OptionText(row, own);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string name, TableName(row, options));
  return std::filesystem::path(OptionText(row, own)).filename() == name;
}

/// Returns an Error if the options ask for another comparison than that of the index.
Status CheckOptions(const IndexRules& rules, const Options& options) {
  if (rules.settings.kept == Kept::kNone) {
    return UsageError(
        "the index keeps nothing that can be compared exactly; make one that keeps "
        "features or texts");
  }
  if (options.threshold < rules.threshold()) {
    return OptionError("the index finds documents at a $<threshold> of " +
                       CanonicalDecimal(rules.threshold()) + " or more, asked for is " +
                       CanonicalDecimal(options.threshold));
  }
  if (options.measure != rules.settings.options.measure) {
    return OptionError("the index finds documents by $<measure=" + rules.settings.options.measure +
                       ">; use the same here");
  }
  if (options.recall > rules.settings.options.recall) {
    return OptionError("the index finds a share of " +
                       CanonicalDecimal(rules.settings.options.recall) +
                       " of the pairs at its threshold; a higher $<recall> needs another index");
  }
  if (options.method != "auto" && options.method != "lsh") {
    return OptionError("documents of an index are found by keys; leave out $<method>");
  }
  const Options& of_index = rules.settings.options;
  if (!of_index.differ.empty() || !of_index.same.empty()) {
    return UsageError(
        "the index has guards ($<differ>, $<same>), which dedup cannot apply across its documents; "
        "ask it with index query, or compare with an index without guards");
  }
  for (const OptionRow& row : OptionTable()) {
    if (!IsIndexOption(row) || row.name == "threshold" || row.name == "recall") continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const bool same, HasSame(row, rules.settings.options, options));
    if (same) continue;
    return OptionError("the index was made with $<" + std::string(row.name) + "=" +
                       OptionText(row, rules.settings.options) +
                       ">; use the same here, or make another index");
  }
  return {};
}

/// Finds the documents of an index that are like one of many probes.
class Finder {
 public:
  Finder(const Index::State& index, double threshold)
      : index_(index), view_(index.store->View()), threshold_(threshold) {}

  Status Take(const DocumentColumns& columns) {
    std::vector<std::string_view> texts;
    for (size_t i = 0; i < columns.size(); ++i) {
      texts.push_back(columns.Text(i));
      // A name and a row is no id of its own: the dump of another month has the same.
      if (columns.Id(i) != columns.PlaceOf(i)) ids_.emplace(columns.Id(i));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const auto probes, ProbesOf(index_.rules, texts));
    for (const Probe& probe : probes) {
      LOOKALIKE_ASSIGN_OR_RETURN(
          const auto classes, FindClasses(index_.rules, *view_, probe, threshold_, kRemovingOfKey));
      for (const SimilarClass& one : classes) found_.insert(one.first);
    }
    return {};
  }

  Status WriteTo(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    file << kFeatureFileMagic;
    for (const DocumentNumber number : found_) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto record, OtherOfClass(number));
      if (!record) continue;
      LOOKALIKE_ASSIGN_OR_RETURN(const Probe probe, ProbeOf(index_.rules, *view_, number, *record));
      const StreamHash stream = {record->hash.low, record->hash.high};
      file << EncodeFeatureRecord(record->id,
                                  FeatureText::Encode(stream, record->text_hash, probe.features));
    }
    file.close();
    if (!file) return DiskError("cannot be written; free some space", path);
    return {};
  }

 private:
  /// Returns the first document of the class of `first` that no input has the id of: the others are
  /// earlier forms of inputs, and an input is no duplicate of itself.
  Result<std::optional<DocumentRecord>> OtherOfClass(DocumentNumber first) const {
    LOOKALIKE_ASSIGN_OR_RETURN(DocumentRecord record, ReadRecord(*view_, first));
    if (!ids_.contains(record.id)) return record;
    const auto cursor = view_->Scan(Family::kClasses, false);
    for (cursor->Seek(ClassPrefix(record.hash)); cursor->Valid(); cursor->Next()) {
      LOOKALIKE_ASSIGN_OR_RETURN(DocumentRecord other,
                                 ReadRecord(*view_, NumberAtEnd(cursor->Key())));
      if (!ids_.contains(other.id)) return other;
    }
    LOOKALIKE_RETURN_IF_ERROR(cursor->status());
    return std::nullopt;
  }

  const Index::State& index_;
  std::unique_ptr<StoreView> view_;
  std::set<std::string, std::less<>> ids_;  // of the inputs
  double threshold_;
  std::set<DocumentNumber> found_;
};

}  // namespace

bool IsIndex(const std::string& name) { return VersionOf(name).has_value(); }

Status WriteMatches(const Index& index, const Inputs& inputs, const Options& options,
                    const Observer& observer, const std::string& path) {
  const Index::State& state = index.state();
  return state.Do([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(CheckOptions(state.rules, options));
    Observer quiet = observer;
    quiet.message = nullptr;  // the run that follows says the same
    LOOKALIKE_ASSIGN_OR_RETURN(DocumentReader reader, DocumentReader::Open(inputs, options, quiet));
    Finder finder(state, options.threshold);
    while (true) {
      DocumentColumns columns;
      LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader.Next(&columns));
      if (!more) return finder.WriteTo(path);
      LOOKALIKE_RETURN_IF_ERROR(finder.Take(columns));
    }
  });
}

}  // namespace lookalike
