/**
 * Where the values of a document stand in a column that may hold none or several a document.
 *
 * The common case, exactly one value for every document, takes no bytes.
 */
import { u32View } from '../container/container-reader.ts';
import type { PartSink } from '../container/part-sink.ts';
import type { LoadedPart, PartSource } from '../container/part-source.ts';
import type { SectionRef } from '../container/section-ref.ts';

/** Counts of values a document to the starts of `docCount` documents; null when each has exactly one. */
export function startsFromCounts(counts: Uint32Array): Uint32Array | null {
  const starts = new Uint32Array(counts.length + 1);
  let isDense = true;
  let sum = 0;
  for (let doc = 0; doc < counts.length; doc++) {
    const count = counts[doc] as number;
    if (count !== 1) isDense = false;
    starts[doc] = sum;
    sum += count;
  }
  starts[counts.length] = sum;
  return isDense ? null : starts;
}

export function writeStarts(starts: Uint32Array | null, into: PartSink): void {
  into.header.u8(starts === null ? 0 : 1);
  if (starts !== null) into.section(starts);
}

export function readStarts(from: LoadedPart): Uint32Array | null {
  return from.header.u8() === 0 ? null : u32View(from.section());
}

/** Section that `readStarts` reads; null without one. */
export function sectionOfStarts(from: PartSource): SectionRef | null {
  return from.header.u8() === 0 ? null : from.section();
}

/** True when some document has more than one value. */
export function isMultiValued(starts: Uint32Array | null): boolean {
  if (starts === null) return false;
  for (let doc = 1; doc < starts.length; doc++) {
    if ((starts[doc] as number) - (starts[doc - 1] as number) > 1) return true;
  }
  return false;
}
