#include "format/filter_file.h"

#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lookalike {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

constexpr std::string_view kMagic = "LKLFILT\x01";

constexpr uint64_t kMostRecordBytes = 1 << 20;  // far above what any design keeps

/// The part after the magic; then come the settings, the records, the ends of ids, the ids, and a
/// checksum of all of it.
struct Head {
  uint64_t settings_bytes, asked, remembered, record_bytes, id_bytes;
};

tl::unexpected<Error> Unsound(const std::string& what) {
  return CorruptError("cannot be read as the state of a filter: " + what +
                      "; use a file that $(filter state) wrote, whole and unchanged");
}

template <class T>
std::string_view BytesOf(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// Takes `count` bytes off the front. REQUIRES: at least `count` bytes.
std::string_view Take(uint64_t count, std::string_view* bytes) {
  const std::string_view taken = bytes->substr(0, count);
  bytes->remove_prefix(count);
  return taken;
}

/// True if the parts described by a head make up `bytes` bytes.
bool Fills(const Head& head, uint64_t bytes) {
  const uint64_t each = head.record_bytes + sizeof(uint64_t);
  if (head.settings_bytes > bytes || head.id_bytes > bytes ||
      head.record_bytes > kMostRecordBytes) {
    return false;
  }
  if (head.remembered > bytes / each) return false;
  return head.settings_bytes + head.remembered * each + head.id_bytes == bytes;
}

Status CheckIds(const StoredFilter& filter) {
  uint64_t last = 0;
  for (const uint64_t end : filter.id_ends) {
    if (end < last) return Unsound("the end offsets of its ids are out of order");
    last = end;
  }
  if (last != filter.ids.size()) return Unsound("it has more ids than documents");
  return {};
}

}  // namespace

Status EncodeFilter(const FilterView& filter,
                    const std::function<Status(std::string_view)>& write) {
  const Head head = {filter.settings.size(), filter.asked, filter.id_ends.size(),
                     filter.record_bytes, filter.ids.size()};
  XXH3_state_t sum;
  XXH3_64bits_reset(&sum);
  for (const std::string_view part :
       {kMagic, BytesOf(std::span(&head, 1)), filter.settings, BytesOf(filter.records),
        BytesOf(filter.id_ends), filter.ids}) {
    XXH3_64bits_update(&sum, part.data(), part.size());
    LOOKALIKE_RETURN_IF_ERROR(write(part));
  }
  const uint64_t digest = XXH3_64bits_digest(&sum);
  return write(BytesOf(std::span(&digest, 1)));
}

Result<StoredFilter> DecodeFilter(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return Unsound("it does not begin like a state of version 1");
  const uint64_t least = kMagic.size() + sizeof(Head) + sizeof(uint64_t);
  if (bytes.size() < least) return Unsound("it is too short");
  uint64_t digest = 0;
  std::memcpy(&digest, &bytes[bytes.size() - sizeof(digest)], sizeof(digest));
  bytes.remove_suffix(sizeof(digest));
  if (XXH3_64bits(bytes.data(), bytes.size()) != digest) return Unsound("its checksum is wrong");
  Take(kMagic.size(), &bytes);
  Head head;
  std::memcpy(&head, Take(sizeof(head), &bytes).data(), sizeof(head));
  if (!Fills(head, bytes.size())) return Unsound("its length does not match its header");
  StoredFilter filter;
  filter.settings = Take(head.settings_bytes, &bytes);
  filter.asked = head.asked;
  filter.record_bytes = static_cast<uint32_t>(head.record_bytes);
  const std::string_view records = Take(head.remembered * head.record_bytes, &bytes);
  const auto all = std::as_bytes(std::span(records));
  filter.records.assign(all.begin(), all.end());
  const std::string_view ends = Take(head.remembered * sizeof(uint64_t), &bytes);
  filter.id_ends.resize(head.remembered);
  if (!ends.empty()) std::memcpy(filter.id_ends.data(), ends.data(), ends.size());
  filter.ids = bytes;
  LOOKALIKE_RETURN_IF_ERROR(CheckIds(filter));
  return filter;
}

}  // namespace lookalike
