#include "run/write_file.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "io/pending_output.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;

// True for devices and pipes, which cannot be replaced by a file and are written to directly. Paths
// in /dev count as devices even if the shell makes them lead to a file.
bool IsDevice(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  return path.starts_with("/dev/") || type == fs::file_type::character ||
         type == fs::file_type::block || type == fs::file_type::fifo;
}

}  // namespace

Status WriteFile(const std::string& path, const std::vector<std::string>& inputs,
                 const std::function<Status(OutputStream*)>& write) {
  std::optional<PendingOutput> pending;
  if (!IsDevice(path)) {
    LOOKALIKE_ASSIGN_OR_RETURN(PendingOutput opened, PendingOutput::OpenFile(path, inputs));
    pending.emplace(std::move(opened));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(
      const auto stream,
      OutputStream::Create(pending ? pending->result() : path, CodecOfName(path)));
  LOOKALIKE_RETURN_IF_ERROR(write(stream.get()));
  LOOKALIKE_RETURN_IF_ERROR(stream->Close());
  return pending ? pending->Commit() : Status{};
}

Result<Codec> CodecOfLines(const std::string& path, std::string_view what) {
  const std::string ending = fs::path(path).extension().string();
  for (const char* other : {".bz2", ".lz4", ".parquet", ".pq", ".csv", ".tsv", ".arrow"}) {
    if (ending != other) continue;
    return UsageError(std::string(what) +
                          " are written as JSON Lines, compressed if the name ends in .gz or .zst; "
                          "choose another name",
                      path);
  }
  return CodecOfName(path);
}

}  // namespace lookalike
