/**
 * A stable sort that can be interrupted: short runs are sorted at once, then merged two by two.
 */
import type { StepMeter, Steps } from './steps.ts';

/** Items sorted at once. */
const RUN_LENGTH = 512;
/** Microseconds of a comparison, about: some look up a metric of each bucket. */
const COMPARE_UNITS = 0.15;

export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  meter: StepMeter,
): Steps<readonly T[]> {
  let from = [...items];
  for (let start = 0; start < from.length; start += RUN_LENGTH) {
    const run = from.slice(start, start + RUN_LENGTH).sort(compare);
    for (let i = 0; i < run.length; i++) from[start + i] = run[i] as T;
    if (meter.isDue(COMPARE_UNITS * 9 * run.length)) yield;
  }
  let to: T[] = new Array(from.length);
  for (let width = RUN_LENGTH; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      yield* mergeRuns(from, to, start, width, compare, meter);
    }
    [from, to] = [to, from];
  }
  return from;
}

function* mergeRuns<T>(
  from: readonly T[],
  to: T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
  meter: StepMeter,
): Steps<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  // Runs of input that was sorted before follow each other.
  const isInOrder = middle === end || compare(from[middle - 1] as T, from[middle] as T) <= 0;
  let a = start;
  let b = middle;
  for (let at = start; at < end; at++) {
    const isFirst = b === end || (a < middle && (isInOrder || compare(from[a] as T, from[b] as T) <= 0));
    to[at] = from[isFirst ? a++ : b++] as T;
    if (meter.isDue(isInOrder ? 0.01 : COMPARE_UNITS)) yield;
  }
}
