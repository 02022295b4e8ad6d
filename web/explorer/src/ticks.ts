// The ticks of an axis of time, in the time of whoever looks at it.

const [kMinute, kHour, kDay] = [60, 3600, 86_400];
/** Seconds between ticks. A sample is for a second, so that there are no shorter ones. */
export const kSteps = [
  ...[1, 2, 5, 10, 30],
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * kMinute),
  ...[1, 2, 4, 8, 12].map((hours) => hours * kHour),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * kDay),
];

/** A time as a tick says it: of ticks less than a day apart, the time of day, or the day that begins. */
export function tick(seconds: number, step: number): string {
  const time = new Date(1000 * seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  const isMidnight = time.getHours() + time.getMinutes() + time.getSeconds() === 0;
  if (step >= kDay || isMidnight) return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const ofDay = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return step >= kMinute ? ofDay : `${ofDay}:${two(time.getSeconds())}`;
}
