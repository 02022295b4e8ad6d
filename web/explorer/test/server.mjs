// A server like `lookalike serve`, with made-up documents, under the same policy.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { kHostile, realistic } from "../../report/test/fixtures.mjs";

/** @typedef {import("../src/types").Doc} Doc */
/** @typedef {import("../src/types").MemberDoc} MemberDoc */
/** @typedef {import("../src/types").ClusterRow} ClusterRow */
/** @typedef {import("../src/types").Decision} Decision */
/** @typedef {import("../src/types").Texts} Texts */

/**
 * @typedef {object} World
 * @property {"result" | "index"} mode
 * @property {number} [clusters]
 * @property {Texts["state"]} [texts]
 * @property {string} [token] needed in every request
 * @property {boolean} [hostile] ids and texts
 * @property {number} [busy] requests that are answered by 503
 * @property {boolean} [report] false: there is none
 * @property {boolean} [readonly] decisions are refused
 * @property {boolean} [longTexts]
 * @property {boolean} [unclustered] the index keeps no clusters
 * @property {string[]} [agree] fields in which the documents of a cluster should agree
 * @property {boolean} [replayed] decisions, by the run
 * @property {boolean} [contained] the measure is containment
 * @property {boolean} [known] the kept documents are of a reference
 * @property {string[]} [guards] of an index
 * @property {string[]} [keep] criteria, with what decided for each member; by default "first"
 * @property {number} [guarded] pairs that guards keep apart; by default there are no guards
 * @property {"removed" | "pairs"} [audit] a list that was audited; by default there is none
 */

export const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const kThreshold = 0.8;
const kLookedAtOnce = 5000;
const kSentences = 12;

export const kHostileIds = [
  ...kHostile,
  "x".repeat(10_000),
  "a lone \ud800 surrogate",
  "=HYPERLINK(\"http://example.org\")",
  "وثيقة-١ عن السفن",
  "文件一：港務局",
];

/** An answer that is no success. */
class Refusal extends Error {
  /** @param {number} status @param {string} detail @param {Record<string, string>} [headers] */
  constructor(status, detail, headers = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}

/** @param {World} world @returns {Record<string, any>} */
function auditSummary(world) {
  const common = { threshold: kThreshold, documents: 12345, unknown: 3, repeated: 0 };
  return world.audit === "pairs"
    ? { ...common, kind: "pairs", pairs: 900, false_pairs: 40, missed_pairs: 700 }
    : { ...common, kind: "removed", removed: 2400, false_removals: 1234, lost_with_copies: 56, missed: 0 };
}

/** @param {string} kind @param {number} n @param {(cluster: number, i: number) => Doc} docOf */
function findingOf(kind, n, docOf) {
  /** @param {number} i @param {number} resemblance */
  const like = (i, resemblance) => {
    const { id, key } = docOf(1 + (n % 20), i);
    return { id, place: key, resemblance };
  };
  const { id, key } = docOf(1 + (n % 20), 0);
  const is = (/** @type {number} */ remainder) => kind === "false_removal" && n % 4 === remainder;
  return {
    kind, document: { id, place: key }, cluster: null,
    other: is(0) || is(3) ? null : like(1, kind === "missed_pair" ? 0.93 : 0.61),
    reason: is(1) ? like(2, 0.125) : null,
    copy: is(3) ? like(3, 0.97) : null,
  };
}

/** @param {World} world */
function documents(world) {
  /** @param {number} cluster @param {number} i */
  const idOf = (cluster, i) =>
    world.hostile
      ? (kHostileIds[(cluster + i + kHostileIds.length - 1) % kHostileIds.length] ?? "")
      : `urn:news:${cluster}-${i}`;
  /** @param {number} cluster @param {number} i @returns {Doc} */
  const doc = (cluster, i) => ({
    key: `news-0${1 + (cluster % 3)}.jsonl:${cluster * 1000 + i}`,
    id: idOf(cluster, i),
    source: world.hostile ? (kHostile[cluster % kHostile.length] ?? "") : `news-0${1 + (cluster % 3)}.jsonl`,
    row: cluster * 1000 + i,
  });
  /** @param {string} key */
  const sentences = (key) => {
    const n = Number(/\d+$/.exec(key)?.[0] ?? 0);
    const [cluster, i] = [Math.floor(n / 1000), n % 1000];
    const strange = world.hostile ? kHostileIds[cluster % kHostileIds.length] : "";
    return Array.from({ length: kSentences }, (_, s) => {
      const own = i > 0 && s % 4 === i % 4;
      const words = `Sentence ${s} of cluster ${cluster} 😀 about the harbour ${strange}`;
      if (own) return `Here document ${i} says something else.`;
      return words.repeat(world.longTexts ? 2000 : s % 5 === 0 ? 24 : 1);
    });
  };
  /** @param {string} key */
  const text = (key) => sentences(key).join("\n");
  return { doc, text };
}

/** @param {string} a @param {string} b */
function passagesOf(a, b) {
  const [linesA, linesB] = [a.split("\n"), b.split("\n")];
  const passages = [];
  let [atA, atB] = [0, 0];
  for (let i = 0; i < Math.min(linesA.length, linesB.length); i += 1) {
    const [x, y] = [linesA[i] ?? "", linesB[i] ?? ""];
    const [lx, ly] = [[...x].length, [...y].length];
    if (x === y && lx > 0) passages.push({ a_begin: atA, a_end: atA + lx, b_begin: atB, b_end: atB + ly });
    atA += lx + 1;
    atB += ly + 1;
  }
  return passages;
}

/** @param {number} cluster */
const sizeOf = (cluster) => (cluster === 1 ? 40 : 2 + (cluster % 5));

/** @param {number} i */
const scoreOf = (i) => 0.8 + ((i * 37) % 19) / 100;

/** @param {World} world */
function resultOf(world) {
  const { doc } = documents(world);
  const clusters = world.clusters ?? 30;
  /** @type {Decision[]} */
  const decisions = [];
  /** @param {number} cluster @returns {MemberDoc[]} */
  const members = (cluster) =>
    Array.from({ length: sizeOf(cluster) - 1 }, (_, j) => {
      const i = j + 1;
      const kind = i % 5 === 0 ? "exact" : i % 7 === 0 ? "identical" : "near";
      return {
        ...doc(cluster, i), kind: /** @type {MemberDoc["kind"]} */ (kind),
        resemblance: kind === "near" ? scoreOf(i) : 1, duplicate_of: doc(cluster, 0),
        ...(world.keep === undefined ? {} : { kept_by: i % 3 === 0 ? "input order" : world.keep[i % 2] }),
      };
    });
  /** @param {number} cluster @returns {ClusterRow} */
  const row = (cluster) => {
    const near = members(cluster).filter((m) => m.kind === "near");
    const scores = near.map((m) => m.resemblance);
    return {
      cluster, size: sizeOf(cluster), kept: doc(cluster, 0), near: near.length,
      copies: sizeOf(cluster) - 1 - near.length,
      lowest: near.length > 0 ? Math.min(...scores) : null,
      highest: near.length > 0 ? Math.max(...scores) : null,
      decisions: decisions.filter((d) => d.cluster === cluster).length,
    };
  };
  /** @param {string} q @param {number} cluster */
  const matches = (q, cluster) =>
    q.split(/\s+/).every((term) => {
      if (term === "decided:yes") return decisions.some((d) => d.cluster === cluster);
      if (term.startsWith("size:>")) return sizeOf(cluster) > Number(term.slice(6));
      return doc(cluster, 0).id.includes(term.replace(/^id:/, ""));
    });
  /** @param {string} q @param {number} after @param {number} limit */
  const page = (q, after, limit) => {
    if (q.includes("bad:")) throw new Refusal(400, "unknown field 'bad'; use id, source, sim, size, kind or decided");
    /** @type {ClusterRow[]} */
    const found = [];
    let at = after;
    while (at < clusters && found.length < limit && at < after + kLookedAtOnce) {
      at += 1;
      if (q === "" || matches(q, at)) found.push(row(at));
    }
    return { clusters: found, next: at < clusters ? String(at) : null, looked_at: at, of: clusters };
  };
  return { clusters, decisions, doc, members, page };
}

/** @param {World} world */
function answers(world) {
  const result = resultOf(world);
  const { doc, text } = documents(world);
  let read = 0;
  const indexIds = Array.from({ length: 60 }, (_, i) => (world.hostile ? doc(i % 13, i).id : `doc:${i}`));
  /** @param {string} key */
  const textOf = (key) => text(world.mode === "index" ? `doc:${indexIds.indexOf(key)}` : key);
  /** @param {{id?: string, text?: string}} side */
  const sideText = (side) => side.text ?? textOf(side.id ?? "");
  const texts = () => {
    const state = world.texts ?? "ready";
    if (state !== "reading") return { state, documents: 1000, of: 1000, why: "in.jsonl is not there" };
    read += 400;
    return { state: read > 800 ? "ready" : state, documents: Math.min(read, 1000), of: 1000 };
  };
  /** @param {{text?: string}} side */
  const isExcerpt = ({ text = "" }) => text.includes("excerpt");
  /** @param {any} body */
  const compare = ({ a, b }) => {
    const known = (world.texts ?? "ready") !== "none";
    return {
      resemblance: isExcerpt(a) ? 0.04 : 0.8421, common: 320, size_a: 350, size_b: 350,
      containment_ab: 0.9143, containment_ba: 0.9143,
      passages: known ? passagesOf(sideText(a), sideText(b)) : [],
      guards: [
        { guard: "numbers", only_a: ["12", "12", "2024"], only_b: [], count_a: 43, count_b: 0 },
        { guard: kHostileIds[1], only_a: [kHostileIds[0]], only_b: ["وثيقة"], count_a: 1, count_b: 1 },
      ],
      ...(world.mode === "result" ? { met: { by: "keys", shared: 17, keys: 128, probability: 0.99985 } } : {}),
    };
  };
  /** @param {any} body */
  const query = (body) => {
    if (body.threshold < kThreshold && body.exhaustive !== true) throw new Refusal(400, "exhaustive needed");
    const ids = world.mode === "index" ? indexIds.slice(1, 6) : [0, 1, 2, 3].map((i) => doc(2, i).key);
    const scores = [0.97, 0.9, 0.85, 0.72, 0.7];
    const matches = ids.map((id, i) => ({
      id, resemblance: scores[i] ?? 0, exact: true, containment_ab: 0.9, containment_ba: 0.95,
      ...(world.mode === "index" ? {} : { metadata: `urn:match:${i}` }),
    })).filter((m) => m.resemblance >= (body.threshold ?? kThreshold));
    return {
      matches:
        String(body.text ?? "").includes("nothing") ||
        (isExcerpt(body) && body.measure !== "containment") ? [] : matches, truncated: false,
      candidates: body.exhaustive ? 1234 : 12,
    };
  };
  /** @param {string} key */
  const docOfKey = (key) => {
    const n = Number(/\d+$/.exec(key)?.[0]);
    return doc(Math.floor(n / 1000), n % 1000);
  };
  /** @param {any} body */
  const decide = (body) => {
    if (world.readonly) throw new Refusal(403, "this server only reads; start it with --decide");
    const number = (result.decisions[result.decisions.length - 1]?.number ?? 0) + 1;
    const found = body.documents.map(docOfKey);
    const stored = { number, decision: body.decision, cluster: body.cluster, documents: found };
    result.decisions.push(stored);
    return stored;
  };
  /** @param {number} number */
  const undo = (number) => {
    const at = result.decisions.findIndex((d) => d.number === number);
    if (at < 0) throw new Refusal(404, `there is no decision ${number}`);
    result.decisions.splice(at, 1);
    return { removed: 1 };
  };
  /** @param {number} cluster */
  const open = (cluster) => {
    if (cluster > result.clusters) throw new Refusal(404, `there is no cluster ${cluster}`);
    return {
      cluster, size: sizeOf(cluster), kept: [{ ...doc(cluster, 0), ...(world.known ? { reference: true } : {}) }],
      members: result.members(cluster), next: null,
    };
  };
  /** @param {string} key */
  const stored = (key) => {
    if (key === "missing") throw new Refusal(404, "there is no document 'missing'");
    return {
      id: key, features: 350, text: textOf(key),
      // A result has the documents' own ids there.
      metadata: world.mode === "result" ? docOfKey(key).id : { lang: "en", label: key.endsWith("0") ? "spam" : "ham", "<b>x</b>": 1 },
    };
  };
  const indexClusters = [
    ...Array.from({ length: 5 }, (_, i) => ({ cluster: `c${i}`, members: indexIds.slice(i * 4, i * 4 + 4) })),
    { cluster: "c9", members: indexIds },
  ];
  const info = () => ({
    name: "out", threshold: kThreshold, measure: world.contained ? "containment" : "resemblance", keep: world.keep ?? ["first"], clusters: result.clusters, texts: texts(),
    decisions: result.decisions.length, audit: world.audit !== undefined,
    rejections: world.audit !== undefined ? [] : [
      { reason: 'field "text" is missing, expected a string', records: 9 },
      { reason: world.hostile ? (kHostile[1] ?? "") : "malformed JSON, expected one object per line", records: 3 },
    ],
    records: { in: 12345, kept: 9988, removed_exact: 345, removed_near: 2000, rejected: 12 },
    agree: world.agree ?? [], replayed: world.replayed ?? false,
    ...(world.guarded === undefined ? {} : { guarded_pairs: world.guarded }),
  });
  /** @param {number} number */
  const conflicts = (number) => ({
    looked_at: 1000, of: 1234,
    conflicts: number === 1 ? [] : (world.agree ?? []).map((field) => ({
      field, different: 23,
      values: [{ value: kHostileIds[1], documents: 900 }, { value: null, documents: 78 }],
    })),
  });
  /** @param {number} after @param {number} limit */
  const guarded = (after, limit) => {
    const of = world.guarded ?? 0;
    const end = Math.min(after + limit, of);
    return {
      pairs: Array.from({ length: end - after }, (_, i) => ({
        a: result.doc(after + i, 0), b: result.doc(after + i, 1), resemblance: 0.93,
        differ: { numbers: [["7"], [String(after + i)]], lang: [["en"], []] },
      })),
      next: end < of ? String(end) : null,
    };
  };
  /** @type {Record<string, (p: URLSearchParams, body: any, rest: string) => unknown>} */
  const shared = {
    "POST /v1/compare": (_p, body) => compare(body),
    "POST /v1/compare:all": (_p, { documents: keys }) => ({
      documents: keys,
      scores: keys.map((/** @type {string} */ _a, /** @type {number} */ i) =>
        keys.map((/** @type {string} */ _b, /** @type {number} */ j) => (i === j ? 1 : 0.5 + ((i * j) % 50) / 100))),
    }),
    "POST /v1/query": (_p, body) => query(body),
    "GET /v1/documents/*": (_p, _body, rest) => stored(rest),
  };
  /** @type {typeof shared} */
  const ofResult = {
    "GET /v1/result": info,
    "GET /v1/result/report": () => {
      if (world.report === false) throw new Refusal(404, "no report");
      return realistic();
    },
    "GET /v1/result/guarded": (p) => guarded(Number(p.get("after") ?? 0), Number(p.get("limit"))),
    "GET /v1/result/clusters": (p) => result.page(p.get("q") ?? "", Number(p.get("after") ?? 0), Number(p.get("limit"))),
    "GET /v1/result/clusters/*": (_p, _body, rest) => open(Number(rest)),
    ...Object.fromEntries([1, 2].map((n) => [`GET /v1/result/clusters/${n}/conflicts`, () => conflicts(n)])),
    "GET /v1/result/audit": () => ({ audit: 1, result: "5f4ad96a379e2529", list: kHostileIds[0], summary: auditSummary(world) }),
    "GET /v1/result/audit/findings": (p) => {
      const kind = p.get("kind") ?? "";
      const first = Number(p.get("after") ?? 0);
      const of = auditSummary(world)[kind === "missed" ? "missed" : `${kind}s`] ?? 0;
      const count = Math.max(0, Math.min(Number(p.get("limit")), of - first));
      return {
        of, next: first + count < of ? String(first + count) : null,
        findings: Array.from({ length: count }, (_, i) => findingOf(kind, first + i, result.doc)),
      };
    },
    "GET /v1/result/decisions": () => ({ file: "out.decisions.jsonl", decisions: result.decisions }),
    "POST /v1/result/decisions": (_p, body) => decide(body),
    "DELETE /v1/result/decisions/*": (_p, _body, rest) => undo(Number(rest)),
  };
  /** @type {typeof shared} */
  const ofIndex = {
    "GET /v1/growth": () => ({ growth: Array.from({ length: 60 }, (_, i) => [1_780_000_000 + 60 * i, 1000 + i * i]) }),
    "GET /v1/stats": (p) => ({
      documents: 60, bytes: 123456, keep: "text", keys: "12 keys of 5 codes", threshold: kThreshold,
      differ: world.guards ?? [], same: world.guards === undefined ? [] : ["lang"],
      ...(p.has("audit") ? { recall: {
        asked: 0.99, estimate: 0.9912, low: 0.97, high: 0.999, met: true, sampled_documents: 100, sampled_matches: 321,
      } } : {}),
    }),
    "GET /v1/clusters": () => {
      if (world.unclustered) throw new Refusal(409, "this index keeps no clusters; create it with --clusters");
      return { clusters: indexClusters, next: null };
    },
    "GET /v1/clusters/*": (_p, _body, rest) => {
      const found = indexClusters.find((c) => c.cluster === rest);
      if (found === undefined) throw new Refusal(404, `there is no cluster '${rest}'`);
      return found;
    },
    "GET /v1/changes": (p) => ({
      changes: Array.from({ length: 3003 }, (_, i) => i + 1)
        .slice(Number(p.get("since")), Number(p.get("since")) + Number(p.get("limit")))
        .map((seq) => ({
          seq, change: seq % 3 === 0 ? "merged" : "added", cluster: `c${seq % 5}`,
          documents: indexIds.slice(0, 1 + (seq % 9)), from: [],
        })),
      more: false,
    }),
  };
  return { ...shared, ...(world.mode === "result" ? ofResult : ofIndex) };
}

const kFiles = /** @type {Record<string, [string, string]>} */ ({
  "/": ["index.html", "text/html; charset=utf-8"],
  "/explorer.js": ["explorer.js", "text/javascript; charset=utf-8"],
  "/explorer.css": ["explorer.css", "text/css; charset=utf-8"],
});

/** @param {import("node:http").IncomingMessage} request */
async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? null : JSON.parse(text);
}

/** Starts it on a free port of this machine. @param {World} world */
export async function startServer(world) {
  const routes = answers(world);
  /** @type {string[]} */
  const log = [];
  let busy = world.busy ?? 0;

  /** @param {import("node:http").IncomingMessage} request @param {URL} url */
  const answer = async (request, url) => {
    if (world.token !== undefined && request.headers.authorization !== `Bearer ${world.token}`) {
      throw new Refusal(401, "a token is needed");
    }
    if ((busy -= 1) >= 0) throw new Refusal(503, "busy", { "Retry-After": "0" });
    const { method, } = request;
    const exact = routes[`${method} ${url.pathname}`];
    const at = url.pathname.lastIndexOf("/");
    const route = exact ?? routes[`${method} ${url.pathname.slice(0, at)}/*`];
    if (route === undefined) throw new Refusal(404, "nothing is served here");
    return route(url.searchParams, await bodyOf(request), decodeURIComponent(url.pathname.slice(at + 1)));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    log.push(`${request.method} ${request.url}`);
    const file = kFiles[url.pathname];
    if (file !== undefined) {
      readFile(fileURLToPath(new URL(`../dist/${file[0]}`, import.meta.url))).then((content) => {
        response.writeHead(200, { "Content-Type": file[1], "Content-Security-Policy": kPolicy });
        response.end(content);
      }, (error) => response.destroy(error));
      return;
    }
    answer(request, url).then(
      (value) => {
        const stored = request.method === "POST" && url.pathname === "/v1/result/decisions";
        response.writeHead(stored ? 201 : 200, { "Content-Type": "application/json" });
        response.end(JSON.stringify(value));
      },
      (error) => {
        const refusal = error instanceof Refusal ? error : new Refusal(500, String(error?.stack));
        response.writeHead(refusal.status, { ...refusal.headers, "Content-Type": "application/problem+json" });
        response.end(JSON.stringify({ title: "refused", status: refusal.status, detail: refusal.message }));
      });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(null)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  // A test that failed does not keep the process alive.
  server.unref();
  const stop = () => new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  return { origin: `http://127.0.0.1:${address.port}`, log, stop, world };
}
