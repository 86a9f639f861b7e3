/**
 * Runs a plan on the kernels, segment after segment and slice by slice: its best hits, or how many there are.
 *
 * Hits are counted up to `track_total_hits`, as in Elasticsearch; from then on only those are looked at that can still be
 * among the best. What the dictionary knows of a count is not counted again.
 */

import { assert } from '@shoal/core';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import type { Kernels } from '../../kernels/search-kernels.ts';
import type { CountedShape } from '../../match/kernel-plan/counted-shape.ts';
import {
  type FoundTerm,
  memoryOf,
  type PlannedSegment,
  rarestOf,
  SegmentSlots,
  scoresAlways,
} from '../../match/kernel-plan/kernel-segment.ts';
import { type ClausesShape, isScored } from '../../match/weight/plan-shape.ts';
import type { KernelPlan } from '../../match/weight/weight.ts';
import type { KernelMemory, QueryArea } from '../../memory/kernel-memory.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import { type AcceptedDocs, acceptedDocs } from '../walk/accepted-docs.ts';
import { leadsOfClause, setClauses } from './clause-leads.ts';
import { type PlannedShape, type PlannedShapes, planShapes } from './planned-shapes.ts';

/** Best hits that are kept here; a page further back goes the plain way. */
const HITS_MAX = 65_536;
const KEY_BYTES = 8;
/** Hits are counted before they are ranked from this many wanted on: counting is cheaper than seeing every score. */
const COUNT_FIRST = 65_536;
/** More than any shard has. */
const ALL_HITS = 0x7fff_ffff;
/** Work of one call: under a millisecond, so that the clock is looked at often enough. */
const TERM_BLOCKS = 512;
const WINDOWS_BY_TERMS = 256;
const BLOCKS_BY_TERMS = 1_024;
const PHRASE_BLOCKS = 256;
const COUNT_WINDOWS_BY_TERMS = 64;
/** A conjunction is counted by marking windows only when its rarest term is in more than one document of so many. */
const DENSE_DOCS = 30;
/** A conjunction is counted by marking windows only when its rarest term is at most so many times rarer than the next. */
const DENSE_RATIO = 8;
/** Scores of all terms that match are summed, as of one clause. */
const ONE_CLAUSE = { needed: 0, tieBreaker: null };
/** Accepted documents lead when a term has more than so many times as many. */
const LEADING_RATIO = 4;

export interface KernelRequest {
  readonly searcher: Searcher;
  readonly plan: KernelPlan;
  /** Hits wanted; 0 to count only. */
  readonly topN: number;
  readonly trackTotalHits: number;
  /** Only lower scores are hits, and of equal ones documents behind `belowOrd`: the others were shown before. */
  readonly below: number;
  readonly belowOrd: number;
  readonly pacer: WorkPacer;
}

export interface KernelAnswer {
  /** Exact up to `trackTotalHits`; anything greater beyond. */
  readonly total: number;
  /** Best first. */
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
  /** Highest score of all hits; null without any. */
  readonly maxScore: number | null;
}

/** null when the kernels cannot run it: the scorers do. */
export async function searchWithKernels(request: KernelRequest): Promise<KernelAnswer | null> {
  const { searcher, plan, topN } = request;
  assert(topN >= 0, `${topN} hits are wanted`);
  const memory = memoryOf(searcher.views);
  if (memory === null || topN > HITS_MAX || (topN > 0 && !isScored(plan))) return null;
  const { shape } = plan;
  const asked = { counts: topN === 0 || request.trackTotalHits > 0, ranks: topN > 0 };
  const shapes = planShapes(shape, searcher, memory.kernels, asked);
  if (shapes === null) return null;
  if (topN > 0 && !shapes.ranked.segments.every(({ found }) => found.every(scoresAlways))) return null;
  if (shape.kind === 'phrase' && shape.bm25 !== null && !(shape.bm25.weight > 0)) return null;
  const area = memory.takeArea();
  if (area === null) return null;
  const heap = topN <= memory.areaHeapKeys ? area.heap : memory.allocate(topN * KEY_BYTES);
  try {
    return heap === 0 ? null : await new KernelSearch(request, memory, area, heap, shapes).run();
  } finally {
    if (heap !== area.heap && heap !== 0) memory.release(heap);
    memory.returnArea(area);
  }
}

class KernelSearch {
  private readonly request: KernelRequest;
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly area: QueryArea;
  private readonly heap: number;
  private readonly shapes: PlannedShapes;
  private readonly slots: SegmentSlots;
  /** Hits that the kernels did not count one by one. */
  private uncounted = 0;

  constructor(request: KernelRequest, memory: KernelMemory, area: QueryArea, heap: number, shapes: PlannedShapes) {
    this.request = request;
    this.memory = memory;
    this.kernels = memory.kernels;
    this.area = area;
    this.heap = heap;
    this.shapes = shapes;
    this.slots = new SegmentSlots(memory, area, request.plan.shape.kind === 'phrase');
  }

  async run(): Promise<KernelAnswer | null> {
    const { topN, trackTotalHits, below, belowOrd } = this.request;
    const { ranked, counted } = this.shapes;
    const known = this.knownHits();
    const isKnown = known.isExact || known.atLeast > trackTotalHits;
    let total = known.atLeast;
    const { kind } = ranked.shape;
    const countsFirst = topN === 0 || ((kind === 'any' || kind === 'clauses') && trackTotalHits >= COUNT_FIRST);
    const isCountedFirst = !isKnown && countsFirst && counted !== null;
    if (isCountedFirst) {
      if (!(await this.count(counted))) return null;
      total = this.counted;
    }
    if (topN === 0) return { total, docs: new Uint32Array(0), scores: new Float32Array(0), maxScore: null };
    // What is known need not be counted: every hit beyond the first ones may be left out at once.
    const counts = !isKnown && !isCountedFirst;
    this.kernels.beginQuery(
      this.area.address,
      this.heap,
      topN,
      below,
      belowOrd,
      counts ? Math.min(trackTotalHits, ALL_HITS) : -1,
    );
    for (const segment of ranked.segments) {
      if (this.request.pacer.isOver) break;
      if (!(await this.work(ranked.shape, segment, (accepted) => this.rank(segment, accepted)))) return null;
    }
    if (counts) total = this.kernels.hitsOf(this.area.address);
    return this.answer(total);
  }

  /** What the dictionary says of the number of hits. */
  private knownHits(): { readonly atLeast: number; readonly isExact: boolean } {
    const { plan, trackTotalHits } = this.request;
    const { counted } = this.shapes;
    if (trackTotalHits === 0) return { atLeast: 0, isExact: true };
    const isFiltered = plan.filter.length + plan.excluded.length > 0;
    if (isFiltered || counted === null) return { atLeast: 0, isExact: false };
    const { shape, segments } = counted;
    if (shape.kind === 'phrase' || segments.some(({ view }) => view.liveDocs !== null)) {
      return { atLeast: 0, isExact: false };
    }
    if (shape.kind !== 'any' && shape.terms.length > 1) return { atLeast: 0, isExact: false };
    let atLeast = 0;
    for (const { found } of segments) atLeast += found.reduce((most, { docFreq }) => Math.max(most, docFreq), 0);
    return { atLeast, isExact: shape.terms.length === 1 };
  }

  /** Counts hits up to one more than are tracked. False when there is no room. */
  private async count({ shape, segments }: PlannedShape<CountedShape>): Promise<boolean> {
    const { area, kernels, request } = this;
    kernels.beginQuery(area.address, this.heap, 0, 0, 0, 0);
    this.uncounted = 0;
    for (const segment of segments) {
      if (request.pacer.isOver || this.counted > request.trackTotalHits) break;
      const before = kernels.hitsOf(area.address);
      let isPair = false;
      const isDone = await this.work(shape, segment, (accepted) => {
        // Inclusion–exclusion: df(a ∨ b) = df(a) + df(b) − df(a ∧ b).
        isPair = accepted.address === 0 && segment.found.length === 2 && shape.kind === 'any';
        return this.counter(shape, segment, isPair);
      });
      if (!isDone) return false;
      if (!isPair || request.pacer.isOver) continue;
      const common = kernels.hitsOf(area.address) - before;
      const rarest = Math.min(docFreqAt(segment.found, 0), docFreqAt(segment.found, 1));
      assert(common >= 0 && common <= rarest, `two terms share ${common} documents, the rarer is in ${rarest}`);
      this.uncounted += docFreqAt(segment.found, 0) + docFreqAt(segment.found, 1) - 2 * common;
    }
    return true;
  }

  private get counted(): number {
    return this.kernels.hitsOf(this.area.address) + this.uncounted;
  }

  /** Sets up one segment and calls `slice` until it says that the segment is done. False when there is no room. */
  private async work(
    shape: CountedShape | ClausesShape,
    segment: PlannedSegment,
    prepare: (accepted: AcceptedDocs) => () => boolean,
  ): Promise<boolean> {
    const { view } = segment;
    const { area, kernels, memory, request } = this;
    const { pacer, plan } = request;
    // Mostly all of them, which needs no time.
    const accepting = acceptedDocs(memory, view, plan, pacer);
    const accepted = accepting instanceof Promise ? await accepting : accepting;
    if (accepted === null) return false;
    if (accepted.isEmpty) return true;
    try {
      kernels.beginSegment(area.address, view.segment.docCount, view.docBase, accepted.address);
      if (!this.setTerms(shape, segment, accepted)) return false;
      const slice = prepare(accepted);
      while (!pacer.isOver && !slice()) {
        const pause = pacer.checkpoint();
        if (pause !== null) await pause;
      }
      return true;
    } finally {
      this.slots.release();
      accepted.release();
    }
  }

  private setTerms(
    shape: CountedShape | ClausesShape,
    { view, found }: PlannedSegment,
    accepted: AcceptedDocs,
  ): boolean {
    const { area, kernels, slots } = this;
    const lead = shape.kind === 'all' || shape.kind === 'phrase' ? rarestOf(found) : null;
    if (!slots.setTerms(view, found, lead)) return false;
    // A term alone is read whole, and nothing looked up in it, unless few documents are accepted.
    if (found.length > 1 || isLedByAccepted(found, accepted)) {
      for (const [slot, term] of found.entries()) slots.setColumn(slot, view, term);
    }
    // Who ranks clauses says in which order.
    if (shape.kind === 'clauses') return true;
    // The rarest leads.
    const order = found.map((_, slot) => slot);
    if (shape.kind !== 'any' || found.length === 2) order.sort((a, b) => docFreqAt(found, a) - docFreqAt(found, b));
    this.addTerms(order);
    if (shape.kind !== 'phrase') return true;
    const weight = shape.bm25?.weight ?? 0;
    shape.places.forEach(({ offset }, i) => {
      kernels.setPlace(area.address, i, offset, weight);
    });
    return true;
  }

  private addTerms(order: readonly number[]): void {
    const { kernels, area } = this;
    order.forEach((slot, at) => {
      kernels.addTerm(area.address, at, slot);
    });
  }

  private rank(segment: PlannedSegment, accepted: AcceptedDocs): () => boolean {
    const { kernels, area } = this;
    const { found } = segment;
    const { shape } = this.shapes.ranked;
    if (shape.kind === 'clauses') return this.rankClauses(shape, segment, accepted);
    if (shape.kind === 'phrase') return () => kernels.matchPhrase(area.address, 1, PHRASE_BLOCKS) !== 0;
    if (isLedByAccepted(found, accepted)) return () => kernels.rankAccepted(area.address, WINDOWS_BY_TERMS) !== 0;
    if (accepted.address !== 0) {
      const clause = { found, needed: shape.kind === 'all' ? found.length : 1, isRequired: true };
      const isLed = isLeading(accepted, leadsOfClause(clause).cost);
      if (isLed) return this.rankClauses(ONE_CLAUSE, { ...segment, clauses: [clause] }, accepted);
    }
    if (found.length === 1) return () => kernels.rankTerm(area.address, TERM_BLOCKS) !== 0;
    if (shape.kind === 'all') return () => kernels.rankAnd(area.address, share(BLOCKS_BY_TERMS, found)) !== 0;
    return () => kernels.rankOr(area.address, share(WINDOWS_BY_TERMS, found)) !== 0;
  }

  private rankClauses(
    shape: Pick<ClausesShape, 'needed' | 'tieBreaker'>,
    segment: PlannedSegment,
    accepted: AcceptedDocs,
  ): () => boolean {
    const { kernels, area } = this;
    const { order, isByBlocks, cost } = setClauses(kernels, area.address, shape, segment);
    this.addTerms(order);
    const { found } = segment;
    if (isLeading(accepted, cost)) {
      return () => kernels.rankAcceptedClauses(area.address, share(WINDOWS_BY_TERMS, found)) !== 0;
    }
    if (isByBlocks) return () => kernels.rankClausesByBlocks(area.address, share(BLOCKS_BY_TERMS, found)) !== 0;
    return () => kernels.rankClauses(area.address, share(WINDOWS_BY_TERMS, found)) !== 0;
  }

  /** `isPair`: of two terms, what both have is counted. */
  private counter(shape: CountedShape, { view, found }: PlannedSegment, isPair: boolean): () => boolean {
    const { kernels, area } = this;
    const { kind } = shape;
    const { address } = area;
    if (kind === 'phrase') return () => kernels.matchPhrase(address, 0, PHRASE_BLOCKS) !== 0 || this.isCounted();
    const byWindows = (needed: number) => () =>
      kernels.countWindows(address, needed, share(COUNT_WINDOWS_BY_TERMS, found)) !== 0 || this.isCounted();
    const byBlocks = () => kernels.countCommon(address, share(BLOCKS_BY_TERMS, found)) !== 0 || this.isCounted();
    if (kind === 'some') return byWindows(shape.needed);
    if (kind === 'any' && !isPair) return byWindows(1);
    return found.length > 1 && isDense(view, found) ? byWindows(found.length) : byBlocks;
  }

  /** Checks what the kernels found: no more than was asked for, in order, within the shard. */
  private checkHits(total: number, docs: Uint32Array, scores: Float32Array): void {
    const { searcher, topN } = this.request;
    const last = docs.length - 1;
    assert(docs.length <= topN, `kernels found ${docs.length} of at most ${topN} hits`);
    assert(total >= 0 && total <= searcher.maxDoc, `kernels counted ${total} of ${searcher.maxDoc} documents`);
    if (last < 0) return;
    const [best, worst] = [scores[0] ?? 0, scores[last] ?? 0];
    // Neither is less where a score is NaN, which an infinite boost makes.
    assert(!(best < worst), `kernels ranked a score of ${best} before ${worst}`);
    const ord = Math.max(docs[0] ?? 0, docs[last] ?? 0);
    assert(ord < searcher.maxDoc, `kernels found ordinal ${ord} of ${searcher.maxDoc}`);
  }

  private isCounted(): boolean {
    return this.counted > this.request.trackTotalHits;
  }

  private answer(total: number): KernelAnswer {
    const { kernels, area, memory } = this;
    const count = kernels.finishHits(area.address);
    const docs = new Uint32Array(count);
    const scores = new Float32Array(count);
    memory.readKeys(this.heap, docs, scores);
    const maxScore = kernels.maxScoreOf(area.address);
    this.checkHits(total, docs, scores);
    return { total, docs, scores, maxScore: maxScore < 0 ? null : maxScore };
  }
}

function docFreqAt(found: readonly FoundTerm[], slot: number): number {
  return found[slot]?.docFreq ?? 0;
}

/** The accepted documents are looked up in terms of which every match has one in `termDocs`, not the other way round. */
function isLeading({ address, cost }: AcceptedDocs, termDocs: number): boolean {
  return address !== 0 && cost * LEADING_RATIO < termDocs;
}

function isLedByAccepted(found: readonly FoundTerm[], accepted: AcceptedDocs): boolean {
  return found.length === 1 && isLeading(accepted, docFreqAt(found, 0));
}

/** Share of each term in a budget that is meant for one. */
function share(budget: number, found: readonly FoundTerm[]): number {
  return Math.max(1, Math.trunc(budget / found.length));
}

function isDense(view: SegmentView, found: readonly FoundTerm[]): boolean {
  const [rarest = 0, next = 0] = found.map(({ docFreq }) => docFreq).sort((a, b) => a - b);
  return rarest * DENSE_DOCS > view.segment.docCount && rarest * DENSE_RATIO > next;
}
