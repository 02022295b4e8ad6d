#include "uses/weights/word_counts.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "run/input_pass.h"

namespace lookalike {
namespace {

/// Memory that a word takes in a table, besides its bytes: a node, a bucket, a string.
constexpr uint64_t kEntryBytes = 96;

using Table = std::unordered_map<std::string, uint64_t>;

/// The words of a batch, and counts of what was read.
struct BatchWords {
  Table counts;
  uint64_t documents = 0, null_text = 0, repaired_text = 0;
  std::vector<Rejection> rejections;
  uint32_t source = 0;
  std::optional<Error> bad;  ///< The input is skipped.
};

/// A finder of the words of texts. One per thread.
class WordFinder {
 public:
  explicit WordFinder(const Job& job) : extractor_(job.features) {}

  /// Counts each distinct word of a document that is not below `from` once.
  void Count(const Document& document, const std::string& from, BatchWords* words) {
    const auto all = extractor_.FindUnitsOf(document.text, document.kind);
    found_.assign(all.begin(), all.end());
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    const auto first = std::lower_bound(found_.begin(), found_.end(), from);
    for (auto word = first; word != found_.end(); ++word) ++words->counts[std::string(*word)];
    ++words->documents;
    words->null_text += document.null_text;
    words->repaired_text += document.repaired || extractor_.replaced_invalid();
  }

 private:
  FeatureExtractor extractor_;
  std::vector<std::string_view> found_;
};

/// The counts of as many words as fit in memory, in order from `from` on.
class RangeOfWords {
 public:
  RangeOfWords(std::string from, uint64_t bytes) : from_(std::move(from)), most_(bytes) {}

  [[nodiscard]] const std::string& from() const { return from_; }
  /// Returns the first word that did not fit; none if all did.
  [[nodiscard]] const std::optional<std::string>& end() const { return end_; }

  void Add(const Table& counts) {
    for (const auto& [word, documents] : counts) {
      if (end_ && word >= *end_) continue;
      const auto [entry, added] = counts_.emplace(word, 0);
      entry->second += documents;
      if (added) bytes_ += kEntryBytes + word.size();
    }
    while (bytes_ > most_ && counts_.size() > 1) Halve();
  }

  [[nodiscard]] std::vector<WordCount> Sorted() const {
    std::vector<WordCount> words;
    words.reserve(counts_.size());
    for (const auto& [word, documents] : counts_) words.push_back({word, documents});
    std::sort(words.begin(), words.end(),
              [](const WordCount& x, const WordCount& y) { return x.word < y.word; });
    return words;
  }

 private:
  void Halve() {
    std::vector<std::string_view> words;
    for (const auto& entry : counts_) words.push_back(entry.first);
    const auto middle = words.begin() + static_cast<ptrdiff_t>(words.size() / 2);
    std::nth_element(words.begin(), middle, words.end());
    end_ = std::string(*middle);
    bytes_ = 0;
    for (auto entry = counts_.begin(); entry != counts_.end();) {
      if (entry->first >= *end_) {
        entry = counts_.erase(entry);
      } else {
        bytes_ += kEntryBytes + (entry++)->first.size();
      }
    }
  }

  std::string from_;
  uint64_t most_, bytes_ = 0;
  std::optional<std::string> end_;
  Table counts_;
};

/// A pass that reads the inputs once, in order.
class WordPass {
 public:
  WordPass(const Job& job, const MemoryPlan& memory, const Observer& observer)
      : job_(job),
        memory_(memory),
        observer_(observer),
        finders_([&] { return WordFinder(job); }) {}

  Status Run(bool first, RangeOfWords* range) {
    PassReader reader(job_, nullptr, ReadColumns::kFields, "words", observer_,
                      {.wanted = nullptr, .ahead = memory_.ahead});
    return RunPass(
        &reader, [&](PassItem item) { return Find(std::move(item), range->from()); },
        [&](BatchWords words) {
          range->Add(words.counts);
          return first ? Count(words) : Status();
        },
        memory_.batches);
  }

  [[nodiscard]] const RecordCounts& records() const { return records_; }

 private:
  BatchWords Find(PassItem item, const std::string& from) {
    BatchWords words;
    words.source = item.batch.source;
    WordFinder& finder = finders_.local();
    for (const Document& document : item.batch.documents) finder.Count(document, from, &words);
    words.rejections = std::move(item.batch.rejections);
    words.bad = std::move(item.bad);
    return words;
  }

  Status Count(const BatchWords& words) {
    records_.left_out_inputs = job_.left_out.count();
    TakeSkipped(observer_, words.bad, &records_);
    records_.in += words.documents + words.rejections.size();
    records_.kept += words.documents;
    records_.null_text += words.null_text;
    records_.repaired_text += words.repaired_text;
    for (const Rejection& rejection : words.rejections) {
      LOOKALIKE_RETURN_IF_ERROR(
          TakeRejection(job_, observer_, words.source, rejection, ++records_.rejected));
    }
    return {};
  }

  const Job& job_;
  const MemoryPlan& memory_;
  const Observer& observer_;
  tbb::enumerable_thread_specific<WordFinder> finders_;
  RecordCounts records_;
};

}  // namespace

Result<RecordCounts> CountWords(const Job& job, const MemoryPlan& memory, const TakeWords& take,
                                const Observer& observer) {
  WordPass pass(job, memory, observer);
  std::optional<std::string> from = "";
  for (bool first = true; from; first = false) {
    RangeOfWords range(*from, memory.engine / 2);
    LOOKALIKE_RETURN_IF_ERROR(pass.Run(first, &range));
    LOOKALIKE_RETURN_IF_ERROR(take(range.Sorted(), pass.records().kept));
    from = range.end();
  }
  return pass.records();
}

}  // namespace lookalike
