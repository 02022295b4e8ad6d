// What every chart has in common: its frame, colours, axes, and how it follows size and theme.

import uPlot from "uplot";
import { add, h, scroller, type Child } from "./dom";

export interface Palette {
  ink: string;
  muted: string;
  rule: string;
  kept: string;
  near: string;
}

/** A chart that the frame can draw again whenever width or colours change. */
export interface Plot {
  options: (palette: Palette) => Omit<uPlot.Options, "width" | "height">;
  data: uPlot.AlignedData;
  /** What the pointer is on, in words; null clears the line. */
  readout: (index: number | null) => string | null;
}

export interface Frame {
  title: string;
  caption: Child[];
  /** What the picture shows, for those who do not see it. */
  label: string;
  plot: Plot;
  /** The same on a logarithmic scale of heights, which the reader can ask for. */
  logarithmic?: Plot;
  table: HTMLTableElement;
}

export type Redraw = (printing: boolean) => void;

const kHeight = 260;
// Fits the printable width of A4 and Letter.
const kPrintWidth = 600;
const kFont = "system-ui, sans-serif";

/** Draws a chart in a figure. The result draws it again in the colours then in force. */
export function drawFrame(root: HTMLElement, frame: Frame): Redraw {
  const canvasBox = h("div", { class: "plot", role: "img", "aria-label": frame.label });
  const readout = h("p", { class: "readout", "aria-hidden": "true" }, "\u00a0");
  const scale = h("input", { type: "checkbox" });
  add(
    root,
    h(
      "figure",
      { class: "chart" },
      h("h3", {}, frame.title),
      h(
        "figcaption",
        {},
        ...frame.caption,
        frame.logarithmic && h("label", { class: "scale" }, scale, " Logarithmic heights"),
      ),
      canvasBox,
      readout,
      h(
        "details",
        { class: "chart-data" },
        h("summary", {}, "The numbers as a table"),
        scroller(frame.title, frame.table),
      ),
    ),
  );

  let chart: uPlot | null = null;
  const width = () => Math.max(200, Math.floor(canvasBox.clientWidth));
  const redraw: Redraw = (printing) => {
    chart?.destroy();
    const plot = (scale.checked && frame.logarithmic) || frame.plot;
    const options = plot.options(palette());
    const size = { width: printing ? kPrintWidth : width(), height: kHeight };
    const cursor = { ...kCursor, ...options.cursor };
    const all = { ...options, ...size, cursor, legend: { show: false } };
    chart = new uPlot(all, plot.data, canvasBox);
    chart.hooks.setCursor = [
      (u) => {
        const { idx, idxs } = u.cursor;
        const index = idx === null || idx === undefined ? null : (idxs?.[1] ?? null);
        readout.textContent = plot.readout(index) ?? "\u00a0";
      },
    ];
  };
  scale.addEventListener("change", () => redraw(false));
  new ResizeObserver(() => {
    const size = { width: width(), height: kHeight };
    if (chart !== null && chart.width !== size.width) chart.setSize(size);
  }).observe(canvasBox);
  return redraw;
}

/** A figure for a chart that has nothing to draw, saying why. */
export function drawEmptyFrame(root: HTMLElement, title: string, why: string): void {
  add(root, h("div", { class: "chart" }, h("h3", {}, title), h("p", { class: "empty" }, why)));
}

const kCursor: uPlot.Cursor = {
  drag: { x: false, y: false },
  y: false,
  points: { show: false },
};

/** An axis in the page's colours; `side` as in uPlot: 2 below, 3 left. */
export function axis(palette: Palette, side: 2 | 3, label: string, more: uPlot.Axis): uPlot.Axis {
  return {
    side,
    label,
    labelSize: side === 2 ? 24 : 22,
    labelFont: `12px ${kFont}`,
    font: `12px ${kFont}`,
    size: side === 2 ? 30 : 46,
    stroke: palette.muted,
    grid: { stroke: palette.rule, width: 1 },
    ticks: { stroke: palette.rule, width: 1, size: 4 },
    ...more,
  };
}

/** 1, 10, 100, ... up to `most` at least. */
export function powersOfTen(most: number): number[] {
  const powers = [1];
  for (let power = 10; (powers[powers.length - 1] ?? 1) < most; power *= 10) powers.push(power);
  return powers;
}

// Custom properties come back unresolved (light-dark(...)), the colour of an element does not.
function palette(): Palette {
  const probe = document.body.appendChild(h("span", { hidden: true }));
  const read = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    ink: read("ink"),
    muted: read("muted"),
    rule: read("rule"),
    kept: read("kept"),
    near: read("near"),
  };
  probe.remove();
  return colours;
}
