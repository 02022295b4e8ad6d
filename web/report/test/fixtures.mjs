// Data of runs that never were: a plain one, a hostile one, an empty one, an exact one, and one
// that containment decided.

/** @typedef {import("../src/data").ReportData} ReportData */
/** @typedef {import("../src/data").Cluster} Cluster */
/** @typedef {import("../src/data").Member} Member */
/** @typedef {import("../src/data").Segment} Segment */

/** Mulberry32: the same numbers in every run. @param {number} seed @returns {() => number} */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const kWords = (
  "the harbour office said on monday that ferries to the northern islands will run again after " +
  "a week of storms passengers who had waited in the old customs house were given soup and maps " +
  "engineers found no damage to the pier but asked captains to keep their speed below nine knots " +
  "until divers have looked at every pile the council expects repairs to cost less than it feared"
).split(" ");

/** @param {() => number} random @param {number} n */
function words(random, n) {
  const offset = Math.floor(random() * kWords.length);
  return Array.from({ length: n }, (_, i) => {
    const jump = random() < 0.25 ? Math.floor(random() * kWords.length) : i;
    const word = kWords[(offset + jump) % kWords.length] ?? "the";
    return i % 17 === 16 ? `${word}.` : word;
  });
}

/**
 * Two texts that share all but a few runs of words.
 * @param {() => number} random
 * @param {number} length
 * @returns {{kept: Segment[], member: Segment[]}}
 */
function alike(random, length) {
  /** @type {Segment[]} */
  const kept = [];
  /** @type {Segment[]} */
  const member = [];
  for (let done = 0; done < length; ) {
    const shared = 30 + Math.floor(random() * 160);
    const passage = `${words(random, shared).join(" ")} `;
    kept.push([passage, 1]);
    member.push([passage, 1]);
    if (random() < 0.8) kept.push([`${words(random, 2 + Math.floor(random() * 6)).join(" ")} `, 0]);
    member.push([`${words(random, 1 + Math.floor(random() * 9)).join(" ")} `, 0]);
    done += shared;
  }
  return { kept, member };
}

/** @param {() => number} random @param {number} rank @param {number} size @returns {Cluster} */
function cluster(random, rank, size) {
  const shown = Math.min(size - 1, 20);
  const members = Array.from({ length: shown }, (_, i) => {
    const kind = random() < 0.8 ? "near" : random() < 0.5 ? "exact" : "identical";
    /** @type {Member} */
    const member = {
      id: `urn:news:2026-${String(rank).padStart(4, "0")}-${i + 1}`,
      source: `news-${String(1 + (i % 4)).padStart(2, "0")}.jsonl`,
      row: 17 + rank * 131 + i * 7,
      kind: /** @type {Member["kind"]} */ (kind),
      resemblance: kind === "near" ? 0.8 + random() * 0.2 : 1,
    };
    if (kind !== "near") return member;
    const text = alike(random, 120 + Math.floor(random() * 300));
    return { ...member, truncated: i % 5 === 4, kept_segments: text.kept, segments: text.member };
  });
  return {
    cluster: rank,
    size,
    kept: { id: `urn:news:2026-${String(rank).padStart(4, "0")}`, source: "news-01.jsonl", row: 17 + rank * 131 },
    left_out: size - 1 - shown,
    members,
  };
}

/** P of at least one of 80 bands of 8 rows agreeing. @param {number} j */
const chance = (j) => 1 - (1 - j ** 8) ** 80;

/** @returns {ReportData} */
export function realistic() {
  const random = randomNumbers(7);
  const sizes = [214, 96, 61, 40, 33, 27, 22, 19, 17, 15, 14, 12, 11];
  const clusters = Array.from({ length: 100 }, (_, i) =>
    cluster(random, i + 1, sizes[i] ?? Math.max(2, Math.round(12 - i / 10))));
  const narrowest = clusters.flatMap(({ kept, members }) =>
    members.filter(({ kind }) => kind === "near").map((member) => ({ kept, member })));
  narrowest.sort((x, y) => x.member.resemblance - y.member.resemblance);
  return {
    version: "0.1.0",
    fingerprint: "v1",
    records: {
      in: 12345, kept: 9988, removed_exact: 345, removed_near: 2000, rejected: 12,
      null_text: 3, repaired_text: 21,
    },
    bytes: { in: 61234567, kept: 49812345 },
    inputs: [1, 2, 3, 4].map((i) => ({
      name: `news-0${i}.jsonl`, records: i === 1 ? 3345 : 3000, kept: 2497, removed: i === 1 ? 845 : 500,
      rejected: i === 1 ? 3 : 3,
    })),
    threshold: 0.8,
    design: "overlapping:128:8:32",
    method: "lsh",
    options: [
      ["--threshold", "0.8"], ["--recall", "0.99"], ["--shingle", "word:5"], ["--text-field", "text"],
      ["--id-field", "id"], ["--method", "auto"], ["--design", "overlapping:128:8:32"],
      ["--sketch", "fss:128"], ["--seed", "0"], ["--verify", "exact"], ["--keep", "first"],
      ["--cluster", "leader"], ["--min-features", "1"], ["--max-record", "256M"],
    ],
    recall: {
      asked: 0.99, estimate: 0.998, low: 0.994, high: 1, sampled_documents: 1000, sampled_pairs: 1412,
      left_over: 2, met: true,
    },
    statistics: {
      clusters: 1187, clusters_of_two: 820, mean_size: 2.98, largest: 214, unique: 8801, in_clusters: 3532,
    },
    cluster_sizes: [
      [2, 820], [3, 190], [4, 71], [5, 38], [6, 21], [7, 13], [8, 9], [9, 6], [10, 4], [11, 3], [12, 2],
      [14, 1], [15, 1], [17, 1], [19, 1], [22, 1], [27, 1], [33, 1], [40, 1], [61, 1], [96, 1], [214, 1],
    ],
    resemblance_histogram: {
      from: 0.8, width: 0.01,
      counts: Array.from({ length: 20 }, (_, i) => 60 + Math.floor(random() * 30) + (i > 15 ? (i - 15) * 45 : 0)),
    },
    acceptance: Array.from({ length: 101 }, (_, i) => [i / 100, chance(i / 100)]),
    audit_points: Array.from({ length: 10 }, (_, i) => {
      const from = 0.8 + i * 0.02;
      const pairs = 20 + Math.floor(random() * 240);
      return { from, to: from + 0.02, pairs, found: Math.min(pairs, Math.round(pairs * chance(from + 0.01) + 0.2)) };
    }),
    clusters,
    narrowest: narrowest.slice(0, 20),
    fields: { text: "text", id: "id" },
    command: "lookalike dedup INPUTS -o OUTPUT --keep longest",
  };
}

/**
 * Two long texts: the removed one has a preface, the kept one a passage in the middle, and in one
 * place some words differ.
 * @returns {ReportData}
 */
export function longTexts() {
  const data = realistic();
  const random = randomNumbers(9);
  const [first, second, third] = [words(random, 150), words(random, 160), words(random, 140)].map(
    (list) => `${list.join(" ")} `);
  const [preface, inserted] = [words(random, 120), words(random, 90)].map((l) => `${l.join(" ")} `);
  /** @type {Member} */
  const member = {
    id: "with a preface", source: "news-02.jsonl", row: 5, kind: "near", resemblance: 0.8001,
    truncated: true, kept_truncated: false, before: 120, kept_before: 0,
    kept_segments: [
      [first ?? "", 1], ["few words ", 0], [second ?? "", 1], [inserted ?? "", 0], [third ?? "", 1]],
    segments: [
      [preface ?? "", 0], [first ?? "", 1], ["some others ", 0], [second ?? "", 1], [third ?? "", 1]],
    anchors: [[0, 1], [2, 3], [4, 4]],
  };
  const kept = { id: "without", source: "news-01.jsonl", row: 4 };
  data.clusters = [{ cluster: 1, size: 2, left_out: 0, kept, members: [member] }];
  data.narrowest = [{ kept, member }];
  return data;
}

/** An item inside of a page, and a chapter inside of a book. @returns {ReportData} */
export function contained() {
  const { resemblance_histogram: histogram, acceptance, narrowest, ...data } = realistic();
  const filler = words(randomNumbers(3), 400).join(" ");
  const item = words(randomNumbers(4), 40).join(" ");
  /** @type {Member} */
  const page = {
    id: "page-812", source: "train.jsonl", row: 812, kind: "near", resemblance: 0.0404,
    containment_ab: 0.0416, containment_ba: 0.9697, truncated: true, kept_truncated: false,
    before: 18402, kept_before: 0,
    segments: [[`${filler} `, 0], [item, 1], [` ${filler}`, 0]],
    kept_segments: [["Question 3. ", 0], [item, 1]],
  };
  /** @type {Member} */
  const copy = {
    id: "copy", source: "train.jsonl", row: 9, kind: "identical", resemblance: 1,
    containment_ab: 1, containment_ba: 1, truncated: false,
  };
  /** @type {Member} */
  const chapter = {
    ...page, id: "chapter", containment_ab: 0.8714, containment_ba: 0.0545, before: 0, truncated: false,
    kept_before: 77492, kept_truncated: true, segments: [[item, 1]],
    kept_segments: [[`${filler} `, 0], [item, 1], [` ${filler}`, 0]],
  };
  return {
    ...data,
    measure: "containment",
    design: "fracminhash:1",
    options: [["--measure", "containment"], ["--against", "test.jsonl"]],
    containment_histogram: histogram ?? { from: 0, width: 1, counts: [] },
    inputs: [
      { name: "test.jsonl", records: 169, kept: 169, removed: 0, rejected: 0, reference: true },
      { name: "train.jsonl", records: 12345, kept: 9988, removed: 2345, rejected: 12 },
    ],
    clusters: [
      { cluster: 1, size: 3, left_out: 0, kept: { id: "item-3", source: "test.jsonl", row: 3 },
        members: [page, copy] },
      { cluster: 2, size: 2, left_out: 0, kept: { id: "book", source: "test.jsonl", row: 4 },
        members: [chapter] },
    ],
  };
}

/** Text that tries to leave its place, to run, and to turn the page around. */
export const kHostile = [
  "<script>window.hacked = 1</script>",
  "</script><script>window.hacked = 2</script>",
  "--><img src=x onerror=\"window.hacked = 3\"><!--",
  "\"'`><svg onload='window.hacked = 4'>&amp;&lt;",
  "javascript:window.hacked=5",
  "\u202eright-to-left override\u2066 never closed",
  "\u2028line\u2029separators\u0000nul\ufffd\ud83d\ude00",
  "__proto__ constructor {{7*7}} ${7*7} %s $& $1 $`",
];

/** @returns {ReportData} */
export function hostile() {
  const data = realistic();
  const bad = (/** @type {number} */ i) => kHostile[i % kHostile.length] ?? "";
  const huge = "x".repeat(5000);
  const arabic = "هذه وثيقة قصيرة عن السفن والميناء والعاصفة التي مرت في الأسبوع الماضي. ";
  const chinese = "港務局週一表示，往北方島嶼的渡輪在暴風雨一週後將恢復通航。";
  /** @type {[string, Segment[], Segment[]][]} */
  const texts = [
    ...kHostile.map((text) => /** @type {[string, Segment[], Segment[]]} */ ([
      text, [[text, 1], [` kept ${text}`, 0]], [[text, 1], [` removed ${text}`, 0]],
    ])),
    ["وثيقة-١", [[arabic, 1], ["كلمات مختلفة", 0]], [[arabic, 1], ["شيء آخر", 0]]],
    ["文件一", [[chinese.repeat(60), 1], ["不同的段落", 0]], [[chinese.repeat(60), 1], ["另一段", 0]]],
    [huge, [[huge, 1], ["y".repeat(3000), 0]], [[huge, 1]]],
    ["\ud83d\ude00".repeat(900), [["\ud83d\ude00".repeat(900), 1]], [["\ud83d\ude00".repeat(900), 1]]],
  ];
  data.version = bad(0);
  data.fingerprint = bad(1);
  data.design = bad(2) + "d".repeat(400);
  data.records.in = 9007199254740991;
  data.records.kept = 9007199254738654;
  data.recall = { ...data.recall, met: false, estimate: 0.9, low: 0.85, high: 0.93 };
  data.inputs = Array.from({ length: 1000 }, (_, i) => ({
    name: `${bad(i)}/${i === 3 ? huge : i}`, records: 10 ** 15, kept: 10 ** 15 - 1, removed: 1, rejected: 0,
  }));
  data.inputs_left_out = 234;
  data.inputs_skipped = [{ name: bad(3), reason: bad(2) }];
  data.options = kHostile.map((text, i) => [text, i === 0 ? huge : text]);
  data.fields = { text: bad(0), id: null };
  data.command = `lookalike dedup ${bad(1)} ${huge}`;
  data.clusters = texts.map(([id, kept, removed], i) => ({
    cluster: i + 1,
    size: 3,
    kept: { id, source: bad(i), row: Number.MAX_SAFE_INTEGER },
    left_out: 1,
    members: [
      { id, source: bad(i), row: 2, kind: "near", resemblance: 0.99999, kept_segments: kept, segments: removed },
      { id: bad(i + 1), source: bad(i), row: 3, kind: "near", resemblance: 0.8 },
      { id, source: bad(i), row: 4, kind: "identical", resemblance: 1 },
    ],
  }));
  data.narrowest = data.clusters.flatMap(({ kept, members: [member] }) =>
    member === undefined ? [] : [{ kept, member }]);
  return data;
}

/** A run without an audit, whose source has no rows of a fixed order. @returns {ReportData} */
export function ofDataFrame() {
  const data = realistic();
  data.recall = { asked: 0.99, estimate: null, sampled_documents: 0, sampled_pairs: 0,
    left_over: 0, met: true };
  for (const cluster of data.clusters) {
    for (const shown of [cluster.kept, ...cluster.members]) delete shown.row;
  }
  return data;
}

/** Three documents, none like another, and no pair for the audit. @returns {ReportData} */
export function nothingFound() {
  return {
    version: "0.1.0",
    fingerprint: "v1",
    records: { in: 3, kept: 3, removed_exact: 0, removed_near: 0, rejected: 0, null_text: 0, repaired_text: 0 },
    bytes: { in: 900, kept: 900 },
    inputs: [{ name: "three.jsonl", records: 3, kept: 3, removed: 0, rejected: 0 }],
    threshold: 0.8,
    method: "exact",
    options: [],
    recall: {
      asked: 0.99, estimate: null, low: null, high: null, sampled_documents: 3, sampled_pairs: 0,
      left_over: 0, met: true,
    },
    statistics: { clusters: 0, clusters_of_two: 0, mean_size: 0, largest: 0, unique: 3, in_clusters: 0 },
    cluster_sizes: [],
    resemblance_histogram: { from: 0.8, width: 0.01, counts: Array.from({ length: 20 }, () => 0) },
    clusters: [],
  };
}

/** No record at all. @returns {ReportData} */
export function empty() {
  const data = nothingFound();
  data.records = { ...data.records, in: 0, kept: 0 };
  data.bytes = { in: 0, kept: 0 };
  data.inputs = [];
  data.statistics.unique = 0;
  data.recall.sampled_documents = 0;
  return data;
}

/** One pair of copies, compared exactly. @returns {ReportData} */
export function onePair() {
  const data = nothingFound();
  data.records = { ...data.records, kept: 2, removed_exact: 1 };
  data.bytes.kept = 600;
  data.recall = { ...data.recall, estimate: 1, low: 1, high: 1, sampled_pairs: 1 };
  data.statistics = { clusters: 1, clusters_of_two: 1, mean_size: 2, largest: 2, unique: 1, in_clusters: 2 };
  data.cluster_sizes = [[2, 1]];
  data.clusters = [{
    cluster: 1, size: 2, left_out: 0,
    kept: { id: "a", source: "three.jsonl", row: 1 },
    members: [{ id: "b", source: "three.jsonl", row: 2, kind: "identical", resemblance: 1 }],
  }];
  return data;
}
