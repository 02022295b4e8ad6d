// Reads the stored documents of an index.
#ifndef LOOKALIKE_INDEX_DOCUMENTS_H_
#define LOOKALIKE_INDEX_DOCUMENTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/encoding.h"
#include "index/store.h"
#include "lookalike/status.h"

namespace lookalike {

/// A stored document.
struct Stored {
  DocumentNumber number = 0;
  DocumentRecord record;
};

/// Returns what is stored of documents, in their order. Returns an Error if one is missing.
Result<std::vector<Stored>> ReadRecords(const StoreView& view,
                                        std::span<const DocumentNumber> numbers);
Result<DocumentRecord> ReadRecord(const StoreView& view, DocumentNumber number);

/// Returns the document at a place among kDocuments.
Result<Stored> StoredAt(const StoreCursor& cursor);

/// Returns the number of the document with this id, or nothing.
Result<std::optional<DocumentNumber>> FindNumber(const StoreView& view, std::string_view id);

/// Returns the first document of a class: the one that has its keys and its features.
Result<std::optional<DocumentNumber>> FirstOfClass(const StoreView& view, const ClassHash& hash);

/// Returns the stored features of a document that is the first of its class.
Result<std::vector<uint64_t>> ReadSet(const StoreView& view, DocumentNumber first,
                                      const DocumentRecord& record);

/// Returns the guard words of a record, if it has any, as ProbesOf takes them.
inline std::span<const GuardWords> WordsOfRecord(const DocumentRecord& record) {
  return record.guards ? std::span(&*record.guards, 1) : std::span<const GuardWords>();
}

/// Returns an Error that says what is wrong with a stored document.
Failure DamagedError(DocumentNumber number, std::string_view what);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_DOCUMENTS_H_
