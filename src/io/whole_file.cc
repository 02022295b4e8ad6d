#include "io/whole_file.h"

#include <span>

namespace lookalike {

Result<std::string> ReadWholeFile(const std::string& path, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, files.OpenRead(path));
  std::string bytes(file->size(), '\0');
  LOOKALIKE_RETURN_IF_ERROR(ReadFully(*file, 0, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

Status WriteDurably(const std::string& path, std::string_view bytes, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, files.Create(path));
  LOOKALIKE_RETURN_IF_ERROR(AppendAll(*file, bytes));
  LOOKALIKE_RETURN_IF_ERROR(file->Close());
  LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(path));
  return files.SyncPath(ParentOf(path));
}

Status MoveUnlessThere(const std::string& from, const std::string& to, FileSystem& files) {
  const Status moved = files.Rename(from, to);
  if (moved) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts there, files.Stat(to));
  // Whoever put a file there may have moved it on meanwhile. One more is in nobody's way.
  if (there.kind == FileKind::kMissing) return files.Rename(from, to);
  if (there.kind != FileKind::kFile) return moved;
  return files.RemoveTree(from);
}

}  // namespace lookalike
