// Inputs that are not files of this machine, read in place.
#ifndef LOOKALIKE_IO_REMOTE_INPUT_H_
#define LOOKALIKE_IO_REMOTE_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/file_system.h"
#include "lookalike/status.h"

namespace lookalike {

/// An input whose bytes are not in a file of this machine. Safe to use from several threads.
class RemoteInput {
 public:
  virtual ~RemoteInput() = default;

  /// Opens it for reading at any offset.
  [[nodiscard]] virtual Result<std::shared_ptr<const RandomAccessFile>> Open() const = 0;

  /// Returns an Error if it has changed since it was found.
  [[nodiscard]] virtual Status CheckUnchanged() const = 0;

  /// Returns the Error of the first read or check that failed for good. What others make of such a
  /// failure may be wrong: to a reader of Parquet, a file is damaged if it cannot be read.
  [[nodiscard]] virtual std::optional<Error> failure() const = 0;
};

/// The pieces that a reader in order requests before they are needed.
struct RemotePieces {
  uint64_t bytes = uint64_t{2} << 20;  ///< The most that one request asks for.
  size_t ahead = 3;                    ///< The most requests at a time.
  /// True if all of the input will be read. Otherwise requests begin small and grow, so that no
  /// more is requested early than was read before: many readers only want the front.
  bool whole = false;
};

/// A reader of a remote input in order, which requests pieces before they are needed. Movable.
class RemoteReader {
 public:
  explicit RemoteReader(std::shared_ptr<const RandomAccessFile> file, RemotePieces pieces = {})
      : file_(std::move(file)), pieces_(pieces), until_(file_->size()) {}

  /// Fills `out` with the next bytes; returns fewer only at the end.
  Result<size_t> Read(char* out, size_t capacity);

  /// Continues at `offset`.
  void Seek(uint64_t offset);

  /// Returns the next piece; an empty one at the end. To be used in place of Read().
  Result<std::string> Next();

  /// Says that reading will end at about this offset: no piece after it is requested early.
  void ExpectUntil(uint64_t offset);

  [[nodiscard]] const RandomAccessFile& file() const { return *file_; }

 private:
  void RequestAhead();
  [[nodiscard]] uint64_t NextBytes() const;
  void Request(uint64_t until);

  std::shared_ptr<const RandomAccessFile> file_;
  RemotePieces pieces_;
  uint64_t until_;
  uint64_t begin_ = 0;      ///< Offset at which reading began,
  uint64_t taken_ = 0;      ///< the end of the pieces that were taken since,
  uint64_t requested_ = 0;  ///< and of those that were requested.
  std::string piece_;       ///< The piece that is being handed out,
  size_t used_ = 0;         ///< and the number of its bytes that were.
  std::deque<std::future<Result<std::string>>> ahead_;  ///< The pieces after it.
  std::optional<Error> failed_;  ///< Why a piece is missing: what follows is not handed out.
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_REMOTE_INPUT_H_
