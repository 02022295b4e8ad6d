#include "index/rocks/table_files.h"

#include <rocksdb/file_checksum.h>
#include <rocksdb/sst_file_writer.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

namespace lookalike {

std::string MadeFolder(const std::string& folder) { return folder + "/made"; }

Status MakeEmpty(const std::string& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (!error) std::filesystem::create_directory(folder, error);
  if (!error) return {};
  return DiskError("the folder cannot be made anew: " + error.message(), folder);
}

Result<rocksdb::IngestExternalFileArg> MakeFile(const Database& database,
                                                rocksdb::ColumnFamilyHandle* family,
                                                const std::string& path, const Changes& changes) {
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), database.db->GetOptions(family), family);
  LOOKALIKE_RETURN_IF_ERROR(StatusOf(writer.Open(path)));
  for (const auto& [key, value] : changes) {
    const auto status = value ? writer.Put(key, *value) : writer.Delete(key);
    if (!status.ok()) return ErrorOf(status);
  }
  rocksdb::ExternalSstFileInfo made;
  LOOKALIKE_RETURN_IF_ERROR(StatusOf(writer.Finish(&made)));
  rocksdb::IngestExternalFileArg file;
  file.column_family = family;
  file.external_files = {path};
  file.options.move_files = true;
  file.options.write_global_seqno = false;
  file.options.verify_file_checksum = false;  // it was made a moment ago
  file.files_checksums = {made.file_checksum};
  file.files_checksum_func_names = {made.file_checksum_func_name};
  return file;
}

Status CheckFile(const rocksdb::LiveFileStorageInfo& file) {
  const std::string path = file.directory + "/" + file.relative_filename;
  const std::string& checksum = file.file_checksum;
  if (checksum.empty()) return CorruptError("no checksum of the file is noted", path);
  rocksdb::FileChecksumGenContext context;
  context.file_name = path;
  const auto generator =
      rocksdb::GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(context);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(path.c_str(), "rb"),
                                                         &std::fclose);
  if (!opened) return CorruptError("the file is missing, or cannot be read", path);
  std::vector<char> buffer(size_t{1} << 20);
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), opened.get())) {
    generator->Update(buffer.data(), count);
  }
  generator->Finalize();
  if (std::ferror(opened.get()) == 0 && generator->GetChecksum() == checksum) return {};
  return CorruptError("the file is not as it was written; restore the index from a backup", path);
}

}  // namespace lookalike
