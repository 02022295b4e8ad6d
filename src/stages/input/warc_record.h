// One record of a WARC file (ISO 28500), and the HTTP message in it.
#ifndef LOOKALIKE_STAGES_INPUT_WARC_RECORD_H_
#define LOOKALIKE_STAGES_INPUT_WARC_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "flow/text_kind.h"
#include "lookalike/status.h"

namespace lookalike {

/// What every record begins with.
inline constexpr std::string_view kWarcMagic = "WARC/1.";

/// A header that is longer is none.
inline constexpr size_t kMostWarcHead = size_t{64} << 10;

/// Behind the blank line that ends a header, of WARC or HTTP; npos where there is none.
size_t EndOfHead(std::string_view bytes);

/// The value of the first line `name: value` of a header, without blanks around it.
std::optional<std::string_view> FindHeader(std::string_view head, std::string_view name);

/// What stands at the front of some bytes of a WARC file.
struct WarcScan {
  enum class Outcome {
    kRecord,     ///< A whole record of `length` bytes.
    kTooLong,    ///< A record of `length` bytes, more than may be held.
    kBroken,     ///< `length` bytes that are no record; `problem` says why.
    kNeedsMore,  ///< Cannot be told before there are `length` bytes.
    kTruncated,  ///< The file ends within a record of `length` bytes.
  };
  Outcome outcome = Outcome::kRecord;
  uint64_t length = 0;  ///< Of a record with the line ends behind it, as far as they are its.
  /// Of a record: bytes of its header. With kNeedsMore: 0 but where only its end is missing.
  size_t head = 0;
  uint64_t content = 0;  ///< With `head`: bytes of the record's content, behind the header.
  std::string problem;
};

/// Scans `bytes`, which are all that is left of the file where `at_end`. `limit`: bytes that
/// content may have, and that are looked through for the next record where one is broken.
/// REQUIRES: bytes are not empty, and begin with no line end.
WarcScan ScanWarcRecord(std::string_view bytes, bool at_end, uint64_t limit);

/// Whether a scan did not see the end of a record, although another one begins before that: the
/// length may be wrong.
bool IsDoubtful(std::string_view bytes, const WarcScan& scan);

/// How many bytes tell whether a record ends.
inline constexpr size_t kAroundWarcEnd = 1 + 4 + kWarcMagic.size();

/// Whether a doubtful record ends where it says. `around`: kAroundWarcEnd bytes from the one before
/// its end on, fewer at the end of the file.
bool EndsWhereItSays(std::string_view around);

/// What a doubtful scan is when the record does not end where it says: as ScanWarcRecord would find
/// with more bytes.
WarcScan WrongLength(std::string_view bytes, const WarcScan& scan);

/// A record of a page or a text.
struct WarcPage {
  bool is_document = false;  ///< Else it is about one: a request, metadata and such.
  TextKind kind = TextKind::kUnknown;
  bool has_text = false;     ///< Whether its type is one of text.
  std::string_view body;     ///< As it was sent, in transfer and content codings.
  bool chunked = false;      ///< Transfer-Encoding.
  std::string_view coding;   ///< Content-Encoding; empty: none.
  std::string_view charset;  ///< What its header says; empty: nothing.
};

/// What a whole record holds; views into it.
WarcPage ReadWarcPage(std::string_view head, std::string_view content);

/// The bytes of a chunked body (RFC 9112, 7.1), as far as it goes; `body` itself, copied, where it
/// does not even begin like one, as many crawlers store it decoded.
std::string JoinChunks(std::string_view body);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_WARC_RECORD_H_
