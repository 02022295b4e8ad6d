// Takes the pictures of docs/how-to/explore.md and audit.md, of real servers: an index and a result
// of the versions of PEPs in tests/data.  node pictures.mjs lookalike [folder] [names]

import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { kPhone, settled } from "./test/browser.mjs";
import { decideOnce } from "./test/views.mjs";

/** @typedef {import("playwright-core").Page} Page */

const kRoot = fileURLToPath(new URL("../..", import.meta.url));
const kWindow = { width: 1440, height: 1000 };
const [command = join(kRoot, "build/release/bin/lookalike"), folder = join(kRoot, "docs/images"), ...names] =
  process.argv.slice(2).map((name, i) => (i < 2 ? resolve(name) : name));

/**
 * A picture: `prepare` does what a person would do, `from` is what it begins with at the top.
 * @typedef {object} Picture
 * @property {string} name
 * @property {"result" | "index"} of
 * @property {string} hash
 * @property {string} ready
 * @property {{ width: number, height: number }} [window]
 * @property {string} [from]
 * @property {(page: Page) => Promise<unknown>} [prepare]
 */

/** @param {Page} page */
async function openCluster(page) {
  await page.click(".members button.member >> nth=1");
  await page.waitForSelector("#comparison .text");
}

/** @param {Page} page */
async function openScores(page) {
  await page.click("summary:has-text('Scores of every pair')");
  await page.waitForSelector(".matrix");
}

/** @param {Page} page */
async function findText(page) {
  const text =
    "This PEP describes the \"attribute docstring\" proposal for Python. This PEP tracks the status " +
    "and ownership of this feature. It contains a description of the feature and outlines changes " +
    "necessary to support the feature. The CVS revision history of this file contains the " +
    "definitive historical record.";
  await page.fill("#like-text", text);
  await page.click("button:has-text('Find')");
  await page.click("#main .matches .member >> nth=0");
  await page.waitForSelector("#match-pair-0 .text");
}

const kPair = ["peps.jsonl:1", "peps.jsonl:2"].map(encodeURIComponent);

/** @type {Picture[]} */
const kPictures = [
  { name: "overview", of: "result", hash: "#/", ready: "canvas", window: { width: 1440, height: 1300 } },
  { name: "guards", of: "result", hash: "#/", ready: "[aria-label='Pairs kept apart'] td", from: "#guards-title", window: { width: 1440, height: 700 } },
  { name: "clusters", of: "result", hash: "#/clusters?q=date%20sim%3A%3E.9", ready: "a.cluster-row .opener-id" },
  { name: "cluster", of: "result", hash: "#/cluster/1", ready: "#comparison .text", prepare: openCluster, window: { width: 1440, height: 1500 } },
  { name: "scores", of: "result", hash: "#/cluster/3", ready: "#comparison .text", prepare: openScores, from: "details:has(.matrix)", window: { width: 1440, height: 1100 } },
  { name: "compare", of: "result", hash: `#/compare?a=${kPair[0]}&b=${kPair[1]}`, ready: "#comparison .text" },
  { name: "like", of: "result", hash: "#/like", ready: "#like-text", prepare: findText, from: "#matches-title" },
  { name: "decisions", of: "result", hash: "#/cluster/2", ready: "#comparison .text", prepare: decideOnce, window: { width: 1440, height: 600 } },
  { name: "audit", of: "result", hash: "#/audit", ready: ".finding-found b" },
  { name: "index", of: "index", hash: "#/", ready: "[aria-label='Latest changes'] td" },
  { name: "index-cluster", of: "index", hash: "#/cluster/c1", ready: "#comparison .text" },
  { name: "cluster-phone", of: "result", hash: "#/cluster/1", ready: "#comparison .text", window: kPhone },
];

/** @param {string} place @param {string[]} words */
function run(place, ...words) {
  execFileSync(command, [...words, "--quiet"], { cwd: place, stdio: "inherit" });
}

/** Makes what is shown in an empty folder. @param {string} place */
async function make(place) {
  const packed = join(kRoot, "tests/data/peps/peps.jsonl.zst");
  const rows = execFileSync("zstd", ["-dcq", packed], { maxBuffer: 2 ** 30 });
  await writeFile(join(place, "peps.jsonl"), rows);
  run(place, "dedup", "peps.jsonl", "-o", "peps", "--keep", "longest", "--keep", "field:date:desc",
    "--differ", "regex:(?m)^Status: *\\w+");
  // Another tool that keeps the newest version of each number, whatever has changed.
  /** @type {Map<number, string>} */
  const newest = new Map();
  const documents = rows.toString().trimEnd().split("\n").map((row) => JSON.parse(row));
  for (const { id, pep } of documents) newest.set(pep, id);
  const removed = documents.filter(({ id, pep }) => newest.get(pep) !== id).map(({ id }) => id);
  await writeFile(join(place, "newest-of-each.txt"), `${removed.join("\n")}\n`);
  run(place, "audit", "peps", "peps.jsonl", "--list", "newest-of-each.txt");
  run(place, "index", "create", "seen", "--keep", "text", "--differ", "regex:(?m)^Status: *\\w+");
}

/** Adds the documents to an index in parts, so that it is seen to grow.
 * @param {string} origin @param {string} rows
 */
async function grow(origin, rows) {
  const kParts = 12;
  const lines = rows.trimEnd().split("\n").map((row) => {
    const { id, text, date } = JSON.parse(row);
    return JSON.stringify({ id, text, metadata: { date } });
  });
  const size = Math.ceil(lines.length / kParts);
  for (let part = 0; part < kParts; part += 1) {
    const added = await fetch(`${origin}/v1/documents:batch`, {
      method: "POST", headers: { "Content-Type": "application/x-ndjson" },
      body: lines.slice(part * size, (part + 1) * size).join("\n"),
    });
    if (!added.ok) throw new Error(await added.text());
    await new Promise((done) => setTimeout(done, 1000));
  }
}

/** Serves, until the process ends. @param {string} place @param {string[]} words */
async function serve(place, ...words) {
  const server = spawn(command, ["serve", ...words, "--listen", "127.0.0.1:0"], {
    cwd: place, stdio: ["ignore", "ignore", "pipe"],
  });
  process.on("exit", () => server.kill());
  for await (const line of createInterface(server.stderr)) {
    const found = / is served at (http\S+)/.exec(line);
    if (found !== null) return found[1] ?? "";
  }
  throw new Error(`lookalike serve ${words.join(" ")} has ended`);
}

/** Waits until the texts of a result can be shown. @param {string} origin */
async function textsOf(origin) {
  for (;;) {
    const info = await (await fetch(`${origin}/v1/result`)).json();
    if (info.texts.state === "ready") return;
    if (info.texts.state === "failed") throw new Error(info.texts.why);
    await new Promise((done) => setTimeout(done, 200));
  }
}

const place = await mkdtemp(join(tmpdir(), "lookalike-pictures-"));
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await make(place);
  await mkdir(folder, { recursive: true });
  const origins = {
    result: await serve(place, "--result", "peps", "--agree", "pep,date", "peps.jsonl"),
    index: await serve(place, "seen"),
  };
  await textsOf(origins.result);
  await grow(origins.index, await readFile(join(place, "peps.jsonl"), "utf8"));
  for (const { name, of, hash, ready, window: size = kWindow, from, prepare } of kPictures) {
    if (names.length > 0 && !names.includes(name)) continue;
    const page = await browser.newPage({ viewport: size, colorScheme: size === kPhone ? "dark" : "light" });
    await page.goto(`${origins[of]}/${hash}`);
    await page.waitForSelector(ready);
    await prepare?.(page);
    await page.evaluate((top) => {
      const at = top === undefined ? null : document.querySelector(top);
      const bar = document.querySelector(".decide")?.clientHeight ?? 0;  // stays at the top
      window.scrollTo(0, at === null ? 0 : at.getBoundingClientRect().top + window.scrollY - 24 - bar);
    }, from);
    await settled(page);
    await page.screenshot({ path: join(folder, `explorer-${name}.png`) });
    await page.close();
    const { length } = await readFile(join(folder, `explorer-${name}.png`));
    console.log(`explorer-${name}.png`, length);
  }
} finally {
  await browser.close();
  await rm(place, { recursive: true });
}
process.exit();
