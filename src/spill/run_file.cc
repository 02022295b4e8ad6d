#include "spill/run_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "spill/run_state.h"

namespace lookalike {
namespace {

static_assert(std::endian::native == std::endian::little, "files are written as memory is");

constexpr std::array<char, 8> kMagic = {'L', 'K', 'L', 'R', 'U', 'N', 0, 1};
constexpr size_t kHashPiece = size_t{1} << 20;

struct Footer {
  std::array<char, 8> magic = kMagic;
  uint32_t chunk_bytes = 0;
  uint32_t streams = 0;
  uint64_t table_begin = 0;
};
static_assert(sizeof(Footer) == 24);

uint64_t ChunkCount(uint64_t bytes, uint32_t chunk_bytes) {
  return bytes / chunk_bytes + (bytes % chunk_bytes != 0 ? 1 : 0);
}

template <class T>
std::span<std::byte> WritableBytesOf(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

std::string HexOf(uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (size_t i = text.size(); i-- > 0; value >>= 4) text[i] = kDigits[value & 15];
  return text;
}

tl::unexpected<Error> Unsound(const RandomAccessFile& file) {
  return CorruptError(
      "the table in this file is damaged: the file was modified; run again without $<resume>",
      file.path());
}

/// Reads the footer and checks that the sizes in the table lie before it.
Result<Footer> ReadFooter(const RandomAccessFile& file) {
  Footer footer;
  if (file.size() < sizeof(footer)) return Unsound(file);
  const uint64_t table_end = file.size() - sizeof(footer);
  LOOKALIKE_RETURN_IF_ERROR(
      ReadFully(file, table_end, std::as_writable_bytes(std::span(&footer, 1))));
  const bool sound = footer.magic == kMagic && footer.chunk_bytes > 0 &&
                     footer.table_begin <= table_end &&
                     footer.streams <= (table_end - footer.table_begin) / sizeof(uint64_t);
  if (!sound) return Unsound(file);
  return footer;
}

/// True if all chunks of a stream lie before `end`.
bool ChunksLieBefore(const RunTable::Stream& stream, uint32_t chunk_bytes, uint64_t end) {
  uint64_t left = stream.bytes;
  return std::all_of(stream.chunks.begin(), stream.chunks.end(), [&](uint64_t begin) {
    const uint64_t length = std::min<uint64_t>(left, chunk_bytes);
    left -= length;
    return begin <= end && length <= end - begin;
  });
}

/// A run in a file. The file is opened by the first read.
class FileRun : public Run {
 public:
  FileRun(std::shared_ptr<RunState> state, std::string path, uint64_t file_bytes, RunTable table,
          bool temporary)
      : state_(std::move(state)),
        path_(std::move(path)),
        file_bytes_(file_bytes),
        table_(std::move(table)),
        temporary_(temporary) {}

  ~FileRun() override {
    file_.reset();
    if (temporary_) state_->RemoveFile(path_, file_bytes_);
  }
  FileRun(const FileRun&) = delete;
  FileRun& operator=(const FileRun&) = delete;

  uint32_t streams() const override { return static_cast<uint32_t>(table_.streams.size()); }
  uint64_t bytes(uint32_t stream) const override { return table_.streams[stream].bytes; }
  bool in_memory() const override { return false; }

  Status Read(uint32_t stream, uint64_t offset, std::span<std::byte> out) const override {
    const RunTable::Stream& source = table_.streams[stream];
    if (offset > source.bytes || out.size() > source.bytes - offset) {
      return BugError("read past the end of a run; this is a bug in lookalike", path_);
    }
    if (out.empty()) return {};
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckStop(out.size()));
    LOOKALIKE_ASSIGN_OR_RETURN(const OpenFiles::File file, Open());
    while (!out.empty()) {
      const auto [begin, length] = Piece(source, offset, out.size());
      LOOKALIKE_RETURN_IF_ERROR(ReadFully(*file, begin, out.first(length)));
      offset += length;
      out = out.subspan(length);
    }
    return {};
  }

 private:
  /// Returns the position in the file of `offset` of a stream, and how many of the next `wanted`
  /// bytes follow there: chunks are often adjacent.
  std::pair<uint64_t, size_t> Piece(const RunTable::Stream& source, uint64_t offset,
                                    size_t wanted) const {
    uint64_t chunk = offset / table_.chunk_bytes;
    const uint64_t inside = offset % table_.chunk_bytes;
    uint64_t length = table_.chunk_bytes - inside;
    while (length < wanted &&
           source.chunks[chunk + 1] == source.chunks[chunk] + table_.chunk_bytes) {
      ++chunk;
      length += table_.chunk_bytes;
    }
    const uint64_t begin = source.chunks[offset / table_.chunk_bytes] + inside;
    return {begin, std::min<uint64_t>(length, wanted)};
  }

  Result<OpenFiles::File> Open() const {
    if (OpenFiles::File file = file_->Get()) return file;
    LOOKALIKE_ASSIGN_OR_RETURN(OpenFiles::File file, state_->files.OpenRead(path_));
    state_->kept_open.Keep(file_, file);
    return file;
  }

  std::shared_ptr<RunState> state_;
  std::string path_;
  uint64_t file_bytes_;
  RunTable table_;
  bool temporary_;
  std::shared_ptr<OpenFiles::Slot> file_ = std::make_shared<OpenFiles::Slot>();
};

}  // namespace

struct RunFileWriter::Hash {
  Hash() { XXH3_64bits_reset(&state); }
  XXH3_state_t state;
};

Result<RunTable> ReadRunTable(const RandomAccessFile& file) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Footer footer, ReadFooter(file));
  const uint64_t table_bytes = file.size() - sizeof(footer) - footer.table_begin;
  std::vector<uint64_t> sizes(footer.streams);
  LOOKALIKE_RETURN_IF_ERROR(ReadFully(file, footer.table_begin, WritableBytesOf(sizes)));

  uint64_t left = footer.table_begin;  // bytes of all streams not yet placed; they fill the file
  uint64_t chunks = 0;
  for (const uint64_t size : sizes) {
    if (size > left) return Unsound(file);
    left -= size;
    chunks += ChunkCount(size, footer.chunk_bytes);
  }
  const uint64_t sizes_bytes = sizes.size() * sizeof(uint64_t);
  if (left != 0 || chunks != (table_bytes - sizes_bytes) / sizeof(uint64_t)) return Unsound(file);
  if (table_bytes % sizeof(uint64_t) != 0) return Unsound(file);
  std::vector<uint64_t> begins(chunks);  // in one read: a stage opens the files of all lanes
  LOOKALIKE_RETURN_IF_ERROR(
      ReadFully(file, footer.table_begin + sizes_bytes, WritableBytesOf(begins)));

  RunTable table{footer.chunk_bytes, std::vector<RunTable::Stream>(footer.streams)};
  auto begin = begins.begin();
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto end = begin + static_cast<ptrdiff_t>(ChunkCount(sizes[i], footer.chunk_bytes));
    table.streams[i] = {sizes[i], {begin, end}};
    if (!ChunksLieBefore(table.streams[i], footer.chunk_bytes, footer.table_begin)) {
      return Unsound(file);
    }
    begin = end;
  }
  return table;
}

Result<uint64_t> HashFile(const RandomAccessFile& file) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  std::vector<std::byte> piece(std::min<uint64_t>(kHashPiece, file.size()));
  for (uint64_t at = 0; at < file.size(); at += piece.size()) {
    piece.resize(std::min<uint64_t>(kHashPiece, file.size() - at));
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(file, at, piece));
    XXH3_64bits_update(&state, piece.data(), piece.size());
  }
  return XXH3_64bits_digest(&state);
}

RunFileWriter::RunFileWriter(std::shared_ptr<RunState> state, std::string name, bool durable,
                             uint32_t streams, uint32_t chunk_bytes)
    : state_(std::move(state)),
      name_(std::move(name)),
      path_(state_->PathOf(name_)),
      durable_(durable),
      table_{chunk_bytes, std::vector<RunTable::Stream>(streams)} {
  if (durable_) hash_ = std::make_unique<Hash>();
}

RunFileWriter::~RunFileWriter() {
  if (keep_) return;
  file_.reset();
  state_->RemoveFile(path_, written_);
}

Result<std::unique_ptr<RunFileWriter>> RunFileWriter::Create(std::shared_ptr<RunState> state,
                                                             std::string name, bool durable,
                                                             uint32_t streams,
                                                             uint32_t chunk_bytes) {
  LOOKALIKE_RETURN_IF_ERROR(state->MakeFolder());
  // Uses new because the constructor is private.
  std::unique_ptr<RunFileWriter> writer(
      new RunFileWriter(std::move(state), std::move(name), durable, streams, chunk_bytes));
  LOOKALIKE_ASSIGN_OR_RETURN(writer->file_, writer->state_->files.Create(writer->path_));
  return writer;
}

Status RunFileWriter::Write(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  LOOKALIKE_RETURN_IF_ERROR(AppendAll(*file_, text));
  if (hash_ != nullptr) XXH3_64bits_update(&hash_->state, bytes.data(), bytes.size());
  written_ += bytes.size();
  state_->AddDiskBytes(bytes.size());
  return {};
}

Status RunFileWriter::AppendChunk(uint32_t stream, std::span<const std::byte> chunk) {
  const uint64_t begin = written_;
  LOOKALIKE_RETURN_IF_ERROR(Write(chunk));
  table_.streams[stream].bytes += chunk.size();
  table_.streams[stream].chunks.push_back(begin);
  return {};
}

Status RunFileWriter::WriteTable() {
  const Footer footer{kMagic, table_.chunk_bytes, static_cast<uint32_t>(table_.streams.size()),
                      written_};
  std::vector<uint64_t> numbers;
  for (const RunTable::Stream& stream : table_.streams) numbers.push_back(stream.bytes);
  for (const RunTable::Stream& stream : table_.streams) {
    numbers.insert(numbers.end(), stream.chunks.begin(), stream.chunks.end());
  }
  LOOKALIKE_RETURN_IF_ERROR(Write(std::as_bytes(std::span(numbers))));
  return Write(std::as_bytes(std::span(&footer, 1)));
}

Status RunFileWriter::MakeDurable() {
  LOOKALIKE_RETURN_IF_ERROR(state_->files.SyncPath(path_));
  if (state_->options.units_folder.empty()) {
    return state_->files.SyncPath(state_->options.folder);
  }
  LOOKALIKE_RETURN_IF_ERROR(MoveToUnits());
  return state_->files.SyncPath(state_->options.units_folder);
}

/// Moves the file to the folder of finished units. A file that stands there under its name is the
/// same, from another process that did the same work.
Status RunFileWriter::MoveToUnits() {
  constexpr std::string_view kEnding = ".run";
  std::string name = name_.substr(0, name_.size() - kEnding.size());
  name += "." + HexOf(XXH3_64bits_digest(&hash_->state)) + std::string(kEnding);
  const std::string to = state_->UnitPathOf(name);
  const Status moved = state_->files.Rename(path_, to);
  if (!moved) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts there, state_->files.Stat(to));
    if (there.kind != FileKind::kFile || there.size != written_) return moved;
    LOOKALIKE_RETURN_IF_ERROR(state_->files.RemoveTree(path_));
  }
  keep_ = true;  // From here on the file may be another process's as well.
  name_ = name;
  path_ = to;
  return {};
}

Status RunFileWriter::Report(const std::string& unit) {
  const std::lock_guard lock(state_->reporting);
  if (!state_->options.finished) return {};
  return state_->options.finished(
      RunRecord{unit, name_, written_, XXH3_64bits_digest(&hash_->state)});
}

Result<RunPointer> RunFileWriter::Finish(const std::string& unit) {
  if (durable_) LOOKALIKE_RETURN_IF_ERROR(WriteTable());
  LOOKALIKE_RETURN_IF_ERROR(file_->Close());
  if (durable_) {
    LOOKALIKE_RETURN_IF_ERROR(MakeDurable());
    keep_ = true;
    LOOKALIKE_RETURN_IF_ERROR(Report(unit));
  }
  keep_ = true;
  return MakeFileRun(state_, path_, written_, std::move(table_), !durable_);
}

RunPointer MakeFileRun(std::shared_ptr<RunState> state, std::string path, uint64_t file_bytes,
                       RunTable table, bool temporary) {
  return std::make_shared<FileRun>(std::move(state), std::move(path), file_bytes, std::move(table),
                                   temporary);
}

}  // namespace lookalike
