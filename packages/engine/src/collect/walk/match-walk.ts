/**
 * Walks the matches of a query over the segments of a shard: leaves out deleted documents, counts, and hands the rest on.
 */
import { assert } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { AllDocsScorer } from '../../match/bits/constant-weight.ts';
import { countBits, keepLive, listDocs, wordsOf } from '../../match/bits/doc-bits.ts';
import type { DocBits } from '../../match/weight/doc-iterator.ts';
import { BATCH_SIZE, type Scorer } from '../../match/weight/scorer.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import { type BatchSource, batchesOf } from './batch-source.ts';

export interface WalkLimits {
  /** Matches with a lower score are none; null: no limit. */
  readonly minScore: number | null;
  /** Matches after which the walk ends; 0: no limit. */
  readonly terminateAfter: number;
  readonly isScored: boolean;
}

/** Documents of which the bits are found at once. */
export const STRETCH_SIZE = 32_768;
/** The first stretch of those that double: a power of two of blocks of documents. */
const FIRST_STRETCH_SIZE = 1_024;

/** Takes stretches of documents that all match. */
export interface StretchCollector {
  /** The documents from..to - 1, at most `BATCH_SIZE`. */
  collectStretch(from: number, to: number): void;
  readonly owed?: OwedWork | null;
}

/** Work in steps of about a millisecond. */
export type OwedWork = Iterator<void, void, void>;

/** Documents from..to - 1 of a segment; `from` is a multiple of `BLOCK_DOCS`. */
export interface DocRange {
  readonly from: number;
  readonly to: number;
}

/** Takes matches in batches, ascending within a segment. Scores mean nothing where they were not asked for. */
export interface HitCollector {
  collect(docs: Uint32Array, scores: Float32Array, count: number): void;
  /** It takes no more. */
  readonly isFull?: boolean;
  /** What is to be done before it takes more; null or left out: nothing. */
  readonly owed?: OwedWork | null;
}

/** How much must be seen of a segment's matches. */
export interface WalkNeeds {
  /** Matches up to which they are counted, of all segments; beyond, they may be left out once the collector is full. */
  readonly countMax: number;
  /** How many there are, where that is known before; -1 where not. */
  readonly known: number;
  /** The collector reads no scores: they are all the same. */
  readonly isAlike?: boolean;
}

const ALL_MATCHES: WalkNeeds = { countMax: Number.POSITIVE_INFINITY, known: -1 };
/** Words of bits that make up one batch. */
const BATCH_WORDS = BATCH_SIZE / 32;
/** Words of bits listed first for a collector that may soon be full; they double. */
const FIRST_WORDS = 4;
/** Handed on where nobody reads scores. */
const NO_SCORES = new Float32Array(BATCH_SIZE);

interface Batch {
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
}

export class MatchWalk {
  total = 0;
  isTimedOut = false;
  isTerminated = false;
  readonly pacer: WorkPacer;
  private readonly limits: WalkLimits;
  /** Made by the first batch: many walks end without one. */
  private batch: Batch | null = null;
  /** Documents listed from bits. */
  private listed = new Uint32Array(0);

  constructor(pacer: WorkPacer, limits: WalkLimits) {
    this.pacer = pacer;
    this.limits = limits;
  }

  /** For work behind the walk, which is done whole: a promise when others of the thread are to run first. */
  rest(): Promise<void> | null {
    return this.pacer.rest();
  }

  get isDone(): boolean {
    return this.isTimedOut || this.isTerminated;
  }

  /** Scores must be right: the collector reads them, or a limit does. */
  wantsScores(readsScores: boolean): boolean {
    return this.limits.isScored && (readsScores || this.limits.minScore !== null);
  }

  async run(
    view: SegmentView,
    scorer: Scorer | null,
    collector: HitCollector | null,
    needs: WalkNeeds = ALL_MATCHES,
  ): Promise<void> {
    if (!scorer) return;
    assert(scorer.doc === -1, 'a scorer that has started already');
    const before = this.total;
    const { isScored, minScore, terminateAfter } = this.limits;
    const readsScores = isScored && needs.isAlike !== true;
    const bits = readsScores || minScore !== null || terminateAfter !== 0 ? null : scorer.bits;
    if (bits) await this.runBits(view, bits, collector, { needs, range: wholeOf(view) });
    else await this.runBatches(view, batchesOf(scorer, this.pacer), collector, needs);
    const walked = this.total - before;
    assert(needs.known < 0 || walked <= needs.known, `${walked} matches were walked, ${needs.known} are known`);
    if (needs.known >= 0) this.total = before + needs.known;
  }

  /** Does what `run` does, for matches that come in batches only. */
  async runBatches(
    view: SegmentView,
    source: BatchSource,
    collector: HitCollector | null,
    needs: WalkNeeds = ALL_MATCHES,
  ): Promise<void> {
    const { docs, scores } = this.batchArrays();
    const { isScored } = this.limits;
    while (!this.isDone && !this.isEnough(collector, needs)) {
      const found = source.nextBatch(docs, scores, isScored);
      if (found === 0 && source.isDone !== false) break;
      this.checkBatch(view, docs, found);
      const count = this.keep(view, found);
      this.total += count;
      if (count > 0 && collector !== null) collector.collect(docs, scores, count);
      if (collector?.owed) await this.settle(collector);
      const pause = this.pacer.checkpoint();
      if (pause !== null) await pause;
      this.isTimedOut = this.pacer.isOver;
    }
  }

  /** Checks the ends of a batch: ascending documents of the segment. */
  private checkBatch({ segment }: SegmentView, docs: Uint32Array, found: number): void {
    assert(found <= BATCH_SIZE, `a batch of ${found} matches`);
    if (found === 0) return;
    const [first, last] = [docs[0] as number, docs[found - 1] as number];
    assert(last - first >= found - 1, `${found} matches from ${first} to ${last} do not ascend`);
    assert(last < segment.docCount, `document ${last} of ${segment.docCount}`);
  }

  private isEnough(collector: HitCollector | null, { countMax, known }: WalkNeeds): boolean {
    return (collector === null || collector.isFull === true) && (known >= 0 || this.total > countMax);
  }

  /** Stretch by stretch, without a call for each match; for walks that look at no scores. */
  async runBits(
    { liveDocs }: SegmentView,
    bits: DocBits,
    collector: HitCollector | null,
    { needs = ALL_MATCHES, range }: { readonly needs?: WalkNeeds; readonly range: DocRange },
  ): Promise<void> {
    // Where nothing is to be counted, the first few matches are mostly enough.
    let stretch = collector !== null && needs.known >= 0 ? FIRST_STRETCH_SIZE : STRETCH_SIZE;
    let words = new Uint32Array(wordsOf(Math.min(range.to - range.from, stretch)));
    let { to } = range;
    for (let { from } = range; from < range.to && !this.isDone && !this.isEnough(collector, needs); from = to) {
      to = Math.min(range.to, from + stretch);
      const count = wordsOf(to - from);
      if (count > words.length) words = new Uint32Array(count);
      if (stretch < STRETCH_SIZE) stretch *= 2;
      bits.fill(words, 0, from, to);
      if (liveDocs !== null) keepLive(words, count, from, liveDocs);
      this.total += countBits(words, 0, count);
      if (collector !== null) await this.handOn(words, count, from, collector);
      const pause = this.pacer.checkpoint();
      if (pause !== null) await pause;
      this.isTimedOut = this.pacer.isOver;
    }
  }

  private batchArrays(): Batch {
    return (this.batch ??= { docs: new Uint32Array(BATCH_SIZE), scores: new Float32Array(BATCH_SIZE) });
  }

  private async handOn(words: Uint32Array, count: number, base: number, collector: HitCollector): Promise<void> {
    let step = collector.isFull === undefined ? BATCH_WORDS : FIRST_WORDS;
    for (let at = 0; at < count && collector.isFull !== true; at += step, step = Math.min(BATCH_WORDS, step * 2)) {
      if (this.listed.length < step * 32) this.listed = new Uint32Array(step * 32);
      const { listed } = this;
      const found = listDocs(words, at, Math.min(count, at + step), base + at * 32, listed);
      if (found > 0) collector.collect(listed, NO_SCORES, found);
      if (collector.owed) await this.settle(collector);
      // What was counted is handed on whole, whether time is over or not.
      const pause = this.pacer.checkpoint();
      if (pause !== null) await pause;
    }
  }

  /** Until nothing is owed. */
  async settle(collector: { readonly owed?: OwedWork | null }): Promise<void> {
    for (let { owed } = collector; owed; owed = collector.owed) {
      while (owed.next().done !== true) {
        const pause = this.pacer.rest();
        if (pause !== null) await pause;
      }
    }
  }

  /** Every document of a segment is a match: only where `canStretch`. */
  async runAll(view: SegmentView, collector: StretchCollector, range: DocRange = wholeOf(view)): Promise<void> {
    for (let { from } = range; from < range.to && !this.isDone; from += BATCH_SIZE) {
      const to = Math.min(range.to, from + BATCH_SIZE);
      this.total += to - from;
      collector.collectStretch(from, to);
      if (collector.owed) await this.settle(collector);
      const pause = this.pacer.checkpoint();
      if (pause !== null) await pause;
      this.isTimedOut = this.pacer.isOver;
    }
  }

  /** Nothing is deleted, and nothing limits the walk: `scorer` alone says what matches. */
  canStretch({ liveDocs }: SegmentView, scorer: Scorer | null): boolean {
    const { minScore, terminateAfter } = this.limits;
    return liveDocs === null && minScore === null && terminateAfter === 0 && scorer instanceof AllDocsScorer;
  }

  /** Drops deleted documents, those below the least score, and what is beyond the limit; returns what is left. */
  private keep({ liveDocs }: SegmentView, found: number): number {
    const { docs, scores } = this.batchArrays();
    const { minScore, terminateAfter } = this.limits;
    let count = found;
    if (liveDocs !== null || minScore !== null) {
      const least = minScore ?? -1;
      count = 0;
      for (let i = 0; i < found; i++) {
        const doc = docs[i] as number;
        if (liveDocs !== null && ((liveDocs[doc >> 3] as number) & (1 << (doc & 7))) === 0) continue;
        if (minScore !== null && (scores[i] as number) < least) continue;
        docs[count] = doc;
        scores[count++] = scores[i] as number;
      }
    }
    if (terminateAfter === 0 || this.total + count < terminateAfter) return count;
    this.isTerminated = true;
    assert(this.total < terminateAfter, `${this.total} matches, and the walk ends after ${terminateAfter}`);
    return terminateAfter - this.total;
  }
}

function wholeOf({ segment }: SegmentView): DocRange {
  return { from: 0, to: segment.docCount };
}
