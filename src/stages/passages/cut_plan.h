// Decides which parts of documents go because the same words stay elsewhere.
#ifndef LOOKALIKE_STAGES_PASSAGES_CUT_PLAN_H_
#define LOOKALIKE_STAGES_PASSAGES_CUT_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "records/records.h"

namespace lookalike {

/// A range of bytes of a text.
struct TextSpan {
  uint64_t begin = 0, end = 0;
  bool operator==(const TextSpan&) const = default;
};

/// A text as its words, and the bytes at which it may be cut (FindBorders).
struct CuttableText {
  /// An empty one is white space that counts like a word. It goes with what is before it, whether a
  /// run has it or not; `borders` must not be empty then, unless documents only go as a whole.
  std::vector<TextSpan> words;
  std::vector<uint64_t> borders;  ///< Empty: before and after each word.
};

/// A run of words that stands earlier too.
struct EarlierRun {
  uint32_t word = 0;  ///< Its first word.
  uint32_t words = 0;
  DocNumber earlier_doc = 0;  ///< The document that has the same words, perhaps this one,
  uint32_t earlier_word = 0;  ///< from this word on, and before `word`; they may overlap the run.
};

/// A part of a document that goes.
struct TextCut {
  DocNumber doc = 0;
  uint32_t word = 0;  ///< Its first word.
  uint32_t words = 0;
  TextSpan bytes;
  DocNumber same_doc = 0;  ///< The same words stay in this document,
  uint32_t same_word = 0;  ///< from this word on.
};

/// Which documents go as a whole, besides parts of documents.
struct CutRules {
  /// With parts that would go, a document goes if fewer words than this would be left.
  uint64_t min_left = 0;
  /// Documents stay as they are, or go for what other documents have.
  bool whole_only = false;
};

/// Keeps the cuts of documents that were decided, for a plan of more than memory holds.
class CutStore {
 public:
  virtual ~CutStore() = default;

  /// Takes the cuts of the next document, by place.
  virtual void Add(DocNumber doc, std::span<const TextCut> cuts, bool is_dropped) = 0;

  /// Returns the cuts of a document, by place. Valid until the next call.
  virtual std::span<const TextCut> CutsOf(DocNumber doc) = 0;

  /// True if the document goes as a whole.
  [[nodiscard]] virtual bool IsDropped(DocNumber doc) const = 0;
};

/// Plans the cuts of documents one after the other. Every cut has the words of a place that stays:
/// whole documents before it in order, and the part before it of its own, have been decided. Not
/// thread-safe.
class CutPlan {
 public:
  /// True if fewer words are read when two parts of a text, which have some, follow each other.
  using JoinsWords = std::function<bool(TextSpan left, TextSpan right)>;

  /// `store` takes the cuts of each document once it is decided, and must outlive this; null: the
  /// plan keeps them.
  explicit CutPlan(const CutRules& rules, CutStore* store = nullptr)
      : rules_(rules), store_(store) {}

  /// Plans the cuts of the next document: all units whose words are within a run, if the words
  /// there, or those that they were cut for, stay. White space at the end of a unit may be within
  /// the run or not. Units that have no words go with those around them. No cut makes two words
  /// one. `runs`: by word.
  void Decide(DocNumber doc, const CuttableText& text, std::span<const EarlierRun> runs,
              const JoinsWords& joins);

  /// Returns the cuts of a document, by place. Those of a document that goes as a whole say what it
  /// went for.
  [[nodiscard]] std::span<const TextCut> CutsOf(DocNumber doc) const;

  /// True if the document goes as a whole.
  [[nodiscard]] bool IsDropped(DocNumber doc) const;

  /// Return all cuts, and all documents that go. REQUIRES: the plan keeps them.
  [[nodiscard]] const std::vector<TextCut>& cuts() const { return cuts_; }
  [[nodiscard]] const std::vector<DocNumber>& dropped() const { return dropped_; }

 private:
  /// Words that stay or go together.
  struct Unit {
    uint32_t begin = 0, end = 0;  ///< Words.
    uint32_t shortest_end = 0;    ///< Behind the last word that is not white space.
    TextSpan bytes;
  };
  /// Where the words of a run stay.
  struct Source {
    bool stays = false;
    DocNumber doc = 0;
    uint32_t word = 0;
    uint32_t words = 0;
  };

  void FindUnits(const CuttableText& text);
  Source FindSource(DocNumber doc, uint32_t word, uint32_t words) const;
  Source SourceIn(const EarlierRun& run, uint32_t begin, uint32_t end) const;
  Source SourceOf(const Unit& unit, std::span<const EarlierRun> runs);
  void Cut(DocNumber doc, const Unit& unit, const Source& source);
  void KeepWordsApart(const CuttableText& text, size_t first_cut, const JoinsWords& joins);
  void Apply(DocNumber doc, const CuttableText& text, size_t first_cut);

  [[nodiscard]] bool IsStored(DocNumber doc) const { return store_ != nullptr && doc != open_doc_; }
  void HandOver(DocNumber doc);

  CutRules rules_;
  CutStore* store_;
  DocNumber open_doc_ = UINT64_MAX;  ///< The document that is decided.
  std::vector<TextCut> cuts_;        ///< By document and place; with a store, those of open_doc_.
  std::vector<DocNumber> dropped_;   ///< Ascending.
  std::vector<Unit> units_;
  std::vector<EarlierRun> near_;  ///< Runs that have begun; those that ended go now and then.
  size_t next_run_ = 0;
  uint32_t last_cut_end_ = 0;  ///< Where the last unit that goes ends.
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_PASSAGES_CUT_PLAN_H_
