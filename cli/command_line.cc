#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>

#include "lookalike/configuration.h"
#include "lookalike/option_words.h"
#include "nearest_name.h"
#include "plan_arguments.h"
#include "spread_lists.h"

namespace lookalike::cli {
namespace {

constexpr uint32_t Bit(Command command) { return static_cast<uint32_t>(command); }

template <class Number>
bool ParseNumber(std::string_view text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

bool SetOutput(std::string_view text, Request* request) {
  request->output = text;
  return !text.empty() && text != "-";  // a result appears only once complete: not on a stream
}

bool SetTruth(std::string_view text, Request* request) {
  request->truth = text;
  return !text.empty();
}

bool SetDocuments(std::string_view text, Request* request) {
  return ParseNumber(text, &request->documents);
}

bool SetDuplicates(std::string_view text, Request* request) {
  return ParseNumber(text, &request->duplicates) && request->duplicates >= 0 &&
         request->duplicates <= 1;
}

bool SetBy(std::string_view text, Request* request) {
  request->fields.by = text;
  return !text.empty();
}

bool SetItem(std::string_view text, Request* request) {
  request->fields.item = text;
  return !text.empty();
}

bool SetWeight(std::string_view text, Request* request) {
  request->fields.weight = text;
  return !text.empty();
}

bool SetState(std::string_view text, Request* request) {
  request->filter.state = text;
  return !text.empty();
}

bool SetCheckpoint(std::string_view text, Request* request) {
  return ParseNumber(text, &request->filter.checkpoint) && request->filter.checkpoint > 0;
}

bool SetAskOnly(std::string_view, Request* request) { return request->filter.ask_only = true; }

bool SetUrlField(std::string_view text, Request* request) {
  request->url_field = text;
  return !text.empty();
}

bool SetJob(std::string_view text, Request* request) {
  request->job = text;
  return !text.empty();
}

bool SetTask(std::string_view text, Request* request) {
  const size_t slash = text.find('/');
  return slash != text.npos && ParseNumber(text.substr(0, slash), &request->task) &&
         ParseNumber(text.substr(slash + 1), &request->tasks) && request->task < request->tasks;
}

bool SetKeep(std::string_view text, Request* request) {
  for (const Kept kept : {Kept::kNone, Kept::kFeatures, Kept::kText}) {
    if (text == NameOf(kept)) request->index.keep = kept;
  }
  return request->index.keep.has_value();
}

bool SetUnlessSimilar(std::string_view text, Request* request) {
  double threshold = 0;
  if (!ParseNumber(text, &threshold) || threshold <= 0 || threshold > 1) return false;
  request->index.unless_similar = threshold;
  return true;
}

bool SetText(std::string_view text, Request* request) {
  request->index.text = text;
  return true;
}

bool SetId(std::string_view text, Request* request) {
  request->index.id = text;
  return !text.empty();
}

bool SetFile(std::string_view text, Request* request) {
  request->index.file = text;
  return !text.empty();
}

bool SetTop(std::string_view text, Request* request) {
  return ParseNumber(text, &request->index.query.top) && request->index.query.top > 0;
}

bool SetLimit(std::string_view text, Request* request) {
  return ParseNumber(text, &request->index.query.limit) && request->index.query.limit > 0;
}

bool SetExhaustive(std::string_view, Request* request) {
  return request->index.query.exhaustive = true;
}

bool SetClusters(std::string_view text, Request* request) {
  request->index.clusters = text == "on";
  return text == "on" || text == "off";
}

bool SetSince(std::string_view text, Request* request) {
  return ParseNumber(text, &request->index.since);
}

bool SetAudit(std::string_view text, Request* request) {
  return ParseNumber(text, &request->index.audit) && request->index.audit > 0;
}

/// Reads 127.0.0.1:8780, [::1]:8780, or a port alone.
bool SetListen(std::string_view text, Request* request) {
  ServeArguments& serve = request->serve;
  const size_t colon = text.rfind(':');
  std::string_view address = colon == text.npos ? std::string_view() : text.substr(0, colon);
  if (address == "[]") return false;
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  } else if (address.find(':') != address.npos) {
    return false;  // it is not clear where the port begins
  }
  if (!address.empty()) serve.address = address;
  return colon != 0 && ParseNumber(colon == text.npos ? text : text.substr(colon + 1), &serve.port);
}

template <std::optional<uint64_t> PassageRules::*kMember>
bool SetLeast(std::string_view text, Request* request) {
  return ParseNumber(text, &(request->passages.*kMember).emplace());
}

bool SetMinLeft(std::string_view text, Request* request) {
  return ParseNumber(text, &request->passages.min_left);
}

bool SetPassageAction(std::string_view text, Request* request) {
  const auto action = PassageActionOf(text);
  if (action) request->passages.action = *action;
  return action.has_value();
}

bool SetContaminationAction(std::string_view text, Request* request) {
  const auto action = ContaminationActionOf(text);
  if (action) request->contamination.action = *action;
  return action.has_value();
}

/// Reads "8", "gsm8k.jsonl=5", or several of these, separated by commas.
bool SetItemWords(std::string_view text, Request* request) {
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    const size_t equal = one.rfind('=');
    uint64_t* words = &request->contamination.min_words;
    if (equal != one.npos) {
      if (equal == 0) return false;
      words = &request->contamination.min_words_of[std::string(one.substr(0, equal))];
    }
    if (!ParseNumber(equal == one.npos ? one : one.substr(equal + 1), words)) return false;
    if (comma == text.npos) return true;
    text.remove_prefix(comma + 1);
  }
}

template <std::string ContaminationRules::*kMember>
bool SetItemField(std::string_view text, Request* request) {
  request->contamination.*kMember = text;
  return !text.empty();
}

bool SetPassageUnit(std::string_view text, Request* request) {
  const auto unit = PassageUnitOf(text);
  if (unit) request->passages.unit = *unit;
  return unit.has_value();
}

template <std::string AuditedList::*kMember>
bool SetListed(std::string_view text, Request* request) {
  request->list.*kMember = text;
  return !text.empty();
}

bool SetListKind(std::string_view text, Request* request) {
  const std::optional<ListKind> kind = ListKindOf(text);
  if (kind) request->list.kind = *kind;
  return kind.has_value();
}

bool SetByNumber(std::string_view /*text*/, Request* request) {
  return request->list.by_number = true;
}

bool SetWorkers(std::string_view text, Request* request) {
  return ParseNumber(text, &request->list.workers) && request->list.workers > 0;
}

bool SetTargetSize(std::string_view text, Request* request) {
  const Result<TargetSize> size = ParseTargetSize(std::string(text));
  if (size) request->change.at_most = *size;
  return size.has_value();
}

bool SetDecisions(std::string_view text, Request* request) {
  request->change.decisions = text;
  return !text.empty();
}

/// Sets a text of ServeArguments, such as a path.
/// Reads names with commas between them; each counts once.
bool SetAgree(std::string_view text, Request* request) {
  std::vector<std::string>& fields = request->serve.agree;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view field = text.substr(0, comma);
    if (field.empty()) return false;
    if (std::ranges::find(fields, field) == fields.end()) fields.emplace_back(field);
    if (comma == text.npos) return true;
    text.remove_prefix(comma + 1);
  }
}

template <std::string ServeArguments::*kMember>
bool SetForServe(std::string_view text, Request* request) {
  request->serve.*kMember = text;
  return !text.empty();
}

bool SetPreset(std::string_view text, Request* request) {
  request->preset = text;
  return !text.empty();
}

bool SetConfig(std::string_view text, Request* request) {
  request->config = text;
  return !text.empty();
}

constexpr uint32_t kSearches = Bit(Command::kDedup) | Bit(Command::kPairs) |
                               Bit(Command::kNearest) | Bit(Command::kCompare) |
                               Bit(Command::kPlan) | Bit(Command::kSketch) | Bit(Command::kFilter) |
                               Bit(Command::kCrumbs) | Bit(Command::kShard) | Bit(Command::kIndex);
constexpr uint32_t kIndex = Bit(Command::kIndex);
constexpr uint32_t kShard = Bit(Command::kShard);
constexpr uint32_t kServe = Bit(Command::kServe), kAudit = Bit(Command::kAudit);
constexpr uint32_t kPassages = Bit(Command::kPassages);
constexpr uint32_t kDecontaminate = Bit(Command::kDecontaminate);
constexpr uint32_t kRethreshold = Bit(Command::kRethreshold);
constexpr uint32_t kGroup = Bit(Command::kGroup), kPlan = Bit(Command::kPlan);
constexpr uint32_t kFilter = Bit(Command::kFilter), kCrumbs = Bit(Command::kCrumbs);
constexpr uint32_t kTables = Bit(Command::kWeights) | kGroup;
constexpr uint32_t kAll = kSearches | Bit(Command::kSynth) | Bit(Command::kEval) |
                          Bit(Command::kMergeSketches) | kTables | kPassages | kDecontaminate;
constexpr uint32_t kFileWriters = Bit(Command::kPairs) | Bit(Command::kNearest) |
                                  Bit(Command::kSynth) | Bit(Command::kSketch) |
                                  Bit(Command::kMergeSketches) | kTables | kCrumbs;

constexpr std::string_view kResultPath =
    "a path (./- for a file named -); the result appears there when it is complete";
constexpr std::string_view kShares = "numbers from 0 to 1, separated by commas";

constexpr std::array kArguments = {
    ArgumentRow{"-o", "DIR", Bit(Command::kDedup) | kPassages | kDecontaminate,
                Bit(Command::kDedup) | kPassages | kDecontaminate,
                "Folder for the results. It must not exist yet, unless --overwrite is given.",
                SetOutput, kResultPath},
    ArgumentRow{"-o", "DIR", kRethreshold, kRethreshold,
                "Folder for the new result. It must not exist yet, unless --overwrite is given.",
                SetOutput, kResultPath},
    ArgumentRow{"--target-size", "SIZE", kRethreshold, 0,
                "Find the threshold whose result is the largest that is not above a size, instead "
                "of --threshold. Sizes are those of the kept records before compression; a share "
                "is one of all records of the inputs.",
                SetTargetSize, "a size such as 500G, or a share such as 0.6"},
    ArgumentRow{"--decisions", "FILE", kRethreshold, 0,
                "Replay what people decided in the explorer: which documents stay, are split from "
                "their cluster, or are merged with others.",
                SetDecisions, "a path"},
    ArgumentRow{"-o", "DIR", kShard, 0,
                "For plan: folder for the results, which must not exist yet. The last task makes "
                "it.",
                SetOutput, kResultPath},
    ArgumentRow{
        "--job", "JOB", kShard, 0,
        "For plan: folder for the job, which all tasks see, or a prefix in an object store. "
        "It must not exist yet. Pass it to run and status.",
        SetJob, "a path"},
    ArgumentRow{
        "--task", "I/N", kShard, 0,
        "For run: do share I of N of the stage, counted from 0. The stages are fingerprint, "
        "survey, count, join, sets, verify, decide and write. Any N will do, another one for every "
        "stage; a task may be repeated, and two may do the same share at once.",
        SetTask, "a share such as 0/8, counted from 0"},
    ArgumentRow{"-o", "DIR", kIndex, 0, "For merge: folder for the new index.", SetOutput,
                kResultPath},
    ArgumentRow{"--keep", "KEPT", kIndex, 0,
                "For create: what is kept of each document. features gives exact answers; text "
                "gives them too, in a third of the room and with more work for each query; none "
                "gives estimates. [features]",
                SetKeep, "features, text or none"},
    ArgumentRow{"--clusters", "ON", kIndex, 0,
                "For create: keep clusters of similar documents, and a log of their changes. off "
                "makes adding faster. [on]",
                SetClusters, "on or off"},
    ArgumentRow{"--since", "SEQ", kIndex, 0, "For changes: only those after this number. [0]",
                SetSince, "a whole number"},
    ArgumentRow{"--unless-similar", "T", kIndex, 0,
                "For add: leave out documents that have this resemblance or more with one that is "
                "there, or that came earlier.",
                SetUnlessSimilar, "a number above 0, at most 1"},
    ArgumentRow{"--text", "TEXT", kIndex, 0, "For query: find documents like this text.", SetText,
                "a text"},
    ArgumentRow{"--file", "FILE", kIndex, 0,
                "For query: find documents like the whole content of this file.", SetFile,
                "a path"},
    ArgumentRow{"--id", "ID", kIndex, 0, "For query: find documents like the one with this id.",
                SetId, "an id"},
    ArgumentRow{"--top", "K", kIndex, 0, "For query: only the K best matches.", SetTop,
                "a whole number from 1"},
    ArgumentRow{"--limit", "N", kIndex, 0,
                "For query: list N matches at most, and say if there are more. [100]", SetLimit,
                "a whole number from 1"},
    ArgumentRow{"--exhaustive", "", kIndex, 0,
                "For query: look at every document, so that nothing is missed.", SetExhaustive,
                "nothing"},
    ArgumentRow{"--audit", "N", kIndex, 0,
                "For stats: measure the recall of queries for N of the documents.", SetAudit,
                "a whole number from 1"},
    ArgumentRow{"--listen", "ADDRESS:PORT", kServe, 0,
                "Address to answer at. Others than those of this machine alone need "
                "--token-file. [127.0.0.1:8780]",
                SetListen, "an IP address and a port, such as 127.0.0.1:8780 or [::1]:8780"},
    ArgumentRow{"--token-file", "FILE", kServe, 0,
                "File with a token and its scopes on each line: TOKEN read,write,admin. Without "
                "it, the environment variable LOOKALIKE_TOKENS may hold such lines.",
                SetForServe<&ServeArguments::token_file>, "a path"},
    ArgumentRow{"--backups", "DIR", kServe, 0,
                "Folder in which /v1/admin/backup makes copies of the index.",
                SetForServe<&ServeArguments::backups>, "a path"},
    ArgumentRow{"--tls-certificate", "FILE", kServe, 0,
                "Encrypts connections: file in PEM with the certificate of the server, and then "
                "those that lead to a known one.",
                SetForServe<&ServeArguments::certificate>, "a path"},
    ArgumentRow{"--tls-key", "FILE", kServe, 0,
                "File in PEM with the private key of --tls-certificate, without a password.",
                SetForServe<&ServeArguments::key>, "a path"},
    ArgumentRow{"--result", "DIR", kServe, 0,
                "Shows a result of `lookalike dedup` in the place of an index. Its inputs are the "
                "operands; without them, the pages show no texts.",
                SetForServe<&ServeArguments::result>, "a path"},
    ArgumentRow{"--decisions", "FILE", kServe, 0,
                "With --result: the file of what people decided. [DIR.decisions.jsonl]",
                SetForServe<&ServeArguments::decisions>, "a path"},
    ArgumentRow{"--texts", "DIR", kServe, 0,
                "With --result: folder in which the texts stay between runs; they are read again "
                "without it.",
                SetForServe<&ServeArguments::texts>, "a path"},
    ArgumentRow{"--agree", "FIELDS", kServe, 0,
                "With --result: fields in which the documents of a cluster should agree, such as a "
                "label or a price; the pages flag where they do not: label,price.",
                SetAgree, "names of fields, or dotted paths, with commas between them"},
    ArgumentRow{"--audit", "FILE", kServe, 0,
                "With --result: what `lookalike audit` wrote. [DIR.audit.jsonl, if it is there]",
                SetForServe<&ServeArguments::audit>, "a path"},
    ArgumentRow{"--list", "LIST", kAudit, kAudit,
                "What the other program wrote: a table with a row for each document, a text file "
                "(.txt) with an id on each line, or datatrove's folder of *.remove files.",
                SetListed<&AuditedList::path>, "a path"},
    ArgumentRow{"--kind", "KIND", kAudit, 0,
                "What the list has: the documents that were removed or kept, the clusters of "
                "documents, or pairs. The first document of a cluster is the one that stays. "
                "[removed]",
                SetListKind, "removed, kept, clusters or pairs"},
    ArgumentRow{"--list-id", "FIELD", kAudit, 0,
                "Field of the list that names the document. [id, for pairs a]",
                SetListed<&AuditedList::id_field>, "a field's name, or a dotted path"},
    ArgumentRow{"--list-with", "FIELD", kAudit, 0,
                "Field that has the cluster, the other document of a pair, or the document that "
                "one was removed for. [cluster, for pairs b]",
                SetListed<&AuditedList::with_field>, "a field's name, or a dotted path"},
    ArgumentRow{"--by-number", "", kAudit, 0,
                "The list names documents by their numbers over all inputs, from 0, instead of by "
                "their ids.",
                SetByNumber, "nothing"},
    ArgumentRow{"--workers", "N", kAudit, 0,
                "Number of tasks that shared the inputs, for a folder of *.remove files. [one for "
                "each input]",
                SetWorkers, "a whole number from 1"},
    ArgumentRow{"--min-words", "N", kPassages, 0,
                "Length of the shortest passage. Shorter ones are more often chance, or phrases "
                "that many writers use. [50]",
                SetLeast<&PassageRules::min_words>, "a whole number from 1 to 1000000"},
    ArgumentRow{"--min-chars", "N", kPassages, 0,
                "Length of the shortest passage in characters, in place of words; white space "
                "counts as one. Passages may then begin and end within words, and cuts do not.",
                SetLeast<&PassageRules::min_chars>, "a whole number from 1 to 1000000"},
    ArgumentRow{"--action", "ACTION", kPassages, 0,
                "report lists passages; cut also takes all but their first occurrence out of the "
                "texts; drop leaves out documents with another occurrence; annotate keeps all rows "
                "and adds la_passages, the places of their passages. [report]",
                SetPassageAction, "report, cut, drop or annotate"},
    ArgumentRow{"--action", "ACTION", kDecontaminate, 0,
                "report lists what was found; drop leaves out documents with an item; cut takes "
                "out what they share with it. [report]",
                SetContaminationAction, "report, drop or cut"},
    ArgumentRow{"--min-words", "N", kDecontaminate, 0,
                "Items of fewer words are not looked for; other documents have them by chance. A "
                "benchmark can have its own number: 8,gsm8k.jsonl=6. [8]",
                SetItemWords, "a whole number, or NAME=N, or several with commas between them"},
    ArgumentRow{"--item-field", "FIELD", kDecontaminate, 0,
                "Field of the benchmarks that has the text of an item. [as --text-field]",
                SetItemField<&ContaminationRules::item_field>, "a field's name, or a dotted path"},
    ArgumentRow{"--item-id", "FIELD", kDecontaminate, 0,
                "Field of the benchmarks that has the id of an item. [as --id-field]",
                SetItemField<&ContaminationRules::item_id_field>,
                "a field's name, or a dotted path"},
    ArgumentRow{"--unit", "UNIT", kPassages, 0,
                "What is cut as a whole: sentences, lines or paragraphs that are within a passage, "
                "or its words. [sentence]",
                SetPassageUnit, "sentence, line, paragraph or words"},
    ArgumentRow{"--min-left", "N", kPassages, 0,
                "Leave out documents of which fewer words than this would be left (with "
                "--min-chars, characters). With drop, 0 "
                "leaves out all that have a passage of an earlier document. [0]",
                SetMinLeft, "a whole number"},
    ArgumentRow{"-o", "FILE", kAudit, 0, "File for the findings. [RESULT.audit.jsonl]", SetOutput,
                kResultPath},
    ArgumentRow{"-o", "FILE", kFileWriters, kFileWriters, "File for the result.", SetOutput,
                kResultPath},
    ArgumentRow{"-o", "FILE", kFilter, 0,
                "File for the answers. By default they go to standard output as documents "
                "arrive.",
                SetOutput, "a path, or leave it out for standard output"},
    ArgumentRow{"--state", "DIR", kFilter, 0,
                "Folder that remembers documents between runs. It is read at the beginning and "
                "replaced in one step at the end.",
                SetState, "a path"},
    ArgumentRow{"--checkpoint", "N", kFilter, 0,
                "Make the state durable after every N documents. Their answers are written first.",
                SetCheckpoint, "a whole number from 1"},
    ArgumentRow{"--ask-only", "", kFilter, 0,
                "Answer from the state without changing it. Several runs may do so at once.",
                SetAskOnly, "nothing"},
    ArgumentRow{"--url-field", "FIELD", kCrumbs, 0, "Field that holds the URL of a page. [url]",
                SetUrlField, "a field's name, or a dotted path"},
    ArgumentRow{"--by", "FIELD", kGroup, kGroup, "Field to group by, such as customer.", SetBy,
                "a field's name, or a dotted path"},
    ArgumentRow{"--item", "FIELD", kGroup, kGroup,
                "Field that holds the items, such as article. Swap it with --by to group the other "
                "way round.",
                SetItem, "a field's name, or a dotted path"},
    ArgumentRow{"--weight", "FIELD", kGroup, 0,
                "Field with a number for each item, such as a rating.", SetWeight,
                "a field's name, or a dotted path"},
    ArgumentRow{"--documents", "N", Bit(Command::kSynth) | kPlan, Bit(Command::kSynth),
                "Number of documents to write (synth) or to plan for (plan).", SetDocuments,
                "a whole number"},
    ArgumentRow{"--duplicates", "X", Bit(Command::kSynth), 0,
                "Share of documents that are variants of earlier ones. [0.3]", SetDuplicates,
                "a number from 0 to 1"},
    ArgumentRow{"--truth", "FILE", Bit(Command::kSynth) | Bit(Command::kEval), Bit(Command::kEval),
                "File of the true pairs. synth writes every pair of resemblance 0.5 or more.",
                SetTruth, "a path"},
    ArgumentRow{"--at", "J,J,...", kPlan, 0,
                "Resemblances at which to evaluate the design. [0, 0.05, ... 1]", SetAt, kShares},
    ArgumentRow{"--found", "P,P,...", kPlan, 0,
                "Shares of pairs; prints the resemblances at which the design finds them.",
                SetFound, kShares},
    ArgumentRow{"--simulate", "N", kPlan, 0,
                "Draw N pairs at each resemblance and run them through the real sketch and keys.",
                SetSimulate, "a whole number from 1"},
    ArgumentRow{"--features", "N", kPlan, 0,
                "Number of features (shingles) of a document. Pairs of documents of this size are "
                "drawn to show what --sketch finds of them. By default documents are long, which "
                "makes the coordinates independent.",
                SetFeatures, "a whole number from 1"},
    ArgumentRow{"--optimize", "GOAL", kPlan, 0,
                "Search for the sharpest groups within a budget. The goal limits the bytes, keys "
                "and coordinates of a document, and sets the resemblance of the half point.",
                SetOptimize,
                "a goal such as bytes=48,at=0.9,keys=20,coordinates=200,accidental=1e-6"},
    ArgumentRow{"--edits", "", kPlan, 0,
                "Show how much edits lower the resemblance of a text, with --shingle word:N.",
                SetEdits, "nothing"},
    ArgumentRow{"--words", "N", kPlan, 0, "Number of words of the text for --edits. [1000]",
                SetWords, "a whole number from 1"},
    ArgumentRow{"--html", "FILE", kPlan, 0,
                "Write a page with the acceptance curves and the table.", SetHtml, "a path"},
    ArgumentRow{
        "--preset", "NAME", kSearches, 0,
        "Options for one use, such as web, news, corpus or code. All presets: web, news, corpus, "
        "plagiarism, mirrors, code, baskets, urls, crumbs, pixels, questions, records and, from "
        "the literature, altavista97, altavista98, bing, bytes8, bytes8large and mmds20x5 "
        "(lookalike options --presets). Other options override it.",
        SetPreset, "a preset's name"},
    ArgumentRow{
        "--config", "FILE", kAll, 0,
        "TOML file with options. Options on the command line override it (docs/options.md).",
        SetConfig, "a path"},
};

/// The operands that a command takes besides flags.
struct Operands {
  Command command;
  size_t least, most;
  std::string_view what;
};

constexpr Operands kOperands[] = {
    {Command::kDedup, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kShard, 2, SIZE_MAX,
     "plan with inputs, run with a job and a stage, or status with a job"},
    {Command::kIndex, 2, SIZE_MAX,
     "create, add, load, query, remove, get, list, dump, clusters, changes, stats, check, compact, "
     "backup "
     "or merge, and an index"},
    {Command::kServe, 0, SIZE_MAX, "one index, or --result with its inputs"},
    {Command::kMcp, 1, 1, "one index"},
    {Command::kDecontaminate, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kPassages, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kPairs, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kNearest, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kCompare, 2, 2, "two texts: files, or records named FILE#id"},
    {Command::kPlan, 0, SIZE_MAX, "inputs"},
    {Command::kSynth, 0, 0, "flags only"},
    {Command::kEval, 1, 1, "one pairs file"},
    {Command::kAudit, 2, SIZE_MAX, "a result and its inputs (files, folders or patterns)"},
    {Command::kRethreshold, 1, SIZE_MAX,
     "a result, and its inputs if they were moved (files, folders or patterns)"},
    {Command::kWeights, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kGroup, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kFamilies, 0, 0, "flags only"},
    {Command::kSketch, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
    {Command::kMergeSketches, 1, SIZE_MAX,
     "one or more sketch files (files, folders, patterns, or -)"},
    {Command::kFilter, 0, SIZE_MAX, "inputs (files, folders, patterns, or -)"},
    {Command::kCrumbs, 1, SIZE_MAX, "one or more inputs (files, folders, patterns, or -)"},
};

std::string Suggestion(std::string_view given, const std::vector<std::string>& names) {
  const std::string nearest = NearestName(given, names);
  return nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest);
}

const CommandRow* FindCommand(std::string_view name) {
  for (const CommandRow& row : CommandTable()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

Result<Request> UnknownCommand(std::string_view name) {
  std::vector<std::string> names;
  if (name.starts_with('-')) names = {"--help", "--version"};
  for (const CommandRow& row : CommandTable()) names.emplace_back(row.name);
  return UsageError(fmt::format("there is no {} '{}'; {}see lookalike --help",
                                name.starts_with('-') ? "option" : "command", name,
                                Suggestion(name, names)));
}

/// Returns the names of the commands, other than `command`, that have this flag.
std::string OwnersOf(std::string_view flag, Command command) {
  uint32_t owners = 0;
  for (const OptionRow& row : OptionTable()) {
    if (flag == fmt::format("--{}", row.name)) owners |= row.commands;
  }
  for (const ArgumentRow& row : kArguments) {
    if (flag == row.flag) owners |= row.commands;
  }
  owners &= ~Bit(command);
  std::string names;
  for (const CommandRow& row : CommandTable()) {
    if ((owners & Bit(row.command)) == 0) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return names;
}

/// Returns advice about a flag of other tools. It is empty if the flag is unknown, or if the
/// command, which has the flags `names`, has no equivalent.
std::string AdviceFor(std::string_view flag, const std::vector<std::string>& names) {
  const OptionWord* const word = FindOptionWord(flag);
  if (word == nullptr) return "";
  const std::string ours =
      word->option.starts_with('-') ? std::string(word->option) : fmt::format("--{}", word->option);
  const bool known =
      word->option.empty() || std::find(names.begin(), names.end(), ours) != names.end();
  return known ? fmt::format("{}; ", word->advice) : "";
}

tl::unexpected<Error> UnknownFlag(std::string_view word, const CommandRow& command) {
  const std::string_view flag = word.substr(0, word.find('='));
  const std::string owners = OwnersOf(flag, command.command);
  std::vector<std::string> names = {"--help"};
  for (const OptionRow& row : OptionTable()) {
    if (row.BelongsTo(command.command)) names.push_back(fmt::format("--{}", row.name));
  }
  for (const ArgumentRow& row : kArguments) {
    if ((row.commands & Bit(command.command)) != 0) names.emplace_back(row.flag);
  }
  std::string hint = AdviceFor(flag, names);
  if (hint.empty() && !owners.empty()) hint = fmt::format("it belongs to {}; ", owners);
  if (hint.empty()) hint = Suggestion(flag, names);
  return UsageError(fmt::format("{} has no option '{}'; {}see lookalike {} --help", command.name,
                                flag, hint, command.name));
}

/// `COMMAND --help` or `COMMAND --help all`. Other words are ignored: whoever is lost asks for help
/// at the end of a line.
Request HelpOf(const CommandRow& command, std::span<const std::string> words) {
  Request request;
  request.action = Request::Action::kHelp;
  request.command = &command;
  request.full_help = !words.empty() && words.back() == "all";
  return request;
}

/// Returns the command whose table of a configuration file applies.
Command OptionsOf(Command command) {
  return command == Command::kShard ? Command::kDedup : command;
}

/// A parser of the flags of one command, based on CLI11.
class Parser {
 public:
  explicit Parser(const CommandRow& command) : command_(command) {
    app_.set_help_flag();
    app_.allow_extras();
    help_ = app_.add_flag("-h,--help");
    for (const OptionRow& row : OptionTable()) {
      if (!row.BelongsTo(command.command)) continue;
      options_.emplace_back(&row, Add(fmt::format("--{}", row.name), row.IsSwitch()));
      if (!row.IsList()) continue;
      if (row.TakesWords()) lists_.push_back(fmt::format("--{}", row.name));
      options_.back().second->take_all()->allow_extra_args(false);
    }
    for (const ArgumentRow& row : kArguments) {
      if ((row.commands & Bit(command.command)) == 0) continue;
      arguments_.emplace_back(&row, Add(std::string(row.flag), row.value.empty()));
    }
  }

  Result<Request> Parse(std::span<const std::string> words) {
    try {
      const std::vector<std::string> spread = SpreadLists(words, lists_);
      app_.parse(std::vector<std::string>(spread.rbegin(), spread.rend()));
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string_view what = error.what();
      return UsageError(fmt::format("{} takes a value; see lookalike {} --help",
                                    what.substr(0, what.find(':')), command_.name));
    } catch (const CLI::Error& error) {
      return UsageError(fmt::format("{}; see lookalike {} --help", error.what(), command_.name));
    }
    Request request;
    request.command = &command_;
    if (help_->count() > 0) return HelpOf(command_, app_.remaining());
    LOOKALIKE_RETURN_IF_ERROR(TakeOperands(&request));
    LOOKALIKE_RETURN_IF_ERROR(TakeArguments(&request));
    LOOKALIKE_ASSIGN_OR_RETURN(const Options loaded, LoadOptions(OptionsOf(command_.command),
                                                                 request.preset, request.config));
    request.options = loaded;
    LOOKALIKE_RETURN_IF_ERROR(TakeOptions(&request));
    LOOKALIKE_RETURN_IF_ERROR(
        ValidateLoaded(request.options, loaded, request.preset, request.config));
    return request;
  }

 private:
  CLI::Option* Add(const std::string& flag, bool is_switch) {
    CLI::Option* const option =
        is_switch ? app_.add_flag(flag)
                  : app_.add_option(flag, [](const CLI::results_t&) { return true; });
    return option->take_last();
  }

  /// Takes the words that belong to no flag. Inputs are read this way because CLI11 would split
  /// "[ab]".
  Status TakeOperands(Request* request) {
    bool only_operands = false;
    for (const std::string& word : app_.remaining()) {
      if (word == "--" && !only_operands) {
        only_operands = true;
        continue;
      }
      if (!only_operands && word.size() > 1 && word[0] == '-') return UnknownFlag(word, command_);
      request->inputs.push_back(word);
    }
    const Operands& operands =
        *std::find_if(std::begin(kOperands), std::end(kOperands),
                      [&](const Operands& row) { return row.command == command_.command; });
    const size_t given = request->inputs.size();
    if (given >= operands.least && given <= operands.most) return {};
    return UsageError(fmt::format("{} takes {}, {} given; {}see lookalike {} --help", command_.name,
                                  operands.what, given == 0 ? "none" : std::to_string(given),
                                  given < operands.least ? HintOfLists() : "", command_.name));
  }

  /// Returns a hint about which flag may have taken missing operands.
  [[nodiscard]] std::string HintOfLists() const {
    std::string hint;
    for (const auto& [row, option] : options_) {
      if (!row->TakesWords() || option->count() < 2) continue;
      hint += fmt::format("--{} took {} words up to the next flag; put the inputs before it; ",
                          row->name, option->count());
    }
    return hint;
  }

  Status TakeOptions(Request* request) {
    for (const auto& [row, option] : options_) {
      if (option->count() == 0) continue;
      request->given.push_back(fmt::format("--{}", row->name));
      ResetOption(*row, &request->options);
      const std::vector<std::string> texts = option->results();
      for (size_t i = row->IsList() ? 0 : texts.size() - 1; i < texts.size(); ++i) {
        LOOKALIKE_RETURN_IF_ERROR(SetOption(*row, texts[i], &request->options));
      }
      if (row->member == OptionMember(&Options::threshold)) request->threshold_given = true;
    }
    if (command_.command == Command::kRethreshold) {
      // The result knows its text fields; here they are those that the thresholds name.
      for (const FieldThreshold& field : request->options.threshold.fields) {
        request->options.text_field.push_back(field.field);
      }
    }
    return {};
  }

  Status TakeArguments(Request* request) {
    for (const auto& [row, option] : arguments_) {
      if (option->count() == 0) {
        if ((row->required & Bit(command_.command)) == 0) continue;
        return UsageError(fmt::format("{} needs {} {}; see lookalike {} --help", command_.name,
                                      row->flag, row->value, command_.name));
      }
      request->given.emplace_back(row->flag);
      const std::string text = option->results().back();
      if (row->set(text, request)) continue;
      return UsageError(
          fmt::format("{} '{}' is not understood; expected {}", row->flag, text, row->takes));
    }
    return {};
  }

  const CommandRow& command_;
  CLI::App app_;
  CLI::Option* help_;
  std::vector<std::string> lists_;  ///< Flags that take any number of values.
  std::vector<std::pair<const OptionRow*, CLI::Option*>> options_;
  std::vector<std::pair<const ArgumentRow*, CLI::Option*>> arguments_;
};

Result<Request> OfAction(Request::Action action) {
  Request request;
  request.action = action;
  return request;
}

constexpr std::array<std::string_view, 7> kOptionsForms = {
    "--presets", "--markdown", "--commands", "--man", "--bash", "--zsh", "--fish"};

/// Parses `lookalike options FORM`.
Result<Request> ParseOptionsForm(std::span<const std::string> words) {
  Request request;
  request.action = Request::Action::kOptions;
  request.options_form = words.size() == 1 ? words[0] : "";
  const auto* const form =
      std::find(kOptionsForms.begin(), kOptionsForms.end(), request.options_form);
  if (form != kOptionsForms.end()) return request;
  return UsageError(
      fmt::format("the options command takes exactly one of {}", fmt::join(kOptionsForms, ", ")));
}

}  // namespace

std::span<const ArgumentRow> ArgumentTable() { return kArguments; }

std::span<const std::string_view> OptionsForms() { return kOptionsForms; }

Result<Request> ParseCommandLine(std::span<const std::string> words) {
  if (words.empty()) return UsageError("no command given; see lookalike --help");
  const std::string& first = words[0];
  if (first == "--version" || first == "-V") return OfAction(Request::Action::kVersion);
  if (first == "options") return ParseOptionsForm(words.subspan(1));
  const bool help = first == "--help" || first == "-h" || first == "help";
  if (help && words.size() == 1) return OfAction(Request::Action::kHelp);
  const std::string& name = help ? words[1] : first;
  const CommandRow* const command = FindCommand(name);
  if (command == nullptr) return UnknownCommand(name);
  return help ? HelpOf(*command, words.subspan(2)) : Parser(*command).Parse(words.subspan(1));
}

}  // namespace lookalike::cli
