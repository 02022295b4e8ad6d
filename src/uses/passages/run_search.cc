#include "uses/passages/run_search.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "stages/passages/repeats.h"
#include "stages/passages/run_samples.h"
#include "stages/passages/text_parts.h"
#include "uses/passages/keep_values.h"
#include "uses/passages/ranked_spool.h"

namespace lookalike {
namespace {

/// Bits of a place that count the words of a document.
constexpr uint32_t kWordBits = 28;
constexpr uint64_t kMostWords = uint64_t{1} << kWordBits;
/// Bytes of hashes that are read at a time when they are brought in another order.
constexpr uint64_t kSpoolBytes = uint64_t{1} << 20;
/// In the place of a sample: these come last.
constexpr uint64_t kInReference = uint64_t{1} << 63;

/// A sample of a document.
struct PlacedSample {
  uint64_t hash = 0;
  uint64_t place = 0;  ///< Its document, and the word in the low bits.
  auto operator<=>(const PlacedSample&) const = default;
};

/// A sample that occurs more than once, by place.
struct RepeatedSample {
  uint64_t place = 0, group = 0;
  auto operator<=>(const RepeatedSample&) const = default;
};

/// The same, by group.
struct GroupedSample {
  RunMember member;
  bool operator<(const GroupedSample& other) const {
    return member.group != other.member.group ? member.group < other.member.group
                                              : member.position < other.member.position;
  }
};

/// The facts that pass one learns of a batch.
struct BatchSamples {
  std::vector<PlacedSample> samples;  ///< Documents are counted from the first of the batch.
  uint64_t documents = 0, words = 0, null_text = 0, repaired_text = 0;
  uint64_t last_row = 0;
  KeepColumn keep;  ///< Values that --keep compares.
  std::vector<Rejection> rejections;
  uint32_t source = 0;
  bool end_of_source = false;
  std::optional<Error> bad;  ///< The input is skipped.
  Status status;
};

/// The hashes of positions that do not fit in memory.
class StoredHashes : public HashBlocks {
 public:
  explicit StoredHashes(RunStore* store) : writer_(store->Temporary(1)) {}

  /// Appends the hashes of the next positions.
  Status Append(std::span<const std::byte> hashes) {
    return hashes.empty() ? Status() : writer_->Append(0, hashes);
  }

  Status Finish() {
    LOOKALIKE_ASSIGN_OR_RETURN(run_, writer_->Finish());
    return {};
  }

  void Read(uint64_t number, uint64_t* to) override {
    constexpr uint64_t kBytes = kBlock * sizeof(uint64_t);
    const uint64_t begin = number * kBytes;
    const uint64_t size = std::min(kBytes, run_->bytes(0) - begin);
    const Status read =
        run_->Read(0, begin, std::as_writable_bytes(std::span(to, size / sizeof(uint64_t))));
    if (status_) status_ = read;
  }

  [[nodiscard]] const Status& status() const { return status_; }

 private:
  std::unique_ptr<RunWriter> writer_;
  RunPointer run_;
  Status status_;
};

/// A reader of the words of texts. One per thread.
struct Words {
  Words(const FeatureSpec& spec, const RunSampling& sampling)
      : extractor(spec), sampler(sampling) {}
  FeatureExtractor extractor;
  RunSampler sampler;
};

class Searcher {
 public:
  Searcher(const PassageContext& context, const RunSearch& search, Workspace* workspace)
      : context_(context),
        search_(search),
        workspace_(*workspace),
        store_(workspace->store()),
        memory_(context.memory.work / 5),
        sampling_(RunSampling::ForRunsOf(search.least_words)),
        words_([&] { return Words(context.job.features, sampling_); }) {}

  Result<RunsFound> Run() {
    const bool is_ranked = !context_.job.choices.keep.IsFirst();
    if (is_ranked) keep_values_.emplace(context_.job, &workspace_);
    LOOKALIKE_ASSIGN_OR_RETURN(Sorted<PlacedSample> samples, SampleAll());
    if (is_ranked) {
      LOOKALIKE_ASSIGN_OR_RETURN(found_.ranking,
                                 keep_values_->RankAll(found_.inputs, found_.documents));
      keep_values_.reset();
    }
    LOOKALIKE_ASSIGN_OR_RETURN(Sorted<RepeatedSample> repeated, KeepRepeated(&samples));
    samples = {};
    LOOKALIKE_ASSIGN_OR_RETURN(Sorted<GroupedSample> grouped, Group(&repeated));
    repeated = {};
    LOOKALIKE_RETURN_IF_ERROR(FindRepeats(&grouped));
    return std::move(found_);
  }

 private:
  // Pass one.

  Result<Sorted<PlacedSample>> SampleAll() {
    KnownInputs& inputs = found_.inputs;
    const size_t count = context_.job.inputs.size();
    inputs.first_of_source.resize(count + 1);
    inputs.skipped.resize(count);
    inputs.every_row.resize(count);
    found_.records.left_out_inputs = context_.job.left_out.count();
    before_source_ = found_.records;
    Sorter<PlacedSample> sorter(&store_, memory_);
    PassReader reader(context_.job, nullptr, ReadColumns::kFields, "sample", context_.observer,
                      {.wanted = nullptr, .ahead = context_.memory.ahead});
    LOOKALIKE_RETURN_IF_ERROR(RunPass(
        &reader, [&](PassItem item) { return SampleBatch(std::move(item)); },
        [&](BatchSamples batch) { return TakeBatch(std::move(batch), &sorter); },
        context_.memory.batches));
    return sorter.Finish();
  }

  BatchSamples SampleBatch(PassItem item) {
    BatchSamples batch;
    batch.source = item.batch.source;
    batch.end_of_source = item.end_of_source;
    batch.bad = std::move(item.bad);
    Words& words = words_.local();
    for (const Document& document : item.batch.documents) {
      const auto hashes = words.extractor.Features(document.text, document.kind);
      if (hashes.size() >= kMostWords) {
        batch.status =
            InputError("has a document of more than 268 million words or characters; split it",
                       context_.job.inputs[batch.source].place());
        return batch;
      }
      for (const RunSample& sample : words.sampler.Sample(hashes)) {
        batch.samples.push_back({sample.hash, batch.documents << kWordBits | sample.word});
      }
      AppendKeepValues(context_.job.choices.keep, document, {}, &batch.keep);
      ++batch.documents;
      batch.words += hashes.size();
      batch.null_text += document.null_text;
      batch.repaired_text += document.repaired || words.extractor.replaced_invalid();
      batch.last_row = document.row;
    }
    batch.rejections = std::move(item.batch.rejections);
    return batch;
  }

  Status TakeBatch(BatchSamples batch, Sorter<PlacedSample>* sorter) {
    LOOKALIKE_RETURN_IF_ERROR(batch.status);
    RecordCounts& records = found_.records;
    const bool in_reference = batch.source < context_.job.reference_inputs;
    if (batch.end_of_source) return EndSource(batch);
    for (PlacedSample& sample : batch.samples) {
      sample.place += found_.documents << kWordBits;
      if (in_reference) sample.place |= kInReference;
      LOOKALIKE_RETURN_IF_ERROR(sorter->Add(sample));
    }
    if (keep_values_) LOOKALIKE_RETURN_IF_ERROR(keep_values_->Add(std::move(batch.keep)));
    found_.documents += batch.documents;
    open_documents_ += batch.documents;
    open_rejected_ += batch.rejections.size();
    if (batch.documents > 0) open_rows_ = batch.last_row;
    if (in_reference) {
      records.reference += batch.documents;
    } else {
      records.in += batch.documents + batch.rejections.size();
      records.kept += batch.documents;
      found_.words += batch.words;
      records.null_text += batch.null_text;
      records.repaired_text += batch.repaired_text;
    }
    uint64_t& rejected = in_reference ? records.rejected_reference : records.rejected;
    for (const Rejection& rejection : batch.rejections) {
      ++rejected;
      LOOKALIKE_RETURN_IF_ERROR(TakeRejection(context_.job, context_.observer, batch.source,
                                              rejection,
                                              records.rejected + records.rejected_reference));
    }
    return {};
  }

  Status EndSource(const BatchSamples& batch) {
    KnownInputs& inputs = found_.inputs;
    if (batch.bad) {  // what was read of it counts as little as it is searched
      found_.records = before_source_;
      found_.words = words_before_source_;
    }
    TakeSkipped(context_.observer, batch.bad, &found_.records);
    before_source_ = found_.records;
    words_before_source_ = found_.words;
    inputs.skipped[batch.source] = batch.bad.has_value();
    inputs.every_row[batch.source] = open_rejected_ == 0 && open_rows_ == open_documents_;
    inputs.first_of_source[batch.source + 1] = found_.documents;
    open_documents_ = open_rejected_ = open_rows_ = 0;
    return {};
  }

  // Between the passes.

  /// Returns the place of a sample with the rank of its document, which is what the places are
  /// sorted by from here on.
  [[nodiscard]] uint64_t RankedPlace(uint64_t place) const {
    place &= ~kInReference;
    const Rank rank = found_.ranking.RankOf(place >> kWordBits);
    return rank << kWordBits | (place & (kMostWords - 1));
  }

  /// True if the sample at a place is of an input that turned out to be bad behind it, and that no
  /// later pass reads.
  [[nodiscard]] bool IsSkipped(uint64_t place) const {
    if (found_.records.skipped_inputs == 0) return false;
    const std::vector<DocNumber>& first = found_.inputs.first_of_source;
    const auto next = std::ranges::upper_bound(first, (place & ~kInReference) >> kWordBits);
    return found_.inputs.skipped[static_cast<size_t>(next - first.begin()) - 1];
  }

  /// Keeps the samples that occur more than once, and not only in the reference.
  Result<Sorted<RepeatedSample>> KeepRepeated(Sorted<PlacedSample>* samples) {
    Sorter<RepeatedSample> sorter(&store_, memory_);
    std::optional<PlacedSample> first;  // of a group
    uint64_t group = 0;
    bool is_repeated = false;
    while (const PlacedSample* sample = samples->Next()) {
      if (IsSkipped(sample->place)) continue;
      if (!first || first->hash != sample->hash) {
        first = *sample;
        is_repeated = false;
        ++group;
        continue;
      }
      if ((first->place & kInReference) != 0) continue;  // all of them are
      if (!is_repeated) LOOKALIKE_RETURN_IF_ERROR(sorter.Add({RankedPlace(first->place), group}));
      is_repeated = true;
      LOOKALIKE_RETURN_IF_ERROR(sorter.Add({RankedPlace(sample->place), group}));
    }
    LOOKALIKE_RETURN_IF_ERROR(samples->status());
    return sorter.Finish();
  }

  /// Divides the documents into parts around repeated samples.
  Result<Sorted<GroupedSample>> Group(Sorted<RepeatedSample>* repeated) {
    Sorter<GroupedSample> sorter(&store_, memory_);
    // A part has one word more than a run that begins with its first sample, or ends with its last.
    PartFinder finder(sampling_.window, sampling_.length + sampling_.window);
    std::vector<RunMember> members;  // of one document
    std::vector<uint32_t> words;
    Rank doc = 0;
    const auto end_document = [&]() -> Status {
      FindWindows(sampling_, words, members);
      for (const RunMember& member : members) LOOKALIKE_RETURN_IF_ERROR(sorter.Add({member}));
      members.clear();
      words.clear();
      return {};
    };
    wanted_ = Bitmap(found_.documents);
    while (const RepeatedSample* sample = repeated->Next()) {
      if (sample->place >> kWordBits != doc) LOOKALIKE_RETURN_IF_ERROR(end_document());
      doc = sample->place >> kWordBits;
      wanted_.Set(found_.ranking.DocOf(doc));
      words.push_back(static_cast<uint32_t>(sample->place & (kMostWords - 1)));
      members.push_back({.group = sample->group, .position = finder.Add(doc, words.back())});
    }
    LOOKALIKE_RETURN_IF_ERROR(repeated->status());
    LOOKALIKE_RETURN_IF_ERROR(end_document());
    positions_ = finder.size();
    text_parts_ = finder.Take();
    return sorter.Finish();
  }

  // Pass two.

  Status FindRepeats(Sorted<GroupedSample>* grouped) {
    Sorter<ListedPlace> listed(&store_, memory_);
    Sorter<PassagePlace> here(&store_, memory_);
    Sorter<RedundantPlace> redundant(&store_, memory_);
    const DocNumber own = context_.job.ReferenceEnd(found_.inputs);
    uint64_t reference_end = 0;
    for (const TextPart& part : text_parts_) {
      if (part.doc < own) reference_end = part.end() + 1;
    }
    const HeldBytes held = store_.TryHold(positions_ * sizeof(uint64_t));
    const bool fits = held.bytes().size() >= positions_ * sizeof(uint64_t);
    StoredHashes stored(&store_);
    TextParts parts =
        fits ? TextParts(std::move(text_parts_),
                         {reinterpret_cast<uint64_t*>(held.bytes().data()), positions_})
             : TextParts(std::move(text_parts_), &stored, memory_);
    LOOKALIKE_RETURN_IF_ERROR(fits ? ReadWords(&parts) : StoreWords(&parts, &stored));
    RepeatFinder finder(parts, {.sampling = sampling_,
                                .reference_end = reference_end,
                                .most_listed = kMostListed,
                                .finds_redundant = search_.finds_redundant});
    std::vector<RunMember> group;
    FoundRepeats repeats;
    const auto end_group = [&]() -> Status {
      finder.Find(group, &repeats);
      LOOKALIKE_RETURN_IF_ERROR(stored.status());
      group.clear();
      for (const FoundPassage& passage : repeats.passages) {
        LOOKALIKE_RETURN_IF_ERROR(Add(parts, passage, &listed));
      }
      for (const PassageHere& one : repeats.here) {
        const FoundPassage& passage = repeats.passages[one.passage];
        const WordRun run = PlaceOf(RunAt(parts, one.position, passage.words));
        LOOKALIKE_RETURN_IF_ERROR(
            here.Add({passage.words * (passage.places - 1), passage.listed.front(), passage.words,
                      run.doc, run.word, one.position == passage.listed.front()}));
      }
      for (const RedundantRun& run : repeats.redundant) {
        LOOKALIKE_RETURN_IF_ERROR(Add(parts, run, &redundant));
      }
      return {};
    };
    while (const GroupedSample* sample = grouped->Next()) {
      if (!group.empty() && group.front().group != sample->member.group) {
        LOOKALIKE_RETURN_IF_ERROR(end_group());
      }
      group.push_back(sample->member);
    }
    LOOKALIKE_RETURN_IF_ERROR(grouped->status());
    LOOKALIKE_RETURN_IF_ERROR(end_group());
    LOOKALIKE_ASSIGN_OR_RETURN(found_.listed, listed.Finish());
    LOOKALIKE_ASSIGN_OR_RETURN(found_.here, here.Finish());
    LOOKALIKE_ASSIGN_OR_RETURN(found_.redundant, redundant.Finish());
    return {};
  }

  Status ReadWords(TextParts* parts) {
    const auto read = [&](PassItem item) {
      Words& words = words_.local();
      for (size_t i = 0; i < item.batch.documents.size(); ++i) {
        const DocNumber doc = item.first_doc + i;
        if (!wanted_.Test(doc)) continue;
        const Document& document = item.batch.documents[i];
        parts->Fill(found_.ranking.RankOf(doc),
                    words.extractor.Features(document.text, document.kind));
      }
      return Status();
    };
    return ReadAgain(context_, found_.inputs, wanted_, "words", read,
                     [](const Status& read_batch) { return read_batch; });
  }

  /// The hashes of the parts of some documents, back to back.
  struct BatchHashes {
    std::vector<uint64_t> hashes;
    std::vector<std::pair<Rank, size_t>> ends;  ///< The end of those of each document.
  };

  /// Reads the words as ReadWords() does, and stores their hashes by rank.
  Status StoreWords(TextParts* parts, StoredHashes* stored) {
    const auto read = [&](PassItem item) {
      Words& words = words_.local();
      BatchHashes batch;
      for (size_t i = 0; i < item.batch.documents.size(); ++i) {
        const DocNumber doc = item.first_doc + i;
        if (!wanted_.Test(doc)) continue;
        const Document& document = item.batch.documents[i];
        const Rank rank = found_.ranking.RankOf(doc);
        parts->AppendHashes(rank, words.extractor.Features(document.text, document.kind),
                            &batch.hashes);
        batch.ends.emplace_back(rank, batch.hashes.size());
      }
      return batch;
    };
    std::optional<RankedSpool> spool;
    if (!context_.job.choices.keep.IsFirst()) spool.emplace(&store_, memory_);
    const auto take = [&](const BatchHashes& batch) -> Status {
      if (!spool) return stored->Append(std::as_bytes(std::span(batch.hashes)));
      size_t begin = 0;
      for (const auto& [rank, end] : batch.ends) {
        const auto* const first = reinterpret_cast<const char*>(batch.hashes.data() + begin);
        LOOKALIKE_RETURN_IF_ERROR(spool->Add(rank, {first, (end - begin) * sizeof(uint64_t)}));
        begin = end;
      }
      return {};
    };
    LOOKALIKE_RETURN_IF_ERROR(ReadAgain(context_, found_.inputs, wanted_, "words", read, take));
    if (spool) LOOKALIKE_RETURN_IF_ERROR(AppendByRank(&*spool, stored));
    return stored->Finish();
  }

  static Status AppendByRank(RankedSpool* spool, StoredHashes* stored) {
    LOOKALIKE_RETURN_IF_ERROR(spool->Finish());
    while (true) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto some, spool->Next(kSpoolBytes));
      if (some.empty()) return {};
      for (const RankedBytes& one : some) {
        LOOKALIKE_RETURN_IF_ERROR(stored->Append(std::as_bytes(std::span(one.bytes))));
      }
    }
  }

  /// Returns a run of words, with the rank of its document.
  static WordRun RunAt(const TextParts& parts, uint64_t position, uint64_t words) {
    const TextPart& part = parts.At(position);
    return {part.doc, static_cast<uint32_t>(part.word + (position - part.first)),
            static_cast<uint32_t>(words)};
  }

  /// Returns a run with its document in place of the rank of that.
  [[nodiscard]] WordRun PlaceOf(WordRun run) const {
    run.doc = found_.ranking.DocOf(run.doc);
    return run;
  }

  Status Add(const TextParts& parts, const FoundPassage& passage,
             Sorter<ListedPlace>* listed) const {
    ListedPlace place;
    place.saving = passage.words * (passage.places - 1);
    place.first = passage.listed.front();
    place.words = passage.words;
    place.places = passage.places;
    for (const uint64_t position : passage.listed) {
      place.run = PlaceOf(RunAt(parts, position, passage.words));
      LOOKALIKE_RETURN_IF_ERROR(listed->Add(place));
      ++place.order;
    }
    return {};
  }

  static Status Add(const TextParts& parts, const RedundantRun& run,
                    Sorter<RedundantPlace>* redundant) {
    const WordRun earlier = RunAt(parts, run.earlier, run.words);
    return redundant->Add({RunAt(parts, run.position, run.words), earlier.doc, earlier.word});
  }

  const PassageContext& context_;
  const RunSearch& search_;
  Workspace& workspace_;
  RunStore& store_;
  uint64_t memory_;  ///< Bytes of each sorter.
  RunSampling sampling_;
  tbb::enumerable_thread_specific<Words> words_;
  RunsFound found_;
  // Counts of the input that is read.
  uint64_t open_documents_ = 0, open_rejected_ = 0, open_rows_ = 0;
  RecordCounts before_source_;  ///< Counts of the inputs before it.
  uint64_t words_before_source_ = 0;
  std::optional<KeepValues> keep_values_;  ///< In pass one, if documents are ranked.
  Bitmap wanted_;                          ///< Documents with repeated samples.
  std::vector<TextPart> text_parts_;
  uint64_t positions_ = 0;
};

}  // namespace

Result<RunsFound> FindRuns(const PassageContext& context, const RunSearch& search,
                           Workspace* workspace) {
  return Searcher(context, search, workspace).Run();
}

}  // namespace lookalike
