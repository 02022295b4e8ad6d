#include "uses/sketches/merge_sketches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "run/members.h"
#include "spill/columns.h"
#include "spill/sorter.h"
#include "stages/input/sketch_blocks.h"

namespace lookalike {
namespace {

/// A record with the hash of its id. Sorting brings the records of a document together, with the
/// first record first.
struct IdOfRecord {
  uint64_t low, high;  ///< Hash of the id.
  uint64_t place;      ///< Number of the record in the order of reading.
  auto operator<=>(const IdOfRecord&) const = default;
};

/// A record and the first record of the same document.
struct Chunk {
  uint64_t first, place;
  auto operator<=>(const Chunk&) const = default;
};

/// The part of a stored record before its source, id and sketch.
struct RecordHead {
  uint64_t row, features;
  uint32_t source_bytes, id_bytes, file, padding;
};

enum RecordStream : uint32_t { kRecordEnds, kRecordBytes, kRecordStreams };

/// Maximum number of records whose sketches are in memory at a time, and maximum size of these
/// sketches.
constexpr size_t kRecordsAtATime = 1 << 12;
constexpr uint64_t kBytesAtATime = uint64_t{8} << 20;

/// A stored record.
struct StoredRecord {
  RecordHead head;
  std::string_view source, id, sketch;
};

StoredRecord Decode(std::span<const std::byte> bytes) {
  StoredRecord record;
  std::memcpy(&record.head, bytes.data(), sizeof(record.head));
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  rest.remove_prefix(sizeof(record.head));
  record.source = rest.substr(0, record.head.source_bytes);
  record.id = rest.substr(record.head.source_bytes, record.head.id_bytes);
  record.sketch = rest.substr(record.head.source_bytes + record.head.id_bytes);
  return record;
}

class FileMerger {
 public:
  FileMerger(const Job& job, const Observer& observer, Workspace* workspace, SketchFileWriter* file)
      : job_(job),
        observer_(observer),
        workspace_(*workspace),
        file_(*file),
        share_(workspace->memory().work / 4),
        union_(job.Kept()) {}

  Result<MergedFiles> Run() {
    LOOKALIKE_RETURN_IF_ERROR(Read());
    LOOKALIKE_ASSIGN_OR_RETURN(auto chunks, SortByDocument());
    LOOKALIKE_RETURN_IF_ERROR(Write(&chunks));
    return made_;
  }

 private:
  /// Stores all records in a run.
  Status Read() {
    auto writer = workspace_.store().Temporary(kRecordStreams);
    uint64_t read = 0, total = 0;
    for (const InputFile& file : job_.inputs) total += file.size;
    uint32_t i = 0;
    for (const InputFile& file : job_.inputs) {
      LOOKALIKE_ASSIGN_OR_RETURN(auto blocks, SketchBlocks::Open(file, job_.limits));
      while (!blocks.at_end()) {
        LOOKALIKE_RETURN_IF_ERROR(ReadBlock(i, &blocks, writer.get()));
        if (observer_.progress) {
          observer_.progress({"read", read + blocks.consumed(), total, "bytes"});
        }
      }
      read += file.size;
      ++i;
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer run, writer->Finish());
    records_.AddPart(run, kRecordEnds, kRecordBytes, made_.records);
    return {};
  }

  Status ReadBlock(uint32_t file, SketchBlocks* blocks, RunWriter* writer) {
    if (observer_.cancelled && observer_.cancelled()) return Cancelled();
    block_.clear();
    found_.clear();
    std::string_view source;
    LOOKALIKE_RETURN_IF_ERROR(blocks->Append(&block_));
    LOOKALIKE_RETURN_IF_ERROR(blocks->Decode(block_, &source, &found_));
    for (const SketchRecord& record : found_) {
      const XXH128_hash_t hash = XXH3_128bits(record.id.data(), record.id.size());
      LOOKALIKE_RETURN_IF_ERROR(ids_.Add(IdOfRecord{hash.low64, hash.high64, made_.records++}));
      const RecordHead head = {record.row,
                               record.features,
                               static_cast<uint32_t>(source.size()),
                               static_cast<uint32_t>(record.id.size()),
                               file,
                               0};
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kRecordBytes, head));
      for (const std::string_view part : {source, record.id, record.sketch}) {
        LOOKALIKE_RETURN_IF_ERROR(writer->Append(kRecordBytes, std::as_bytes(std::span(part))));
      }
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kRecordEnds, writer->bytes(kRecordBytes)));
    }
    return {};
  }

  /// Returns the records grouped by document; documents are in the order of their first records.
  Result<Sorted<Chunk>> SortByDocument() {
    LOOKALIKE_ASSIGN_OR_RETURN(auto ids, ids_.Finish());
    Sorter<Chunk> chunks(&workspace_.store(), share_);
    IdOfRecord first = {};
    bool any = false;
    while (const IdOfRecord* id = ids.Next()) {
      if (!any || id->low != first.low || id->high != first.high) first = *id;
      any = true;
      LOOKALIKE_RETURN_IF_ERROR(chunks.Add(Chunk{first.place, id->place}));
    }
    LOOKALIKE_RETURN_IF_ERROR(ids.status());
    return chunks.Finish();
  }

  Status Write(Sorted<Chunk>* chunks) {
    std::vector<Chunk> some;
    while (const Chunk* chunk = chunks->Next()) {
      some.push_back(*chunk);
      if (some.size() < kRecordsAtATime) continue;
      LOOKALIKE_RETURN_IF_ERROR(TakeAll(some));
      some.clear();
    }
    LOOKALIKE_RETURN_IF_ERROR(chunks->status());
    LOOKALIKE_RETURN_IF_ERROR(TakeAll(some));
    return EndDocument();
  }

  /// Takes chunks in order, in blocks whose sketches fit in memory.
  Status TakeAll(std::span<const Chunk> chunks) {
    if (observer_.cancelled && observer_.cancelled()) return Cancelled();
    std::vector<uint64_t> places, lengths;
    for (const Chunk& chunk : chunks) places.push_back(chunk.place);
    std::sort(places.begin(), places.end());
    LOOKALIKE_RETURN_IF_ERROR(records_.Lengths(places, &lengths));
    const auto length_of = [&](uint64_t place) {
      return lengths[static_cast<size_t>(std::lower_bound(places.begin(), places.end(), place) -
                                         places.begin())];
    };
    while (!chunks.empty()) {
      size_t count = 0;
      for (uint64_t bytes = 0; count < chunks.size(); ++count) {
        bytes += length_of(chunks[count].place);
        if (bytes > kBytesAtATime && count > 0) break;
      }
      LOOKALIKE_RETURN_IF_ERROR(TakeSome(chunks.first(count)));
      chunks = chunks.subspan(count);
    }
    return {};
  }

  Status TakeSome(std::span<const Chunk> chunks) {
    std::vector<uint64_t> places;
    for (const Chunk& chunk : chunks) places.push_back(chunk.place);
    std::sort(places.begin(), places.end());
    GatheredValues values;
    LOOKALIKE_RETURN_IF_ERROR(records_.Gather(places, &values));
    for (const Chunk& chunk : chunks) {
      const auto at = std::lower_bound(places.begin(), places.end(), chunk.place) - places.begin();
      LOOKALIKE_RETURN_IF_ERROR(Take(chunk, Decode(values.Value(static_cast<size_t>(at)))));
    }
    return {};
  }

  Status Take(const Chunk& chunk, const StoredRecord& record) {
    if (!open_ || chunk.first != first_) {
      LOOKALIKE_RETURN_IF_ERROR(EndDocument());
      open_ = true;
      first_ = chunk.first;
      source_ = record.source;
      id_ = record.id;
      row_ = record.head.row;
      features_ = record.head.features;
      sketch_ = record.sketch;
      chunks_ = 1;
      return {};
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckNamed(record));
    if (++chunks_ == 2) {
      if (Status merges = CheckMerges(job_.Kept(), job_.options.sketch); !merges) {
        return InputError(
            "holds another part of the document '" + id_ + "', but " + merges.error().what,
            job_.inputs[record.head.file].place());
      }
      ++made_.merged;
      union_.Clear();
      union_.Add(features_, sketch_);
    }
    union_.Add(record.head.features, record.sketch);
    return {};
  }

  /// Checks that the document of a further record has an id: nothing else identifies it.
  Status CheckNamed(const StoredRecord& record) const {
    const bool named = !id_.empty() && id_ != FallbackId(source_, row_) &&
                       record.id != FallbackId(record.source, record.head.row);
    if (named) return {};
    return InputError(
        fmt::format("has another record named '{}', a name for documents without an id; records "
                    "are only merged by id: sketch the texts again with $<id-field>",
                    id_),
        job_.inputs[record.head.file].place());
  }

  Status EndDocument() {
    if (!open_) return {};
    if (chunks_ > 1) {
      features_ = union_.Features();
      sketch_ = union_.Sketch();
    }
    if (features_ > UINT32_MAX) {
      return InputError("the records of the document '" + id_ + "' have " +
                        std::to_string(features_) +
                        " features in total, more than the limit of 4294967295");
    }
    bytes_.clear();
    AppendSketchRecord({row_, features_, id_, sketch_}, &bytes_);
    return file_.Add(source_, bytes_);
  }

  const Job& job_;
  const Observer& observer_;
  Workspace& workspace_;
  SketchFileWriter& file_;
  uint64_t share_;  // of memory
  MergedFiles made_;
  Sorter<IdOfRecord> ids_{&workspace_.store(), share_};
  VariableColumn records_;
  std::string block_;
  std::vector<SketchRecord> found_;
  // The current document.
  bool open_ = false;
  uint64_t first_ = 0, row_ = 0, features_ = 0, chunks_ = 0;
  std::string source_, id_, sketch_, bytes_;
  ChunkUnion union_;
};

}  // namespace

Status CheckMerges(const KeptSketch& kept, const std::string& name) {
  if (kept.sample) return {};
  if (!IsMergeable(kept.sketch.kind)) {
    return InputError("sketches " + name +
                      " cannot be merged, because empty bins were filled from others; sketch the "
                      "whole documents, or use one-permutation:K, which can be merged");
  }
  if (kept.bits == kWholeCoordinate) return {};
  return InputError(
      fmt::format("sketches with {} {} per coordinate cannot be merged, because the smaller of two "
                  "coordinates is not known; make the sketches with $<sketch-bits=32>",
                  kept.bits, kept.bits == 1 ? "bit" : "bits"));
}

void ChunkUnion::Clear() {
  sum_ = most_ = 0;
  coordinates_.clear();
  sample_.clear();
  chunks_.clear();
}

void ChunkUnion::Add(uint64_t features, std::string_view sketch) {
  sum_ += features;
  most_ = std::max(most_, features);
  if (features == 0) return;
  kept_.sample ? AddSample(sketch) : AddCoordinates(sketch);
}

void ChunkUnion::AddCoordinates(std::string_view sketch) {
  std::vector<uint32_t> other;
  Unpack(sketch, kept_.sketch.coordinates, kept_.bits, &other);
  if (coordinates_.empty()) {
    coordinates_ = other;
    chunks_.assign(other.size(), 1);
    return;
  }
  for (size_t i = 0; i < other.size(); ++i) {
    if (other[i] == coordinates_[i]) {
      ++chunks_[i];
    } else if (other[i] < coordinates_[i]) {
      chunks_[i] = 1;
    }
  }
  MergeSketch(other, coordinates_);
}

void ChunkUnion::AddSample(std::string_view sketch) {
  std::vector<uint64_t> other;
  CopyNumbers(sketch, &other);
  const std::vector<uint64_t> before = std::exchange(sample_, {});
  const std::vector<uint32_t> had = std::exchange(chunks_, {});
  sample_ = MergeSamples(*kept_.sample, before, other);
  // A value in the union's sample is in the sample of every chunk that has the feature.
  auto old = before.begin();
  for (const uint64_t value : sample_) {
    while (old != before.end() && *old < value) ++old;
    const bool was = old != before.end() && *old == value;
    const bool is = std::binary_search(other.begin(), other.end(), value);
    const uint32_t already = was ? had[static_cast<size_t>(old - before.begin())] : 0;
    chunks_.push_back(already + uint32_t{is});
  }
}

std::string ChunkUnion::Sketch() const {
  std::string bytes(reinterpret_cast<const char*>(sample_.data()),
                    sample_.size() * sizeof(uint64_t));
  AppendPacked(coordinates_, kept_.bits, &bytes);
  return bytes;
}

uint64_t ChunkUnion::Features() const {
  uint64_t values = 0, together = 0;
  for (size_t i = 0; i < chunks_.size(); ++i) {
    const bool is_gap =
        !coordinates_.empty() && !IsBandable(kept_.sketch.kind) && coordinates_[i] == kEmptyBin;
    if (is_gap) continue;
    ++values;
    together += chunks_[i];
  }
  if (together == values) return sum_;
  const double all =
      static_cast<double>(sum_) * static_cast<double>(values) / static_cast<double>(together);
  return std::clamp(static_cast<uint64_t>(std::llround(all)), most_, sum_);
}

Result<MergedFiles> MergeSketches(const Job& job, const Observer& observer, Workspace* workspace,
                                  SketchFileWriter* file) {
  return FileMerger(job, observer, workspace, file).Run();
}

}  // namespace lookalike
