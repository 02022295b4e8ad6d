#include <tbb/enumerable_thread_specific.h>

#include <utility>

#include "stages/input/format_readers.h"
#include "stages/input/json_record.h"
#include "stages/input/record_blocks.h"

namespace lookalike {
namespace {

constexpr uint64_t kFrontRecords = 100;

// A parser of the lines of one input.
class JsonLineParser final : public LineParser {
 public:
  JsonLineParser(const ReaderSetup& setup, BlockPool pool)
      : array_(setup.file.format == Format::kJsonArray),
        rows_only_(setup.columns == ReadColumns::kRows),
        limit_(setup.limits.max_record),
        wanted_(setup.wanted),
        rows_before_(setup.from.row),
        pool_(std::move(pool)),
        parsers_(setup.fields, setup.limits.max_record) {}

  void Parse(DocumentBatch* batch) const override {
    const UnreadLines lines = std::exchange(batch->unread, {});
    auto storage = std::make_shared<ParsedStorage>(batch->storage, SizeOf(lines), &pool_);
    batch->storage = storage;
    JsonRecordParser& parser = parsers_.local();
    batch->documents.reserve(lines.ends.size());
    uint64_t row = lines.row;
    for (size_t begin = lines.begin; const uint32_t end : lines.ends) {
      const std::string_view cut = lines.bytes.substr(begin, end - begin);
      AddJsonLine(array_ ? WithoutSeparator(cut) : cut, row, limit_,
                  IsWanted(row) ? &parser : nullptr, &storage->arena, batch);
      begin = end;
      ++row;
    }
  }

 private:
  static size_t SizeOf(const UnreadLines& lines) {
    return lines.ends.empty() ? 0 : lines.ends.back() - lines.begin;
  }

  // Owns the lines, and all values that differ from their form in the lines.
  struct ParsedStorage {
    ParsedStorage(std::shared_ptr<const void> owner, size_t expected, BlockPool* pool)
        : lines(std::move(owner)), arena(expected, pool) {}
    std::shared_ptr<const void> lines;
    TextArena arena;
  };

  // True if the fields of a row are wanted. If some rows are not, every row is a document. There
  // may be more rows than before.
  [[nodiscard]] bool IsWanted(uint64_t row) const {
    if (rows_only_) return false;
    if (wanted_.documents == nullptr) return true;
    const DocNumber doc = wanted_.first + (row - 1 - rows_before_);
    return doc >= wanted_.documents->size() || wanted_.documents->Test(doc);
  }

  bool array_, rows_only_;
  uint64_t limit_;
  WantedRecords wanted_;
  uint64_t rows_before_;
  mutable BlockPool pool_;
  mutable tbb::enumerable_thread_specific<JsonRecordParser> parsers_;
};

class JsonLinesReader final : public InputReader {
 public:
  JsonLinesReader(std::unique_ptr<InputStream> stream, const ReaderSetup& setup)
      : blocks_(CutRecords(std::move(stream), setup)),
        parser_(std::make_shared<JsonLineParser>(setup, *blocks_->pool())),
        source_(setup.source),
        limit_(setup.limits.max_record),
        row_(setup.from.row) {}

  Result<bool> Next(DocumentBatch* batch) override {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, NextUnread(batch));
    if (!batch->unread.ends.empty()) parser_->Parse(batch);
    return more;
  }

  Result<bool> NextUnread(DocumentBatch* batch) override {
    *batch = DocumentBatch{};
    batch->source = source_;
    if (blocks_->ended()) return false;
    std::shared_ptr<char[]> block;
    LOOKALIKE_ASSIGN_OR_RETURN(RecordCut cut, blocks_->Next(&block));
    if (cut.too_long) {
      batch->rejections.push_back({++row_, TooLongReason(0, limit_), cut.bytes, -1});
    } else {
      batch->unread = {cut.bytes, 0, std::move(cut.ends), row_ + 1, parser_};
      row_ += batch->unread.ends.size();
    }
    batch->bytes_read = blocks_->file_bytes_used();
    batch->storage = std::move(block);
    return true;
  }

  [[nodiscard]] ReadPosition position() const override { return {blocks_->next_offset(), row_}; }

 private:
  std::unique_ptr<RecordBlocks> blocks_;
  std::shared_ptr<const JsonLineParser> parser_;
  uint32_t source_;
  uint64_t limit_;
  uint64_t row_;
};

void AddToFront(const std::vector<JsonField>& fields, Front* front) {
  for (const JsonField& seen : fields) {
    AddField({seen.path, seen.is_string, seen.is_list, seen.nested, seen.type}, &front->fields);
  }
}

}  // namespace

OpenedReader OpenJsonLines(const ReaderSetup& given) {
  ReaderSetup setup = given;
  if (setup.at_cut) --setup.from.offset;  // a line may end there
  LOOKALIKE_ASSIGN_OR_RETURN(
      auto stream, OpenPlainBytes(setup.file, setup.limits, setup.from.offset, setup.until));
  return std::make_unique<JsonLinesReader>(std::move(stream), setup);
}

Result<Front> FrontOfJsonLines(const InputFile& file, const ReadLimits& limits,
                               std::span<const std::string> paths) {
  ReaderSetup setup;
  setup.file = file;
  setup.limits = limits;
  LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OpenPlainBytes(file, limits));
  const auto blocks = CutRecords(std::move(stream), setup);
  JsonRecordParser parser({});
  Front front;
  front.has_path.resize(paths.size());
  uint64_t records = 0;
  while (records < kFrontRecords && !blocks->ended()) {
    std::shared_ptr<char[]> block;
    LOOKALIKE_ASSIGN_OR_RETURN(const RecordCut cut, blocks->Next(&block));
    size_t at = 0;
    for (const uint32_t end : cut.ends) {
      if (records == kFrontRecords) break;
      const std::string_view record = cut.bytes.substr(at, end - at);
      at = end;
      const auto fields =
          parser.ListFields(file.format == Format::kJsonArray ? WithoutSeparator(record) : record);
      if (fields.empty()) continue;
      ++records;
      AddToFront(fields, &front);
      for (size_t i = 0; i < paths.size(); ++i) {
        if (parser.HasPath(paths[i])) front.has_path[i] = true;
      }
    }
  }
  front.has_records = records > 0;
  return front;
}

}  // namespace lookalike
