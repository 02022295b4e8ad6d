// Texts that look like a crawl with near-duplicates, each a pure function of (seed, number).
#ifndef LOOKALIKE_USES_STUDIES_SYNTHETIC_CORPUS_H_
#define LOOKALIKE_USES_STUDIES_SYNTHETIC_CORPUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// A sequence of documents. Words follow Zipf's law, lengths are log-normal around 150 words, and a
/// share of the documents is made from earlier documents: copied, changed in letter case, edited
/// word by word, cut, moved or wrapped, at resemblances spread over .5 to 1. A source may itself be
/// a copy, so families grow. Uses only integer arithmetic: equal on all machines. Not thread-safe.
class SyntheticCorpus {
 public:
  /// `duplicates` is the share of documents that are made from earlier documents, from 0 to 1.
  SyntheticCorpus(uint64_t seed, double duplicates);

  /// Returns the text of document `number`, counted from 0. Sources are regenerated, never stored.
  std::string Text(uint64_t number) const;

  /// Returns the document that `number` was made from, or `number` itself.
  [[nodiscard]] uint64_t SourceOf(uint64_t number) const;

 private:
  uint64_t seed_;
  uint64_t duplicates_;                 ///< Out of 2^32.
  std::vector<std::string> words_;      ///< Most frequent first.
  std::vector<uint16_t> word_of_draw_;  ///< Zipf's law as a table: a uniform draw -> a word.
};

/// Returns "d000001" for document 0.
std::string SyntheticId(uint64_t number);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_STUDIES_SYNTHETIC_CORPUS_H_
