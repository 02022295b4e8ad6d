#include "io/hashing_file_system.h"

#include <string_view>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {

class HashingFileSystem::File : public OutputFile {
 public:
  File(std::unique_ptr<OutputFile> file, std::string path, HashingFileSystem* owner)
      : file_(std::move(file)), path_(std::move(path)), owner_(*owner) {
    XXH3_64bits_reset(&state_);
  }

  Result<size_t> Append(std::string_view bytes) override {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t taken, file_->Append(bytes));
    XXH3_64bits_update(&state_, bytes.data(), taken);
    bytes_ += taken;
    return taken;
  }

  Status Close() override {
    LOOKALIKE_RETURN_IF_ERROR(file_->Close());
    owner_.Remember(path_, {bytes_, XXH3_64bits_digest(&state_)});
    return {};
  }

 private:
  std::unique_ptr<OutputFile> file_;
  std::string path_;
  HashingFileSystem& owner_;
  XXH3_state_t state_;
  uint64_t bytes_ = 0;
};

Result<std::unique_ptr<OutputFile>> HashingFileSystem::Create(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto file, ForwardingFileSystem::Create(path));
  return std::make_unique<File>(std::move(file), path, this);
}

std::optional<ContentHash> HashingFileSystem::Take(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto at = written_.find(path);
  if (at == written_.end()) return std::nullopt;
  const ContentHash content = at->second;
  written_.erase(at);
  return content;
}

void HashingFileSystem::Remember(const std::string& path, const ContentHash& content) {
  const std::lock_guard lock(mutex_);
  written_[path] = content;
}

}  // namespace lookalike
