#include "results/number_changes.h"

#include <algorithm>
#include <ranges>
#include <string>

#include "fingerprint/feature_extractor.h"
#include "kernels/splitmix.h"
#include "search/keep_smallest.h"
#include "spill/record_reader.h"
#include "stages/guards/number_tokens.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kDrawn = 100;

struct DrawnRemoval {
  uint64_t draw = 0;
  DocNumber doc = 0;
  DocRemoval removal = {};
};

/// Returns the numbers of a text as a guard compares them, in whatever order they stand.
std::vector<std::string> NumbersOf(std::string_view text) {
  TokenList tokens;
  FindNumbers(text, &tokens);
  std::vector<std::string> numbers;
  for (size_t i = 0; i < tokens.size(); ++i) numbers.emplace_back(tokens[i]);
  std::ranges::sort(numbers);
  return numbers;
}

/// Returns hashes of the words of a text whose numbers are masked.
std::vector<uint64_t> MaskedWords(std::string_view text, FeatureExtractor* words) {
  std::string masked;
  MaskNumbers(text, &masked);
  const auto hashes = words->Features(masked, TextKind::kPlain);
  return {hashes.begin(), hashes.end()};
}

bool GuardsNumbers(const GuardSpec& guards) {
  return std::ranges::any_of(
      guards.differ, [](const Guard& guard) { return guard.kind == Guard::Kind::kNumbers; });
}

}  // namespace

bool DifferOnlyInNumbers(std::string_view a, std::string_view b, const FeatureSpec& spec) {
  if (NumbersOf(a) == NumbersOf(b)) return false;
  FeatureSpec of_words;
  of_words.shingle = {ShingleSpec::Kind::kWord, 1};
  of_words.normal_form = spec.normal_form;
  of_words.dictionaries = spec.dictionaries;
  FeatureExtractor words(of_words);
  return MaskedWords(a, &words) == MaskedWords(b, &words);
}

Result<std::vector<DocRemoval>> DrawForNumbers(const Job& job, const Decisions& decisions) {
  if (job.measures_containment() || job.several_texts() ||
      FormOfTexts(job.features) != TextForm::kText || GuardsNumbers(job.choices.guards)) {
    return std::vector<DocRemoval>();
  }
  std::vector<DrawnRemoval> heap;
  RecordReader<DocRemoval> removals({decisions.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    if (removal->kind != RemovalKind::kNear) continue;
    KeepSmallest(DrawnRemoval{Mix64(removal->doc), removal->doc, *removal}, kDrawn, &heap);
  }
  LOOKALIKE_RETURN_IF_ERROR(removals.status());
  std::ranges::sort(heap, {}, &DrawnRemoval::doc);
  const auto drawn = heap | std::views::transform(&DrawnRemoval::removal);
  return std::vector<DocRemoval>(drawn.begin(), drawn.end());
}

Result<NumberChanges> CountNumberChanges(const Job& job, const std::vector<DocRemoval>& drawn,
                                         const StoredMembers& members) {
  struct Compared {
    Status status;
    bool is_read = false, only_numbers = false;
  };
  std::vector<Compared> compared(drawn.size());
  const auto compare = [&](const DocRemoval& removal, Compared* one) -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto gone, members.ExcerptOf(removal.doc));
    LOOKALIKE_ASSIGN_OR_RETURN(const auto kept, members.ExcerptOf(removal.witness));
    one->is_read = !gone.cut && !kept.cut;
    one->only_numbers = one->is_read && DifferOnlyInNumbers(gone.text, kept.text, job.features);
    return {};
  };
  ParallelFor(size_t{0}, drawn.size(),
              [&](size_t i) { compared[i].status = compare(drawn[i], &compared[i]); });
  NumberChanges changes;
  for (const Compared& one : compared) {
    LOOKALIKE_RETURN_IF_ERROR(one.status);
    changes.read += one.is_read;
    changes.only_numbers += one.only_numbers;
  }
  return changes;
}

}  // namespace lookalike
