/**
 * Fewer than 128 postings as varints: of each document the distance from the one before, doubled, plus one when it holds
 * the term once; else the frequency less one follows.
 *
 * Short terms are most of a dictionary, and a block table for each would be larger than its postings.
 */
import type { ByteSink } from '@shoal/core';

export interface PostingsRun {
  readonly docs: Uint32Array;
  readonly freqs: Uint32Array;
  readonly count: number;
  /** The document before the first; -1 when there is none. */
  readonly base: number;
}

export function writePostingsList(run: PostingsRun, sink: ByteSink): void {
  let last = run.base;
  for (let i = 0; i < run.count; i++) {
    const doc = run.docs[i] as number;
    const freq = run.freqs[i] as number;
    // Not shifted: the distance has up to 31 bits.
    sink.varint((doc - last) * 2 + (freq === 1 ? 1 : 0));
    if (freq !== 1) sink.varint(freq - 1);
    last = doc;
  }
}

/** Fills `docs` and `freqs` with `count` postings from `bytes[at ..]`; returns where the list ends. */
export function readPostingsList(bytes: Uint8Array, start: number, run: PostingsRun): number {
  const { docs, freqs, count } = run;
  let at = start;
  let doc = run.base;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
    }
    doc += value >>> 1;
    docs[i] = doc;
    let more = 0;
    if ((value & 1) === 0) {
      byte = bytes[at++] as number;
      more = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        more |= (byte & 0x7f) << shift;
      }
    }
    freqs[i] = more + 1;
  }
  return at;
}
