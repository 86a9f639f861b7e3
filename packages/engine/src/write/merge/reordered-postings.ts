/**
 * Documents of one term over several segments, by their new numbers: where an index sort has them alternate, or change their order.
 */
import { assert } from '@shoal/core';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';
import { NO_MORE_DOCS, type PostingsCursor } from '../../format/reader/segment-reader.ts';
import { type DocMap, newDoc } from '../stored/doc-map.ts';

/** Live documents of a term in one input, ascending by their new numbers. */
export interface NewDocs {
  /** Current new number; -1 before the first, `NO_MORE_DOCS` after the last. */
  readonly doc: number;
  readonly freq: number;
  next(): void;
  /** Copies the positions in the current document; `into` has room for `freq` of them. */
  positions(into: Uint32Array): void;
}

/** Documents of one of several inputs, each of which keeps its order. */
export class MappedDocs implements NewDocs {
  doc = -1;
  private readonly cursor: PostingsCursor;
  private readonly map: DocMap;

  constructor(cursor: PostingsCursor, map: DocMap) {
    this.cursor = cursor;
    this.map = map;
  }

  get freq(): number {
    return this.cursor.freq;
  }

  next(): void {
    let doc = this.cursor.next();
    while (doc !== NO_MORE_DOCS && newDoc(this.map, doc) < 0) doc = this.cursor.next();
    this.doc = doc === NO_MORE_DOCS ? doc : newDoc(this.map, doc);
  }

  positions(into: Uint32Array): void {
    this.cursor.positions(into);
  }
}

/** Documents of a single input, which come in any order: all are read before the first is given. */
export class SortedDocs implements NewDocs {
  doc = -1;
  freq = 0;
  private readonly docs = new GrowableU32();
  private readonly freqs = new GrowableU32();
  private readonly starts = new GrowableU32();
  private readonly allPositions = new GrowableU32();
  private readonly order: Uint32Array;
  private at = -1;

  constructor(cursor: PostingsCursor, map: DocMap) {
    let room = new Uint32Array(64);
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      const to = newDoc(map, doc);
      if (to < 0) continue;
      this.docs.push(to);
      this.freqs.push(cursor.freq);
      this.starts.push(this.allPositions.length);
      if (cursor.freq > room.length) room = new Uint32Array(cursor.freq * 2);
      const count = cursor.positions(room);
      for (let i = 0; i < count; i++) this.allPositions.push(room[i] as number);
    }
    const docs = this.docs.view();
    assert(
      docs.length === this.starts.length,
      `${docs.length} documents of a term with ${this.starts.length} frequencies`,
    );
    this.order = Uint32Array.from(docs, (_, i) => i).sort((a, b) => (docs[a] as number) - (docs[b] as number));
  }

  next(): void {
    this.at++;
    const entry = this.order[this.at];
    this.doc = entry === undefined ? NO_MORE_DOCS : this.docs.at(entry);
    this.freq = entry === undefined ? 0 : this.freqs.at(entry);
  }

  positions(into: Uint32Array): void {
    const start = this.starts.at(this.order[this.at] as number);
    const count = Math.min(this.freq, this.allPositions.length - start);
    for (let i = 0; i < count; i++) into[i] = this.allPositions.at(start + i);
  }
}

/** The one of the sources that has the smallest document; null when all have ended. */
export function smallestOf(sources: readonly NewDocs[]): NewDocs | null {
  let best: NewDocs | null = null;
  for (const source of sources) {
    if (source.doc !== NO_MORE_DOCS && (best === null || source.doc < best.doc)) best = source;
  }
  return best;
}
