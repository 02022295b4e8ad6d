#include "spill/run_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "lookalike/size.h"
#include "spill/run_file.h"
#include "spill/run_state.h"

namespace lookalike {
namespace {

constexpr uint32_t kFirstBuffer = 4096;  ///< Bytes; doubles until a chunk is full.

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using MemoryChunk = std::unique_ptr<std::byte, FreeMemory>;

/// A run in memory. Its destructor gives the memory back.
class MemoryRun : public Run {
 public:
  struct Stream {
    uint64_t bytes = 0;
    std::vector<MemoryChunk> chunks;
  };

  MemoryRun(std::shared_ptr<RunState> state, uint64_t held, uint32_t chunk_bytes,
            std::vector<Stream> streams)
      : state_(std::move(state)),
        held_(held),
        chunk_bytes_(chunk_bytes),
        streams_(std::move(streams)) {}
  ~MemoryRun() override {
    streams_.clear();
    state_->Release(held_);
    state_->ReturnFreed(held_);
  }
  MemoryRun(const MemoryRun&) = delete;
  MemoryRun& operator=(const MemoryRun&) = delete;

  uint32_t streams() const override { return static_cast<uint32_t>(streams_.size()); }
  uint64_t bytes(uint32_t stream) const override { return streams_[stream].bytes; }
  bool in_memory() const override { return true; }

  Status Read(uint32_t stream, uint64_t offset, std::span<std::byte> out) const override {
    const Stream& source = streams_[stream];
    if (offset > source.bytes || out.size() > source.bytes - offset) {
      return BugError("read past the end of a run; this is a bug in lookalike");
    }
    LOOKALIKE_RETURN_IF_ERROR(state_->CheckStop(out.size()));
    while (!out.empty()) {
      const uint64_t inside = offset % chunk_bytes_;
      const size_t length = std::min<uint64_t>(out.size(), chunk_bytes_ - inside);
      std::memcpy(out.data(), source.chunks[offset / chunk_bytes_].get() + inside, length);
      offset += length;
      out = out.subspan(length);
    }
    return {};
  }

  void Forget(uint32_t stream) const override {
    const uint64_t freed = std::exchange(streams_[stream], {}).bytes;
    held_ -= freed;
    state_->Release(freed);
    state_->ReturnFreed(freed);
  }

 private:
  std::shared_ptr<RunState> state_;
  mutable uint64_t held_;
  uint32_t chunk_bytes_;
  mutable std::vector<Stream> streams_;  // changed only by Forget()
};

}  // namespace

/// The part of a writer that is only needed when a chunk is full.
struct RunWriter::Rest {
  Rest(std::shared_ptr<RunState> store, std::string unit_name, bool is_durable, uint32_t streams,
       uint32_t bytes)
      : state(std::move(store)),
        unit(std::move(unit_name)),
        durable(is_durable),
        chunk_bytes(bytes),
        full(streams) {}
  ~Rest() { state->Release(held); }
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;

  void Release(uint64_t bytes) {
    state->Release(bytes);
    held -= bytes;
  }

  std::shared_ptr<RunState> state;
  std::string unit;
  bool durable;
  uint32_t chunk_bytes;
  uint64_t held = 0;  ///< Bytes that count as held by the store; 0 once there is a file.
  std::vector<std::vector<MemoryChunk>> full;
  std::unique_ptr<RunFileWriter> file;  ///< Null while the run is in memory.
  Status failed;
};

RunWriter::RunWriter(std::unique_ptr<Rest> rest, uint32_t streams)
    : buffers_(streams), rest_(std::move(rest)) {}

RunWriter::~RunWriter() {
  for (const Buffer& buffer : buffers_) std::free(buffer.data);
}

Status RunWriter::AppendSlowly(uint32_t stream, std::span<const std::byte> bytes) {
  Buffer& buffer = buffers_[stream];
  while (!bytes.empty()) {
    if (buffer.size == buffer.capacity) LOOKALIKE_RETURN_IF_ERROR(MakeRoom(stream));
    const size_t length = std::min<size_t>(bytes.size(), buffer.capacity - buffer.size);
    std::memcpy(buffer.data + buffer.size, bytes.data(), length);
    buffer.size += static_cast<uint32_t>(length);
    bytes = bytes.subspan(length);
  }
  return {};
}

Status RunWriter::MakeRoom(uint32_t stream) {
  Rest& rest = *rest_;
  if (!rest.failed) return rest.failed;
  rest.failed = rest.state->CheckStop();
  if (!rest.failed) return rest.failed;
  Buffer& buffer = buffers_[stream];
  if (buffer.capacity == rest.chunk_bytes) rest.failed = EndChunk(stream);
  if (rest.failed && buffer.capacity < rest.chunk_bytes) rest.failed = Grow(&buffer);
  return rest.failed;
}

Status RunWriter::Grow(Buffer* buffer) {
  Rest& rest = *rest_;
  // A stream that filled a chunk is likely to fill another.
  const uint64_t wanted = buffer->before > 0      ? rest.chunk_bytes
                          : buffer->capacity == 0 ? kFirstBuffer
                                                  : uint64_t{2} * buffer->capacity;
  const uint32_t capacity = static_cast<uint32_t>(std::min<uint64_t>(wanted, rest.chunk_bytes));
  const uint32_t more = capacity - buffer->capacity;
  if (rest.file == nullptr) {
    if (!rest.durable && rest.state->TryHold(more)) {
      rest.held += more;
    } else {
      LOOKALIKE_RETURN_IF_ERROR(MoveToFile());
    }
  }
  auto* data = static_cast<std::byte*>(std::realloc(buffer->data, capacity));
  if (data == nullptr) return MemoryError("out of memory; free some memory, or lower $<memory>");
  buffer->data = data;
  buffer->capacity = capacity;
  return {};
}

Status RunWriter::EndChunk(uint32_t stream) {
  Rest& rest = *rest_;
  Buffer& buffer = buffers_[stream];
  if (rest.file != nullptr) {
    LOOKALIKE_RETURN_IF_ERROR(rest.file->AppendChunk(stream, std::span(buffer.data, buffer.size)));
  } else {
    rest.full[stream].emplace_back(std::exchange(buffer.data, nullptr));
    buffer.capacity = 0;
  }
  buffer.before += buffer.size;
  buffer.size = 0;
  return {};
}

Status RunWriter::MoveToFile() {
  Rest& rest = *rest_;
  std::string name = rest.unit;
  std::replace(name.begin(), name.end(), '/', '.');
  name += rest.durable ? ".run" : std::to_string(rest.state->temporaries++) + ".tmp";
  const uint64_t held = rest.held;
  LOOKALIKE_ASSIGN_OR_RETURN(
      rest.file, RunFileWriter::Create(rest.state, std::move(name), rest.durable,
                                       static_cast<uint32_t>(buffers_.size()), rest.chunk_bytes));
  for (uint32_t stream = 0; stream < rest.full.size(); ++stream) {
    for (MemoryChunk& chunk : rest.full[stream]) {
      LOOKALIKE_RETURN_IF_ERROR(
          rest.file->AppendChunk(stream, std::span(chunk.get(), rest.chunk_bytes)));
      chunk.reset();
      rest.Release(rest.chunk_bytes);
    }
  }
  rest.full.clear();
  rest.Release(rest.held);  // the open buffers of all writers
  rest.state->ReturnFreed(held);
  return {};
}

Result<RunPointer> RunWriter::Finish() {
  Rest& rest = *rest_;
  if (!rest.failed) return tl::make_unexpected(rest.failed.error());
  if (rest.durable && rest.file == nullptr) LOOKALIKE_RETURN_IF_ERROR(MoveToFile());
  return rest.file == nullptr ? FinishInMemory() : FinishFile();
}

Result<RunPointer> RunWriter::FinishInMemory() {
  Rest& rest = *rest_;
  std::vector<MemoryRun::Stream> streams(buffers_.size());
  for (size_t i = 0; i < streams.size(); ++i) {
    Buffer& buffer = buffers_[i];
    streams[i] = {buffer.before + buffer.size, std::move(rest.full[i])};
    if (buffer.size == 0) continue;
    if (auto* less = static_cast<std::byte*>(std::realloc(buffer.data, buffer.size))) {
      buffer.data = less;
      rest.Release(buffer.capacity - buffer.size);
    }
    streams[i].chunks.emplace_back(std::exchange(buffer.data, nullptr));
  }
  return std::make_shared<MemoryRun>(rest.state, std::exchange(rest.held, 0), rest.chunk_bytes,
                                     std::move(streams));
}

Result<RunPointer> RunWriter::FinishFile() {
  Rest& rest = *rest_;
  for (uint32_t stream = 0; stream < buffers_.size(); ++stream) {
    Buffer& buffer = buffers_[stream];
    if (buffer.size > 0) {
      LOOKALIKE_RETURN_IF_ERROR(
          rest.file->AppendChunk(stream, std::span(buffer.data, buffer.size)));
    }
    std::free(std::exchange(buffer.data, nullptr));
  }
  return rest.file->Finish(rest.unit);
}

RunStore::RunStore(RunStoreOptions options, FileSystem& files)
    : state_(std::make_shared<RunState>(std::move(options), files)) {}

RunStore::~RunStore() = default;

std::unique_ptr<RunWriter> RunStore::Unit(const std::string& unit, uint32_t streams,
                                          uint32_t chunk_bytes) {
  if (!state_->options.durable_units) return Temporary(streams, chunk_bytes);
  return std::unique_ptr<RunWriter>(new RunWriter(
      std::make_unique<RunWriter::Rest>(state_, unit, true, streams, chunk_bytes), streams));
}

void RunStore::StopWhere(std::function<bool()> cancelled) {
  state_->cancelled = std::move(cancelled);
}

Status RunStore::CheckStop() const { return state_->CheckStop(); }

Status RunStore::CheckRoom(uint64_t bytes) const {
  LOOKALIKE_RETURN_IF_ERROR(state_->MakeFolder());
  const Result<uint64_t> free = state_->files.Space(state_->options.folder);
  return !free || *free >= bytes ? Status() : NoScratchSpace(bytes, *free, state_->options.folder);
}

Status NoScratchSpace(uint64_t needed, uint64_t free, const std::string& folder) {
  const auto megabytes = [](uint64_t bytes) { return FormatSize(bytes >> 20 << 20); };
  return DiskError("needs about " + megabytes(needed) + " of scratch space, but only " +
                       megabytes(free) +
                       " are free; use another folder ($<scratch>), or more $<memory>",
                   folder);
}

std::unique_ptr<RunWriter> RunStore::Temporary(uint32_t streams, uint32_t chunk_bytes) {
  return std::unique_ptr<RunWriter>(new RunWriter(
      std::make_unique<RunWriter::Rest>(state_, "temporary.", false, streams, chunk_bytes),
      streams));
}

Result<RunPointer> RunStore::Open(const RunRecord& record, Checks checks) const {
  const std::string path = state_->UnitPathOf(record.file);
  if (record.file.empty() || record.file.find('/') != std::string::npos) {
    return CorruptError(
        "not the name of a scratch file: the journal was modified; run again without $<resume>",
        record.file);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, state_->files.OpenRead(path));
  if (file->size() != record.bytes) {
    return CorruptError(
        "size does not match the journal: the file was modified; run again without $<resume>",
        path);
  }
  uint64_t hash = record.xxh3;
  if (checks == Checks::kAll) {
    LOOKALIKE_ASSIGN_OR_RETURN(hash, HashFile(*file));
  }
  if (hash != record.xxh3) {
    return CorruptError(
        "hash does not match the journal: the file was modified; run again without $<resume>",
        path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(RunTable table, ReadRunTable(*file));
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->opened.insert(record.file).second) state_->AddDiskBytes(record.bytes);
  }
  return MakeFileRun(state_, path, record.bytes, std::move(table), false);
}

HeldBytes::HeldBytes(std::shared_ptr<RunState> state, std::span<std::byte> bytes)
    : state_(std::move(state)), bytes_(bytes) {}

HeldBytes::HeldBytes(HeldBytes&& other) noexcept
    : state_(std::move(other.state_)), bytes_(std::exchange(other.bytes_, {})) {}

HeldBytes::~HeldBytes() {
  if (bytes_.empty()) return;
  std::free(bytes_.data());
  state_->Release(bytes_.size());
}

HeldBytes RunStore::TryHold(uint64_t bytes) {
  constexpr size_t kLargePage = size_t{2} << 20;
  constexpr size_t kMappedAlone = size_t{64} << 20;  // malloc maps what is larger, for it alone
  if (bytes == 0 || !state_->TryHold(bytes)) return {state_, {}};
  const uint64_t whole_pages = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(kLargePage, whole_pages));
  if (memory == nullptr) {
    state_->Release(bytes);
    return {state_, {}};
  }
  // A fault for every 4 KB would cost as much as reading. The last, partial page stays small.
  if (bytes >= kMappedAlone) (void)madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
  return {state_, {memory, bytes}};
}

bool RunStore::HasRoomToHold(uint64_t bytes) const { return state_->HasRoom(state_->held, bytes); }

uint64_t RunStore::disk_bytes() const { return state_->disk; }
uint64_t RunStore::peak_disk_bytes() const { return state_->peak_disk; }
uint64_t RunStore::held_bytes() const { return state_->held; }

}  // namespace lookalike
