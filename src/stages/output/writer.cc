#include "stages/output/writer.h"

#include "stages/output/record_writers.h"

namespace lookalike {

Result<std::unique_ptr<RecordWriter>> CreateWriter(const InputFile& like, const std::string& path,
                                                   FileSystem& files, const WriteLimits& limits) {
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(path, files));
  switch (LayoutOf(like.format)) {
    case Layout::kRows:
      return CreateRowWriter(like, path, files);
    case Layout::kTable:
      return CreateColumnarWriter(like, path, files, limits);
    case Layout::kArchive:
      return CreateWarcWriter(like, path, files);
    case Layout::kWhole:
    case Layout::kNoRows:  // never written back
      break;
  }
  return CreateTextWriter(like, path, files);
}

}  // namespace lookalike
