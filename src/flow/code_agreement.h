// How often the one-byte codes of two sketches agree.
#ifndef LOOKALIKE_FLOW_CODE_AGREEMENT_H_
#define LOOKALIKE_FLOW_CODE_AGREEMENT_H_

namespace lookalike {

/// The probability that a code agrees at a resemblance: its coordinates do, or the codes by chance
/// (b-bit minwise hashing, Li and Koenig 2010, b = 8).
inline double CodeAgreement(double resemblance) { return resemblance + (1 - resemblance) / 256; }

}  // namespace lookalike

#endif  // LOOKALIKE_FLOW_CODE_AGREEMENT_H_
