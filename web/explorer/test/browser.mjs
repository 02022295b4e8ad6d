// Opens the page of a made-up server in Chromium under watch.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { startServer } from "./server.mjs";

/** @typedef {import("playwright-core").Page} Page */

export const kWide = { width: 1440, height: 900 };
export const kPhone = { width: 390, height: 844 };
const kTags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const kAxe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// Chromium writes every answer that is no success to the console; the page shows what it says.
const kRefused = /^Failed to load resource: the server responded with a status of/;

export async function startBrowser() {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });

  /**
   * Opens a view of a server of its own; `close` asserts that nothing went wrong.
   * @param {import("./server.mjs").World} world
   * @param {string} [hash]
   * @param {import("playwright-core").BrowserContextOptions} [options]
   */
  async function open(world, hash = "#/", options = {}) {
    const server = await startServer(world);
    const context = await browser.newContext({ viewport: kWide, ...options });
    context.setDefaultTimeout(8000);
    const page = await context.newPage();
    /** @type {string[]} */
    const troubles = [];
    page.on("console", (message) => {
      if (!["error", "warning"].includes(message.type()) || kRefused.test(message.text())) return;
      troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("dialog", (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const asked = request.url();
      if (!asked.startsWith(server.origin) && !/^(data|blob):/.test(asked)) troubles.push(`request: ${asked}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`);
      });
    });
    await page.goto(`${server.origin}/${hash}`);
    const close = async () => {
      await settled(page);
      assert.deepEqual(troubles, []);
      await context.close();
      await server.stop();
    };
    return { page, server, close };
  }
  return { open, stop: () => browser.close() };
}

/** Lets layout, observers and drawing settle. @param {Page} page */
export function settled(page) {
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
      .map((element) => `${element.tagName} ${element.className} ${element.id}`)
      .slice(0, 12);
  });
}

/** @param {Page} page @returns {Promise<string[]>} what axe finds wrong */
export async function violations(page) {
  // By the debugger: the page's policy lets nobody add a script.
  await page.evaluate(`window.axe === undefined && (() => { ${kAxe} })()`);
  return page.evaluate(async (tags) => {
    const axe = /** @type {any} */ (Reflect.get(window, "axe"));
    const runOnly = { type: "tag", values: tags };
    const { violations: found } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
    return found.flatMap((/** @type {any} */ v) =>
      v.nodes.map((/** @type {any} */ n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary.slice(0, 300)}`));
  }, kTags);
}

/** The id or words of what has the focus. @param {Page} page */
export function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element === null ? "" : element.id || (element.textContent ?? "").trim();
  });
}

/** Numbers hold no-break spaces. @param {string | null} text */
export const plain = (text) => (text ?? "").replace(/[\u202f\u00a0]/g, " ").trim();
