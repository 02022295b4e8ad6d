#include "index/documents.h"

#include <string>
#include <utility>

namespace lookalike {

Result<std::vector<uint64_t>> ReadSet(const StoreView& view, DocumentNumber first,
                                      const DocumentRecord& record) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, view.Get(Family::kSets, EncodeNumber(first)));
  auto set = bytes ? DecodeSet(*bytes) : std::nullopt;
  if (!set || set->size() != record.features)
    return DamagedError(first, "its features are missing");
  return *std::move(set);
}

Result<std::vector<Stored>> ReadRecords(const StoreView& view,
                                        std::span<const DocumentNumber> numbers) {
  std::vector<std::string> keys;
  for (const DocumentNumber number : numbers) keys.push_back(EncodeNumber(number));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto found, view.GetMany(Family::kDocuments, keys));
  std::vector<Stored> documents;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) return DamagedError(numbers[i], "its record is missing");
    auto record = DecodeRecord(*found[i]);
    if (!record) return DamagedError(numbers[i], "its record cannot be read");
    documents.push_back({numbers[i], *std::move(record)});
  }
  return documents;
}

Result<DocumentRecord> ReadRecord(const StoreView& view, DocumentNumber number) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto found, ReadRecords(view, {&number, 1}));
  return std::move(found[0].record);
}

Result<Stored> StoredAt(const StoreCursor& cursor) {
  const DocumentNumber number = NumberAtEnd(cursor.Key());
  auto record = DecodeRecord(cursor.Value());
  if (!record) return DamagedError(number, "its record cannot be read");
  return Stored{number, *std::move(record)};
}

Result<std::optional<DocumentNumber>> FindNumber(const StoreView& view, std::string_view id) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto bytes, view.Get(Family::kIds, id));
  if (!bytes) return std::nullopt;
  return NumberAtEnd(*bytes);
}

Result<std::optional<DocumentNumber>> FirstOfClass(const StoreView& view, const ClassHash& hash) {
  const auto cursor = view.Scan(Family::kClasses, false);
  cursor->Seek(ClassPrefix(hash));
  if (cursor->Valid()) return NumberAtEnd(cursor->Key());
  LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  return std::nullopt;
}

Failure DamagedError(DocumentNumber number, std::string_view what) {
  return CorruptError("document number " + std::to_string(number) + ": " + std::string(what) +
                      "; run the command index check");
}

}  // namespace lookalike
