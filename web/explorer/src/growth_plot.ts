// The chart of growth: the documents of an index over the time since its server began.

import { axis, drawFrame, type Plot, type Redraw } from "../../report/src/chart_frame";
import { table } from "../../report/src/dom";
import { count, counted } from "../../report/src/numbers";
import { kSteps, tick } from "./ticks";
import type { GrowthSample } from "./types";

const kTable = 20;

const timeOf = (seconds: number) => new Date(1000 * seconds).toLocaleString();

function growthPlot(samples: GrowthSample[]): Plot {
  const times = samples.map(([time]) => time);
  const documents = samples.map(([, of]) => of);
  return {
    data: [times, documents],
    options: (palette) => ({
      scales: { x: { time: true } },
      axes: [
        axis(palette, 2, "time", {
          incrs: kSteps,
          values: (_u, times, _axis, _space, step) => times.map((time) => tick(time, step)),
        }),
        axis(palette, 3, "documents", { size: 64, values: (_u, values) => values.map(count) }),
      ],
      series: [{}, { stroke: palette.kept, width: 2.5, points: { show: false } }],
      padding: [8, 32, 0, 0],
    }),
    readout: (i) => {
      const time = i === null ? undefined : times[i];
      const of = i === null ? undefined : documents[i];
      return time === undefined || of === undefined ? null : `${timeOf(time)}: ${count(of)}`;
    },
  };
}

/** Some of the samples, evenly, the last one included. */
function some(samples: GrowthSample[]): GrowthSample[] {
  const step = Math.max(1, Math.ceil(samples.length / kTable));
  return samples.filter((_, i) => (samples.length - 1 - i) % step === 0);
}

export function drawGrowth(root: HTMLElement, samples: GrowthSample[]): Redraw {
  const [, first = 0] = samples[0] ?? [];
  const [, last = 0] = samples[samples.length - 1] ?? [];
  return drawFrame(root, {
    title: "Growth",
    caption: [`From ${counted(first, "document")} to ${count(last)}, since this server began.`],
    label: `The number of documents went from ${count(first)} to ${count(last)}`,
    plot: growthPlot(samples),
    table: table(
      "Documents over time",
      [{ name: "Time" }, { name: "Documents", numeric: true }],
      some(samples).map(([time, of]) => [timeOf(time), count(of)]),
    ),
  });
}
