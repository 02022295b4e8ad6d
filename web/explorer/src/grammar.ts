// What the search box offers and explains. The server checks a search; this module only completes.

export interface Completion {
  /** What replaces the word at the caret. */
  insert: string;
  explains: string;
}

export interface Completions {
  /** The word at the caret, as positions in the text. */
  from: number;
  to: number;
  options: Completion[];
}

interface Field {
  name: string;
  explains: string;
  values: Completion[];
}

const values = (...list: [string, string][]): Completion[] =>
  list.map(([insert, explains]) => ({ insert, explains }));

export const kFields: Field[] = [
  { name: "id", explains: "the id of a document has this text", values: [] },
  { name: "source", explains: "the name of an input has this text", values: [] },
  {
    name: "sim",
    explains: "a member has such a score",
    values: values(
      [">", "higher than, as in sim:>.9"],
      [">=", "at least, as in sim:>=.9"],
      ["<", "lower than, as in sim:<.85"],
      ["<=", "at most, as in sim:<=.85"],
    ),
  },
  {
    name: "size",
    explains: "the cluster has so many documents",
    values: values(
      [">", "more than, as in size:>10"],
      [">=", "at least, as in size:>=10"],
      ["<", "fewer than, as in size:<5"],
      ["<=", "at most, as in size:<=5"],
      ["2", "pairs"],
    ),
  },
  {
    name: "kind",
    explains: "a member is of this kind",
    values: values(
      ["near", "alike, but not the same"],
      ["exact", "the same words in the same order"],
      ["identical", "the same bytes"],
    ),
  },
  {
    name: "decided",
    explains: "somebody decided about the cluster",
    values: values(["yes", "has a decision"], ["no", "has none"]),
  },
];

/** The explanation of the search, as example and meaning. */
export const kExamples: [example: string, meaning: string][] = [
  ["harbour", "a word of the id, the input's name or the text of the kept document"],
  ['"last winter"', "words that follow each other"],
  ["id:news-12", "an id that has this text"],
  ["source:en.jsonl", "an input whose name has this text"],
  ["sim:<.85", "a member with a score below 0.85; also >, >= and <="],
  ["size:>10", "more than 10 documents; size:2 finds pairs"],
  ["kind:exact", "a member of this kind: near, exact or identical"],
  ["decided:no", "clusters without a decision"],
  ["-source:wiki", "a minus in front turns a term around"],
];

/** Offers what can stand for the word that ends at the caret. */
export function complete(text: string, caret: number): Completions {
  const word = wordAt(text, caret);
  const typed = text.slice(word.from, caret);
  const minus = typed.startsWith("-") ? "-" : "";
  const bare = typed.slice(minus.length);
  const colon = bare.indexOf(":");
  if (bare === "" || bare.startsWith('"')) return { ...word, options: [] };
  const options =
    colon < 0 ? fieldsFor(bare) : valuesFor(bare.slice(0, colon), bare.slice(colon + 1));
  return {
    ...word,
    options: options.map(({ insert, explains }) => ({ insert: minus + insert, explains })),
  };
}

function fieldsFor(start: string): Completion[] {
  return kFields
    .filter(({ name }) => name.startsWith(start.toLowerCase()))
    .map(({ name, explains }) => ({ insert: `${name}:`, explains }));
}

function valuesFor(name: string, start: string): Completion[] {
  const field = kFields.find((f) => f.name === name.toLowerCase());
  const typed = start.toLowerCase();
  return (field?.values ?? [])
    .filter(({ insert }) => insert.startsWith(typed) && insert !== typed)
    .map(({ insert, explains }) => ({ insert: `${name}:${insert}`, explains }));
}

/** Puts a completion in its place. A term that is complete is followed by a blank. */
export function accept(
  text: string,
  { from, to }: Completions,
  { insert }: Completion,
): { text: string; caret: number } {
  const open = /[:<>=]$/.test(insert);
  const behind = text.slice(to);
  const blank = open || behind.startsWith(" ") ? "" : " ";
  const start = text.slice(0, from) + insert + blank;
  return { text: start + behind, caret: start.length };
}

// Words are parted by blanks outside of quotes.
function wordAt(text: string, caret: number): { from: number; to: number } {
  let from = 0;
  let quoted = false;
  for (let i = 0; i < caret; i += 1) {
    const c = text.charAt(i);
    if (c === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(c)) from = i + 1;
  }
  let to = caret;
  while (to < text.length && !/\s/.test(text.charAt(to))) to += 1;
  return { from, to };
}
