// Numbers as a person reads them. Groups of three digits are parted by a narrow no-break space.

const kThin = "\u202f";

/** A count: 1234567 -> "1 234 567". */
export function count(n: number): string {
  const digits = Math.round(n).toString();
  return /^-?\d+$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, kThin) : digits;
}

/** "1 document", "2 documents". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** "a word" -> "A word". */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A share in per cent, never rounded to 0 or 100 unless it is: "81 %", "0.3 %", "> 99.9 %". */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return "–";
  const p = (100 * part) / whole;
  if (p > 0 && p < 0.1) return `<${kThin}0.1${kThin}%`;
  if (p < 100 && p > 99.9) return `>${kThin}99.9${kThin}%`;
  const fine = (p < 10 && p > 0) || (p > 90 && p < 100);
  return `${trimmed(p, fine ? 1 : 0)}${kThin}%`;
}

/** At most `places` decimals, without trailing zeros. */
export function trimmed(x: number, places: number): string {
  return String(Number(x.toFixed(places)));
}

/** A share between 0 and 1; one that is not 1 is never shown as 1. */
export function share(x: number, places = 3): string {
  if (x >= 1 || x <= 0) return trimmed(x, places);
  const step = 10 ** -places;
  return trimmed(Math.min(1 - step, Math.max(step, x)), places);
}

const kUnits = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];

/** Bytes in decimal units: "1.25 GB". */
export function bytes(n: number): string {
  let unit = 0;
  let value = Math.abs(n);
  while (value >= 999.5 && unit < kUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const places = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${n < 0 ? "−" : ""}${trimmed(value, places)}${kThin}${kUnits[unit]}`;
}

export interface Interval {
  low: number;
  high: number;
}

/** Wilson's 95 % interval of a share, `found` of `pairs`; pairs > 0. */
export function wilson(found: number, pairs: number): Interval {
  const z = 1.959964;
  const p = found / pairs;
  const scale = 1 + (z * z) / pairs;
  const middle = (p + (z * z) / (2 * pairs)) / scale;
  const half = (z / scale) * Math.sqrt((p * (1 - p)) / pairs + (z * z) / (4 * pairs * pairs));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
