#include "stages/output/writer.h"

#include "stages/output/record_writers.h"

namespace lookalike {

Result<std::unique_ptr<RecordWriter>> CreateWriter(const InputFile& like, const std::string& path,
                                                   FileSystem& files) {
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(path, files));
  switch (like.format) {
    case Format::kJsonLines:
    case Format::kJsonArray:
    case Format::kCsv:
      return CreateRowWriter(like, path, files);
    case Format::kText:
    case Format::kSketches:  // never written back
    case Format::kHtml:
      return CreateTextWriter(like, path, files);
    case Format::kWarc:
      return CreateWarcWriter(like, path, files);
    case Format::kParquet:
    case Format::kArrowFile:
    case Format::kArrowStream:
      return CreateColumnarWriter(like, path, files);
  }
  return BugError("no writer for this format", like.name);
}

}  // namespace lookalike
