// What a person does with the page: by mouse, by keyboard alone, and what goes wrong on the way.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { focused, kPhone, plain, settled, startBrowser } from "./browser.mjs";
import { kHostileIds } from "./server.mjs";
import { kIndex, kResult } from "./views.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Awaited<ReturnType<typeof startBrowser>>} */
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.stop());

/** @param {Page} page @param {string} text */
const announced = (page, text) => page.waitForSelector(`#announcements:has-text("${text}")`, { state: "attached" });

/** @param {string | null} text */
const wellFormed = (text) => (text ?? "").replace(/\p{Surrogate}/gu, "\ufffd");

/** @param {Page} page @param {() => Promise<unknown>} act */
async function downloaded(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: download.suggestedFilename(), text: await readFile((await download.path()) ?? "", "utf8") };
}

for (const viewport of [undefined, kPhone]) {
  test(`by mouse at ${viewport?.width ?? 1440} px: from the overview to a decision and back`, async () => {
    const { page, close } = await browser.open(kResult, "#/", viewport && { viewport });
    assert.match(plain(await page.textContent("h1")), /12 345 documents in; 9 988 kept/);
    await page.waitForSelector("canvas");
    assert.equal(await page.locator("canvas").count(), 3);
    assert.match(plain(await page.textContent("[aria-labelledby='rejected-title'] tbody")), /^field "text" is missing, expected a string9malformed/);
    await page.click("text=Look through 30 clusters");
    await page.click("a.cluster-row >> nth=1");
    await page.waitForSelector("#comparison .text");
    assert.equal(plain(await page.textContent("h1")), "Cluster 2");
    assert.equal(await focused(page), "title", "the heading has the focus");
    await page.click(".members button.member >> nth=1");
    await page.waitForSelector("#comparison .document-id:has-text('urn:news:2-2')");
    await page.click("button:has-text('Keep this')");
    await announced(page, "will be kept");
    assert.match((await page.textContent(".members tr[aria-current] td:last-child")) ?? "", /keep this \(1\)/);
    await page.click("nav >> text=Decisions");
    await page.waitForSelector(".decisions >> text=urn:news:2-2");
    const { name, text } = await downloaded(page, () => page.click("text=Save as JSONL"));
    assert.equal(name, "decisions.jsonl");
    assert.deepEqual(JSON.parse(text), {
      decision: "keep", cluster: 2, documents: [{ source: "news-03.jsonl", row: 2002, id: "urn:news:2-2" }],
    });
    await page.click("[aria-label='Undo decision 1']");
    await page.waitForSelector("text=Nothing is decided yet");
    await announced(page, "Decision 1 is undone");
    await page.click("nav >> text=Overview");
    await page.waitForSelector("text=0 decisions");
    await close();
  });

  test(`by keyboard alone at ${viewport?.width ?? 1440} px: search, open, decide, undo`, async () => {
    const { page, server, close } = await browser.open(kResult, "#/clusters", viewport && { viewport });
    await page.waitForSelector("a.cluster-row .opener-id");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await focused(page), "main");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "search");
    await page.keyboard.type("siz");
    await page.waitForSelector("[role=option]");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.getAttribute("#search", "aria-activedescendant"), "search-option-0");
    await page.keyboard.press("Enter");
    assert.equal(await page.inputValue("#search"), "size:");
    await page.keyboard.type(">5");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash === "#/clusters?q=size%3A%3E5");
    await page.waitForSelector(".status:has-text('7 clusters')");
    for (let i = 0; i < 4; i += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("#46 doc"));
    await page.keyboard.press("Enter");
    await page.waitForSelector("#comparison .text");
    for (const key of ["j", "x", "j", "x", "Shift+S"]) await page.keyboard.press(key);
    await announced(page, "2 documents split off");
    await page.keyboard.press("Shift+K");
    await announced(page, "will be kept");
    await page.keyboard.press("u");
    await announced(page, "Decision 2 is undone");
    await page.keyboard.press("a");
    await announced(page, "1 document put aside");
    await page.keyboard.press("n");
    await page.waitForSelector("h1:has-text('Cluster 5')");
    await page.waitForSelector("#comparison .text");
    await page.keyboard.press("Shift+M");
    await announced(page, "2 documents merged");
    const made = server.log.filter((line) => /^(POST|DELETE) .*decisions/.test(line));
    assert.equal(made.length, 4);
    await page.keyboard.press("p");
    await page.waitForSelector("h1:has-text('Cluster 4')");
    await close();
  });
}

test("single keys rest in fields and in the dialog, and can be turned off", async () => {
  const { page, server, close } = await browser.open(kResult, "#/cluster/2");
  await page.waitForSelector("#comparison .text");
  const current = () => page.textContent(".members tr[aria-current] .id");
  await page.focus("#threshold");
  await page.keyboard.press("j");
  assert.equal(await current(), "urn:news:2-1", "a field had the focus");
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await page.keyboard.press("Control+j");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("j");
  await page.click("dialog input");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "hidden" });
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+K");
  assert.equal(await current(), "urn:news:2-1", "the keys are off");
  assert.ok(server.log.every((line) => !line.startsWith("POST /v1/result/decisions")));
  await page.click("button:has-text('Keys')");
  await page.click("dialog input");
  await page.click("dialog >> text=Close");
  await page.waitForSelector("dialog", { state: "hidden" });
  await page.keyboard.press("j");
  await page.waitForSelector(".members tr[aria-current]:has-text('urn:news:2-2')");
  await page.focus(".members tr[aria-current] button");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.textContent === "urn:news:2-3");
  await close();
});

test("200,000 clusters: few rows in the document, any of them in reach, searched in parts", async () => {
  const { page, server, close } = await browser.open({ mode: "result", clusters: 200_000 }, "#/clusters");
  await page.waitForSelector("a.cluster-row .opener-id");
  assert.match(plain(await page.textContent(".status")), /200 000 clusters/);
  const rows = () => page.locator(".virtual-row").count();
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await page.evaluate((at) => {
      const box = document.querySelector(".virtual");
      if (box !== null) box.scrollTop = at * box.scrollHeight;
    }, share);
    const wanted = share === 1 ? "#200000" : `#${Math.round(200_000 * share)}`;
    await page.waitForFunction(
      (text) => [...document.querySelectorAll(".cluster-row:has(.opener-id)")]
        .some((row) => row.textContent?.startsWith(text)), wanted);
    assert.ok((await rows()) < 60, `${await rows()} rows`);
  }
  assert.match(plain(await page.textContent(".exports")), /Save the 1 \d{3} rows loaded so far/);
  await page.focus("a.cluster-row[tabindex='0']");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("#140 doc"));
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("#200000"));
  // The way back from a cluster leads to the same place.
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:text-is('Cluster 200\u202f000')");
  await page.goBack();
  await page.waitForSelector("a.cluster-row >> text=#200000");
  // A search for a rare word goes through everything, in parts.
  const before = server.log.length;
  // A machine may show a part of a search for an instant only, so the page itself notes each.
  const statuses = await page.evaluateHandle(() => {
    /** @type {string[]} */
    const seen = [];
    new MutationObserver(() => {
      seen.push(document.querySelector(".status")?.textContent ?? "");
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  await page.fill("#search", "id:news:19999");
  await page.waitForFunction(
    () => /^\d+ clusters$/.test(document.querySelector(".status")?.textContent ?? ""));
  assert.equal(plain(await page.textContent(".status")), "11 clusters");
  assert.ok(server.log.length - before >= 40, "the server looks at a part at a time");
  const shown = await statuses.jsonValue();
  assert.ok(shown.some((status) => status.includes("so far; looked at")), "it shows the parts");
  const { text } = await downloaded(page, () => page.click("button:text-is('CSV')"));
  assert.equal(text.split("\r\n").length, 13);
  assert.match(text, /^cluster,size,kept_id,.*\r\n19999,/);
  const jsonl = await downloaded(page, () => page.click("button:text-is('JSONL')"));
  assert.equal(JSON.parse(jsonl.text.split("\n")[0] ?? "").cluster, 19999);
  await close();
});

test("Keep takes the document that is ticked, and says for which other one", async () => {
  const { page, close } = await browser.open(kResult, "#/cluster/2");
  await page.waitForSelector("#comparison .text");
  assert.match(plain(await page.textContent(".decide .status")), /Keep and Split act on ?urn:news:2-1,/);
  await page.locator(".members tr:has-text('urn:news:2-2') .select").check();
  await page.locator(".members tr:has-text('urn:news:2-3') .select").check();
  await page.click("button:has-text('Keep this')");
  await announced(page, "Keep takes one document");
  await page.locator(".members tr:has-text('urn:news:2-3') .select").uncheck();
  await page.click("button:has-text('Keep this')");
  await page.waitForFunction(() => /2-2\u2069 will be kept in place of \u2068urn:news:2-0\u2069/
    .test(document.querySelector("#announcements")?.textContent ?? ""));
  await page.click("nav >> text=Decisions");
  await page.waitForSelector(".decisions >> text=urn:news:2-2");
  await close();
});

test("an audit: figures, findings of each kind, and the documents of one side by side", async () => {
  const { page, server, close } = await browser.open({ mode: "result", audit: "removed" }, "#/");
  await page.click("nav >> text=Audit");
  await page.waitForSelector(".finding-found b");
  const figures = plain(await page.textContent(".measures"));
  assert.match(figures, /right\s*1 166.*false\s*1 234.*of these, with all their near-duplicates 56.*missed\s*0.*inputs\s*3/);
  const row = (/** @type {number} */ i) => page.textContent(`[data-row='${i}']`).then(plain);
  assert.match(await row(0), /urn:news:1-0The list: removedVerified: nothing that stays comes near/);
  assert.match(await row(1), /The list: 0.13 removed for urn:news:2-2Verified: 0.61 at most, with urn:news:2-1/);
  assert.match(await row(3), /0.97 with another that was removed, urn:news:4-3/);
  // The last of many is there as soon as it is in sight.
  await page.focus("a.finding[tabindex='0']");
  await page.keyboard.press("End");
  await page.waitForFunction(() => /urn:news:14-0/.test(document.activeElement?.textContent ?? ""));
  assert.ok((await page.locator(".virtual-row").count()) < 60);
  const { name, text } = await downloaded(page, () => page.click("button:text-is('JSONL')"));
  assert.equal(name, "false_removal.jsonl");
  assert.equal(JSON.parse(text.split("\n")[0] ?? "").kind, "false_removal");
  await page.focus("a.finding[tabindex='0']");
  await page.keyboard.press("Home");
  await page.waitForSelector("[data-row='0']:focus");
  await page.click("text=Missed documents (0)");
  await page.waitForSelector("text=No missed documents.");
  assert.equal(server.log.filter((line) => line.includes("kind=missed")).length, 0, "nothing to ask for");
  await page.goBack();
  // A removal leads to a comparison with its reason; without one, to a search for what is like it.
  await page.click("[data-row='1']");
  await page.waitForSelector("#comparison .document-id:has-text('urn:news:2-2')");
  await page.waitForSelector("#comparison >> text=news-03.jsonl:2002");
  await page.waitForSelector("#comparison >> text=What it was removed for");
  await page.waitForSelector(".measures >> text=0.8: near-duplicates");
  await page.click("text=Back to the audit");
  await page.click("[data-row='0']");
  await page.waitForFunction(() => location.hash.startsWith("#/like?id="));
  await close();
});

test("an audit of pairs has other findings; without one there is no such view", async () => {
  const pairs = await browser.open({ mode: "result", audit: "pairs" }, "#/audit");
  await pairs.page.waitForSelector(".finding-found b");
  assert.match(plain(await pairs.page.textContent("main")), /takes 900 pairs of 12 345 documents/);
  assert.match(plain(await pairs.page.textContent("[data-row='0']")), /The list: a pair with urn:news:1-1Verified: 0.61/);
  await pairs.page.click("text=Missed pairs (700)");
  await pairs.page.waitForSelector("[data-row='0']:has-text('no pair')");
  await pairs.close();
  const { page, close } = await browser.open(kResult, "#/");
  await page.waitForSelector("nav >> text=Decisions");
  assert.equal(await page.locator("nav >> text=Audit").count(), 0);
  await close();
});

test("a wrong search shows what the server says, and nothing found says what to do", async () => {
  const { page, close } = await browser.open(kResult, "#/clusters?q=bad%3Ax");
  await page.waitForSelector("[role=alert]:has-text(\"unknown field 'bad'\")");
  await page.fill("#search", "nobody");
  await page.waitForSelector("text=No cluster matches");
  await page.fill("#search", "id:news:7-");
  await page.waitForSelector("a.cluster-row >> text=#7");
  await page.locator("#search").press("End");
  await page.keyboard.type(" ");
  await page.waitForTimeout(500);
  assert.equal(await page.inputValue("#search"), "id:news:7- ", "a blank at the end stays");
  await page.click("nav >> text=Clusters");
  await page.waitForSelector(".status:text-is('30 clusters')");
  assert.equal(await page.inputValue("#search"), "");
  await close();
});

test("a completion can be chosen by mouse, and Escape closes the list", async () => {
  const { page, close } = await browser.open(kResult, "#/clusters");
  await page.locator("#search").pressSequentially("kind:");
  await page.click("[role=option]:has-text('identical')");
  assert.equal(await page.inputValue("#search"), "kind:identical ");
  await page.locator("#search").pressSequentially("s");
  await page.waitForSelector("[role=option]");
  assert.equal(await page.getAttribute("#search", "aria-expanded"), "true");
  await page.keyboard.press("Escape");
  assert.equal(await page.getAttribute("#search", "aria-expanded"), "false");
  await close();
});

test("a cluster: threshold, differences only, all pairs, near misses", async () => {
  const { page, close } = await browser.open(kResult, "#/cluster/1");
  await page.waitForSelector("#comparison .text");
  assert.match(plain(await page.textContent(".threshold output")), /39 of 39 members would be removed/);
  await page.focus("#threshold");
  for (let i = 0; i < 20; i += 1) await page.keyboard.press("ArrowRight");
  const output = plain(await page.textContent(".threshold output"));
  const kept = Number(/(\d+) would be kept/.exec(output)?.[1]);
  assert.ok(kept > 0, output);
  assert.equal(await page.locator(".would-stay").count(), kept);
  assert.ok((await page.locator("#comparison .fold").count()) > 0);
  const before = await page.locator("#comparison .shared").count();
  await page.check("text=Differences only");
  await settled(page);
  assert.ok((await page.locator("#comparison .row .shared").count()) < before);
  await page.locator("#comparison .kept .fold").first().click();
  assert.equal(
    plain(await page.textContent(".met")),
    "They share 320 of 380 features, which is 0.8421, at least the threshold of 0.8. " +
    "Why they met: 17 of 128 band keys are equal; of pairs with this resemblance, 99.98 % have one or more.",
  );
  assert.match(plain(await page.textContent(".intro")), /kept one comes first in the input/);
  // Several are compared with the kept one at once.
  for (const i of [1, 2, 3]) await page.locator(".members .select").nth(i).check();
  await page.click("summary:has-text('Differences of the 3 that are selected')");
  await page.waitForSelector("#selected-2 .text");
  assert.equal(await page.locator("#selected-0 .fold").count() > 0, true, "what both have is folded");
  await page.click("summary:has-text('Scores of every pair')");
  await page.waitForSelector(".matrix");
  assert.equal(await page.locator(".matrix tbody tr").count(), 24);
  // The fake scores are .5 + (i * j % 50) / 100, so that they can be counted here.
  const scores = [];
  for (let i = 0; i < 24; i += 1) for (let j = 0; j < i; j += 1) scores.push(0.5 + ((i * j) % 50) / 100);
  const alike = scores.filter((score) => score >= 0.8).length;
  assert.equal(await page.locator(".graph .edge:not(.near-miss)").count(), alike);
  const near = scores.filter((score) => score >= 0.8 - 0.1 && score < 0.8).length;
  assert.equal(await page.locator(".graph .near-miss").count(), near);
  assert.match(plain(await page.textContent(".graph figcaption")), new RegExp(`^${alike} of 276 pairs reach 0.8`));
  await page.click("text=Look through every document");
  await page.waitForSelector("text=1 near miss.");
  await page.click(".matches a");
  await page.waitForSelector("h1:has-text('Compare')");
  await close();
});

test("two texts of a megabyte are cut and drawn in time", async () => {
  const { page, close } = await browser.open({ mode: "result", longTexts: true }, "#/cluster/3");
  const start = Date.now();
  await page.waitForSelector("#comparison .text");
  assert.ok(Date.now() - start < 6000, `${Date.now() - start} ms`);
  await close();
});

test("without texts a cluster shows what needs none", async () => {
  const { page, server, close } = await browser.open({ mode: "result", texts: "none" }, "#/cluster/2");
  await page.waitForSelector("text=lookalike serve --result DIR INPUTS…");
  assert.equal(await page.locator("#comparison").count(), 0);
  assert.ok(server.log.every((line) => !/documents|compare|query/.test(line)));
  await close();
});

test("while texts are read the page shows how far, and goes on when they are there", async () => {
  const { page, close } = await browser.open({ mode: "result", texts: "reading" }, "#/cluster/2");
  await page.waitForSelector("text=The server reads the texts");
  await page.waitForSelector("#comparison .text");
  await close();
});

test("what is like this: a text, a file, a threshold below the index's", async () => {
  const { page, close } = await browser.open(kResult, "#/like");
  await page.fill("#like-text", "Sentence 1 of cluster 2");
  await page.click("button:has-text('Find')");
  await page.waitForSelector("text=3 matches; 12 candidates compared");
  await page.fill("#like-threshold", "0.7");
  assert.match(plain(await page.textContent("#like-threshold-note")), /every document is looked at/);
  await page.click("button:has-text('Find')");
  await page.waitForSelector("text=4 matches");
  assert.match(plain(await page.textContent(".part [role=status]")), /every document was looked at/);
  assert.equal(await page.textContent(".matches .named >> nth=1"), "urn:match:1news-03.jsonl:2001");
  await page.click(".matches .member >> nth=1");
  await page.waitForSelector("#match-pair-1 .text");
  assert.match(plain(await page.textContent("#match-pair-1 .kept")), /First document/);
  const buffer = Buffer.from("nothing 😀");
  await page.setInputFiles("#like-file", { name: "<b>.txt", mimeType: "text/plain", buffer });
  await page.waitForSelector("text=<b>.txt was read");
  assert.equal(await page.inputValue("#like-text"), "nothing 😀");
  await page.click("button:has-text('Find')");
  await page.waitForSelector("text=No document is like it as a whole");
  await page.waitForSelector("text=No document has more than a fifth of it.");
  // A part of a longer text is like nothing as a whole, but where it stands is said.
  await page.fill("#like-threshold", "0.8");
  const excerpt = `an excerpt of something${"\n".repeat(7)}Sentence 7 of cluster 2 😀 about the harbour `;
  await page.fill("#like-text", excerpt);
  await page.click("button:has-text('Find')");
  await page.waitForSelector(".matches li");
  assert.match(plain(await page.textContent("section.part")), /none reaches 0.8\..*90 % of it is in another document.*90 %/);
  // An opened match shows what both texts have, even if the longer one has it far from its front.
  await page.click(".matches .member >> nth=0");
  const pane = page.locator("#match-pair-0 .removed .text");
  const [frame, shared] = [await pane.boundingBox(), await pane.locator(".shared").boundingBox()];
  assert.ok(frame !== null && shared !== null && shared.y + 20 < frame.y + frame.height, "in sight");
  assert.match((await pane.textContent()) ?? "", /^⋯ .* characters only here ⋯/);
  // The pasted text is still there after a visit to another page.
  await page.click("nav >> text=Clusters");
  await page.waitForSelector("a.cluster-row .opener-id");
  await page.goBack();
  assert.equal(await page.inputValue("#like-text"), excerpt);
  const drop = (/** @type {number} */ size) => page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File(["d".repeat(bytes)], "dropped.txt"));
    const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector(".drop")?.dispatchEvent(event);
  }, size);
  await drop(4_000_001);
  await page.waitForSelector("text=Choose a file of at most");
  await drop(30);
  await page.waitForSelector("text=dropped.txt was read");
  assert.equal(await page.inputValue("#like-text"), "d".repeat(30));
  await close();
});

test("what is like a stored document: a link, with links on", async () => {
  const { page, close } = await browser.open(kResult, "#/like?id=news-03.jsonl%3A2000");
  await page.click(".matches .member >> nth=0");
  await page.click("text=A link to this comparison alone");
  await page.waitForSelector("#comparison .text");
  assert.match(page.url(), /#\/compare\?a=news-03.jsonl%3A2000&b=news-03.jsonl%3A2001$/);
  await close();
});

test("compare: all measures, a shared link, and a file for those without access", async () => {
  const { page, close } = await browser.open(kResult, "#/compare");
  await page.waitForSelector("text=Name two documents");
  await page.fill("label:has-text('First') input", "news-03.jsonl:2000");
  await page.fill("label:has-text('Second') input", "news-03.jsonl:2002");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#comparison .text");
  assert.match(plain(await page.textContent(".measures")), /Resemblance 0.8421.*Features in both 320/);
  const { name, text } = await downloaded(page, () => page.click("text=Save as a page"));
  assert.equal(name, "comparison.html");
  assert.match(text, /Sentence 1 of cluster 2 😀/);
  assert.doesNotMatch(text, /<script/);
  await page.goto("about:blank");
  await page.setContent(text);
  assert.equal(await page.locator("pre").count(), 2);
  await close();
});

test("a comparison names the guards that would tell the two apart, and by what", async () => {
  const { page, close } = await browser.open(kIndex, "#/compare?a=doc:10&b=doc:11");
  const said = plain(await page.textContent(".guards"));
  assert.match(said, /A run with one of these guards would keep both/);
  assert.match(said, /--differ numbers12, 12, 2024 and 40 morenothing/);
  assert.match(said, /وثيقة/);
  await close();
});

test("a cluster says in which fields its documents differ", async () => {
  const { page, close } = await browser.open({ ...kResult, agree: ["label"] }, "#/cluster/2");
  const said = plain(await page.textContent("[aria-label='Fields that differ']"));
  assert.match(said, /The documents differ in 1 field in which they should agree/);
  assert.match(said, /Of 1.?234 documents, 1.?000 were looked at/);
  assert.match(said, /label: <\/script>.* in 900, none in 78, and 21 other values/);
  await page.goto(page.url().replace(/2$/, "1"));
  await page.waitForSelector("#title:has-text('Cluster 1')");
  await page.waitForSelector("#comparison .text");
  assert.equal(await page.locator("[aria-label='Fields that differ']").count(), 0);
  await close();
});

test("an index names its guards", async () => {
  /** @param {string[]} guards */
  const named = async (guards) => {
    const { page, close } = await browser.open({ ...kIndex, guards });
    await page.waitForSelector("text=told apart where these differ");
    const codes = await page.locator("section li code").allTextContents();
    const foreign = await page.locator("section li code bdi").allTextContents();
    await close();
    return [codes.slice(0, guards.length + 1), foreign.slice(0, guards.length + 1)];
  };
  const hostile = kHostileIds[1] ?? "";
  assert.deepEqual(await named(["numbers", hostile]), [
    ["--differ numbers", `--differ ${hostile}`, "--same lang"],
    ["numbers", hostile, "lang"],
  ]);
  assert.deepEqual((await named([]))[0], ["--same lang"]);
});

test("a cluster says where no rule chose the document that stays", async () => {
  /** @param {Partial<import("./server.mjs").World>} world @param {number} cluster */
  const said = async (world, cluster) => {
    const { page, close } = await browser.open({ ...kResult, ...world }, `#/cluster/${cluster}`);
    await page.waitForSelector(".members .member");
    const intro = plain(await page.textContent(".intro"));
    const rules = await page.locator(".members .kept-by").allTextContents();
    await close();
    return { intro, rules };
  };
  const byOrder = await said({}, 2);
  assert.match(byOrder.intro, /removed\. The kept one comes first in the input; no other rule chose it\.$/);
  assert.deepEqual(byOrder.rules, []);
  for (const world of [{ replayed: true }, { known: true }, { contained: true }, { contained: true, keep: ["longest"] }]) {
    assert.match((await said(world, 1)).intro, /removed\.$/, JSON.stringify(world));
  }
  const several = await said({ keep: [kHostileIds[1] ?? "", "longest"] }, 1);
  assert.match(several.intro, /13 removals were decided by the order of the inputs only\.$/);
  assert.deepEqual(several.rules.slice(0, 3), ["by longest", `by ${kHostileIds[1]}`, "by input order only"]);
  const firstToo = await said({ keep: ["longest", "first"] }, 3);
  assert.match(firstToo.intro, / 1 removal was decided by the order of the inputs only\.$/);
  const none = await said({ keep: ["longest"] }, 5);
  assert.match(none.intro, /removed\.$/);
});

test("the overview lists the pairs that guards keep apart, a few at a time", async () => {
  const { page, close } = await browser.open({ ...kResult, guarded: 45 });
  const rows = page.locator("[aria-label='Pairs kept apart'] tbody tr");
  await page.waitForSelector("text=45 pairs of documents are alike");
  assert.equal(await rows.count(), 20); // two guards each
  assert.match(plain(await rows.first().textContent()), /^0.93.*numbers70$/);
  assert.match(plain(await rows.nth(1).textContent()), /^langennothing$/);
  for (const shown of [40, 60, 80, 90]) {
    await page.click("text=Show more pairs");
    await page.waitForFunction(
      (n) => document.querySelectorAll("[aria-label='Pairs kept apart'] tbody tr").length === n,
      shown,
    );
  }
  assert.equal(await page.locator("text=Show more pairs").count(), 0);
  await rows.first().locator("a").click();
  await page.waitForSelector("#comparison .text");
  await close();
  const none = await browser.open({ ...kResult, guarded: 0 });
  await none.page.waitForSelector("text=No two documents that stay are alike but for a guard.");
  await none.close();
});

test("a comparison of metadata, and a document that is not there", async () => {
  const index = await browser.open(kIndex, "#/compare?a=doc:10&b=doc:11");
  assert.match(plain(await index.page.textContent(".conflicts")), /label"spam""ham"/);
  await index.close();
  const { page, close } = await browser.open(kIndex, "#/compare?a=missing&b=doc:2");
  await page.waitForSelector("[role=alert]:has-text(\"there is no document 'missing'\")");
  await close();
});

test("an index: figures, recall, changes, clusters; nothing of a result", async () => {
  const { page, close } = await browser.open(kIndex);
  await page.waitForSelector("[aria-label='Latest changes'] tbody tr");
  assert.equal(await page.locator("nav >> text=Decisions").count(), 0);
  const changes = "[aria-label='Latest changes'] tbody tr";
  assert.match(plain(await page.textContent(changes)), /^3 003mergedc3/);
  assert.equal(await page.locator(changes).count(), 20);
  assert.equal(await page.locator("canvas").count(), 1);
  assert.match(plain(await page.textContent(".chart figcaption")), /From 1 000 documents to 4 481/);
  await page.click("text=The numbers as a table");
  assert.match(plain(await page.textContent(".chart-data tbody tr:last-child")), /4 481$/);
  await page.click("text=Measure recall");
  await page.waitForSelector("text=0.97–0.999");
  await page.click("nav >> text=Clusters");
  await page.click("a.cluster-row >> nth=1");
  await page.waitForSelector("#comparison .text");
  await page.click("button.member >> nth=1");
  await page.waitForSelector("#comparison .document-id:has-text('doc:6')");
  assert.equal(await page.locator(".decide").count(), 0);
  await close();
  const none = await browser.open({ mode: "index", unclustered: true }, "#/clusters");
  await none.page.waitForSelector("[role=alert]:has-text('this index keeps no clusters')");
  await none.close();
});

test("a token is asked for, again if it is wrong, and stays for the tab", async () => {
  const { page, close } = await browser.open({ mode: "result", token: "right" }, "#/cluster/2");
  await page.waitForSelector("#token");
  assert.equal(await focused(page), "token");
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=did not accept this token");
  await page.fill("#token", "right");
  await page.click("text=Go on");
  await page.waitForSelector("#comparison .text");
  await page.reload();
  await page.waitForSelector("#comparison .text");
  assert.equal(await page.evaluate(() => localStorage.length + document.cookie.length), 0);
  await close();
});

test("a busy server is asked again, three times at most", async () => {
  const soon = await browser.open({ mode: "result", busy: 3 }, "#/");
  await soon.page.waitForSelector("#options table");
  await soon.close();
  const { page, close } = await browser.open({ mode: "result", busy: 4 }, "#/");
  await page.waitForSelector("[role=alert]:has-text('busy')");
  await page.click("text=Try again");
  await page.waitForSelector("#options table");
  await close();
});

test("a decision that is refused says why", async () => {
  const { page, close } = await browser.open({ mode: "result", readonly: true }, "#/cluster/2");
  await page.click("button:has-text('Split selected')");
  await announced(page, "Not done: this server only reads");
  await page.click("button:has-text('Merge')", { trial: true, timeout: 300 }).then(
    () => assert.fail("nothing is put aside"), () => undefined);
  await page.click("button:has-text('Put aside')");
  await page.click("text=Take back");
  await announced(page, "0 documents put aside");
  await page.keyboard.press("u");
  await announced(page, "There is no decision of this visit");
  await close();
});

test("a server that went away is named, and asked again", async () => {
  const { page, server } = await browser.open(kResult, "#/clusters");
  await page.waitForSelector("a.cluster-row");
  await server.stop();
  await page.click("nav >> text=Decisions");
  await page.waitForSelector("[role=alert]:has-text('The server did not answer')");
  await page.context().close();
});

test("hostile ids and texts are shown letter for letter and never run", async () => {
  const { page, close } = await browser.open({ mode: "result", hostile: true }, "#/clusters");
  await page.waitForSelector("a.cluster-row .opener-id");
  const shown = await page.locator(".cluster-row .opener-id").allTextContents();
  for (const [i, id] of kHostileIds.entries()) assert.equal(wellFormed(shown[i] ?? ""), wellFormed(id));
  for (const n of [1, 2, 9, 10]) {
    await page.evaluate((cluster) => {
      location.hash = `#/cluster/${cluster}`;
    }, n);
    await page.waitForSelector(`h1:text-is("Cluster ${n}")`);
    await page.waitForSelector("#comparison .text");
    const id = kHostileIds[(n - 1) % kHostileIds.length] ?? "";
    assert.equal(wellFormed(await page.textContent(".kept-row .id")), wellFormed(id));
    const label = (await page.getAttribute(".kept-row input", "aria-label")) ?? "";
    assert.doesNotMatch(label, /[\u202a-\u202e]/);
  }
  assert.equal(await page.evaluate(() => Reflect.get(window, "hacked")), undefined);
  assert.equal(await page.locator("main img, main script, main [onload], main [onerror]").count(), 0);
  await close();
});

test("the address, the title and the theme", async () => {
  const { page, close } = await browser.open(kResult, "#/decisions");
  await page.waitForSelector("text=Nothing is decided yet");
  assert.equal(await page.title(), "Decisions – Lookalike");
  assert.equal(await page.getAttribute("nav a[aria-current]", "href"), "#/decisions");
  await page.click("#theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
  await page.reload();
  await page.waitForSelector("text=Nothing is decided yet");
  assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
  await page.click("nav >> text=Compare");
  await page.goBack();
  await page.waitForSelector("h1:has-text('Decisions')");
  await page.evaluate(() => {
    location.hash = "#/cluster/x";
  });
  await page.waitForSelector("text=No such cluster");
  await close();
});
