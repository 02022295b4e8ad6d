#include "index/index_state.h"

#include <algorithm>
#include <fstream>

#include "index/data_folder.h"
#include "run/process_limits.h"
#include "text/decimal.h"

namespace lookalike {
namespace {

/// Batches of so many bytes are written as files, which do not pass through memory once more.
constexpr size_t kLargeBatch = size_t{16} << 20;

constexpr uint64_t kMostByDefault = uint64_t{2} << 30;

}  // namespace

std::optional<std::string> VersionOf(const std::filesystem::path& folder) {
  std::ifstream file(folder / kFormatName);
  std::string line;
  if (!file || !std::getline(file, line) || !line.starts_with(kFormat)) return std::nullopt;
  return line.substr(kFormat.size());
}

uint64_t MemoryOf(uint64_t memory) {
  return memory == 0 ? std::min(kMostByDefault, AvailableMemory() / 4) : memory;
}

Index::State::~State() {
  std::error_code ignored;
  if (holds) std::filesystem::remove(HolderOf(folder), ignored);
  if (replaced.empty()) return;
  store.reset();
  std::filesystem::remove_all(replaced, ignored);
}

void Index::State::EndWriting(std::filesystem::path old) {
  mode = IndexMode::kRead;
  replaced = std::move(old);
  std::error_code ignored;
  std::filesystem::remove(HolderOf(folder), ignored);
  holds = false;  // the next writer has a file of its own
}

void Index::State::DropCopy(const std::filesystem::path& data) {
  if (DataOf(folder) == data) return EndWriting({});
  std::error_code ignored;
  std::filesystem::remove_all(data, ignored);
}

Status Index::State::CheckWritable() const {
  if (mode == IndexMode::kWrite) return {};
  return UsageError("the index was opened to be read only");
}

Status Index::State::CheckUnlessSimilar(double least) const {
  if (least >= rules.threshold() && least <= 1) return {};
  return UsageError("documents that are similar can be left out from a " +
                    rules.settings.options.measure + " of " + CanonicalDecimal(rules.threshold()) +
                    " on, that of the index, up to 1");
}

Status Index::State::CheckEqualSettings(const State& other) const {
  if (EncodeSettings(rules) == EncodeSettings(other.rules)) return {};
  return UsageError("its settings differ from those of " + folder.string() +
                        "; only indexes with equal settings can be merged",
                    other.folder.string());
}

Status Index::State::CheckHasClusters() const {
  if (rules.settings.clusters) return {};
  return UsageError("the index was made without clusters");
}

Result<IndexState> Index::State::StateOf(const StoreView& view) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, view.Get(Family::kMeta, kStateKey));
  const auto state = bytes ? DecodeState(*bytes) : std::nullopt;
  if (!state) return CorruptError("its counts cannot be read");
  return *state;
}

Status Index::State::CheckMeasure(const IndexQuery& query) const {
  if (query.measure.empty() || query.measure == "resemblance") return {};
  if (query.measure != "containment") {
    return OptionError("$<measure> takes resemblance or containment");
  }
  if (rules.settings.kept == Kept::kNone) {
    return OptionError("the index keeps only codes, which do not say the $<measure=containment>");
  }
  if (query.exhaustive || rules.measure() == Measure::kContainment) return {};
  return OptionError(
      "the index has no keys for $<measure=containment>; make one with it, or let an exhaustive "
      "query look at all documents");
}

Result<IndexQuery> Index::State::Resolve(IndexQuery query) const {
  if (!(query.threshold >= 0 && query.threshold <= 1)) {
    return OptionError("$<threshold> takes a number above 0, at most 1");
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckMeasure(query));
  // Keys do not find documents below the threshold that they were planned for.
  if (query.threshold > 0 && query.threshold < rules.threshold()) query.exhaustive = true;
  return query;
}

IndexedDocument Index::State::DocumentOf(DocumentRecord record, std::optional<std::string> text) {
  return {std::move(record.id), std::move(record.metadata), std::move(text), record.features};
}

IndexStep::IndexStep(Index::State* state, StoreBatch* changes)
    : state_(*state), changes_(*changes), lock_(state->writing), stored_(state->store->View()) {}

Result<std::unique_ptr<IndexStep>> IndexStep::Begin(Index::State* state, StoreBatch* changes) {
  LOOKALIKE_RETURN_IF_ERROR(state->CheckWritable());
  changes->Clear();
  std::unique_ptr<IndexStep> step(new IndexStep(state, changes));
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexState counts, Index::State::StateOf(*step->stored_));
  step->batch_.emplace(state->rules, *step->stored_, counts, changes, state->known_keys.get());
  return step;
}

Status IndexStep::Write() {
  // Without a change of its own it may rest on one of another thread, which must be durable too.
  if (changes_.bytes() > 0) {
    if (changes_.bytes() >= kLargeBatch) return WriteFiles();
    batch_->Finish();
    LOOKALIKE_RETURN_IF_ERROR(state_.store->Write(changes_));
  }
  batch_.reset();
  stored_.reset();
  lock_.unlock();  // others may write meanwhile, and share the sync
  return state_.store->Sync();
}

Status IndexStep::WriteFiles() {
  if (changes_.bytes() == 0) return state_.store->Sync();
  batch_->Finish();
  // RocksDB numbers the changes of a file that comes while a view is open, and writes all of it
  // again when nobody needs the numbers any more. Other threads may have views; theirs are rare.
  batch_.reset();
  stored_.reset();
  return state_.store->WriteFiles(changes_);
}

Result<std::optional<std::string>> Index::State::TextOf(const StoreView& view,
                                                        DocumentNumber number) const {
  if (rules.settings.kept != Kept::kText) return std::nullopt;
  return view.Get(Family::kTexts, EncodeNumber(number));
}

}  // namespace lookalike
