// All similar pairs of a collection, found by an exact join that shares nothing with the search of
// the command: no sketch, no band, no code. Only the definition of a shingle is shared
// (docs/format/fingerprint-v1.md).
//
// Documents with resemblance t or more have so much in common that they share one of the rarest |A|
// - ceil(t |A|) + 1 features of each (prefix filter: Chaudhuri, Ganti, Kaushik, ICDE 2006; Bayardo,
// Ma, Srikant, WWW 2007). For every pair that does, the common features are counted exactly.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

struct Collection {
  std::vector<std::string> ids;
  std::vector<std::vector<uint64_t>> sets;  ///< Sorted.
};

struct AlikePair {
  uint32_t a, b;  ///< a < b.
  double resemblance;
};

Result<Collection> ReadCollection(const std::string& path) {
  const std::vector<std::string> arguments = {path};
  LOOKALIKE_ASSIGN_OR_RETURN(const FoundInputs found, DiscoverInputs(arguments, {}));
  const InputList& inputs = found.files;
  LOOKALIKE_ASSIGN_OR_RETURN(
      const std::unique_ptr<InputReader> reader,
      OpenInput(inputs[0], 0, FieldPaths{}, ReadLimits{}, ReadColumns::kFields));
  Collection collection;
  FeatureExtractor extractor{FeatureSpec{}};
  DocumentBatch batch;
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool more, reader->Next(&batch));
    if (!more) return collection;
    for (const Document& document : batch.documents) {
      std::vector<uint64_t> set;
      MakeFeatureSet(extractor.Features(document.text), &set);
      set.shrink_to_fit();
      collection.sets.push_back(std::move(set));
      collection.ids.emplace_back(document.id);
    }
  }
}

/// Returns the number of documents of each feature that is in more than one.
std::unordered_map<uint64_t, uint32_t> SharedFeatures(const Collection& collection) {
  std::vector<uint64_t> all;
  for (const auto& set : collection.sets) all.insert(all.end(), set.begin(), set.end());
  std::sort(all.begin(), all.end());
  std::unordered_map<uint64_t, uint32_t> shared;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end] == all[begin]) ++end;
    if (end - begin > 1) shared[all[begin]] = static_cast<uint32_t>(end - begin);
  }
  return shared;
}

double Resemblance(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  size_t common = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint64_t x = a[i], y = b[j];
    common += x == y;
    i += x <= y;
    j += y <= x;
  }
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

class Join {
 public:
  Join(const Collection& collection, double least)
      : collection_(collection),
        least_(least),
        shared_(SharedFeatures(collection)),
        met_(collection.sets.size(), UINT32_MAX) {}

  std::vector<AlikePair> Run() {
    std::vector<uint32_t> by_size(collection_.sets.size());
    for (uint32_t i = 0; i < by_size.size(); ++i) by_size[i] = i;
    std::stable_sort(by_size.begin(), by_size.end(), [&](uint32_t a, uint32_t b) {
      return collection_.sets[a].size() < collection_.sets[b].size();
    });
    for (const uint32_t document : by_size) Add(document);
    std::sort(found_.begin(), found_.end(), [](const AlikePair& x, const AlikePair& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    return std::move(found_);
  }

 private:
  /// Returns the rarest features of a set, so many that a pair cannot miss them all; without those
  /// that no other document has.
  std::vector<uint64_t> Prefix(const std::vector<uint64_t>& set) const {
    std::vector<std::pair<uint32_t, uint64_t>> ranked;
    ranked.reserve(set.size());
    for (const uint64_t feature : set) {
      const auto found = shared_.find(feature);
      ranked.emplace_back(found == shared_.end() ? 1 : found->second, feature);
    }
    std::sort(ranked.begin(), ranked.end());
    const auto needed = std::ceil(least_ * static_cast<double>(set.size()) - 1e-9);
    ranked.resize(set.size() - static_cast<size_t>(needed) + 1);
    std::vector<uint64_t> prefix;
    for (const auto& [documents, feature] : ranked) {
      if (documents > 1) prefix.push_back(feature);
    }
    return prefix;
  }

  /// Compares a document with all smaller ones that it could be similar to, and indexes it.
  void Add(uint32_t document) {
    const auto& set = collection_.sets[document];
    if (set.empty()) return;
    const double least_size = least_ * static_cast<double>(set.size()) - 1e-9;
    for (const uint64_t feature : Prefix(set)) {
      std::vector<uint32_t>& holders = index_[feature];
      for (const uint32_t other : holders) {
        if (met_[other] == document) continue;
        met_[other] = document;
        const auto& smaller = collection_.sets[other];
        if (static_cast<double>(smaller.size()) < least_size) continue;
        const double resemblance = Resemblance(set, smaller);
        if (resemblance < least_) continue;
        found_.push_back({std::min(document, other), std::max(document, other), resemblance});
      }
      holders.push_back(document);
    }
  }

  const Collection& collection_;
  const double least_;
  const std::unordered_map<uint64_t, uint32_t> shared_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> index_;  // prefix feature -> documents
  std::vector<uint32_t> met_;  // by document: the last one it was compared with
  std::vector<AlikePair> found_;
};

/// Writes "id id resemblance" lines, and all ids in input order to `path`.docs.
Status Write(const Collection& collection, const std::vector<AlikePair>& pairs,
             const std::string& path) {
  const auto close = [](FILE* file) { std::fclose(file); };
  const std::unique_ptr<FILE, decltype(close)> file(std::fopen(path.c_str(), "w"), close);
  const std::string docs_path = path + ".docs";
  const std::unique_ptr<FILE, decltype(close)> docs(std::fopen(docs_path.c_str(), "w"), close);
  if (file == nullptr || docs == nullptr) {
    return DiskError("cannot write; give a path in an existing folder", path);
  }
  for (const AlikePair& pair : pairs) {
    std::fprintf(file.get(), "%s\t%s\t%.6f\n", collection.ids[pair.a].c_str(),
                 collection.ids[pair.b].c_str(), pair.resemblance);
  }
  for (size_t i = 0; i < collection.ids.size(); ++i) {
    std::fprintf(docs.get(), "%s\t%zu\n", collection.ids[i].c_str(), collection.sets[i].size());
  }
  if (std::fflush(file.get()) != 0 || std::fflush(docs.get()) != 0) {
    return DiskError("cannot write; is the disk full?", path);
  }
  return {};
}

Status Run(const std::string& source, const std::string& target, double least) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Collection collection, ReadCollection(source));
  return Write(collection, Join(collection, least).Run(), target);
}

}  // namespace
}  // namespace lookalike

int main(int argc, char** argv) {
  const double least = argc == 4 ? std::atof(argv[3]) : 0.5;
  if (argc < 3 || argc > 4 || !(least > 0 && least <= 1)) {
    std::fputs(
        "usage: bench_truth IN OUT.tsv [LEAST]: all pairs of resemblance LEAST (.5) or more\n",
        stderr);
    return 2;
  }
  const lookalike::Status status = lookalike::Run(argv[1], argv[2], least);
  if (!status) std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
  return status ? 0 : 2;
}
