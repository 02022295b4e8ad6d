#include "uses/filter/filter_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/output_stream.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

constexpr std::string_view kStateName = "state", kNewStateName = "state.new", kSuffix = ".segment";
constexpr char kPartial[] = ".partial";
/// Files up to this size are checked when a state is opened, larger files when they are merged.
constexpr uint64_t kCheckedAtOnce = uint64_t{16} << 20;
constexpr size_t kPiece = size_t{1} << 20;

bool IsOwnName(std::string_view name) {
  return name == kStateName || name == kNewStateName || name.ends_with(kSuffix);
}

tl::unexpected<Error> Damaged(const std::string& path, const std::string& what) {
  return CorruptError("cannot be read as a part of a filter's state: " + what +
                          "; restore the folder from a copy, or start another $<state>",
                      path);
}

/// Passes the content of a file, piece by piece, to `take`.
template <class Take>
Status ReadPieces(const RandomAccessFile& file, uint64_t begin, uint64_t end, const Take& take) {
  std::string piece;
  for (uint64_t at = begin; at < end; at += piece.size()) {
    piece.resize(std::min<uint64_t>(kPiece, end - at));
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(file, at, std::as_writable_bytes(std::span(piece))));
    LOOKALIKE_RETURN_IF_ERROR(take(std::string_view(piece)));
  }
  return {};
}

/// A file of a segment being written, and its checksum.
class SegmentFile {
 public:
  static Result<SegmentFile> Create(const std::string& path, FileSystem& files) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path, Codec::kNone, files));
    return SegmentFile(std::move(stream));
  }

  Status Write(std::string_view bytes) {
    XXH3_64bits_update(&sum_, bytes.data(), bytes.size());
    return stream_->Write(bytes);
  }

  /// Completes the file. Returns its size and checksum.
  Result<StoredSegment> Close() {
    LOOKALIKE_RETURN_IF_ERROR(stream_->Close());
    StoredSegment stored;
    stored.bytes = stream_->plain_bytes();
    stored.checksum = XXH3_64bits_digest(&sum_);
    return stored;
  }

 private:
  explicit SegmentFile(std::unique_ptr<OutputStream> stream) : stream_(std::move(stream)) {
    XXH3_64bits_reset(&sum_);
  }

  std::unique_ptr<OutputStream> stream_;
  XXH3_state_t sum_;
};

/// Writes the ends of ids, counted from `base` on.
Status WriteEnds(std::span<const uint64_t> ends, uint64_t base, SegmentFile* file) {
  std::vector<uint64_t> moved(ends.begin(), ends.end());
  for (uint64_t& end : moved) end += base;
  return file->Write(
      {reinterpret_cast<const char*>(moved.data()), moved.size() * sizeof(uint64_t)});
}

}  // namespace

FilterStore::FilterStore(const SegmentShape& shape, std::string settings, FilterPlace place,
                         FileSystem& files)
    : shape_(&shape), settings_(std::move(settings)), place_(std::move(place)), files_(&files) {}

FilterStore::FilterStore(FilterStore&& other) noexcept
    : shape_(other.shape_),
      settings_(std::move(other.settings_)),
      place_(std::move(other.place_)),
      files_(std::exchange(other.files_, nullptr)),
      folder_(std::move(other.folder_)),
      lock_(std::move(other.lock_)),
      replaces_file_(other.replaces_file_),
      in_place_(other.in_place_),
      asked_(other.asked_),
      segments_(std::move(other.segments_)),
      stale_(std::move(other.stale_)) {}

FilterStore::~FilterStore() {
  if (files_ != nullptr) Forget();
}

/// Removes the files that no commit names. Files that cannot be removed are left to the next run.
void FilterStore::Forget() {
  if (folder_.empty() || place_.ask_only) return;
  if (!in_place_) {
    (void)files_->RemoveTree(folder_);
    return;
  }
  for (const Segment& segment : segments_) {
    if (!segment.committed) (void)files_->RemoveTree(PathOf(segment.stored));
  }
}

Result<FilterStore> FilterStore::Open(const SegmentShape& shape, const std::string& settings,
                                      FilterPlace place, FileSystem& files) {
  FilterStore store(shape, settings, std::move(place), files);
  if (!store.place_.state.empty()) LOOKALIKE_RETURN_IF_ERROR(store.OpenState());
  return store;
}

Status FilterStore::OpenState() {
  std::string& path = place_.state;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files_->Stat(path));
  if (facts.kind == FileKind::kDirectory) return OpenFolder();
  if (facts.kind == FileKind::kOther) {
    return UsageError("is not a folder; name the folder of a filter's state, or a new one", path);
  }
  if (place_.ask_only) {
    if (facts.kind == FileKind::kFile) {
      return InputError(
          "is a state of version 1, or not a state at all; run filter once without $<ask-only>, "
          "which turns a state of version 1 into one of version 2",
          path);
    }
    return UsageError("does not exist; $<ask-only> needs the state that another run has written",
                      path);
  }
  replaces_file_ = facts.kind == FileKind::kFile;
  return MakeFolder(path + kPartial);
}

/// Makes the folder in which a new state is built until it is complete.
Status FilterStore::MakeFolder(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const bool made, files_->MakeDirectory(path));
  LOOKALIKE_ASSIGN_OR_RETURN(lock_, files_->LockDirectory(path));
  if (lock_.state == DirectoryLock::State::kBusy) {
    return UsageError("another run is writing this state; wait for it, or use another $<state>",
                      place_.state);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files_->List(path));
  for (const std::string& name : names) {
    if (!IsOwnName(name)) return UsageError("is in the way of the new state; move it away", path);
  }
  for (const std::string& name : names) {
    LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(path + "/" + name));
  }
  folder_ = path;
  return {};
}

Status FilterStore::OpenFolder() {
  folder_ = place_.state;
  in_place_ = true;
  if (!place_.ask_only) {
    LOOKALIKE_ASSIGN_OR_RETURN(lock_, files_->LockDirectory(folder_));
    if (lock_.state == DirectoryLock::State::kBusy) {
      return UsageError("another run is writing this state; wait for it, or use another $<state>",
                        folder_);
    }
    LOOKALIKE_RETURN_IF_ERROR(ReadState());
    return RemoveStale();
  }
  // Another run may replace files after the state is read and before its segments are.
  constexpr int kAttempts = 5;
  Status read;
  for (int i = 0; i < kAttempts; ++i) {
    segments_.clear();
    read = ReadState();
    if (read) break;
  }
  return read;
}

Status FilterStore::ReadState() {
  const std::string path = fmt::format("{}/{}", folder_, kStateName);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files_->Stat(path));
  if (facts.kind == FileKind::kMissing) {
    return UsageError("is a folder without the state of a filter; use another $<state>", folder_);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path, *files_));
  const Result<FilterState> state = DecodeFilterState(bytes);
  if (!state) return AtPlace(state.error(), folder_);
  if (state->settings != settings_) {
    return UsageError("is the state of a filter with different options (" + state->settings +
                          "; this run uses " + settings_ +
                          "); pass the same options, or use another $<state>",
                      folder_);
  }
  if (state->record_bytes != shape_->record_bytes()) {
    return Damaged(folder_, "its records have a wrong length");
  }
  asked_ = state->asked;
  for (const StoredSegment& stored : state->segments) {
    LOOKALIKE_ASSIGN_OR_RETURN(Segment segment, OpenSegment(stored));
    segment.committed = true;
    segment.checked = false;
    if (stored.bytes <= kCheckedAtOnce) LOOKALIKE_RETURN_IF_ERROR(Check(&segment));
    segments_.push_back(std::move(segment));
  }
  return {};
}

/// Removes the files left by a run that ended without a commit.
Status FilterStore::RemoveStale() {
  std::vector<std::string> named;
  for (const Segment& segment : segments_) named.push_back(PathOf(segment.stored));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, files_->List(folder_));
  for (const std::string& name : names) {
    const std::string path = folder_ + "/" + name;
    if (!IsOwnName(name) || name == kStateName) continue;
    if (std::find(named.begin(), named.end(), path) != named.end()) continue;
    LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(path));
  }
  return {};
}

std::string FilterStore::PathOf(const StoredSegment& stored) const {
  return fmt::format("{}/{}-{}{}", folder_, stored.first, stored.count, kSuffix);
}

Result<FilterStore::Segment> FilterStore::OpenSegment(const StoredSegment& stored) const {
  const std::string path = PathOf(stored);
  LOOKALIKE_ASSIGN_OR_RETURN(auto file, files_->OpenRead(path));
  if (file->size() != stored.bytes || stored.bytes < kSegmentHeadBytes) {
    return Damaged(
        path, fmt::format("it has {} bytes, but the state says {}", file->size(), stored.bytes));
  }
  std::array<char, kSegmentHeadBytes> front;
  LOOKALIKE_RETURN_IF_ERROR(ReadFully(*file, 0, std::as_writable_bytes(std::span(front))));
  const Result<SegmentHead> head = DecodeSegmentHead({front.data(), front.size()});
  if (!head) return AtPlace(head.error(), path);
  if (head->first != stored.first || head->count != stored.count || head->count == 0 ||
      head->count > kMostInSegment || head->packed_bytes != shape_->Bytes(head->count) ||
      head->file_bytes() != stored.bytes) {
    return Damaged(path, "its header does not match its length");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(path));
  if (mapped.bytes().size() != stored.bytes) return Damaged(path, "its length changed");
  const auto packed = mapped.bytes().subspan(kSegmentHeadBytes, head->packed_bytes);
  return Segment{
      stored, *head, std::move(file), std::move(mapped), SegmentView(*shape_, head->count, packed),
      true,   false};
}

Status FilterStore::Check(Segment* segment) const {
  if (segment->checked) return {};
  XXH3_state_t sum;
  XXH3_64bits_reset(&sum);
  LOOKALIKE_RETURN_IF_ERROR(
      ReadPieces(*segment->file, 0, segment->stored.bytes, [&](std::string_view piece) -> Status {
        XXH3_64bits_update(&sum, piece.data(), piece.size());
        return {};
      }));
  if (XXH3_64bits_digest(&sum) != segment->stored.checksum) {
    return Damaged(segment->file->path(), "its checksum is wrong");
  }
  segment->checked = true;
  return {};
}

uint64_t FilterStore::remembered() const {
  return segments_.empty() ? 0 : segments_.back().head.first + segments_.back().head.count;
}

uint64_t FilterStore::id_bytes() const {
  uint64_t bytes = 0;
  for (const Segment& segment : segments_) bytes += segment.head.id_bytes;
  return bytes;
}

uint64_t FilterStore::packed_bytes() const {
  uint64_t bytes = 0;
  for (const Segment& segment : segments_) bytes += segment.head.packed_bytes;
  return bytes;
}

std::optional<uint64_t> FilterStore::Find(std::span<const std::byte> record) const {
  for (const Segment& segment : segments_) {
    if (const auto number = segment.view.Find(record)) return segment.head.first + *number;
  }
  return std::nullopt;
}

Result<std::string> FilterStore::IdOf(uint64_t number) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), number,
                       [](uint64_t n, const Segment& segment) { return n < segment.head.first; });
  const Segment& segment = *std::prev(after);
  const uint64_t place = number - segment.head.first;
  uint64_t ends[2] = {0, 0};
  const uint64_t at = segment.head.ends_begin() + place * sizeof(uint64_t);
  const auto read = std::as_writable_bytes(std::span(ends));
  if (place == 0) {
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(*segment.file, at, read.subspan(sizeof(uint64_t))));
  } else {
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(*segment.file, at - sizeof(uint64_t), read));
  }
  if (ends[1] < ends[0] || ends[1] > segment.head.id_bytes) {
    return Damaged(segment.file->path(), "the end offset of an id is out of order");
  }
  std::string id(ends[1] - ends[0], '\0');
  if (id.empty()) return id;
  LOOKALIKE_RETURN_IF_ERROR(ReadFully(*segment.file, segment.head.ids_begin() + ends[0],
                                      std::as_writable_bytes(std::span(id))));
  return id;
}

/// Writes a file of the segments from `from` on, followed by the fresh documents.
Result<StoredSegment> FilterStore::Write(size_t from, const SegmentView& fresh,
                                         const FreshDocuments& documents) {
  std::vector<SegmentView> views;
  SegmentHead head;
  head.first = from < segments_.size() ? segments_[from].head.first : remembered();
  for (size_t i = from; i < segments_.size(); ++i) {
    LOOKALIKE_RETURN_IF_ERROR(Check(&segments_[i]));
    views.push_back(segments_[i].view);
    head.count += segments_[i].head.count;
    head.id_bytes += segments_[i].head.id_bytes;
  }
  const uint64_t older_ids = head.id_bytes;
  views.push_back(fresh);
  head.count += fresh.count();
  head.id_bytes += documents.ids.size();
  head.packed_bytes = shape_->Bytes(head.count);
  StoredSegment named;
  named.first = head.first;
  named.count = head.count;
  LOOKALIKE_ASSIGN_OR_RETURN(SegmentFile file, SegmentFile::Create(PathOf(named), *files_));
  const WriteBytes write = [&](std::string_view bytes) { return file.Write(bytes); };
  LOOKALIKE_RETURN_IF_ERROR(write(EncodeSegmentHead(head)));
  LOOKALIKE_RETURN_IF_ERROR(MergeSegments(*shape_, views, write));
  uint64_t base = 0;
  for (size_t i = from; i < segments_.size(); ++i) {
    const SegmentHead& old = segments_[i].head;
    LOOKALIKE_RETURN_IF_ERROR(ReadPieces(
        *segments_[i].file, old.ends_begin(), old.ids_begin(), [&](std::string_view piece) {
          std::vector<uint64_t> ends(piece.size() / sizeof(uint64_t));
          std::copy(piece.begin(), piece.end(), reinterpret_cast<char*>(ends.data()));
          return WriteEnds(ends, base, &file);
        }));
    base += old.id_bytes;
  }
  LOOKALIKE_RETURN_IF_ERROR(WriteEnds(documents.id_ends, older_ids, &file));
  for (size_t i = from; i < segments_.size(); ++i) {
    const SegmentHead& old = segments_[i].head;
    LOOKALIKE_RETURN_IF_ERROR(
        ReadPieces(*segments_[i].file, old.ids_begin(), old.file_bytes(), write));
  }
  LOOKALIKE_RETURN_IF_ERROR(write(documents.ids));
  LOOKALIKE_ASSIGN_OR_RETURN(StoredSegment stored, file.Close());
  stored.first = head.first;
  stored.count = head.count;
  return stored;
}

Status FilterStore::Add(const FreshDocuments& documents) {
  if (folder_.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(folder_, place_.temporary());
  }
  const uint64_t count = documents.id_ends.size();
  const std::string packed = PackSegment(*shape_, documents.records, count);
  // Segment sizes fall by halves, so that each document is written only a few times.
  size_t from = segments_.size();
  uint64_t sum = count;
  while (from > 0 && segments_[from - 1].head.count < 2 * sum &&
         segments_[from - 1].head.count + sum <= kMostInSegment) {
    sum += segments_[--from].head.count;
  }
  const SegmentView fresh(*shape_, count, std::as_bytes(std::span(packed)));
  LOOKALIKE_ASSIGN_OR_RETURN(const StoredSegment stored, Write(from, fresh, documents));
  for (size_t i = from; i < segments_.size(); ++i) {
    const std::string path = PathOf(segments_[i].stored);
    if (segments_[i].committed) {
      stale_.push_back(path);
    } else {
      LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(path));
    }
  }
  segments_.erase(segments_.begin() + static_cast<ptrdiff_t>(from), segments_.end());
  LOOKALIKE_ASSIGN_OR_RETURN(Segment segment, OpenSegment(stored));
  segments_.push_back(std::move(segment));
  return {};
}

Status FilterStore::Commit(uint64_t asked) {
  FilterState state{settings_, asked, shape_->record_bytes(), {}};
  for (const Segment& segment : segments_) {
    if (!segment.committed) LOOKALIKE_RETURN_IF_ERROR(files_->SyncPath(PathOf(segment.stored)));
    state.segments.push_back(segment.stored);
  }
  const std::string current = fmt::format("{}/{}", folder_, kStateName);
  const std::string next = fmt::format("{}/{}", folder_, kNewStateName);
  LOOKALIKE_RETURN_IF_ERROR(WriteDurably(next, EncodeFilterState(state), *files_));
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files_->Stat(current));
  if (facts.kind == FileKind::kMissing) {
    LOOKALIKE_RETURN_IF_ERROR(files_->Rename(next, current));
  } else {
    LOOKALIKE_RETURN_IF_ERROR(files_->Exchange(next, current));
  }
  LOOKALIKE_RETURN_IF_ERROR(files_->SyncPath(folder_));
  asked_ = asked;
  if (!in_place_) LOOKALIKE_RETURN_IF_ERROR(PutInPlace());
  for (Segment& segment : segments_) segment.committed = true;
  stale_.push_back(folder_ + "/" + std::string(kNewStateName));
  for (const std::string& path : std::exchange(stale_, {})) {
    LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(path));
  }
  return {};
}

Status FilterStore::PutInPlace() {
  if (replaces_file_) {
    LOOKALIKE_RETURN_IF_ERROR(files_->Exchange(folder_, place_.state));
    LOOKALIKE_RETURN_IF_ERROR(files_->RemoveTree(folder_));
  } else {
    LOOKALIKE_RETURN_IF_ERROR(files_->Rename(folder_, place_.state));
  }
  folder_ = place_.state;
  in_place_ = true;
  return files_->SyncPath(ParentOf(folder_));
}

}  // namespace lookalike
