// Unchecked bytes as a few texts: their passages, and what is cut of them.
#include <algorithm>
#include <string>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "io/utf8.h"
#include "laws.h"
#include "passages/sampled_texts.h"
#include "results/unit_text.h"
#include "stages/passages/cut_plan.h"
#include "stages/passages/text_borders.h"
#include "uses/passages/byte_places.h"

namespace lookalike::fuzz {
namespace {

constexpr CutUnit kUnits[] = {CutUnit::kSentence, CutUnit::kLine, CutUnit::kParagraph,
                              CutUnit::kWords};

struct FuzzedText {
  std::string text;
  std::vector<uint64_t> words;
  CuttableText cuttable;
  std::vector<EarlierRun> redundant;
};

FeatureSpec Words() {
  FeatureSpec spec;
  spec.shingle = {ShingleSpec::Kind::kWord, 1};
  return spec;
}

FuzzedText ReadText(std::string_view bytes, CutUnit unit) {
  FuzzedText read;
  read.text = RepairUtf8(bytes);
  const auto units = ReadUnits(read.text, Words(), TextKind::kPlain);
  read.words = units->features;
  read.cuttable.words = BytesOfWords(read.text, *units);
  if (unit != CutUnit::kWords) FindBorders(read.text, unit, &read.cuttable.borders);
  return read;
}

std::vector<FuzzedText> SplitTexts(std::string_view bytes, CutUnit unit) {
  std::vector<FuzzedText> texts;
  for (size_t begin = 0; begin <= bytes.size() && texts.size() < 8;) {
    const size_t end = std::min(bytes.find('\0', begin), bytes.size());
    texts.push_back(ReadText(bytes.substr(begin, end - begin), unit));
    begin = end + 1;
  }
  return texts;
}

void CheckBorders(const FuzzedText& text) {
  const auto& borders = text.cuttable.borders;
  if (borders.empty()) return;
  Require(borders.front() == 0 && borders.back() == text.text.size(), "borders are the whole text");
  for (size_t i = 1; i < borders.size(); ++i) {
    Require(borders[i - 1] < borders[i], "borders ascend");
    Require(IsUtf8(text.text.substr(borders[i - 1], borders[i] - borders[i - 1])),
            "borders are between code points");
  }
}

/// True if two runs have the same words.
bool AreEqual(const FuzzedText& a, uint64_t a_word, const FuzzedText& b, uint64_t b_word,
              uint64_t words) {
  if (a_word + words > a.words.size() || b_word + words > b.words.size()) return false;
  const auto at = [](const FuzzedText& text, uint64_t word) {
    return text.words.begin() + static_cast<ptrdiff_t>(word);
  };
  return std::equal(at(a, a_word), at(a, a_word + words), at(b, b_word));
}

/// Finds the passages, and what can go of each text.
void FindPassagesOf(std::vector<FuzzedText>* texts, uint32_t least) {
  std::vector<std::vector<uint64_t>> words;
  for (const FuzzedText& text : *texts) words.push_back(text.words);
  const RunSampling sampling = RunSampling::ForRunsOf(least);
  const testing::SampledTexts sampled(words, sampling);
  RepeatFinder finder(*sampled.parts, {.sampling = sampling, .finds_redundant = true});
  const auto place = [&](uint64_t position) {
    const TextPart& part = sampled.parts->At(position);
    return std::pair(part.doc, static_cast<uint32_t>(part.word + (position - part.first)));
  };
  FoundRepeats found;
  for (const auto& [group, members] : sampled.groups) {
    finder.Find(members, &found);
    for (const FoundPassage& passage : found.passages) {
      Require(passage.words >= least && passage.places > 1, "passages are long and repeated");
      const auto [doc, word] = place(passage.listed.front());
      for (const uint64_t position : passage.listed) {
        const auto [other, other_word] = place(position);
        Require(AreEqual((*texts)[doc], word, (*texts)[other], other_word, passage.words),
                "places of a passage have its words");
      }
    }
    for (const RedundantRun& run : found.redundant) {
      const auto [doc, word] = place(run.position);
      const auto [earlier, earlier_word] = place(run.earlier);
      Require(std::pair(earlier, earlier_word) < std::pair(doc, word), "the earlier is earlier");
      Require(AreEqual((*texts)[doc], word, (*texts)[earlier], earlier_word, run.words),
              "the earlier place has the same words");
      (*texts)[doc].redundant.push_back(
          {word, static_cast<uint32_t>(run.words), earlier, earlier_word});
    }
  }
}

/// Requires that each cut has the words of a place that no cut takes.
void CheckSources(const CutPlan& plan, const std::vector<FuzzedText>& texts) {
  for (const TextCut& cut : plan.cuts()) {
    Require(AreEqual(texts[cut.doc], cut.word, texts[cut.same_doc], cut.same_word, cut.words),
            "what is cut stands where the cut says");
    for (const TextCut& other : plan.CutsOf(cut.same_doc)) {
      const bool apart =
          cut.same_word + cut.words <= other.word || other.word + other.words <= cut.same_word;
      Require(apart, "what a cut names stays");
    }
  }
}

void CheckCuts(const CutPlan& plan, DocNumber doc, const FuzzedText& text,
               FeatureExtractor* extractor) {
  uint64_t end = 0, words = text.words.size();
  std::string kept;
  for (const TextCut& cut : plan.CutsOf(doc)) {
    Require(cut.bytes.begin >= end && cut.bytes.begin < cut.bytes.end, "cuts ascend");
    kept += text.text.substr(end, cut.bytes.begin - end);
    end = cut.bytes.end;
    Require(end <= text.text.size(), "cuts are within the text");
    words -= cut.words;
  }
  kept += text.text.substr(end);
  Require(IsUtf8(kept), "what stays is UTF-8");
  Require(extractor->Features(kept, TextKind::kPlain).size() == words, "no two words become one");
}

}  // namespace
}  // namespace lookalike::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lookalike;
  using namespace lookalike::fuzz;
  if (size < 2 || size > 4000) return 0;
  const uint32_t least = 1 + data[0] % 8;
  const CutUnit unit = kUnits[data[1] % std::size(kUnits)];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  std::vector<FuzzedText> texts = SplitTexts(bytes, unit);
  for (const FuzzedText& text : texts) CheckBorders(text);
  FindPassagesOf(&texts, least);
  FeatureExtractor extractor(Words());
  CutPlan plan({});
  for (DocNumber doc = 0; doc < texts.size(); ++doc) {
    FuzzedText& text = texts[doc];
    std::ranges::sort(text.redundant, {}, &EarlierRun::word);
    plan.Decide(doc, text.cuttable, text.redundant, WordsJoin(text.text, &extractor));
    CheckCuts(plan, doc, text, &extractor);
  }
  CheckSources(plan, texts);
  return 0;
}
