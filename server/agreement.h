// Fields in which the documents of a cluster should agree: labels, prices, dates.
#ifndef LOOKALIKE_SERVER_AGREEMENT_H_
#define LOOKALIKE_SERVER_AGREEMENT_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/reader.h"
#include "schema.h"

namespace lookalike::server {

/// Returns the metadata of a document of a result: {"id", "fields": {name: value or null}}; an
/// empty id is left out. Values that would make it longer than an index takes are cut.
std::string MetadataWithFields(std::string_view id, std::span<const std::string> names,
                               std::span<const FieldText> values);

/// Counts the values of fields over documents.
class FieldCounts {
 public:
  explicit FieldCounts(std::span<const std::string> names) : names_(names), counts_(names.size()) {}

  /// Takes the metadata of the next document. Other metadata count as missing values.
  void Add(std::string_view metadata);

  /// Returns the fields that have several values, each {"field", "different", "values"}: how many,
  /// and the commonest with their numbers of documents. The value of a document without the field
  /// is null.
  [[nodiscard]] Json Differing(size_t most_values) const;

 private:
  std::span<const std::string> names_;
  std::vector<std::map<FieldText, uint64_t>> counts_;  // by field
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_AGREEMENT_H_
