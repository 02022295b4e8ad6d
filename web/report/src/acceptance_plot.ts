// The designed curve with the audit's measured points and their error bars drawn upon it.

import uPlot from "uplot";
import { axis, type Palette, type Plot } from "./chart_frame";
import type { AuditPoint } from "./data";
import { share, trimmed, wilson } from "./numbers";

export function acceptancePlot(
  curve: [number, number][],
  points: AuditPoint[],
  threshold: number,
): Plot {
  const js = curve.map(([j]) => j);
  const ps = curve.map(([, p]) => p);
  return {
    data: [js, ps],
    options: (palette) => ({
      scales: { x: { time: false, range: [0, 1] }, y: { range: [0, 1.04] } },
      axes: [
        axis(palette, 2, "resemblance of the two documents", {}),
        axis(palette, 3, "chance of comparison", { splits: () => [0, 0.25, 0.5, 0.75, 1] }),
      ],
      series: [{}, { stroke: palette.kept, width: 2.5, points: { show: false } }],
      padding: [8, 14, 0, 0],
      hooks: {
        drawAxes: [(u) => drawThreshold(u, palette, threshold)],
        draw: [(u) => points.forEach((point) => drawPoint(u, palette, point))],
      },
    }),
    readout: (i) => {
      const j = i === null ? undefined : js[i];
      const p = i === null ? undefined : ps[i];
      if (j === undefined || p === undefined) return null;
      return `resemblance ${trimmed(j, 3)}: compared with chance ${share(p, 4)}`;
    },
  };
}

function drawThreshold(u: uPlot, palette: Palette, threshold: number): void {
  const x = u.valToPos(threshold, "x", true);
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = palette.ink;
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([4 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(x, u.bbox.top);
  ctx.lineTo(x, u.bbox.top + u.bbox.height);
  ctx.stroke();
  ctx.restore();
}

function drawPoint(u: uPlot, palette: Palette, { from, to, pairs, found }: AuditPoint): void {
  const { low, high } = wilson(found, pairs);
  const x = u.valToPos((from + Math.min(1, to)) / 2, "x", true);
  const y = (value: number) => u.valToPos(value, "y", true);
  const tick = 3 * uPlot.pxRatio;
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = palette.near;
  ctx.fillStyle = palette.near;
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  ctx.beginPath();
  ctx.moveTo(x, y(low));
  ctx.lineTo(x, y(high));
  for (const end of [low, high]) {
    ctx.moveTo(x - tick, y(end));
    ctx.lineTo(x + tick, y(end));
  }
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, y(found / pairs), tick, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}
