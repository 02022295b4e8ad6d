import { drawCharts } from "./charts";
import { drawClusters } from "./clusters";
import { readReportData, type ReportData } from "./data";
import { add, byId, foreign, h } from "./dom";
import { drawNarrowest } from "./narrowest";
import { drawSummary, pageTitle } from "./summary";
import { drawInputs, drawOptions } from "./tables";
import { setUpTheme } from "./theme";

function drawPage(data: ReportData): (printing: boolean) => void {
  document.title = pageTitle(data);
  drawSummary(byId("summary"), data);
  const redraw = drawCharts(byId("charts"), data);
  drawClusters(byId("clusters"), data);
  drawNarrowest(byId("narrowest"), data);
  drawInputs(byId("inputs"), data);
  drawOptions(byId("options"), data);
  for (const id of ["charts", "clusters", "narrowest", "inputs", "options"]) byId(id).hidden = false;
  add(
    byId("colophon"),
    "Made by Lookalike ",
    foreign(data.version, ""),
    ", fingerprint ",
    foreign(data.fingerprint, ""),
    ". This page is complete in itself: it loads nothing and sends nothing. Equal inputs and " +
      "options give the same page byte for byte; the date, the duration and the original command " +
      "line are therefore in manifest.json, in the same folder.",
  );
  return redraw;
}

function start(): void {
  let redraw: (printing: boolean) => void = () => undefined;
  try {
    redraw = drawPage(readReportData(document));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `This report could not be drawn: ${reason}. manifest.json has the run's numbers.`;
    add(byId("summary"), h("p", { class: "notice warning", role: "alert" }, text));
  }
  setUpTheme(byId("theme") as HTMLButtonElement, (printing) => redraw(printing));
}

start();
