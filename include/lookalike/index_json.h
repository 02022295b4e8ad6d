// JSON of what an index answers. The command and the server give the same objects.
#ifndef LOOKALIKE_INDEX_JSON_H_
#define LOOKALIKE_INDEX_JSON_H_

#include <optional>
#include <string>
#include <string_view>

#include "lookalike/index.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// True if metadata is an object or an array of JSON, up to 64 levels deep and with up to 1,000
/// members in an object, which the functions below write as it is. They write other metadata as a
/// string.
bool IsJsonMetadata(std::string_view metadata);

/// Returns {"matches": [{"id", "resemblance", "exact", ...}], "truncated", "candidates"}.
/// `contains`: containment was asked for, so that both directions are there. `id`: the first
/// member, if given.
std::string AnswerJson(const IndexAnswer& answer, bool contains,
                       std::optional<std::string_view> id = {});

/// Returns {"outcome": "added"}, with "like" for a document that was left out as similar.
std::string OutcomeJson(const AddAnswer& answer, bool contains);

/// Returns {"id", "features", "metadata", "text"}; the last two only if the document has them.
std::string DocumentJson(const IndexedDocument& document);

/// Returns {"cluster", "members"}.
std::string ClusterJson(const IndexCluster& cluster);

/// Returns {"documents", "bytes", "keep", "keys", "threshold"}, and "recall" if there is an audit.
std::string StatsJson(const IndexStats& stats, const std::optional<IndexAudit>& audit = {});

/// Returns the measures and passages of two texts.
std::string ComparisonJson(const Comparison& comparison);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_JSON_H_
