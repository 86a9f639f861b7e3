/**
 * The first N documents of a shard: the best ones where all score alike.
 */
import { assert } from '@shoal/core';
import type { HitCollector } from '../walk/match-walk.ts';
import { type ShardRun, scorerIn } from '../walk/shard-run.ts';

/**
 * Collects them and counts all matches, up to one more than `countMax`; what need not be seen is not. The run has no limits of
 * its own: every match counts.
 */
export async function collectFirst(run: ShardRun, first: FirstDocs, countMax: number): Promise<void> {
  const { searcher, weight, walk } = run;
  for (const view of searcher.views) {
    const known = weight.count(view);
    first.docBase = view.docBase;
    const isPassed = known >= 0 && first.passes(known);
    const scorer = isPassed ? null : await scorerIn(run, view);
    const isAll = known >= 0 && walk.canStretch(view, scorer);
    if (isAll) first.collectAll(known);
    if (isPassed || isAll) walk.total += known;
    else await walk.run(view, scorer, first, { countMax, known, isAlike: true });
    if (walk.isDone || (first.isFull && walk.total > countMax)) break;
  }
}

/** Collector of a page that begins behind a score, and among equal scores behind a document; empty where all were shown. */
export function firstDocs(
  topN: number,
  score: number,
  shown: { readonly below: number; readonly ord: number },
): FirstDocs {
  if (score > shown.below) return new FirstDocs(0, -1);
  return new FirstDocs(topN, score === shown.below ? shown.ord : -1);
}

/** Collector of a page: the matches from..from + size. */
export function pageDocs(from: number, size: number): FirstDocs {
  return new FirstDocs(size, -1, from);
}

class FirstDocs implements HitCollector {
  /** Ordinal of the segment's document 0; set before a segment's batches. */
  docBase = 0;
  private readonly found: Uint32Array;
  private readonly after: number;
  /** Matches to come that stand before the first one wanted. */
  private skip: number;
  private size = 0;

  /** `after`: documents up to this one were shown before. */
  constructor(capacity: number, after: number, skip = 0) {
    assert(capacity >= 0 && skip >= 0, `${capacity} documents behind ${skip} matches`);
    this.found = new Uint32Array(capacity);
    this.after = after;
    this.skip = skip;
  }

  get isFull(): boolean {
    return this.size === this.found.length;
  }

  /** Whether none of the next `count` matches is wanted; then they are behind. */
  passes(count: number): boolean {
    if (!this.isFull && this.skip < count) return false;
    this.skip -= Math.min(this.skip, count);
    return true;
  }

  collect(docs: Uint32Array, _scores: Float32Array, count: number): void {
    const { found, docBase, after } = this;
    const skipped = Math.min(this.skip, count);
    this.skip -= skipped;
    for (let i = skipped; i < count && this.size < found.length; i++) {
      const doc = (docs[i] as number) + docBase;
      if (doc > after) found[this.size++] = doc;
    }
  }

  /** Takes what it wants of a segment whose documents, `count` of them, all match. */
  collectAll(count: number): void {
    const { found, docBase, after } = this;
    const skipped = Math.min(this.skip, count);
    this.skip -= skipped;
    const from = Math.max(docBase + skipped, after + 1);
    const wanted = Math.min(found.length - this.size, docBase + count - from);
    for (let i = 0; i < wanted; i++) found[this.size++] = from + i;
  }

  get docs(): Uint32Array {
    const last = this.size === 0 ? Number.POSITIVE_INFINITY : (this.found[this.size - 1] as number);
    assert(last > this.after, `document ${last} was shown before: the page begins behind ${this.after}`);
    return this.found.slice(0, this.size);
  }
}
