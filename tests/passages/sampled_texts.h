// Texts of words as the search for passages divides them: samples by hash, and the parts around.
#ifndef LOOKALIKE_TESTS_PASSAGES_SAMPLED_TEXTS_H_
#define LOOKALIKE_TESTS_PASSAGES_SAMPLED_TEXTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "stages/passages/repeats.h"
#include "stages/passages/run_samples.h"
#include "stages/passages/text_parts.h"

namespace lookalike::testing {

/// The samples of some texts that occur more than once, in groups of equal hashes, and the parts of
/// the texts around them. Keeps everything in memory.
struct SampledTexts {
  SampledTexts(const std::vector<std::vector<uint64_t>>& texts, const RunSampling& sampling) {
    RunSampler sampler(sampling);
    std::map<uint64_t, size_t> occurs;
    std::vector<std::vector<RunSample>> samples;
    for (const auto& text : texts) {
      const auto some = sampler.Sample(text);
      samples.emplace_back(some.begin(), some.end());
      for (const RunSample& sample : some) ++occurs[sample.hash];
    }
    PartFinder finder(sampling.window, sampling.length + sampling.window);
    for (DocNumber doc = 0; doc < texts.size(); ++doc) {
      std::vector<uint32_t> words;
      std::vector<RunMember> members;
      for (const RunSample& sample : samples[doc]) {
        if (occurs[sample.hash] < 2) continue;
        words.push_back(sample.word);
        members.push_back({sample.hash, finder.Add(doc, sample.word)});
      }
      FindWindows(sampling, words, members);
      for (const RunMember& member : members) groups[member.group].push_back(member);
    }
    hashes_.resize(finder.size());
    parts = std::make_unique<TextParts>(finder.Take(), hashes_);
    for (DocNumber doc = 0; doc < texts.size(); ++doc) parts->Fill(doc, texts[doc]);
  }

  std::map<uint64_t, std::vector<RunMember>> groups;
  std::unique_ptr<TextParts> parts;

 private:
  std::vector<uint64_t> hashes_;
};

}  // namespace lookalike::testing

#endif  // LOOKALIKE_TESTS_PASSAGES_SAMPLED_TEXTS_H_
