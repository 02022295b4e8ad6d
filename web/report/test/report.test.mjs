import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  contained, empty, hostile, kHostile, longTexts, nothingFound, ofDataFrame, onePair, realistic,
} from "./fixtures.mjs";
import { frame, inkOfCharts, reportPage, startBrowser, sticksOut } from "./page.mjs";

/** @type {Awaited<ReturnType<typeof startBrowser>>} */
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.stop());

/** Numbers hold no-break spaces. @param {string | null} text */
const plain = (text) => (text ?? "").replace(/[\u202f\u00a0]/g, " ");

test("says in one sentence what happened", async () => {
  const { page, close } = await browser.open(realistic());
  assert.equal(
    plain(await page.textContent("h1")),
    "12 345 documents in; 9 988 kept (81 %), 2 345 removed: 345 copies and 2 000 near-duplicates; " +
      "every removal was checked exactly; measured recall 0.998 (0.994–1).");
  const figures = plain(await page.textContent(".figures"));
  assert.match(figures, /Space saved11.4 MB19 % of 61.2 MB/);
  assert.match(plain(await page.textContent(".warning")), /12 records rejected/);
  assert.match(await page.title(), /documents kept/);
  await close();
});

test("draws three charts, each with a label and a table", async () => {
  const { page, close } = await browser.open(realistic());
  const ink = await inkOfCharts(page, ["191,74,16", "36,85,184"]);
  assert.equal(ink.length, 3);
  const [[bars = 0] = [], [dots = 0] = [], [measured = 0, curve = 0] = []] = ink;
  assert.ok(bars > 5000 && dots > 200 && measured > 50 && curve > 100, JSON.stringify(ink));
  for (const plot of await page.locator("[role=img]").all()) {
    assert.ok(((await plot.getAttribute("aria-label")) ?? "").length > 20);
  }
  const tables = page.locator(".chart-data");
  assert.equal(await tables.count(), 3);
  await tables.first().locator("summary").click();
  assert.ok(await tables.first().locator("tbody tr").first().isVisible());
  await close();
});

test("the pointer on a bar reads that bar's numbers out", async () => {
  const { page, close } = await browser.open(realistic());
  const plot = page.locator("figure .u-over").first();
  await plot.scrollIntoViewIfNeeded();
  const bar = ((await plot.boundingBox())?.width ?? 0) / 20;
  for (const inBar of [0.1, 0.9]) {
    await plot.hover({ position: { x: bar * (3 + inBar), y: 100 } });
    await frame(page);
    assert.match(plain(await page.locator(".readout").first().textContent()), /^0.83–0.84: \d+ doc/);
  }
  await close();
});

test("a cluster opens to two texts with shared and differing passages", async () => {
  const data = realistic();
  const { page, close } = await browser.open(data);
  await page.locator(".opener").nth(2).click();
  const panel = page.locator("#cluster-3");
  assert.ok(await panel.isVisible());
  const members = data.clusters[2]?.members ?? [];
  const index = members.findIndex((m) => m.kind === "near");
  await panel.locator("select").selectOption(String(index));
  const differing = (members[index]?.segments ?? []).filter(([, shared]) => shared === 0);
  assert.deepEqual(
    await panel.locator(".removed .differing").allTextContents(), differing.map(([text]) => text));
  assert.ok((await panel.locator(".kept .shared").count()) > 0);
  const line = await panel.locator(".removed .differing").first().evaluate(
    (mark) => getComputedStyle(mark).textDecorationLine);
  assert.equal(line, "underline", "differing passages are marked by more than colour");
  const copy = members.findIndex((m) => m.kind !== "near");
  await panel.locator("select").selectOption(String(copy));
  assert.match((await panel.textContent()) ?? "", /are the same/);
  await close();
});

test("where containment decided, nothing speaks of resemblance or of kept documents", async () => {
  const { page, close } = await browser.open(contained());
  assert.match(
    plain(await page.textContent("h1")),
    /345 copies and 2 000 documents that overlap the reference; every/);
  assert.equal(await page.locator("canvas").count(), 2, "there is no acceptance curve");
  assert.equal(await page.textContent("figure h3 >> nth=0"), "Containment of what was removed");
  for (const opener of await page.locator(".opener").all()) await opener.click();
  const text = (await page.textContent("main")) ?? "";
  const labels = await page.locator("[aria-label]").evaluateAll((found) =>
    found.map((element) => element.getAttribute("aria-label")).join("\n"));
  for (const wrong of [/near-duplicate/i, /kept document/i, /acceptance/i, /chance/i]) {
    assert.doesNotMatch(text + labels, wrong);
  }
  // Second at most: what it is, and one number for each comparison.
  assert.equal(text.match(/resemblance/gi)?.length, 1 + contained().clusters.length);
  await close();
});

test("where containment decided, both directions are shown and the larger one decides", async () => {
  const { page, close } = await browser.open(contained());
  assert.deepEqual(
    await page.locator(".opener-note").allTextContents(),
    ["1 overlapping, 0.97; 1 copy", "1 overlapping, 0.87"]);
  for (const opener of await page.locator(".opener").all()) await opener.click();
  /** @param {number} i @param {string} side */
  const head = async (i, side) => plain(await page.textContent(`#cluster-${i} .${side} header`));
  assert.match(await head(1, "kept"), /In the reference.*Contained in the removed document 0.9697/);
  assert.match(await head(1, "removed"), /Contained in the reference document 0.0416/);
  assert.match(await head(2, "kept"), /Contained in the removed document 0.0545/);
  assert.match(await head(2, "removed"), /Contained in the reference document 0.8714/);
  assert.deepEqual(await page.locator("header dd b").allTextContents(), ["0.9697", "0.8714"]);
  assert.match(
    (await page.locator("#cluster-1 option").first().textContent()) ?? "", /containment 0.9697$/);
  assert.match((await page.textContent("#cluster-1 .legend")) ?? "", /resemblance 0.0404/);
  await page.locator("#cluster-1 select").selectOption("1");
  assert.match((await page.textContent("#cluster-1")) ?? "", /byte for byte/);
  await close();
});

test("of a part of a text it says what is left out, and shows what is shared", async () => {
  const data = contained();
  const { page, close } = await browser.open(data);
  await page.locator(".opener").first().click();
  const text = (/** @type {string} */ side) => page.locator(`#cluster-1 .${side} .text`);
  assert.match(plain(await text("removed").textContent()), /^18 402 characters before this …/);
  assert.match(plain(await text("removed").textContent()), /the text goes on; a part of it is shown.$/);
  assert.doesNotMatch(plain(await text("kept").textContent()), /characters before|goes on/);
  const pane = await text("removed").boundingBox();
  const shared = await text("removed").locator(".shared").boundingBox();
  assert.ok(pane !== null && shared !== null && shared.y + 30 < pane.y + pane.height, "in sight");
  assert.equal(await text("removed").locator(".fold").count(), 2);
  // Outermost, only what stands beside it: folds come first and last.
  assert.match((await text("removed").textContent()) ?? "", /before this …⋯ .* only here ⋯…/s);
  for (let i = 0; i < 2; ++i) await text("removed").locator(".fold").first().click();
  const whole = data.clusters[0]?.members[0]?.segments?.map(([t]) => t).join("") ?? "-";
  assert.ok((await text("removed").textContent())?.includes(whole));
  await close();
});

test("what two long texts share stands at one height", async () => {
  const { page, close } = await browser.open(longTexts());
  await page.locator("#clusters .opener").first().click();
  const folds = page.locator("#cluster-1 .fold");
  while ((await folds.count()) > 0) await folds.first().click();
  const tops = (/** @type {string} */ side) =>
    page.locator(`#cluster-1 .${side} .text .shared`).evaluateAll((found) =>
      found.map((element) => Math.round(element.getClientRects()[0]?.top ?? -1)));
  const [kept, removed] = [await tops("kept"), await tops("removed")];
  assert.equal(kept.length, 3);
  // Some words more or less move nothing to another row, and so the second passage flows on.
  for (const i of [0, 2]) assert.equal(kept[i], removed[i], JSON.stringify([kept, removed]));
  assert.ok((kept[2] ?? 0) > (kept[0] ?? 0) + 100);
  const text = await page.locator("#cluster-1 .kept .text").textContent();
  const whole = longTexts().clusters[0]?.members[0]?.kept_segments?.map(([t]) => t).join("");
  assert.equal(text, whole);
  const rows = (/** @type {string} */ side) => page.locator(`#cluster-1 .${side} .row`).count();
  assert.equal(await rows("kept"), await rows("removed"));
  assert.match(plain(await page.textContent("#cluster-1 .removed .text")), /^120 characters before/);
  await close();
});

test("the removals that were decided most narrowly are listed, lowest first", async () => {
  const data = realistic();
  const { page, close } = await browser.open(data);
  const openers = page.locator("#narrowest .opener");
  assert.equal(await openers.count(), 20);
  assert.match(plain(await page.textContent("#narrowest")), /The 20 removals with the lowest resemblance/);
  assert.match(plain(await page.textContent("#narrowest")), /threshold is 0.8/);
  const values = (await page.locator("#narrowest .opener-size").allTextContents()).map(Number);
  assert.deepEqual(values, [...values].sort((x, y) => x - y));
  await openers.nth(1).click();
  const removal = data.narrowest?.[1];
  const id = (/** @type {string} */ side) => page.textContent(`#narrow-2 .${side} .document-id`);
  assert.equal(await id("kept"), removal?.kept.id);
  assert.equal(await id("removed"), removal?.member.id);
  assert.equal(await page.locator("#narrow-2 select").count(), 0, "there is nothing to choose");
  await close();
});

test("it says how many removals differ only in numbers", async () => {
  const data = realistic();
  const said = async () => {
    const { page, close } = await browser.open(data);
    const text = plain(await page.textContent("#narrowest"));
    await close();
    return text;
  };
  assert.doesNotMatch(await said(), /numbers/);
  data.number_changes = { drawn: 100, read: 90, only_numbers: 31 };
  const sample =
    /Of 90 near-duplicates drawn at random, 31 differ from what is kept only in numbers \(so probably 25.*% to 4\d.*% of all /;
  assert.match(await said(), sample);
  const all = data.records.removed_near;
  data.number_changes = { drawn: all, read: all, only_numbers: 1 };
  assert.match(await said(), /Of all .* near-duplicates, 1 differs from what is kept only in numbers\. If/);
});

test("it names the field, the command, and where the date is", async () => {
  const data = realistic();
  data.options.push(["--against", ""]);
  const { page, close } = await browser.open(data);
  const options = plain(await page.textContent("#options"));
  assert.match(options, /the field text\..*lookalike dedup INPUTS -o OUTPUT --keep longest/s);
  assert.match(options, /--againstnot given$/);
  assert.match(plain(await page.textContent("footer")), /date, the duration .* in manifest.json/s);
  await close();
});

test("the reference is an input of which nothing is kept or removed", async () => {
  const { page, close } = await browser.open(contained());
  const cells = await page.locator("#inputs tbody tr").first().locator("th, td").allTextContents();
  assert.deepEqual(cells, ["test.jsonlreference, stays as it is", "169", "–", "–", "–", "0"]);
  await close();
});

test("no overlap found: says so of the reference", async () => {
  const { resemblance_histogram: histogram, ...data } = nothingFound();
  const { page, close } = await browser.open({
    ...data, measure: "containment", ...(histogram && { containment_histogram: histogram }),
  });
  assert.match(plain(await page.textContent("h1")), /none was found to overlap a document of the ref/);
  assert.match((await page.textContent("#charts")) ?? "", /No overlapping document was removed/);
  assert.match((await page.textContent("#clusters")) ?? "", /no document overlaps one of the ref/);
  await close();
});

test("a long shared passage is folded and unfolds to the whole text", async () => {
  const data = hostile();
  const { page, close } = await browser.open(data);
  const rank = data.clusters.findIndex((c) => c.kept.id === "文件一") + 1;
  await page.fill("#cluster-filter", "文件一");
  await page.click(".opener");
  const text = page.locator(`#cluster-${rank} .removed .text`);
  await text.locator(".fold").click();
  const whole = data.clusters[rank - 1]?.members[0]?.segments?.map(([t]) => t).join("");
  assert.equal(await text.textContent(), whole);
  await close();
});

test("what only one has is folded where two documents are not much alike", async () => {
  const data = longTexts();
  const [member] = data.clusters[0]?.members ?? [];
  assert.ok(member !== undefined);
  member.segments = [["only here ".repeat(200), 0], ["in both ".repeat(10), 1]];
  for (const [resemblance, folds] of [[0.5, 0], [0.49, 1]]) {
    member.resemblance = resemblance ?? 0;
    const { page, close } = await browser.open(data);
    await page.locator("#clusters .opener").first().click();
    const own = page.locator("#cluster-1 .removed .fold:has-text('only here')");
    assert.equal(await own.count(), folds, `${resemblance}`);
    await close();
  }
});

test("documents that were too short to be compared are counted", async () => {
  const data = realistic();
  data.recall.covers = { documents: 11_700, left_out: 633, min_features: 20 };
  const { page, close } = await browser.open(data);
  assert.match(
    (await page.textContent(".remarks")) ?? "",
    /633 documents with fewer than 20 distinct shingles .* about the other 11.700\./,
  );
  await close();
  data.recall = { ...data.recall, met: false, estimate: null, low: null, high: null };
  const nothing = await browser.open(data);
  assert.match((await nothing.page.textContent("#summary")) ?? "", /Nothing was compared/);
  await nothing.close();
});

test("what decided which documents stay", async () => {
  const data = realistic();
  const plain = await browser.open(data);
  assert.equal(await plain.page.locator(".kept-by").count(), 0);
  await plain.close();
  data.kept_by = { "source:curated,<b>web": 1500, longest: 830, "input order": 15 };
  const { page, close } = await browser.open(data);
  assert.match(
    (await page.textContent(".kept-by")) ?? "",
    /decided: source:curated,<b>web 1.500, longest 830\. 15 of 2.345 removals were decided by the order of the inputs only\./,
  );
  await close();
  data.kept_by = { longest: 2345, "input order": 0 };
  const none = await browser.open(data);
  assert.match((await none.page.textContent(".kept-by")) ?? "", /longest 2.345\. $/);
  await none.close();
});

test("the list filters and pages", async () => {
  const { page, close } = await browser.open(realistic());
  assert.equal(await page.locator("#clusters .opener").count(), 10);
  await page.click("text=Next →");
  assert.match((await page.textContent("#clusters .opener")) ?? "", /#11/);
  await page.fill("#cluster-filter", "URN:NEWS:2026-0042");
  assert.equal(await page.locator("#clusters .opener").count(), 1);
  assert.match((await page.textContent("#clusters .opener")) ?? "", /#42/);
  await page.fill("#cluster-filter", "no such thing");
  assert.match((await page.textContent(".status")) ?? "", /No cluster matches/);
  await close();
});

test("the keyboard alone opens a cluster and changes the member", async () => {
  const { page, close } = await browser.open(realistic());
  await page.focus("#cluster-filter");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "opener");
  await page.keyboard.press("Enter");
  assert.ok(await page.isVisible("#cluster-1 .pair"));
  const first = await page.textContent("#cluster-1 .removed .document-id");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "SELECT");
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.textContent("#cluster-1 .removed .document-id"), first);
  await close();
});

test("hostile text is shown letter for letter and never runs", async () => {
  const data = hostile();
  const { page, close } = await browser.open(data);
  for (const [i, text] of kHostile.entries()) {
    await page.locator(".opener").nth(i).click();
    const panel = page.locator(`#cluster-${i + 1}`);
    assert.equal(await panel.locator(".kept .document-id").textContent(), text);
    assert.equal(await panel.locator(".removed .differing").textContent(), ` removed ${text}`);
    assert.equal(await page.locator("#options tbody tr").nth(i).locator("th").textContent(), text);
  }
  const entries = await page.locator("#cluster-6 option").allTextContents();
  assert.ok(entries.every((entry) => !/[\u202a-\u202e\u2066]/.test(entry)), entries.join("\n"));
  assert.equal(await page.evaluate(() => Reflect.get(window, "hacked")), undefined);
  assert.equal(await page.locator("main img, main script, main [onload], main [onerror]").count(), 0);
  assert.match((await page.textContent("#summary")) ?? "", /Recall was not met/);
  await page.click("text=Show all");
  assert.equal(await page.locator("#inputs tbody tr").count(), 1000);
  await close();
});

test("the policy stops a script that got into the page all the same", async () => {
  const html = (await reportPage(empty())).replace(
    "<main", "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><main");
  const { page, troubles } = await browser.open(html);
  assert.equal(await page.evaluate(() => Reflect.get(window, "hacked")), undefined);
  assert.ok(troubles.some((text) => text.includes("script-src")), troubles.join("\n"));
  await page.context().close();
});

for (const [name, make] of Object.entries({
  contained, empty, hostile, longTexts, nothingFound, onePair, realistic,
})) {
  test(`${name}: nothing sticks out, wide or narrow`, async () => {
    const { page, close } = await browser.open(make());
    for (const opener of await page.locator(".opener").all()) await opener.click();
    for (const details of await page.locator("details > summary").all()) await details.click();
    for (const width of [1280, 800, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await frame(page);
      assert.deepEqual(await sticksOut(page), [], `at ${width} px`);
    }
    await close();
  });
}

test("side by side becomes one above the other on a phone", async () => {
  for (const [width, stacked] of /** @type {const} */ ([[390, true], [1280, false]])) {
    const { page, close } = await browser.open(realistic(), { viewport: { width, height: 844 } });
    await page.click(".opener");
    const kept = await page.locator(".document.kept").boundingBox();
    const removed = await page.locator(".document.removed").boundingBox();
    assert.equal((removed?.y ?? 0) > (kept?.y ?? 0), stacked);
    await close();
  }
});

test("dark follows the system, the button changes it, charts follow", async () => {
  const { page, close } = await browser.open(realistic(), { colorScheme: "dark" });
  const look = () =>
    page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      document.querySelector("canvas")?.toDataURL() ?? "",
    ]);
  await page.waitForFunction(() => document.querySelector("canvas") !== null);
  await frame(page);
  const dark = await look();
  assert.equal(dark[0], "rgb(16, 21, 30)");
  await page.click("#theme");
  await frame(page);
  const light = await look();
  assert.equal(light[0], "rgb(246, 248, 251)");
  assert.notEqual(light[1], dark[1], "charts were drawn again");
  await page.reload();
  await frame(page);
  assert.equal((await look())[0], light[0], "the choice lasts");
  await close();
});

test("nothing found: says so, without charts and without alarm", async () => {
  const { page, close } = await browser.open(nothingFound());
  assert.match(plain(await page.textContent("h1")), /3 documents in; 3 kept \(100 %\); none removed/);
  assert.equal(await page.locator("canvas").count(), 0);
  assert.match((await page.textContent("#charts")) ?? "", /exact method/);
  assert.match((await page.textContent(".figures")) ?? "", /not measured/);
  assert.equal(await page.locator(".warning:visible").count(), 0);
  await close();
});

test("without an audit it says so, and without rows it names the source alone", async () => {
  const { page, close } = await browser.open(ofDataFrame());
  assert.match(plain(await page.textContent("h1")), /checked exactly; recall was not measured\./);
  assert.match(plain(await page.textContent(".figures")), /requested 0?\.99\d*; no sample was taken/);
  await page.click(".opener");
  const shown = plain(await page.textContent("#cluster-1"));
  assert.match(shown, /Input/);
  assert.doesNotMatch(shown, /, row/);
  await close();
});

test("no record, one pair, and sparse data are drawn too", async () => {
  const none = await browser.open(empty());
  assert.match((await none.page.textContent("h1")) ?? "", /No document was read/);
  await none.close();
  const pair = await browser.open(onePair());
  assert.equal(await pair.page.locator("canvas").count(), 1);
  await pair.page.click(".opener");
  assert.match((await pair.page.textContent("#cluster-1")) ?? "", /byte for byte/);
  await pair.close();
});

test("an unfilled template says what is missing", async () => {
  const { page, close } = await browser.open((await reportPage({})).replace("{}", "-"));
  assert.match((await page.textContent("[role=alert]")) ?? "", /unfilled template/);
  await close();
});

test("prints light, without controls", async () => {
  const { page, close } = await browser.open(realistic(), { colorScheme: "dark" });
  await page.click(".opener");
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 20_000);
  await page.emulateMedia({ media: "print" });
  assert.ok(!(await page.isVisible("#theme")));
  assert.ok(!(await page.isVisible("#cluster-filter")));
  await close();
});

test("draws the histogram on a logarithmic scale if it is asked to", async () => {
  const { page, close } = await browser.open(realistic());
  const heights = async () => (await inkOfCharts(page, ["191,74,16"], true))[0]?.[0] ?? 0;
  const linear = await heights();
  const scale = page.getByLabel("Logarithmic heights");
  assert.equal(await scale.count(), 1);
  await scale.check();
  const logarithmic = await heights();
  assert.ok(logarithmic > linear * 1.1, `${linear} and ${logarithmic} pixels`);
  await scale.uncheck();
  assert.equal(await heights(), linear);
  await close();
});
