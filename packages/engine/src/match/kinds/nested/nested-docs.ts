/**
 * Blocks of documents: each document stands behind those nested in it, at any depth.
 */
import { allDocs, isLive } from '../../../format/flat-segment.ts';
import { NESTED_PATH_FIELD } from '../../../format/metadata-fields.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { utf8Bytes } from '../../context/compile-context.ts';
import { docsOfTerms } from '../../term-sets/multi-term-docs.ts';
import type { DocIterator } from '../../weight/doc-iterator.ts';

/** Paths whose documents a segment keeps, an eighth of a byte a document each. */
const PATHS_KEPT_MAX = 16;

/** Documents of the nested objects of a path; null where the segment has none. */
export function docsOfPath(view: SegmentView, path: string): DocIterator | null {
  return docsOfTerms(view, NESTED_PATH_FIELD, [utf8Bytes(path)]);
}

/** Documents that blocks end with: those of a path, or of the root (''); deleted ones too. */
export class ParentDocs {
  private readonly bits: Uint8Array;
  private readonly docCount: number;

  constructor(view: SegmentView, path: string) {
    this.docCount = view.segment.docCount;
    this.bits = path === '' ? (view.nested?.roots ?? allDocs(this.docCount)) : keptBits(view, path);
  }

  /** The first one from `doc` on. */
  from(doc: number): number {
    for (let at = doc; at < this.docCount; at++) {
      // Eight without one are passed over at once.
      if ((at & 7) === 0 && this.bits[at >>> 3] === 0) at += 7;
      else if (isLive(this.bits, at)) return at;
    }
    return NO_MORE_DOCS;
  }

  /** The last one before `doc`; -1 when there is none. */
  before(doc: number): number {
    for (let at = doc - 1; at >= 0; at--) {
      if ((at & 7) === 7 && this.bits[at >>> 3] === 0) at -= 7;
      else if (isLive(this.bits, at)) return at;
    }
    return -1;
  }
}

function keptBits(view: SegmentView, path: string): Uint8Array {
  const kept = view.nested?.paths.get(path);
  if (kept !== undefined) return kept;
  const bits = bitsOfPath(view, path);
  if (view.nested !== undefined && view.nested.paths.size < PATHS_KEPT_MAX) view.nested.paths.set(path, bits);
  return bits;
}

function bitsOfPath(view: SegmentView, path: string): Uint8Array {
  const bits = new Uint8Array((view.segment.docCount + 7) >>> 3);
  const docs = docsOfPath(view, path);
  for (let doc = docs?.next() ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS; doc = docs?.next() ?? NO_MORE_DOCS) {
    bits[doc >>> 3] = (bits[doc >>> 3] as number) | (1 << (doc & 7));
  }
  return bits;
}
