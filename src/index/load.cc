#include "index/load.h"

#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"

namespace lookalike {
namespace {

/// Documents of a step, at most: the memory of more keys would not stay in caches.
constexpr uint64_t kStepDocuments = 65'536;

/// The keys of an index are read if it has at most so many times the documents of the load so far:
/// to read those of one document costs about this part of a search for those of another one.
constexpr uint64_t kWorthReading = 32;

/// True if a document has the guard words of a record. In an index without guards it has.
Result<bool> HasWords(const IndexGuards& guards, const IndexDocument& document,
                      const DocumentRecord& record) {
  const GuardedText text = {document.text, document.guard_values};
  LOOKALIKE_ASSIGN_OR_RETURN(const auto words, guards.WordsOf({&text, 1}));
  return words.empty() || words[0] == record.guards;
}

/// Returns the documents that are not there as they are. Of one id all from the first other one on
/// are among them, since they replace each other.
Result<std::vector<IndexDocument>> WithoutUnchanged(const IndexGuards& guards,
                                                    const StoreView& view,
                                                    std::span<const IndexDocument> documents) {
  std::vector<IndexDocument> changed;
  std::unordered_set<std::string_view> ids;
  for (const IndexDocument& document : documents) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto number, FindNumber(view, document.id));
    if (number && !ids.contains(document.id)) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto record, ReadRecord(view, *number));
      const bool same_text = record.text_hash == HashText(document.text);
      if (same_text && record.metadata == document.metadata) {
        LOOKALIKE_ASSIGN_OR_RETURN(const bool same, HasWords(guards, document, record));
        if (same) continue;
      }
    }
    ids.insert(document.id);
    changed.push_back(document);
  }
  return changed;
}

}  // namespace

void LoadSummary::Count(AddOutcome outcome) {
  switch (outcome) {
    case AddOutcome::kAdded:
      ++added;
      return;
    case AddOutcome::kReplaced:
      ++replaced;
      return;
    case AddOutcome::kUnchanged:
      ++unchanged;
      return;
    case AddOutcome::kSimilar:
      ++similar;
      return;
  }
}

Loader::~Loader() {
  step_.reset();
  // After an Error, which the caller has.
  if (has_begun_) (void)state_.store->EndFiles();
  const std::lock_guard<std::mutex> lock(state_.writing);
  state_.known_keys.reset();
}

Status Loader::Add(std::span<const IndexDocument> documents) {
  LOOKALIKE_RETURN_IF_ERROR(BeginStep());
  LOOKALIKE_ASSIGN_OR_RETURN(
      const auto changed, WithoutUnchanged(state_.rules.guards, step_->batch().view(), documents));
  done_.unchanged += documents.size() - changed.size();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto probes, ProbesToAdd(state_.rules, changed));
  for (size_t i = 0; i < changed.size(); ++i) {
    LOOKALIKE_RETURN_IF_ERROR(AddOne(changed[i], probes[i]));
  }
  return EndFullStep();
}

Status Loader::Add(const IndexDocument& document, const Probe& probe) {
  LOOKALIKE_RETURN_IF_ERROR(BeginStep());
  LOOKALIKE_RETURN_IF_ERROR(AddOne(document, probe));
  return EndFullStep();
}

Status Loader::Finish() {
  LOOKALIKE_RETURN_IF_ERROR(EndStep());
  if (!std::exchange(has_begun_, false)) return {};
  return state_.store->EndFiles();
}

Status Loader::EndStep() {
  if (!step_) return {};
  const Status written = step_->WriteFiles();
  step_.reset();
  return written;
}

Status Loader::BeginStep() {
  if (step_) return {};
  LOOKALIKE_RETURN_IF_ERROR(LearnKeys());
  if (!std::exchange(has_begun_, true)) LOOKALIKE_RETURN_IF_ERROR(state_.store->BeginFiles());
  step_documents_ = 0;
  LOOKALIKE_ASSIGN_OR_RETURN(step_, IndexStep::Begin(&state_, &changes_));
  return {};
}

Status Loader::EndFullStep() {
  const bool is_full = changes_.bytes() >= step_bytes_ || step_documents_ >= kStepDocuments;
  return is_full ? EndStep() : Status();
}

Status Loader::AddOne(const IndexDocument& document, const Probe& probe) {
  LOOKALIKE_ASSIGN_OR_RETURN(const AddAnswer answer,
                             step_->batch().Add(document, probe, unless_similar_));
  done_.Count(answer.outcome);
  ++step_documents_;
  return {};
}

Status Loader::LearnKeys() {
  LOOKALIKE_RETURN_IF_ERROR(state_.CheckWritable());
  if (state_.rules.keys.contained()) return {};  // of each document, hundreds of keys
  const std::lock_guard<std::mutex> lock(state_.writing);
  if (state_.known_keys) return {};
  const auto view = state_.store->View();
  LOOKALIKE_ASSIGN_OR_RETURN(const IndexState stored, Index::State::StateOf(*view));
  const uint64_t loaded = done_.added + done_.replaced;
  if (stored.documents > 0 && stored.documents > kWorthReading * loaded) return {};
  auto known = std::make_unique<KnownKeys>();
  LOOKALIKE_RETURN_IF_ERROR(lookalike::LearnKeys(*view, known.get()));
  state_.known_keys = std::move(known);
  return {};
}

}  // namespace lookalike
