// Every view in both widths and both colours: nothing sticks out, and axe finds nothing wrong.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kPhone, settled, startBrowser, sticksOut, violations } from "./browser.mjs";
import { kViews, prepare } from "./views.mjs";

/** @type {Awaited<ReturnType<typeof startBrowser>>} */
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.stop());

for (const view of kViews) {
  test(`${view.name}: reachable for everybody, wide and narrow, light and dark`, async () => {
    const { page, close } = await browser.open(view.world, view.hash);
    await prepare(page, view);
    await settled(page);
    assert.deepEqual(await sticksOut(page), [], "wide");
    assert.deepEqual(await violations(page), [], "light");
    assert.equal(await page.locator("h1").count(), 1);
    assert.match(await page.title(), /Lookalike/);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(kPhone);
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    assert.deepEqual(await sticksOut(page), [], "narrow");
    assert.deepEqual(await violations(page), [], "dark");
    await page.setViewportSize({ width: 320, height: 700 });
    await settled(page);
    assert.deepEqual(await sticksOut(page), [], "very narrow");
    await close();
  });
}
