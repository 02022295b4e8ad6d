#include "stages/input/warc_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "io/content_coding.h"

namespace lookalike {
namespace {

using Outcome = WarcScan::Outcome;
constexpr size_t kNowhere = std::string_view::npos;

// Length of the two line ends after each record.
constexpr size_t kRecordEnd = 4;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool IsSame(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return IsSame(text.substr(0, prefix.size()), prefix);
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && IsSame(text.substr(text.size() - suffix.size()), suffix);
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\n";
  const size_t first = text.find_first_not_of(kAround);
  if (first == kNowhere) return {};
  return text.substr(first, text.find_last_not_of(kAround) + 1 - first);
}

// Returns the next record after `from` that begins a line.
size_t FindNext(std::string_view bytes, size_t from) {
  constexpr std::string_view kNext = "\nWARC/1.";
  const size_t found = bytes.find(kNext, from);
  return found == kNowhere ? kNowhere : found + 1;
}

// Returns the result for broken bytes. `from`: the earliest position where the next record may
// begin.
WarcScan Broken(std::string_view bytes, bool at_end, uint64_t limit, size_t from,
                std::string problem) {
  const size_t next = FindNext(bytes, from);
  if (next != kNowhere) return {Outcome::kBroken, next, 0, 0, std::move(problem)};
  if (at_end) return {Outcome::kBroken, bytes.size(), 0, 0, std::move(problem)};
  if (bytes.size() <= limit) return {Outcome::kNeedsMore, bytes.size() + 1, 0, 0, {}};
  // The last bytes may be the beginning of a record.
  return {Outcome::kBroken, bytes.size() - kWarcMagic.size(), 0, 0, std::move(problem)};
}

std::optional<uint64_t> LengthOf(std::string_view head) {
  const auto text = FindHeader(head, "Content-Length");
  if (!text || text->empty()) return {};
  uint64_t length = 0;
  const char* const last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, length);
  if (error != std::errc() || end != last || length > UINT64_MAX / 2) return {};
  return length;
}

// Returns the length of the line ends after a record that belong to it.
size_t EndOfRecord(std::string_view bytes) {
  const size_t end = bytes.substr(0, kRecordEnd).find_first_not_of("\r\n");
  return end == kNowhere ? std::min(bytes.size(), kRecordEnd) : end;
}

// True if a record ends before `rest`: with its two line ends, before another record, or at the
// end.
bool EndsBefore(std::string_view rest) {
  if (rest.starts_with("\r\n\r\n")) return true;
  const size_t begin = rest.find_first_not_of("\r\n");
  return begin == kNowhere || rest.substr(begin).starts_with(kWarcMagic);
}

std::string ProblemOfLength(uint64_t content) {
  return fmt::format("Content-Length is {}, but the record does not end after that many bytes",
                     content);
}

WarcScan ScanContent(std::string_view bytes, bool at_end, uint64_t limit, size_t head,
                     uint64_t content) {
  const uint64_t end = head + content;
  if (content > limit) {
    const bool enough = at_end || bytes.size() >= limit;
    return enough ? WarcScan{Outcome::kTooLong, end, head, content, {}}
                  : WarcScan{Outcome::kNeedsMore, limit, head, content, {}};
  }
  // The following bytes are checked too, as they reveal a wrong length.
  const uint64_t wanted = end + kRecordEnd + kWarcMagic.size();
  if (!at_end && bytes.size() < wanted) return {Outcome::kNeedsMore, wanted, head, content, {}};
  if (bytes.size() < end && FindNext(bytes, head) == kNowhere) {
    return {Outcome::kTruncated, end, head, content, {}};
  }
  if (bytes.size() >= end && EndsBefore(bytes.substr(end, kRecordEnd + kWarcMagic.size()))) {
    return {Outcome::kRecord, end + EndOfRecord(bytes.substr(end)), head, content, {}};
  }
  return Broken(bytes, at_end, limit, head, ProblemOfLength(content));
}

enum class MediaType { kNone, kHtml, kText, kOther };

MediaType MediaTypeOf(std::string_view content_type) {
  const std::string_view type = Trimmed(content_type.substr(0, content_type.find(';')));
  if (type.empty()) return MediaType::kNone;
  if (IsSame(type, "text/html") || IsSame(type, "application/xhtml+xml")) return MediaType::kHtml;
  const bool text = StartsWith(type, "text/") || IsSame(type, "application/json") ||
                    IsSame(type, "application/xml") || EndsWith(type, "+xml") ||
                    EndsWith(type, "+json");
  return text && !StartsWith(type, "image/") && !IsSame(type, "text/dns") ? MediaType::kText
                                                                          : MediaType::kOther;
}

std::string_view CharsetOf(std::string_view content_type) {
  constexpr std::string_view kName = "charset=";
  for (size_t at = content_type.find(';'); at != kNowhere; at = content_type.find(';', at + 1)) {
    const std::string_view rest = Trimmed(content_type.substr(at + 1));
    if (!StartsWith(rest, kName)) continue;
    const std::string_view value = rest.substr(kName.size(), rest.find(';') - kName.size());
    constexpr std::string_view kQuotes = "\"' \t";
    const size_t first = value.find_first_not_of(kQuotes);
    if (first == kNowhere) return {};
    return value.substr(first, value.find_last_not_of(kQuotes) + 1 - first);
  }
  return {};
}

// Uses the HTML patterns of the MIME Sniffing standard (7.1), and bytes that no text has.
MediaType Sniff(std::string_view body) {
  constexpr std::string_view kHtml[] = {"<!doctype html", "<html", "<head", "<body", "<title",
                                        "<script",        "<p>",   "<div",  "<!--"};
  constexpr size_t kFront = 1024;
  const size_t first = std::min(body.find_first_not_of(" \t\r\n\f"), body.size());
  for (const std::string_view pattern : kHtml) {
    if (StartsWith(body.substr(first), pattern)) return MediaType::kHtml;
  }
  const bool binary = body.substr(0, kFront).find('\0') != kNowhere;
  return binary || body.empty() ? MediaType::kOther : MediaType::kText;
}

void SetType(std::string_view content_type, WarcPage* page) {
  MediaType type = MediaTypeOf(content_type);
  if (type == MediaType::kNone && page->coding.empty() && !page->chunked) type = Sniff(page->body);
  page->has_text = type == MediaType::kHtml || type == MediaType::kText;
  page->kind = type == MediaType::kHtml ? TextKind::kHtml : TextKind::kPlain;
  page->charset = CharsetOf(content_type);
}

void ReadResponse(std::string_view content, WarcPage* page) {
  const size_t end = EndOfHead(content);
  const std::string_view head = content.substr(0, end);
  page->body = end == kNowhere ? std::string_view() : content.substr(end);
  page->chunked = EndsWith(FindHeader(head, "Transfer-Encoding").value_or(""), "chunked");
  const std::string_view coding = FindHeader(head, "Content-Encoding").value_or("");
  if (!IsSame(coding, "identity")) page->coding = coding;
  SetType(FindHeader(head, "Content-Type").value_or(""), page);
  if (!page->coding.empty() && !IsContentCoding(page->coding)) page->has_text = false;
}

}  // namespace

size_t EndOfHead(std::string_view bytes) {
  for (size_t at = bytes.find('\n'); at != kNowhere; at = bytes.find('\n', at + 1)) {
    const std::string_view next = bytes.substr(at + 1);
    if (next.starts_with('\n')) return at + 2;
    if (next.starts_with("\r\n")) return at + 3;
  }
  return kNowhere;
}

std::optional<std::string_view> FindHeader(std::string_view head, std::string_view name) {
  for (size_t at = head.find('\n'); at != kNowhere; at = head.find('\n', at + 1)) {
    const std::string_view line = head.substr(at + 1, head.find('\n', at + 1) - at - 1);
    if (line.size() <= name.size() || line[name.size()] != ':' || !StartsWith(line, name)) continue;
    return Trimmed(line.substr(name.size() + 1));
  }
  return {};
}

WarcScan ScanWarcRecord(std::string_view bytes, bool at_end, uint64_t limit) {
  if (!at_end && bytes.size() < kWarcMagic.size()) {
    return {Outcome::kNeedsMore, kWarcMagic.size(), 0, 0, {}};
  }
  if (!bytes.starts_with(kWarcMagic)) {
    return Broken(bytes, at_end, limit, 0, "these bytes are not a record, expected WARC/1.");
  }
  const size_t head = EndOfHead(bytes.substr(0, kMostWarcHead));
  if (head == kNowhere) {
    if (bytes.size() >= kMostWarcHead || (at_end && FindNext(bytes, 0) != kNowhere)) {
      return Broken(bytes, at_end, limit, 0,
                    fmt::format("its header does not end within {} bytes", kMostWarcHead));
    }
    if (!at_end) return {Outcome::kNeedsMore, std::min(bytes.size() * 2, kMostWarcHead), 0, 0, {}};
    return {Outcome::kTruncated, bytes.size() + 1, 0, 0, {}};
  }
  const auto content = LengthOf(bytes.substr(0, head));
  if (content) return ScanContent(bytes, at_end, limit, head, *content);
  return Broken(bytes, at_end, limit, head - 1, "its header has no valid Content-Length");
}

bool IsDoubtful(std::string_view bytes, const WarcScan& scan) {
  const bool unseen = scan.outcome == Outcome::kNeedsMore || scan.outcome == Outcome::kTooLong;
  return unseen && scan.head > 0 && FindNext(bytes, scan.head) < scan.head + scan.content;
}

bool EndsWhereItSays(std::string_view around) {
  return !around.empty() && EndsBefore(around.substr(1));
}

WarcScan WrongLength(std::string_view bytes, const WarcScan& scan) {
  return {Outcome::kBroken, FindNext(bytes, scan.head), 0, 0, ProblemOfLength(scan.content)};
}

WarcPage ReadWarcPage(std::string_view head, std::string_view content) {
  const std::string_view type = FindHeader(head, "WARC-Type").value_or("");
  const std::string_view content_type = FindHeader(head, "Content-Type").value_or("");
  WarcPage page;
  if (IsSame(type, "response")) {
    const bool http = StartsWith(content_type, "application/http") || content.starts_with("HTTP/");
    page.is_document = http;
    if (http) ReadResponse(content, &page);
  } else if (IsSame(type, "resource") || IsSame(type, "conversion")) {
    page.is_document = true;
    page.body = content;
    SetType(content_type, &page);
  }
  return page;
}

std::string JoinChunks(std::string_view body) {
  std::string joined;
  bool any = false;
  for (std::string_view rest = body; !rest.empty(); any = true) {
    uint64_t size = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size, 16);
    const auto digits = static_cast<size_t>(end - rest.data());
    const size_t line_end = rest.find('\n');
    const std::string_view extension = Trimmed(rest.substr(digits, line_end - digits));
    const bool is_size = error == std::errc() && line_end != kNowhere &&
                         (extension.empty() || extension.starts_with(';'));
    if (!is_size) break;
    rest.remove_prefix(line_end + 1);
    if (size == 0) return joined;
    joined += rest.substr(0, size);
    rest.remove_prefix(std::min<uint64_t>(size, rest.size()));
    const size_t behind = rest.find('\n');
    if (behind == kNowhere) return joined;
    rest.remove_prefix(behind + 1);
  }
  return any ? joined : std::string(body);
}

}  // namespace lookalike
