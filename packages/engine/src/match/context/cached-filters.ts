/**
 * Filters whose matches are cached once they were asked for before: see the filter cache.
 *
 * A key is made of what a filter came to mean, field and values as they are indexed or compared: `now` is a moment in it.
 */
import { createHash } from 'node:crypto';
import { assert } from '@shoal/core';
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
/** Smallest segment, in documents, whose matches are cached of filters that look through a dictionary, which costs more. */
const PREPARED_DOCS_MIN = 256;
/** Marking the documents of more would hold the thread for too long. */
const DOCS_MAX = 4_000_000;
/** Longer keys are replaced by their hash. */
const KEY_CHARS_MAX = 128;
/** Lists of more parts get no key and are not cached. */
const KEY_PARTS_MAX = 4_096;
/** Terms in fewer than one document of so many are as well read from their postings. */
const SPARSE_SHARE = 256;
/** Fewer words are faster copied one by one. */
const COPIED_WORDS_MIN = 64;

/** Cache key of a filter of `kind` on `field`; null when it has too many parts. */
export function filterKey(kind: string, field: string, parts: readonly (string | Uint8Array)[]): string | null {
  if (parts.length > KEY_PARTS_MAX) return null;
  const texts = parts.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1')));
  const key = JSON.stringify([kind, field, ...texts]);
  return key.length <= KEY_CHARS_MAX ? key : createHash('sha256').update(key).digest('base64');
}

type FindDocs = (view: SegmentView) => DocIterator | null;

/** A `constantWeight` whose matches are cached; `key` null: never. */
export function cachedFilterWeight(
  ctx: CompileContext,
  key: string | null,
  docs: FindDocs,
  use: ClauseUse,
  text?: string,
  told?: string,
): Weight {
  return keptWeight(ctx, { key, docs, docsMin: DOCS_MIN }, use, text, told);
}

/** A `cachedFilterWeight` whose documents take long to be found: they are cached in small segments too. */
export function cachedPreparedWeight(
  ctx: CompileContext,
  key: string | null,
  docs: FindDocs,
  use: ClauseUse,
  text?: string,
): Weight {
  return keptWeight(ctx, { key, docs, docsMin: PREPARED_DOCS_MIN }, use, text);
}

interface KeptFilter {
  readonly key: string | null;
  readonly docs: FindDocs;
  readonly docsMin: number;
}

function keptWeight(
  ctx: CompileContext,
  { key, docs, docsMin }: KeptFilter,
  use: ClauseUse,
  text?: string,
  told?: string,
): Weight {
  const cached = key === null ? null : cachedFilter(ctx, key, docs, { docsMin, isCheap: false });
  if (cached === null) return constantWeight(docs, use.boost, text, told);
  return { ...constantWeight(cached.docs, use.boost, text, told), count: cached.count };
}

/** A term that nobody reads the scores of, its matches cached where they are many. */
export function cachedTerm(ctx: CompileContext, field: string, term: Uint8Array, weight: Weight): Weight {
  const key = filterKey('term', field, [term]);
  const cached = key === null ? null : cachedFilter(ctx, key, (view) => weight.scorer(view), CHEAP);
  if (cached === null) return weight;
  const scorer = (view: SegmentView) => {
    const docs = cached.docs(view);
    return docs && new ConstantScorer(docs, 0);
  };
  return { ...weight, scorer };
}

interface CachedFilter {
  readonly docs: FindDocs;
  /** Matches of the segment when they are cached; -1 when not, or when documents are deleted. */
  readonly count: (view: SegmentView) => number;
}

interface CachedFrom {
  /** Smaller segments are not cached, in documents. */
  readonly docsMin: number;
  /** A few documents are found as fast as they are read from the cache. */
  readonly isCheap: boolean;
}

const CHEAP: CachedFrom = { docsMin: DOCS_MIN, isCheap: true };

function cachedFilter(
  ctx: CompileContext,
  key: string,
  docs: FindDocs,
  { docsMin, isCheap }: CachedFrom,
): CachedFilter | null {
  const { filters } = ctx;
  if (filters === undefined) return null;
  const isFrequent = filters.isFrequent(key);
  const { shard } = filters;
  return {
    docs(view) {
      const segment = filtersOf(view, docsMin);
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
    count: (view) => (view.liveDocs === null ? (filtersOf(view, docsMin)?.get(key)?.count ?? -1) : -1),
  };
}

/** Whether the documents of a `cachedPreparedWeight` are cached, so that they need not be found. */
export function isCached(view: SegmentView, key: string): boolean {
  return (filtersOf(view, PREPARED_DOCS_MIN)?.get(key) ?? null) !== null;
}

function filtersOf({ segment }: SegmentView, docsMin: number): SegmentFilters | null {
  if (!(segment instanceof FlatSegment) || segment.docCount < docsMin || segment.docCount > DOCS_MAX) return null;
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
  const count = countBits(words, 0, words.length);
  assert(count <= docCount, `a filter marks ${count} of ${docCount} documents`);
  return { words, count };
}

function iteratorOf(cached: CachedDocs, { segment }: SegmentView): DocIterator | null {
  const { length } = cached.words;
  assert(length === wordsOf(segment.docCount), `a cached filter of ${length} words for ${segment.docCount} documents`);
  return cached.count === 0 ? null : new BitsIterator(new CachedBits(cached), segment.docCount);
}

class CachedBits implements DocBits {
  readonly cost: number;
  private readonly cached: Uint32Array;

  constructor({ words, count }: CachedDocs) {
    assert(count <= words.length * 32, `${count} documents in ${words.length} words`);
    this.cached = words;
    this.cost = count;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { cached } = this;
    const first = from >>> 5;
    const count = wordsOf(to - from);
    if (count > COPIED_WORDS_MIN) words.set(cached.subarray(first, first + count), at);
    else for (let i = 0; i < count; i++) words[at + i] = cached[first + i] as number;
  }

  narrow(words: Uint32Array, at: number, from: number, to: number): void {
    const { cached } = this;
    const first = from >>> 5;
    const count = wordsOf(to - from);
    for (let i = 0; i < count; i++) words[at + i] = (words[at + i] as number) & (cached[first + i] as number);
  }
}
