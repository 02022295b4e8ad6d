#include "stages/input/live_lines.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "stages/input/format_readers.h"
#include "stages/input/json_record.h"
#include "stages/input/refusing_reader.h"

namespace lookalike {
namespace {

constexpr size_t kChunk = size_t{1} << 16;
constexpr int kPollTimeout = 200;  // milliseconds after which control returns to the caller
constexpr const char* kPlace = "stdin";

/// The memory that the views of a batch point into.
struct LiveStorage {
  std::string lines;  // whole lines, and kReadablePadding bytes
  TextArena arena;
};

class LiveLines final : public InputReader {
 public:
  LiveLines(const FieldPaths& fields, const ReadLimits& limits)
      : parser_(fields, limits.max_record), limits_(limits) {}

  Result<bool> Next(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    if (ended_) return false;
    LOOKALIKE_RETURN_IF_ERROR(ReadToLineEnd());
    auto storage = std::make_shared<LiveStorage>();
    size_t end = pending_.rfind('\n');
    end = ended_ ? pending_.size() : end + 1;
    storage->lines = pending_.substr(0, end);
    pending_.erase(0, end);
    AddLines(storage.get(), batch);
    batch->storage = std::move(storage);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {bytes_, row_}; }

 private:
  /// Waits briefly. Returns true if there is something to read, or the end was reached.
  static bool IsReady() {
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, kPollTimeout) >
           0;  // otherwise nothing came, or a signal interrupted the wait
  }

  /// Reads until a line ends, the input ends, or nothing has arrived for a while. Drops the bytes
  /// of a line that is too long.
  Status ReadToLineEnd() {
    while (true) {
      if (!IsReady()) return {};
      const size_t before = pending_.size();
      pending_.resize(before + kChunk);
      const ssize_t got = read(STDIN_FILENO, &pending_[before], kChunk);
      const int error = errno;
      pending_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
      if (got < 0 && error == EINTR) continue;
      if (got < 0)
        return InputError(std::string("cannot be read: ") + std::strerror(error), kPlace);
      if (bytes_ == 0) LOOKALIKE_RETURN_IF_ERROR(CheckFront());
      bytes_ += static_cast<uint64_t>(got);
      ended_ = got == 0;
      if (ended_ || pending_.find('\n', before) != std::string::npos) return {};
      if (pending_.size() <= limits_.max_record) continue;
      too_long_ = true;
      pending_.clear();
    }
  }

  Status CheckFront() {
    for (const std::string_view mark :
         {"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\x04\x22\x4d\x18"}) {
      if (!pending_.starts_with(mark)) continue;
      return InputError(
          "is compressed, expected plain JSON Lines; decompress it in the pipe, or pass a file",
          kPlace);
    }
    if (IsUtf16(pending_))
      return InputError("is UTF-16 text, expected UTF-8; convert it with iconv", kPlace);
    pending_.erase(0, ByteOrderMarkLength(pending_));
    return {};
  }

  void AddLines(LiveStorage* storage, DocumentBatch* batch) {
    const size_t size = storage->lines.size();
    storage->lines.append(kReadablePadding, '\0');
    const std::string_view lines = std::string_view(storage->lines).substr(0, size);
    for (size_t at = 0; at < lines.size();) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      AddLine(lines.substr(at, end - at), &storage->arena, batch);
      at = end + 1;
    }
    if (lines.empty() && std::exchange(too_long_, false)) RejectLong(batch);
  }

  void RejectLong(DocumentBatch* batch) {
    batch->rejections.push_back({++row_, TooLongReason(0, limits_.max_record), {}, -1});
  }

  void AddLine(std::string_view line, TextArena* arena, DocumentBatch* batch) {
    if (std::exchange(too_long_, false)) return RejectLong(batch);
    AddJsonLine(line, ++row_, limits_.max_record, &parser_, arena, batch);
  }

  JsonRecordParser parser_;
  ReadLimits limits_;
  std::string pending_;    // the front of an unfinished line
  bool too_long_ = false;  // whose beginning was dropped
  bool ended_ = false;
  uint64_t bytes_ = 0, row_ = 0;
};

}  // namespace

std::unique_ptr<InputReader> OpenLiveLines(const FieldPaths& fields, const ReadLimits& limits) {
  std::unique_ptr<InputReader> lines = std::make_unique<LiveLines>(fields, limits);
  return limits.text_refusal ? RefuseTexts(std::move(lines), limits.text_refusal)
                             : std::move(lines);
}

}  // namespace lookalike
