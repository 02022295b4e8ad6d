// Every instruction set of this machine against the definition.
#include "kernels/leads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "isa/forced_isa.h"
#include "kernels/splitmix.h"

namespace lookalike {
namespace {

struct Tables {
  explicit Tables(uint32_t lead_bits, size_t coordinates, std::mt19937_64* random)
      : rows((coordinates + kLeadGroup - 1) / kLeadGroup * kLeadRows), words(coordinates) {
    for (uint64_t& word : words) word = (*random)();
    for (size_t i = 0; i < rows.size() * kLeadGroup; ++i) {
      uint8_t& lead = rows[i / kLeadGroup].leads[i % kLeadGroup];
      lead = static_cast<uint8_t>((*random)() >> (64 - lead_bits));
      if (i % kLeadGroup >= coordinates) lead = i / kLeadGroup < 16 ? kNoLead : 0;
    }
  }

  [[nodiscard]] uint32_t LeadOf(uint64_t feature, size_t b) const {
    uint32_t lead = 0;
    for (size_t half = 0; half < 16; ++half) {
      const size_t row = 16 * half + (feature >> (4 * half) & 15);
      lead ^= rows[b / kLeadGroup * kLeadRows + row].leads[b % kLeadGroup];
    }
    return lead;
  }

  std::vector<LeadRow> rows;
  std::vector<uint64_t> words;
};

struct Sketched {
  std::vector<uint32_t> values;
  uint64_t tails = 0;
  bool operator==(const Sketched&) const = default;
};

Sketched Defined(const std::vector<uint64_t>& features, uint32_t lead_bits, const Tables& tables) {
  Sketched sketched{std::vector<uint32_t>(tables.words.size() + 1, UINT32_MAX)};
  for (size_t b = 0; b < tables.words.size(); ++b) {
    uint32_t least_lead = (1U << lead_bits) - 1;
    for (const uint64_t feature : features) {
      const uint32_t lead = tables.LeadOf(feature, b);
      if (lead > least_lead) continue;
      least_lead = lead;
      const uint64_t tail = Mix64(feature ^ tables.words[b]) >> (32 + lead_bits);
      const auto value = static_cast<uint32_t>(uint64_t{lead} << (32 - lead_bits) | tail);
      sketched.values[b] = std::min(sketched.values[b], value);
      ++sketched.tails;
    }
  }
  return sketched;
}

TEST(LeadsTest, AreTheirDefinitionOnEveryInstructionSet) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(1);
    for (const uint32_t bits : {8U, 4U}) {
      for (size_t k = 16; k <= 1024; k *= 2) {
        const Tables tables(bits, k, &random);
        for (const size_t count : {1, 2, 3, 20, 300}) {
          std::vector<uint64_t> features(count);
          for (uint64_t& feature : features) feature = random();
          Sketched made{std::vector<uint32_t>(k + 1, UINT32_MAX)};
          made.tails =
              SketchLeads(features.data(), count,
                          {bits, k, tables.rows.data(), tables.words.data()}, made.values.data());
          ASSERT_TRUE(made == Defined(features, bits, tables))
              << bits << " bits, " << k << " coordinates, " << count << " features";
        }
      }
    }
  }
}

}  // namespace
}  // namespace lookalike
