// Every view, as the tests and the screenshots go through them.

/** @typedef {import("./server.mjs").World} World */
/** @typedef {import("playwright-core").Page} Page */

/** @type {World} */
export const kResult = { mode: "result" };
/** @type {World} */
export const kIndex = { mode: "index" };

const kKeys = ["news-03.jsonl:2000", "news-03.jsonl:2001"].map(encodeURIComponent);

/**
 * `ready` is in the view when it has drawn; `prepare` opens what can be opened.
 * @typedef {object} View
 * @property {string} name
 * @property {World} world
 * @property {string} hash
 * @property {string} ready
 * @property {(page: Page) => Promise<unknown>} [prepare]
 */

/** @param {Page} page */
async function openCluster(page) {
  await page.click("summary:has-text('Scores of every pair')");
  await page.waitForSelector(".matrix");
  await page.click("text=Look through every document");
  await page.waitForSelector("#main .matches li");
  await page.waitForSelector("#comparison .text");
  await page.locator(".members .select").nth(1).check();
  await page.click("button:has-text('Put aside')");
}

/** @param {Page} page */
export async function decideOnce(page) {
  await page.click("button:has-text('Keep this')");
  await page.waitForSelector("#announcements.shown:has-text('will be kept')");
  await page.evaluate(() => {
    location.hash = "#/decisions";
  });
  await page.waitForSelector(".decisions li");
}

/** @param {Page} page */
async function findText(page) {
  await page.fill("#like-text", "Sentence 1 of cluster 2 😀 about the harbour \nand more");
  await page.fill("#like-threshold", "0.7");
  await page.click("button:has-text('Find')");
  await page.click(".matches .member >> nth=0");
  await page.waitForSelector("#match-pair-0 .text");
}

/** @type {View[]} */
export const kViews = [
  { name: "overview", world: kResult, hash: "#/", ready: "#options table" },
  { name: "conflicts", world: { ...kResult, agree: ["label", "price"] }, hash: "#/cluster/2", ready: "#comparison .text" },
  { name: "guarded", world: { ...kResult, guarded: 45 }, hash: "#/", ready: "#options table" },
  { name: "counts", world: { mode: "result", report: false, texts: "none" }, hash: "#/", ready: ".figures" },
  { name: "clusters", world: kResult, hash: "#/clusters", ready: "a.cluster-row .opener-id" },
  {
    name: "search", world: kResult, hash: "#/clusters?q=size%3A%3E4", ready: "a.cluster-row .opener-id",
    prepare: async (page) => {
      await page.click("summary:has-text('How to search')");
      await page.focus("#search");
      await page.keyboard.press("End");
      await page.keyboard.type(" ki");
      await page.waitForSelector("[role=option]");
      await page.keyboard.press("ArrowDown");
    },
  },
  { name: "cluster", world: kResult, hash: "#/cluster/4", ready: "#comparison .text", prepare: openCluster },
  {
    name: "keys", world: kResult, hash: "#/cluster/2", ready: "#comparison .text",
    prepare: (page) => page.click("button:has-text('Keys')"),
  },
  { name: "textless", world: { mode: "result", texts: "none" }, hash: "#/cluster/3", ready: ".members td" },
  { name: "nothing-decided", world: kResult, hash: "#/decisions", ready: ".empty" },
  { name: "decisions", world: kResult, hash: "#/cluster/2", ready: "#comparison .text", prepare: decideOnce },
  {
    name: "audit", world: { mode: "result", audit: "removed" }, hash: "#/audit",
    ready: ".finding-found b",
  },
  {
    name: "audit-of-pairs", world: { mode: "result", audit: "pairs", hostile: true },
    hash: "#/audit?kind=missed_pair", ready: ".finding-found b",
  },
  { name: "like", world: kResult, hash: "#/like", ready: "#like-text", prepare: findText },
  {
    name: "compare", world: kResult, hash: `#/compare?a=${kKeys[0]}&b=${kKeys[1]}`,
    ready: "#comparison .text",
  },
  {
    name: "index", world: kIndex, hash: "#/", ready: "[aria-label='Latest changes'] td",
    prepare: async (page) => {
      await page.click("text=Measure recall");
      await page.waitForSelector("text=95 % interval");
    },
  },
  { name: "index-clusters", world: kIndex, hash: "#/clusters", ready: "a.cluster-row .opener-id" },
  { name: "index-cluster", world: kIndex, hash: "#/cluster/c1", ready: "#comparison .text" },
  { name: "token", world: { mode: "result", token: "right" }, hash: "#/clusters", ready: "#token" },
  { name: "error", world: kResult, hash: "#/cluster/99", ready: "[role=alert]" },
  { name: "unknown", world: kResult, hash: "#/nowhere", ready: "h1" },
  {
    name: "hostile-clusters", world: { mode: "result", hostile: true }, hash: "#/clusters",
    ready: "a.cluster-row .opener-id",
  },
  {
    name: "hostile-cluster", world: { mode: "result", hostile: true }, hash: "#/cluster/1",
    ready: "#comparison .text", prepare: openCluster,
  },
  {
    name: "hostile-index", world: { mode: "index", hostile: true }, hash: "#/cluster/c9",
    ready: "#comparison .text",
  },
];

/** @param {Page} page @param {View} view */
export async function prepare(page, { ready, prepare: more }) {
  await page.waitForSelector(ready);
  await more?.(page);
}
