/**
 * Counted numbers as terms: what the column of a `histogram` field has.
 */
import { ByteSink, ByteSource } from '@shoal/core';
import type { CountedNumbers } from '../contract/field-type.ts';

/** Term of a histogram, one character a byte: each count with the value behind it. */
export function countedTerm({ values, counts }: CountedNumbers): string {
  const sink = new ByteSink();
  for (const [i, value] of values.entries()) {
    sink.varint(counts[i] ?? 0);
    sink.f64(value);
  }
  return Buffer.from(sink.bytes.subarray(0, sink.length)).toString('latin1');
}

export function readCountedTerm(term: Uint8Array): CountedNumbers {
  const source = new ByteSource(term);
  const values: number[] = [];
  const counts: number[] = [];
  while (source.at < term.length) {
    counts.push(source.varint());
    values.push(source.f64());
  }
  return { values: Float64Array.from(values), counts: Uint32Array.from(counts) };
}
