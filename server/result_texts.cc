#include "result_texts.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "agreement.h"
#include "lookalike/reader.h"
#include "lookalike/result_lists.h"

namespace lookalike::server {
namespace {

/// Returns an Error for people. It says --agree of a field, which the reader knows by another name.
std::string WhyNot(Error error) {
  constexpr std::string_view kName = "$<same>";
  if (const size_t at = error.what.find(kName); at != error.what.npos) {
    error.what.replace(at, kName.size(), "--agree");
  }
  return error.ToString();
}

}  // namespace

ResultTexts::ResultTexts(ResultInputs inputs, uint64_t stored, CheckInputs check, Store store)
    : inputs_(std::move(inputs)), check_(std::move(check)), store_(std::move(store)) {
  if (stored == inputs_.documents) {
    read_ = stored;
    state_ = State::kReady;
    return;
  }
  thread_ = std::thread([this] { Read(); });
}

ResultTexts::~ResultTexts() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

ResultTexts::Progress ResultTexts::progress() const {
  const std::lock_guard lock(mutex_);
  return {state_, read_, inputs_.documents, why_};
}

void ResultTexts::Read() {
  Status done = ReadCollection(inputs_.inputs, "");
  if (done && !inputs_.options.against.empty()) {
    done = ReadCollection(Inputs(inputs_.options.against), "against:");
  }
  if (done && read_ != inputs_.documents) {
    done =
        InputError(fmt::format("the inputs have {} documents, and the result was made from {}; "
                               "pass all inputs, and the --memory of that run",
                               read_.load(), inputs_.documents));
  }
  const std::lock_guard lock(mutex_);
  state_ = done ? State::kReady : State::kFailed;
  if (!done) why_ = WhyNot(done.error());
}

Status ResultTexts::ReadCollection(const Inputs& inputs, std::string_view prefix) {
  Observer observer;
  observer.cancelled = [this] { return stopping_.load(); };
  Options options = inputs_.options;
  options.against.clear();
  // The reader gives the values of fields that guards compare; those of the run are of no use here.
  options.differ.clear();
  options.not_same.clear();
  options.same = inputs_.agree;
  options.measure = "resemblance";  // guards go with nothing else
  LOOKALIKE_RETURN_IF_ERROR(check_(inputs, options));
  LOOKALIKE_ASSIGN_OR_RETURN(auto reader, DocumentReader::Open(inputs, options, observer));
  DocumentColumns columns;
  std::vector<std::string> places, metadata;
  std::vector<IndexDocument> documents;
  for (bool more = true; more && !stopping_;) {
    LOOKALIKE_ASSIGN_OR_RETURN(more, reader.Next(&columns));
    if (!more) break;
    places.clear();
    metadata.clear();
    documents.clear();
    for (size_t i = 0; i < columns.rows.size(); ++i) {
      places.push_back(std::string(prefix) + columns.PlaceOf(i));
    }
    metadata.reserve(columns.rows.size());  // documents look into it
    for (size_t i = 0; i < columns.rows.size(); ++i) {
      // A path this long is no id; nobody can ask for the document.
      if (places[i].size() > kLongestIndexId) continue;
      // Its own id, by which people know it, comes back as its metadata.
      std::string_view id = columns.Id(i);
      if (id == columns.PlaceOf(i) || !WhyRefused("-", id).empty()) id = {};
      if (inputs_.agree.empty()) {
        metadata.emplace_back(id);
      } else {
        metadata.push_back(MetadataWithFields(id, inputs_.agree, columns.GuardValues(i)));
      }
      documents.push_back({places[i], columns.Text(i), metadata.back()});
    }
    LOOKALIKE_RETURN_IF_ERROR(store_(documents));
    read_ += places.size();
  }
  return stopping_ ? Status(Cancelled()) : Status();
}

}  // namespace lookalike::server
