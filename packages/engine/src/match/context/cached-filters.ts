/**
 * Filters whose matches are kept once they were asked for before: see the filter cache.
 *
 * A key is made of what a filter came to mean, field and values as they are indexed or compared: `now` is a moment in it.
 */
import { createHash } from 'node:crypto';
import { FlatSegment } from '../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import type { CachedDocs, SegmentFilters } from '../../memory/filter-cache.ts';
import { ConstantScorer, constantWeight } from '../bits/constant-weight.ts';
import { BitsIterator, countBits, wordsOf } from '../bits/doc-bits.ts';
import type { DocBits, DocIterator } from '../weight/doc-iterator.ts';
import type { Weight } from '../weight/weight.ts';
import type { ClauseUse } from './clause-use.ts';
import type { CompileContext } from './compile-context.ts';

/** Smaller segments are searched fast enough as they are. */
const DOCS_MIN = 10_000;
/** Marking the documents of more would hold the thread for too long. */
const DOCS_MAX = 4_000_000;
/** Longer keys are kept by their hash. */
const KEY_CHARS_MAX = 128;
/** Of longer lists not even the key is made. */
const KEY_PARTS_MAX = 4_096;
/** Terms in fewer than one document of so many are as well read from their postings. */
const SPARSE_SHARE = 256;
/** Fewer words are faster copied one by one. */
const COPIED_WORDS_MIN = 64;

/** Of a filter of `kind` on `field`; null when it has too many parts. */
export function filterKey(kind: string, field: string, parts: readonly (string | Uint8Array)[]): string | null {
  if (parts.length > KEY_PARTS_MAX) return null;
  const texts = parts.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1')));
  const key = JSON.stringify([kind, field, ...texts]);
  return key.length <= KEY_CHARS_MAX ? key : createHash('sha256').update(key).digest('base64');
}

type FindDocs = (view: SegmentView) => DocIterator | null;

/** As `constantWeight`, its matches kept. `key` null: never. */
export function keptWeight(
  ctx: CompileContext,
  key: string | null,
  docs: FindDocs,
  use: ClauseUse,
  text?: string,
): Weight {
  const kept = key === null ? null : keptFilter(ctx, key, docs, false);
  if (kept === null) return constantWeight(docs, use.boost, text);
  return { ...constantWeight(kept.docs, use.boost, text), count: kept.count };
}

/** A term that nobody reads the scores of, its matches kept where they are many. */
export function keptTerm(ctx: CompileContext, field: string, term: Uint8Array, weight: Weight): Weight {
  const key = filterKey('term', field, [term]);
  const kept = key === null ? null : keptFilter(ctx, key, (view) => weight.scorer(view), true);
  if (kept === null) return weight;
  const scorer = (view: SegmentView) => {
    const docs = kept.docs(view);
    return docs && new ConstantScorer(docs, 0);
  };
  return { ...weight, scorer };
}

interface KeptFilter {
  readonly docs: FindDocs;
  /** As that of a weight. */
  readonly count: (view: SegmentView) => number;
}

function keptFilter(ctx: CompileContext, key: string, docs: FindDocs, isCheap: boolean): KeptFilter | null {
  const { filters } = ctx;
  if (filters === undefined) return null;
  const isFrequent = filters.isFrequent(key);
  const { shard } = filters;
  return {
    docs(view) {
      const segment = filtersOf(view);
      if (segment === null) return docs(view);
      const known = segment.get(key);
      if (known !== null) {
        shard.hits++;
        return iteratorOf(known, view);
      }
      shard.misses++;
      const found = docs(view);
      if (!isFrequent) return found;
      const { docCount } = view.segment;
      if (found !== null && isCheap && found.cost * SPARSE_SHARE < docCount) return found;
      const made = markDocs(found, docCount);
      segment.put(key, made, shard);
      return iteratorOf(made, view);
    },
    count: (view) => (view.liveDocs === null ? (filtersOf(view)?.get(key)?.count ?? -1) : -1),
  };
}

/** Whether the documents need not be found. */
export function isKept(view: SegmentView, key: string): boolean {
  return (filtersOf(view)?.get(key) ?? null) !== null;
}

function filtersOf({ segment }: SegmentView): SegmentFilters | null {
  if (!(segment instanceof FlatSegment) || segment.docCount < DOCS_MIN || segment.docCount > DOCS_MAX) return null;
  return segment.filters;
}

function markDocs(docs: DocIterator | null, docCount: number): CachedDocs {
  const words = new Uint32Array(wordsOf(docCount));
  if (docs?.bits) docs.bits.fill(words, 0, 0, docCount);
  else if (docs !== null) {
    for (let doc = docs.next(); doc !== NO_MORE_DOCS; doc = docs.next()) {
      words[doc >>> 5] = (words[doc >>> 5] as number) | (1 << (doc & 31));
    }
  }
  return { words, count: countBits(words, 0, words.length) };
}

function iteratorOf(kept: CachedDocs, { segment }: SegmentView): DocIterator | null {
  return kept.count === 0 ? null : new BitsIterator(new KeptBits(kept), segment.docCount);
}

class KeptBits implements DocBits {
  readonly cost: number;
  private readonly kept: Uint32Array;

  constructor({ words, count }: CachedDocs) {
    this.kept = words;
    this.cost = count;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { kept } = this;
    const first = from >>> 5;
    const count = wordsOf(to - from);
    if (count > COPIED_WORDS_MIN) words.set(kept.subarray(first, first + count), at);
    else for (let i = 0; i < count; i++) words[at + i] = kept[first + i] as number;
  }

  narrow(words: Uint32Array, at: number, from: number, to: number): void {
    const { kept } = this;
    const first = from >>> 5;
    const count = wordsOf(to - from);
    for (let i = 0; i < count; i++) words[at + i] = (words[at + i] as number) & (kept[first + i] as number);
  }
}
