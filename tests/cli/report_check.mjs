// Opens a report of a real run in Chromium under watch: node report_check.mjs WEB_FOLDER REPORT
// Prints what a person sees as one JSON object; fails when the page complains or fetches anything.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [web, report] = process.argv.slice(2);
const { startBrowser } = await import(pathToFileURL(`${web}/test/page.mjs`).href);

const browser = await startBrowser();
try {
  const { page, close } = await browser.open(await readFile(report, "utf8"));
  await page.locator(".opener").first().click();
  const panel = page.locator("#cluster-1");
  assert.ok(await panel.isVisible());
  const seen = {
    headline: await page.textContent("h1"),
    charts: await page.locator("canvas").count(),
    openers: await page.locator("#clusters .opener").count(),
    kept: await panel.locator(".kept .document-id").textContent(),
    differing: await panel.locator(".removed .differing").allTextContents(),
    hacked: (await page.evaluate(() => Reflect.get(window, "hacked"))) ?? null,
  };
  await close();
  console.log(JSON.stringify(seen));
} finally {
  await browser.stop();
}
