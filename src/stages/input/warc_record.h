// One record of a WARC file (ISO 28500), and the HTTP message in it.
#ifndef LOOKALIKE_STAGES_INPUT_WARC_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_WARC_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "records/text_kind.h"

namespace lookalike {

/// The bytes at the start of every record.
inline constexpr std::string_view kWarcMagic = "WARC/1.";

/// Longer headers are not accepted as headers.
inline constexpr size_t kMostWarcHead = size_t{64} << 10;

/// Returns the offset after the blank line that ends a WARC or HTTP header; npos if there is none.
size_t EndOfHead(std::string_view bytes);

/// Returns the value of the first line `name: value` of a header, without blanks around it.
std::optional<std::string_view> FindHeader(std::string_view head, std::string_view name);

/// The result of scanning the front of some bytes of a WARC file.
struct WarcScan {
  enum class Outcome {
    kRecord,     ///< A whole record of `length` bytes.
    kTooLong,    ///< A record of `length` bytes, more than may be held.
    kBroken,     ///< `length` bytes that are not a record; `problem` says why.
    kNeedsMore,  ///< Undecided until there are `length` bytes.
    kTruncated,  ///< The file ends within a record of `length` bytes.
  };
  Outcome outcome = Outcome::kRecord;
  uint64_t length = 0;  ///< For a record, includes the line ends after it that belong to it.
  /// For a record: bytes of its header. With kNeedsMore: 0 unless only the record's end is missing.
  size_t head = 0;
  uint64_t content = 0;  ///< With `head`: bytes of the content after the header.
  std::string problem;
};

/// Scans `bytes`, which are the rest of the file if `at_end`. `limit`: the maximum size of the
/// content, and of the bytes that are searched for the next record after a broken record. REQUIRES:
/// bytes are not empty, and do not begin with a line end.
WarcScan ScanWarcRecord(std::string_view bytes, bool at_end, uint64_t limit);

/// True if a scan did not see the end of a record, although another record begins before it: the
/// length may be wrong.
bool IsDoubtful(std::string_view bytes, const WarcScan& scan);

/// Bytes needed to decide if a record ends.
inline constexpr size_t kAroundWarcEnd = 1 + 4 + kWarcMagic.size();

/// True if a doubtful record ends where its stated length says. `around` holds kAroundWarcEnd bytes
/// of the file, starting with the record's last byte; fewer at the end of the file.
bool EndsWhereItSays(std::string_view around);

/// Returns the corrected scan of a doubtful record that does not end where its length says: the
/// same as ScanWarcRecord would return with more bytes.
WarcScan WrongLength(std::string_view bytes, const WarcScan& scan);

/// A record that holds a page or a text.
struct WarcPage {
  bool is_document = false;  ///< False: it only describes one (a request, metadata and the like).
  TextKind kind = TextKind::kUnknown;
  bool has_text = false;     ///< True if its type is a text type.
  std::string_view body;     ///< As sent: transfer and content codings still apply.
  bool chunked = false;      ///< Transfer-Encoding.
  std::string_view coding;   ///< Content-Encoding; empty: none.
  std::string_view charset;  ///< As its header says; empty: not given.
};

/// Returns the content of a whole record; views into it.
WarcPage ReadWarcPage(std::string_view head, std::string_view content);

/// Returns the bytes of a chunked body (RFC 9112, 7.1), as far as it goes. If `body` does not even
/// begin like a chunked body (many crawlers store it decoded), returns a copy of it.
std::string JoinChunks(std::string_view body);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_WARC_RECORD_H_
