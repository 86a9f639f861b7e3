/**
 * Where the documents of a segment that is merged go.
 */
import { type FlatSegment, isLive } from '../../format/flat-segment.ts';

export interface MergeInput {
  readonly segment: FlatSegment;
  /** Live docs when the merge began; null when all documents are live. */
  readonly live: Uint8Array | null;
}

export interface DocMap {
  /** Documents of the input, deleted ones included. */
  readonly length: number;
  /** New number of its first live document. */
  readonly base: number;
  /** New number of each document, -1 where it was deleted; null: all are live, and follow each other from `base` on. */
  readonly numbers: Int32Array | null;
}

export function newDoc(map: DocMap, doc: number): number {
  return map.numbers === null ? map.base + doc : (map.numbers[doc] as number);
}

/** Source of each merged document: the number of its input, and its number in it. */
export interface DocSources {
  readonly owners: Uint32Array;
  readonly docs: Uint32Array;
}

export interface MergedDocs {
  readonly docMaps: readonly DocMap[];
  readonly docCount: number;
  /** null: documents of an input follow those of the one before, in their order. */
  readonly sources: DocSources | null;
}

export function mapDocs(inputs: readonly MergeInput[]): MergedDocs {
  let docCount = 0;
  const docMaps = inputs.map(({ segment, live }): DocMap => {
    const { docCount: length } = segment;
    const base = docCount;
    if (live === null) {
      docCount += length;
      return { length, base, numbers: null };
    }
    const numbers = new Int32Array(length);
    for (let doc = 0; doc < length; doc++) numbers[doc] = isLive(live, doc) ? docCount++ : -1;
    return { length, base, numbers: docCount === base + length ? null : numbers };
  });
  return { docMaps, docCount, sources: null };
}
