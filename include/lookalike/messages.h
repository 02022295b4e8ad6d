// Messages name options without saying how a front end writes them.
//
// A message of the library may hold marks: $<method> is an option, $<method=exact> an option with
// its value (in quotes where a user gave it), and $(pairs measure=containment) a call of a command
// with options. A front end puts them in its own words: `--method exact` or `method='exact'`.
// Text that is not a complete mark stays as it is.
#ifndef LOOKALIKE_MESSAGES_H_
#define LOOKALIKE_MESSAGES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// An option as a message names it.
struct MarkedOption {
  std::string_view name;                  ///< As in the options table: "text-field".
  std::optional<std::string_view> value;  ///< As the message writes it: "exact", or "'exact'".
};

/// The way in which a front end writes options and calls.
class MessageWords {
 public:
  MessageWords() = default;
  MessageWords(const MessageWords&) = delete;
  MessageWords& operator=(const MessageWords&) = delete;
  virtual ~MessageWords() = default;

  [[nodiscard]] virtual std::string Option(const MarkedOption& option) const = 0;
  [[nodiscard]] virtual std::string Call(std::string_view command,
                                         const std::vector<MarkedOption>& options) const = 0;
};

/// Returns the message with its marks replaced by `words`.
std::string InWords(std::string_view message, const MessageWords& words);

/// Returns the message in words that suit every front end, as result files need it: `method=exact`
/// for an option, `lookalike pairs` with measure=containment for a call.
std::string InPlainWords(std::string_view message);

/// Returns the names of the options that the message marks, in order, each once.
std::vector<std::string> MarkedOptions(std::string_view message);

}  // namespace lookalike

#endif  // LOOKALIKE_MESSAGES_H_
