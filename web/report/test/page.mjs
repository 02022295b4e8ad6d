// Fills the built page as the C++ writer does, and opens it in Chromium under watch.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** @typedef {import("../src/data").ReportData} ReportData */
/** @typedef {import("playwright-core").Page} Page */

const kTemplate = fileURLToPath(new URL("../dist/report.html", import.meta.url));
const kEscapes = /[<>&\u2028\u2029]/g;

/** @param {unknown} data */
export async function reportPage(data) {
  const template = await readFile(kTemplate, "utf8");
  const json = JSON.stringify(data).replace(
    kEscapes, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const parts = template.split("__LOOKALIKE_DATA__");
  assert.equal(parts.length, 2, "the placeholder stands in the template once");
  return parts.join(json);
}

/** A browser, and a folder for the pages it opens. */
export async function startBrowser() {
  const folder = await mkdtemp(join(tmpdir(), "lookalike-report-"));
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
  let pages = 0;

  /**
   * Opens `data` as a report; `close` asserts that nothing went wrong and nothing was fetched.
   * @param {ReportData | string} data the data, or a whole page
   * @param {import("playwright-core").BrowserContextOptions} [options]
   */
  async function open(data, options = {}) {
    const file = join(folder, `report-${(pages += 1)}.html`);
    await writeFile(file, typeof data === "string" ? data : await reportPage(data));
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    /** @type {string[]} */
    const troubles = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("dialog", (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const url = pathToFileURL(file).href;
    page.on("request", (request) => {
      const asked = request.url();
      if (asked !== url && !asked.startsWith("data:")) troubles.push(`request: ${asked}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`);
      });
    });
    await page.goto(url);
    const close = async () => {
      await frame(page);
      assert.deepEqual(troubles, []);
      await context.close();
    };
    return { page, close, troubles };
  }

  async function stop() {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { open, stop };
}

/** Lets layout, observers and drawing settle. @param {Page} page */
export function frame(page) {
  return page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(null), 20)));
  }));
}

/** What makes the page wider than its window, if it is. @param {Page} page */
export function sticksOut(page) {
  return page.evaluate(() => {
    const root = document.documentElement;
    if (Math.max(root.scrollWidth, document.body.scrollWidth) <= root.clientWidth) return [];
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 0.5)
      .map((element) => `${element.tagName} ${element.className}`)
      .slice(0, 12);
  });
}

/**
 * How many pixels of each colour each chart has: by chart, then by colour.
 * @param {Page} page
 * @param {string[]} colours "red,green,blue"
 * @param {boolean} first only of the first chart
 * @returns {Promise<number[][]>}
 */
export function inkOfCharts(page, colours, first = false) {
  return page.evaluate(([wanted, which]) =>
    [...document.querySelectorAll("canvas")].slice(0, which).map((canvas) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      /** @type {Map<string, number>} */
      const found = new Map();
      for (let i = 0; i < pixels.length; i += 4) {
        const colour = `${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`;
        found.set(colour, (found.get(colour) ?? 0) + 1);
      }
      return wanted.map((colour) => found.get(colour) ?? 0);
    }), /** @type {[string[], number | undefined]} */ ([colours, first ? 1 : undefined]));
}
