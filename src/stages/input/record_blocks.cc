#include "stages/input/record_blocks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace lookalike {
namespace {

class LineBlocks final : public RecordBlocks {
 public:
  // `setup.from` is one byte before the place of a cut: then the part begins after the next line
  // end, as a line that begins at the cut is its first.
  LineBlocks(std::unique_ptr<InputStream> stream, const ReaderSetup& setup)
      : RecordBlocks(std::move(stream), setup), within_line_(setup.at_cut) {
    at_front_ = at_front_ && !within_line_;
  }

  // Returns all of a block except its last line if that continues after the block.
  Result<RecordCut> Next(std::shared_ptr<char[]>* block) override {
    if (std::exchange(within_line_, false)) {
      LOOKALIKE_RETURN_IF_ERROR(SkipLine());
      if (ended_) return RecordCut{};
    }
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Start(until_));
    size_t mark = 0;
    if (std::exchange(at_front_, false)) {
      LOOKALIKE_ASSIGN_OR_RETURN(mark, SkipByteOrderMark());
    }
    size_t end = EndOfLastLine();
    while (end == 0 && !buffer_.at_end() && buffer_.bytes().size() <= limit_ + mark) {
      LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(limit_ + mark + 1));
      end = EndOfLastLine();
    }
    *block = buffer_.block();
    const std::string_view bytes = buffer_.bytes();
    if (end == 0 && !buffer_.at_end()) {
      LOOKALIKE_RETURN_IF_ERROR(buffer_.ConsumeThrough('\n'));
      GoOn();
      return RecordCut{bytes.substr(mark, limit_), {}, true};
    }
    if (end == 0) end = bytes.size();
    ended_ = buffer_.at_end() && end == bytes.size();
    end = EndInPart(end);
    buffer_.Consume(end);
    GoOn();
    RecordCut cut = {bytes.substr(mark, end - mark), {}, false};
    cut.ends = EndsOfLines(cut.bytes);
    return cut;
  }

 private:
  // Returns the ends of the lines. REQUIRES: fewer than 2^32 bytes.
  static std::vector<uint32_t> EndsOfLines(std::string_view bytes) {
    std::vector<uint32_t> ends;
    for (size_t at = 0; at < bytes.size();) {
      at = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
      ends.push_back(static_cast<uint32_t>(at));
    }
    return ends;
  }

  // Goes to the front of the next line.
  Status SkipLine() {
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Start(until_));
    const size_t found = buffer_.bytes().find('\n');
    if (found != std::string_view::npos) {
      buffer_.Consume(found + 1);
    } else {
      LOOKALIKE_RETURN_IF_ERROR(buffer_.ConsumeThrough('\n'));
    }
    GoOn();
    return {};
  }

  // Ends the part if the next line begins after it.
  void GoOn() {
    next_ = buffer_.next_offset();
    ended_ |= next_ >= until_;
  }

  // Returns the end of the last line, among the block's lines up to `end`, that belongs to the
  // part. The block's first line always belongs to it.
  [[nodiscard]] size_t EndInPart(size_t end) const {
    if (until_ - buffer_.offset() >= end) return end;
    const size_t last = buffer_.bytes().find('\n', until_ - buffer_.offset() - 1);
    return std::min(end, last == std::string_view::npos ? end : last + 1);
  }

  // Returns the offset after the block's last line end; 0 if it has none.
  [[nodiscard]] size_t EndOfLastLine() const {
    const std::string_view bytes = buffer_.bytes();
    const void* const last = memrchr(bytes.data(), '\n', bytes.size());
    return last == nullptr ? 0 : static_cast<const char*>(last) - bytes.data() + 1;
  }

  bool within_line_;
};

constexpr std::string_view kBlanks = " \t\r\n";
constexpr size_t kMostBlanks = size_t{1} << 20;  // before an element

// A walk to the end of one JSON value, possibly over several blocks. It only checks quotes,
// brackets and braces: the parser of the value reports all other defects.
class ValueWalk {
 public:
  // Continues at `*at`, to the end of the value or of `bytes`. True if the value has ended.
  bool Go(std::string_view bytes, size_t* at) {
    while (*at < bytes.size()) {
      if (in_string_) {
        if (!GoString(bytes, at)) return false;
      } else {
        const size_t found = bytes.find_first_of(depth_ > 0 ? "\"{}[]" : "\"{}[], \t\r\n", *at);
        begun_ |= found > *at;
        *at = std::min(found, bytes.size());
        if (*at == bytes.size()) return false;
        if (begun_ && depth_ == 0) return true;  // a word or number
        Take(bytes[(*at)++]);
      }
      if (begun_ && depth_ == 0 && !in_string_) return true;
    }
    return false;
  }

 private:
  void Take(char byte) {
    begun_ = true;
    in_string_ = byte == '"';
    if (byte == '{' || byte == '[') ++depth_;
    if ((byte == '}' || byte == ']') && depth_ > 0) --depth_;
  }

  // Moves past the closing quote; false if it is not in `bytes`.
  bool GoString(std::string_view bytes, size_t* at) {
    while (*at < bytes.size()) {
      if (std::exchange(escaped_, false)) {
        ++*at;
        continue;
      }
      *at = std::min(bytes.find_first_of("\"\\", *at), bytes.size());
      if (*at == bytes.size()) return false;
      escaped_ = bytes[*at] == '\\';
      in_string_ = escaped_;
      ++*at;
      if (!in_string_) return true;
    }
    return false;
  }

  int64_t depth_ = 0;
  bool begun_ = false, in_string_ = false, escaped_ = false;
};

class ArrayBlocks final : public RecordBlocks {
 public:
  using RecordBlocks::RecordBlocks;

  Result<RecordCut> Next(std::shared_ptr<char[]>* block) override {
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Start(until_));
    size_t mark = 0;
    if (at_front_) {
      LOOKALIKE_ASSIGN_OR_RETURN(mark, SkipByteOrderMark());
    }
    RecordCut cut;
    while (true) {
      cut.ends.clear();
      const Result<bool> closed = Scan(mark, &cut.ends);
      // Elements before a defect are returned first, wherever blocks end.
      if (!closed && cut.ends.empty()) return tl::make_unexpected(closed.error());
      if (closed && *closed && cut.ends.empty()) {
        LOOKALIKE_RETURN_IF_ERROR(CheckRest());
        ended_ = true;
        return RecordCut{};
      }
      if (!cut.ends.empty()) break;
      if (buffer_.at_end()) return Unclosed();
      if (begin_ > kMostBlanks) return Unexpected("an element, not this much white space", 0);
      if (buffer_.bytes().size() > limit_ + begin_) return SkipLong(block);
      LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(limit_ + begin_ + 1));
    }
    *block = buffer_.block();
    const uint32_t end = cut.ends.back();
    const auto skipped = static_cast<uint32_t>(at_front_ ? opened_ : 0);
    cut.bytes = buffer_.bytes().substr(skipped, end - skipped);
    for (uint32_t& each : cut.ends) each -= skipped;
    Consume(end);
    return cut;
  }

 private:
  void Consume(size_t count) {
    buffer_.Consume(count);
    next_ = buffer_.next_offset();
    at_front_ = false;
  }

  // Finds the whole elements of the block, and where the next one begins. Returns true if the array
  // is closed after them.
  Result<bool> Scan(size_t at, std::vector<uint32_t>* ends) {
    const std::string_view bytes = buffer_.bytes();
    bool first = at_front_;
    if (first) {
      begin_ = SkipBlanks(&at);
      if (at == bytes.size()) return false;
      if (bytes[at] != '[') return Unexpected("an opening bracket", at);
      opened_ = ++at;
    }
    while (true) {
      begin_ = SkipBlanks(&at);
      if (at == bytes.size()) return false;
      closed_ = at + 1;
      if (bytes[at] == ']') return true;
      if (!std::exchange(first, false)) {
        if (bytes[at] != ',') return Unexpected("a comma or the closing bracket", at);
        begin_ = SkipBlanks(&++at);
        if (at == bytes.size()) return false;
      }
      if (bytes[at] == ',' || bytes[at] == ']' || bytes[at] == '}') {
        return Unexpected("an element", at);
      }
      walk_ = ValueWalk();
      if (!walk_.Go(bytes, &at)) return false;
      ends->push_back(static_cast<uint32_t>(at));
    }
  }

  size_t SkipBlanks(size_t* at) const {
    *at = std::min(buffer_.bytes().find_first_not_of(kBlanks, *at), buffer_.bytes().size());
    return *at;
  }

  // Checks that only white space follows the array.
  Status CheckRest() {
    size_t at = closed_;
    while (true) {
      if (SkipBlanks(&at) < buffer_.bytes().size()) {
        return Unexpected("nothing after the array's closing bracket", at);
      }
      if (buffer_.at_end()) return {};
      buffer_.Consume(at);
      LOOKALIKE_RETURN_IF_ERROR(buffer_.Start(until_));
      at = 0;
    }
  }

  // Skips the element that begins at begin_ and is longer than the limit.
  Result<RecordCut> SkipLong(std::shared_ptr<char[]>* block) {
    const std::string_view front = buffer_.bytes().substr(begin_, limit_);
    *block = buffer_.block();
    size_t at = buffer_.bytes().size();
    while (true) {
      if (buffer_.at_end()) return Unclosed();
      buffer_.Consume(at);
      LOOKALIKE_RETURN_IF_ERROR(buffer_.Start(until_));
      at = 0;
      if (walk_.Go(buffer_.bytes(), &at)) break;
    }
    Consume(at);
    return RecordCut{front, {}, true};
  }

  [[nodiscard]] tl::unexpected<Error> Unexpected(const char* expected, size_t at) const {
    const std::string_view found = buffer_.bytes().substr(at, 1);
    return InputError(fmt::format("the JSON array has '{}' at byte {}, expected {}; fix the file, "
                                  "or pass $<skip-bad-inputs>",
                                  found, buffer_.offset() + at, expected),
                      place_);
  }

  [[nodiscard]] tl::unexpected<Error> Unclosed() const {
    return CorruptError(
        fmt::format("the JSON array is not closed, and its last element may have begun "
                    "at byte {}: the file is truncated, or a quote or bracket is not "
                    "closed; get a good copy or pass $<skip-bad-inputs>",
                    next_),
        place_);
  }

  ValueWalk walk_;     // for the incomplete element
  size_t begin_ = 0;   // where that element begins
  size_t opened_ = 0;  // after the array's opening bracket
  size_t closed_ = 0;  // after the array's closing bracket
};

}  // namespace

Result<size_t> RecordBlocks::SkipByteOrderMark() {
  while (buffer_.bytes().size() < 3 && !buffer_.at_end()) {
    LOOKALIKE_RETURN_IF_ERROR(buffer_.Extend(3));
  }
  if (IsUtf16(buffer_.bytes())) {
    return InputError("is UTF-16 text, expected UTF-8; convert it with iconv", place_);
  }
  return ByteOrderMarkLength(buffer_.bytes());
}

std::unique_ptr<RecordBlocks> CutRecords(std::unique_ptr<InputStream> stream,
                                         const ReaderSetup& setup) {
  if (setup.file.format == Format::kJsonArray) {
    return std::make_unique<ArrayBlocks>(std::move(stream), setup);
  }
  return std::make_unique<LineBlocks>(std::move(stream), setup);
}

std::string_view WithoutSeparator(std::string_view element) {
  const auto skip_blanks = [&] { element.remove_prefix(element.find_first_not_of(kBlanks)); };
  skip_blanks();
  if (element.front() != ',') return element;
  element.remove_prefix(1);
  skip_blanks();
  return element;
}

}  // namespace lookalike
