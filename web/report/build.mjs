// Bundles src/ into dist/report.html: one file, its style and script inline, allowed by hash only;
// and into dist/passages.html, which has no script.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const kPlaceholder = "__LOOKALIKE_DATA__";
const kMaxBytes = 150_000;

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** @param {string} entry */
async function bundle(entry) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    // light-dark() must stay as it is: the style has one set of colours for both schemes.
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    charset: "ascii",
    legalComments: "none",
  });
  const text = result.outputFiles[0]?.text.trim() ?? "";
  if (/<\/(script|style)|<!--|\r/i.test(text)) {
    throw new Error(`${entry}: the bundle holds text that would end or change its element`);
  }
  return text;
}

/** @param {string} text */
function sha256(text) {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/**
 * Replaces the only occurrence of `name`.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
function fill(page, name, text) {
  const parts = page.split(name);
  const found = parts.length - 1;
  if (found !== 1) throw new Error(`expected ${name} once, found it ${found} times`);
  return parts.join(text);
}

// uPlot's licence goes with every copy of it; minifying drops comments.
const licenceFile = await readFile(here("node_modules/uplot/LICENSE"), "utf8");
const licence = licenceFile.replace(/\r/g, "").trim();
if (licence.includes("*/")) throw new Error("uPlot's licence would end the comment it is put in");
const notice = `/*! uPlot\n${licence}\n*/\n`;

const style = await bundle("src/style.css");
const script = notice + (await bundle("src/main.ts"));
const policy = [
  "default-src 'none'",
  `script-src ${sha256(script)}`,
  `style-src ${sha256(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

let page = await readFile(here("src/template.html"), "utf8");
page = fill(page, "__CSP__", policy);
page = fill(page, "__STYLE__", style);
page = fill(page, "__SCRIPT__", script);
if (page.split(kPlaceholder).length !== 2) throw new Error(`expected ${kPlaceholder} once`);
if (page.length > kMaxBytes) {
  throw new Error(`report.html has ${page.length} bytes, over ${kMaxBytes}`);
}

const passagesStyle = await bundle("src/passages.css");
const passagesPolicy = [
  "default-src 'none'",
  `style-src ${sha256(passagesStyle)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
let passages = await readFile(here("src/passages.html"), "utf8");
passages = fill(passages, "__CSP__", passagesPolicy);
passages = fill(passages, "__STYLE__", passagesStyle);

await mkdir(here("dist"), { recursive: true });
await writeFile(here("dist/passages.html"), passages);
await writeFile(here("dist/report.html"), page);
console.log(`dist/report.html: ${page.length} bytes`);
