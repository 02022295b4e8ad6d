// The probability that the one-byte codes of two sketches agree.
#ifndef LOOKALIKE_MEASURES_CODE_AGREEMENT_H_
#define LOOKALIKE_MEASURES_CODE_AGREEMENT_H_

namespace lookalike {

/// Returns the probability that a code agrees at a resemblance: its coordinates agree, or the codes
/// do by chance (b-bit minwise hashing, Li and Koenig 2010, b = 8).
inline double CodeAgreement(double resemblance) { return resemblance + (1 - resemblance) / 256; }

}  // namespace lookalike

#endif  // LOOKALIKE_MEASURES_CODE_AGREEMENT_H_
