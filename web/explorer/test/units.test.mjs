import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createServer } from "vite";

/** @typedef {import("../src/types").Passage} Passage */

// Node reads no TypeScript; Vite does, and the build needs it anyway.
/** @type {(a: string, b: string, passages: Passage[]) => import("../src/segments").Segments} */
let segmentsOf;
/** @type {typeof import("../src/grammar")} */
let grammar;
/** @type {typeof import("../src/export")} */
let files;
/** @type {typeof import("../src/route")} */
let routes;
/** @type {typeof import("../src/cluster_source")} */
let sources;
/** @type {typeof import("../src/ticks")} */
let ticks;
before(async () => {
  const vite = await createServer({ server: { middlewareMode: true }, appType: "custom", logLevel: "error" });
  segmentsOf = (await vite.ssrLoadModule("/src/segments.ts"))["segmentsOf"];
  grammar = /** @type {any} */ (await vite.ssrLoadModule("/src/grammar.ts"));
  files = /** @type {any} */ (await vite.ssrLoadModule("/src/export.ts"));
  routes = /** @type {any} */ (await vite.ssrLoadModule("/src/route.ts"));
  sources = /** @type {any} */ (await vite.ssrLoadModule("/src/cluster_source.ts"));
  ticks = /** @type {any} */ (await vite.ssrLoadModule("/src/ticks.ts"));
  await vite.close();
});

/** @param {number} a @param {number} b @param {number} length @returns {Passage} */
const passage = (a, b, length) => ({ a_begin: a, a_end: a + length, b_begin: b, b_end: b + length });

/** @param {string} a @param {string} b @param {Passage[]} passages */
function cut(a, b, passages) {
  const found = segmentsOf(a, b, passages);
  assert.equal(found.kept_segments.map(([text]) => text).join(""), a, "the segments are the text");
  assert.equal(found.segments.map(([text]) => text).join(""), b, "the segments are the text");
  let last = [-1, -1];
  for (const anchor of found.anchors) {
    assert.ok(anchor[0] > (last[0] ?? 0) && anchor[1] > (last[1] ?? 0), "anchors ascend");
    assert.deepEqual([found.kept_segments[anchor[0]]?.[1], found.segments[anchor[1]]?.[1]], [1, 1]);
    last = anchor;
  }
  return found;
}

test("a passage is shared, and what is around it differs", () => {
  const { kept_segments, segments, anchors } = cut("one two three", "zero two", [passage(4, 5, 3)]);
  assert.deepEqual(kept_segments, [["one ", 0], ["two", 1], [" three", 0]]);
  assert.deepEqual(segments, [["zero ", 0], ["two", 1]]);
  assert.deepEqual(anchors, [[1, 1]]);
});

test("empty texts and no passages", () => {
  assert.deepEqual(cut("", "", []), { kept_segments: [], segments: [], anchors: [] });
  assert.deepEqual(cut("a", "b", []), { kept_segments: [["a", 0]], segments: [["b", 0]], anchors: [] });
  assert.deepEqual(cut("ab", "ab", [passage(0, 0, 2)]).anchors, [[0, 0]]);
});

test("offsets count code points, in front of astral characters and behind them", () => {
  const { kept_segments, segments } = cut("😀😀ab", "x😀ab\ud800c", [passage(1, 1, 3)]);
  assert.deepEqual(kept_segments, [["😀", 0], ["😀ab", 1]]);
  assert.deepEqual(segments, [["x", 0], ["😀ab", 1], ["\ud800c", 0]]);
});

test("overlapping passages are one shared segment", () => {
  const { kept_segments, anchors } = cut("abcdefgh", "abcdefgh", [passage(0, 0, 5), passage(3, 3, 5)]);
  assert.deepEqual(kept_segments, [["abcdefgh", 1]]);
  assert.deepEqual(anchors, [[0, 0]]);
});

test("overlapping in one text only", () => {
  const { kept_segments, segments, anchors } = cut("abcde", "abc-cde", [passage(0, 0, 3), passage(2, 4, 3)]);
  assert.deepEqual(kept_segments, [["abcde", 1]]);
  assert.deepEqual(segments, [["abc", 1], ["-", 0], ["cde", 1]]);
  assert.equal(anchors.length, 1);
});

test("of crossing passages the longest chain is side by side, and all are shared", () => {
  const { kept_segments, segments, anchors } = cut("AAbbbbC", "bbbbCAA", [
    passage(0, 5, 2), passage(2, 0, 4), passage(6, 4, 1),
  ]);
  assert.ok([...kept_segments, ...segments].every(([, shared]) => shared === 1));
  assert.deepEqual(anchors, [[1, 0], [2, 1]]);
});

test("passages outside of the texts are left aside", () => {
  const wrong = [passage(0, 0, 9), { a_begin: 2, a_end: 1, b_begin: 0, b_end: 1 }, passage(-1, 0, 2)];
  assert.deepEqual(cut("ab", "ab", wrong).kept_segments, [["ab", 0]]);
});

test("a megabyte with many passages takes less than a second", () => {
  const text = "ab😀defghi ".repeat(110_000);
  const passages = Array.from({ length: 100_000 }, (_, i) => passage(i * 10, ((i * 7919) % 100_000) * 10, 9));
  for (const given of [passages, Array.from({ length: 100_000 }, (_, i) => passage(i * 10, i * 10, 9))]) {
    // Time of this process: other work on the machine does not count.
    const before = process.cpuUsage();
    segmentsOf(text, text, given);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 1_000_000, `${user + system} µs`);
    cut(text, text, given);
  }
});

test("completion offers fields, values and operators, and negation keeps its minus", () => {
  /** @param {string} text @param {number} [caret] */
  const offered = (text, caret = text.length) => grammar.complete(text, caret).options.map((o) => o.insert);
  assert.deepEqual(offered("s"), ["source:", "sim:", "size:"]);
  assert.deepEqual(offered("-ki"), ["-kind:"]);
  assert.deepEqual(offered("kind:"), ["kind:near", "kind:exact", "kind:identical"]);
  assert.deepEqual(offered("kind:e"), ["kind:exact"]);
  assert.deepEqual(offered("word sim:>"), ["sim:>="]);
  assert.deepEqual(offered("sim:"), ["sim:>", "sim:>=", "sim:<", "sim:<="]);
  for (const nothing of ["", "word ", '"s', '"two s', "id:x", "kind:near", "nofield:"]) {
    assert.deepEqual(offered(nothing), [], nothing);
  }
  const text = "ki other";
  const completions = grammar.complete(text, 2);
  const [first] = completions.options;
  assert.ok(first !== undefined);
  assert.deepEqual(grammar.accept(text, completions, first), { text: "kind: other", caret: 5 });
});

test("addresses are read as they were written", () => {
  const hostile = "a/b?c=d&e#f%zz \ud83d\ude00\u202e";
  /** @type {import("../src/route").Route[]} */
  const all = [
    { view: "overview" }, { view: "like", id: hostile }, { view: "clusters", q: 'sim:>.9 -"x y"' },
    { view: "cluster", name: hostile }, { view: "compare", a: hostile, b: "+ +" }, { view: "decisions" },
  ];
  for (const route of all) assert.deepEqual(routes.parseRoute(routes.linkTo(route)), route);
  assert.deepEqual(routes.parseRoute("#/nowhere"), { view: "unknown" });
  assert.deepEqual(routes.parseRoute("#/cluster/%zz"), { view: "cluster", name: "%zz" });
  assert.equal(routes.linkToCluster("\ud800"), "#/cluster/%EF%BF%BD");
});

test("a spreadsheet gets no formula, and every row its line", () => {
  const csv = files.toCsv(["a", "b"], [["=1+1", 2], ["-x", null], ['say "hi", you', -3], ["@\n", 0.5]]);
  assert.equal(csv, `a,b\r\n'=1+1,2\r\n'-x,\r\n"say ""hi"", you",-3\r\n"'@\n",0.5\r\n`);
});

test("the comparison as a page escapes everything and allows no script", () => {
  const bad = "</pre><script>alert(1)</script>\"'&\0\ud800";
  const page = files.comparisonPage({
    sides: [{ id: bad, source: bad, segments: [[bad, 1]] }, { id: bad, source: "", segments: [[bad, 0]] }],
    measures: [[bad, bad]],
  });
  assert.equal(page.match(/<script/i), null);
  assert.equal(page.match(/<\/pre>/g)?.length, 2);
  assert.match(page, /content="default-src 'none'; style-src 'unsafe-inline'/);
  assert.equal(page.match(/\p{Surrogate}/u), null);
});

test("a search goes on through empty parts, stops in time, and says how far it is", async () => {
  const asked = /** @type {string[]} */ ([]);
  let failing = true;
  const rows = new sources.SequentialRows(async (after) => {
    asked.push(after);
    if (after === "600" && failing) throw new Error("broken");
    const at = Number(after || 0);
    return { rows: at % 400 === 0 ? [at] : [], next: at < 2000 ? String(at + 200) : null, of: 2200 };
  }, () => undefined);
  rows.need(0, 5);
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(rows.progress.lookedAt, 600);
  assert.match(String(rows.progress.error), /broken/);
  failing = false;
  rows.retry();
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(rows.known(), [0, 400, 800, 1200, 1600, 2000]);
  assert.deepEqual(rows.progress, { found: 6, lookedAt: 2200, of: 2200, done: true, loading: false, error: null });
  assert.equal(asked.length, 12);
});

test("a tick of time says no more than its step", () => {
  const { kSteps, tick } = ticks;
  const time = new Date(2026, 10, 29, 8, 5, 9).getTime() / 1000;
  assert.equal(tick(time, 1), "08:05:09");
  assert.equal(tick(time, 59), "08:05:09");
  assert.equal(tick(time, 60), "08:05");
  assert.equal(tick(time, 43_200), "08:05");
  assert.equal(tick(time, 86_399), "08:05");
  assert.equal(tick(time, 86_400), "2026-11-29");
  assert.deepEqual(kSteps, [...kSteps].sort((a, b) => a - b));
  assert.equal(kSteps[0], 1);
  assert.ok(kSteps.every(Number.isInteger));
  // Days begin with a date, and a tick of every step below a day is at the begin of each.
  const midnight = new Date(2026, 10, 29).getTime() / 1000;
  assert.equal(tick(midnight, 43_200), "2026-11-29");
  assert.equal(tick(midnight + 1, 1), "00:00:01");
  assert.equal(tick(midnight + 60, 60), "00:01");
  assert.equal(tick(midnight + 3600, 3600), "01:00");
  for (const step of kSteps) assert.equal(step < 86_400 ? 86_400 % step : step % 86_400, 0, `${step}`);
  for (let i = 1; i < kSteps.length; i += 1) assert.ok((kSteps[i] ?? 0) <= 5 * (kSteps[i - 1] ?? 0));
});
