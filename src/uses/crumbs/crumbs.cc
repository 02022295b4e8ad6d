#include "lookalike/crumbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "format/json_text.h"
#include "io/output_stream.h"
#include "io/pending_output.h"
#include "run/attempt.h"
#include "run/file_result.h"
#include "run/input_pass.h"
#include "run/no_exceptions.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/steady_observer.h"
#include "run/store_result.h"
#include "run/write_file.h"
#include "search/decisions.h"
#include "search/search.h"
#include "spill/record_reader.h"
#include "uses/crumbs/crumb_rules.h"

namespace lookalike {
namespace {

/// The arguments of one call of FindCrumbs.
struct CrumbsCall {
  const Inputs& inputs;
  const std::string& url_field;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
};

/// Returns the URL of a document; empty if it has none.
std::string UrlOf(const Document& document, Format format) {
  if (format == Format::kWarc) return std::string(document.id);
  const auto* const url = std::get_if<std::string>(&document.keep_field);
  return url == nullptr ? "" : *url;
}

/// True if a text begins like an HTML page.
bool BeginsAsHtml(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f", kFronts[] = {"<!doctype html", "<html"};
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return std::any_of(std::begin(kFronts), std::end(kFronts), [&](std::string_view front) {
    return text.size() >= front.size() &&
           std::equal(front.begin(), front.end(), text.begin(), [](char want, char c) {
             return want == (c >= 'A' && c <= 'Z' ? c + 32 : c);
           });
  });
}

/// Reads the URL of each document into its page. Returns how many texts are HTML and were compared
/// with their markup.
Result<uint64_t> ReadUrls(const Job& job, const KnownInputs& known, const std::string& field,
                          const Observer& observer, Workspace* workspace,
                          std::vector<CrumbPage>* pages) {
  Job with_url = job;
  with_url.fields.keep = field;
  PassRange range;
  range.ahead = workspace->memory().ahead;
  PassReader reader(with_url, &known, ReadColumns::kFields, "urls", observer, range);
  struct Urls {
    DocNumber first;
    std::vector<std::string> urls;
    uint64_t markup = 0;
  };
  uint64_t markup = 0;
  const bool with_markup =
      job.features.pages == HtmlMode::kAuto || job.features.pages == HtmlMode::kOff;
  LOOKALIKE_RETURN_IF_ERROR(RunPass(
      &reader,
      [&](PassItem item) {
        Urls urls;
        urls.first = item.first_doc;
        const Format format = job.inputs.FormatOf(item.batch.source);
        for (const Document& document : item.batch.documents) {
          urls.urls.push_back(UrlOf(document, format));
          urls.markup +=
              with_markup && document.kind != TextKind::kHtml && BeginsAsHtml(document.text) ? 1
                                                                                             : 0;
        }
        return urls;
      },
      [&](Urls urls) -> Status {
        for (std::string& url : urls.urls) (*pages)[urls.first++].url = std::move(url);
        markup += urls.markup;
        return {};
      },
      workspace->memory().batches));
  return markup;
}

/// Groups pages that are duplicates of the same kept page.
Status GroupPages(const Decisions& decisions, std::vector<CrumbPage>* pages) {
  for (size_t doc = 0; doc < pages->size(); ++doc) (*pages)[doc].group = doc;
  RecordReader<DocRemoval> removals({decisions.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    (*pages)[removal->doc].group = removal->witness;
  }
  return removals.status();
}

void AppendField(std::string_view name, std::string_view value, std::string* line) {
  *line += fmt::format("\"{}\": ", name);
  AppendJsonString(line, value);
  *line += ", ";
}

void AppendPosition(const CrumbPosition& position, std::string* line) {
  constexpr std::string_view kIn[] = {"query", "path parameter", "segment", "host", "alias"};
  constexpr std::string_view kCharacters[] = {"digits", "hex", "alphanumeric", "any"};
  *line += '{';
  AppendField("in", kIn[static_cast<size_t>(position.kind)], line);
  const bool in_segment = position.kind == CrumbPosition::Kind::kSegment;
  if (!in_segment && position.kind != CrumbPosition::Kind::kHostLabel) {
    AppendField("name", position.name, line);
  } else {
    AppendField("prefix", position.prefix, line);
    AppendField("suffix", position.suffix, line);
    AppendField("characters", kCharacters[static_cast<size_t>(position.characters)], line);
    if (in_segment) *line += fmt::format("\"number\": {}, ", position.segment);
    *line +=
        fmt::format("\"shortest\": {}, \"longest\": {}, ", position.shortest, position.longest);
  }
  line->resize(line->size() - 2);
  *line += '}';
}

std::string LineOf(const CrumbRule& rule) {
  std::string line = "{", text, positions;
  for (const CrumbPosition& position : rule.positions) {
    text += (text.empty() ? "" : " ") + position.ToString();
    positions += positions.empty() ? "" : ", ";
    AppendPosition(position, &positions);
  }
  AppendField("host", rule.host, &line);
  AppendField("rule", text, &line);
  line += fmt::format("\"proposed\": {}, \"positions\": [{}], ", rule.objection.empty(), positions);
  line += fmt::format(
      "\"support\": {}, \"contents\": {}, \"values\": {}, \"counter_examples\": {}, "
      "\"fetches_saved\": {}, ",
      rule.support, rule.contents, rule.values, rule.counter_examples, rule.fetches_saved);
  line += "\"example\": [";
  AppendJsonString(&line, rule.example_a);
  line += ", ";
  AppendJsonString(&line, rule.example_b);
  line += "], \"objection\": ";
  if (rule.objection.empty()) {
    line += "null";
  } else {
    AppendJsonString(&line, rule.objection);
  }
  return line + "}\n";
}

Status WriteRules(const std::vector<CrumbRule>& rules, const std::string& path, Codec codec,
                  CrumbsSummary* summary) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, OutputStream::Create(path, codec));
  for (const CrumbRule& rule : rules) {
    LOOKALIKE_RETURN_IF_ERROR(file->Write(LineOf(rule)));
    ++(rule.objection.empty() ? summary->rules : summary->left_out);
    if (rule.objection.empty()) summary->fetches_saved += rule.fetches_saved;
  }
  return file->Close();
}

/// Warns about HTML that was compared including its markup: pages of one site share most of their
/// markup, or have a session id in every link.
void SayMarkup(uint64_t pages, const Observer& observer) {
  if (pages == 0 || !observer.message) return;
  observer.message(fmt::format(
      "lookalike: {} {} HTML and {} compared with {} markup; pass $<pages=visible> to compare what "
      "a reader sees",
      pages, pages == 1 ? "text is" : "texts are", pages == 1 ? "was" : "were",
      pages == 1 ? "its" : "their"));
}

Result<CrumbsSummary> RunIn(const PendingOutput& pending, Codec codec, const CrumbsCall& call,
                            const Attempt& attempt) {
  const Stopwatch time;
  const Job& job = attempt.job;
  Workspace* const workspace = attempt.workspace.get();
  LOOKALIKE_ASSIGN_OR_RETURN(SearchResult search, Search(job, call.observer, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(const Decisions decisions, Decide(job, search, workspace));
  search.DropFindings();
  std::vector<CrumbPage> pages(search.units.documents);
  LOOKALIKE_RETURN_IF_ERROR(GroupPages(decisions, &pages));
  CrumbsSummary summary;
  LOOKALIKE_ASSIGN_OR_RETURN(summary.markup, ReadUrls(job, search.units.inputs, call.url_field,
                                                      call.observer, workspace, &pages));
  SayMarkup(summary.markup, call.observer);
  for (const CrumbPage& page : pages) summary.without_url += page.url.empty();
  LOOKALIKE_RETURN_IF_ERROR(WriteRules(FindCrumbRules(pages), pending.result(), codec, &summary));
  summary.records = search.units.records;
  summary.fields = job.FieldsRead();
  summary.records.removed_exact = decisions.removed_exact;
  summary.records.removed_near = decisions.removed_near;
  summary.design = job.DesignName();
  summary.seconds = time.Seconds();
  summary.peak_memory_bytes = PeakMemoryBytes();
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  return summary;
}

Status CheckUrlField(const Job& job, const std::string& field) {
  for (const InputFile& file : job.inputs) {
    if (file.format == Format::kSketches)
      return InputError("is a sketch file; pass pages", file.place());
  }
  for (const InputFile& file : job.inputs) {
    if (file.format == Format::kWarc) return {};
  }
  const NamedField named[] = {{field, "url-field"}};
  return CheckFields(job.inputs, named, job.limits);
}

Result<CrumbsSummary> RunAttempt(PendingOutput* pending, Codec codec, const CrumbsCall& call) {
  const auto run = [&](const Attempt* attempt) -> Result<CrumbsSummary> {
    LOOKALIKE_RETURN_IF_ERROR(CheckUrlField(attempt->job, call.url_field));
    return RunIn(*pending, codec, call, *attempt);
  };
  return RunInOneGo(call.inputs, call.options, false, pending, call.objects, run);
}

}  // namespace

Result<CrumbsSummary> FindCrumbs(const Inputs& inputs, const std::string& output,
                                 const std::string& url_field, const Options& options,
                                 const Observer& observer) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  const Observer steady = MakeSteady(observer);
  const ObjectReading objects = ReadingOf(options, steady, place);
  Options quick = options;
  quick.audit_documents = 0;  // recall is not reported
  const CrumbsCall call{inputs, url_field, quick, objects, steady};
  LOOKALIKE_ASSIGN_OR_RETURN(const Codec codec, CodecOfLines(objects.NamedOutput(place), "rules"));
  return MakeFile(place, {FilesRead(inputs.names, options), quick, objects, steady},
                  [&](PendingOutput* pending) { return RunAttempt(pending, codec, call); });
}

}  // namespace lookalike
