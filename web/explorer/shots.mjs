// Takes pictures of every view: node shots.mjs [folder] [names]

import { mkdir } from "node:fs/promises";
import { kPhone, kWide, settled, startBrowser } from "./test/browser.mjs";
import { kViews, prepare } from "./test/views.mjs";

const [folder = "/tmp/explorer-shots", ...names] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
for (const view of kViews) {
  if (names.length > 0 && !names.includes(view.name)) continue;
  for (const viewport of [kWide, kPhone]) {
    const colorScheme = view.name === "cluster" && viewport === kPhone ? "dark" : "light";
    const { page, close } = await browser.open(view.world, view.hash, { viewport, colorScheme });
    try {
      await prepare(page, view);
      await settled(page);
      await page.screenshot({ path: `${folder}/${view.name}-${viewport.width}.png`, fullPage: true });
      await close();
    } catch (error) {
      console.error(view.name, viewport.width, String(error));
      await page.screenshot({ path: `${folder}/${view.name}-${viewport.width}-failed.png` });
    }
  }
}
await browser.stop();
