// Bundles src/ into the three files that the server embeds: index.html, explorer.js, explorer.css.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

const kMaxGzipped = 200_000;
const kFiles = ["explorer.css", "explorer.js", "index.html"];

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The licences of what is bundled go with every copy of it; minifying drops comments. */
async function licences() {
  const notices = await Promise.all(["preact", "uplot"].map(async (name) => {
    const text = (await readFile(here(`node_modules/${name}/LICENSE`), "utf8")).replace(/\r/g, "");
    if (text.includes("*/")) throw new Error(`${name}'s licence would end the comment it is put in`);
    return `/*! ${name}\n${text.trim()}\n*/\n`;
  }));
  return notices.join("");
}

/** @param {string} html */
function hasInlineParts(html) {
  return /<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/i.test(html);
}

/** Checks what the server's policy and its three addresses ask of the bundle. @returns {import("vite").Plugin} */
function checked() {
  return {
    name: "lookalike-checked",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const names = Object.keys(bundle).sort();
      if (names.join() !== kFiles.join()) throw new Error(`expected ${kFiles}, found ${names}`);
      const script = bundle["explorer.js"];
      const page = bundle["index.html"];
      if (script?.type !== "chunk" || page?.type !== "asset") throw new Error("unexpected bundle");
      if (hasInlineParts(String(page.source))) throw new Error("index.html has an inline part");
      script.code = (await licences()) + script.code;
      const size = gzipSync(script.code, { level: 9 }).length;
      if (size > kMaxGzipped) throw new Error(`explorer.js: ${size} bytes, over ${kMaxGzipped}`);
      console.log(`dist/explorer.js: ${script.code.length} bytes, ${size} gzipped`);
    },
  };
}

export default defineConfig({
  root: here("."),
  base: "./",
  publicDir: false,
  // The parts of web/report ask for uPlot, which is installed here as well.
  resolve: { alias: { uplot: here("node_modules/uplot") } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [checked()],
  build: {
    // light-dark() must stay as it is: the style has one set of colours for both schemes.
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    modulePreload: false,
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "explorer.js",
        assetFileNames: "explorer[extname]",
        codeSplitting: false,
      },
    },
  },
});
