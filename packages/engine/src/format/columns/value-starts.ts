/**
 * Where the values of a document stand in a column that may hold none or several a document.
 *
 * The common case, exactly one value for every document, takes no bytes.
 */
import { u32View } from '../container/container-reader.ts';
import type { PartSink } from '../container/part-sink.ts';
import type { LoadedPart, PartSource } from '../container/part-source.ts';
import type { SectionRef } from '../container/section-ref.ts';

/** Counts of values a document to their starts; null when each document has exactly one, as null counts say. */
export function startsFromCounts(counts: Uint32Array | null): Uint32Array | null {
  if (counts === null || areOnes(counts)) return null;
  const starts = new Uint32Array(counts.length + 1);
  let sum = 0;
  for (let doc = 0; doc < counts.length; doc++) {
    starts[doc] = sum;
    sum += counts[doc] as number;
  }
  starts[counts.length] = sum;
  return starts;
}

function areOnes(counts: Uint32Array): boolean {
  for (let doc = 0; doc < counts.length; doc++) if (counts[doc] !== 1) return false;
  return true;
}

export function* writeStarts(starts: Uint32Array | null, into: PartSink): Generator<void, void> {
  into.header.u8(starts === null ? 0 : 1);
  if (starts !== null)
    yield* into.sectionInSteps([new Uint8Array(starts.buffer, starts.byteOffset, starts.byteLength)]);
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
