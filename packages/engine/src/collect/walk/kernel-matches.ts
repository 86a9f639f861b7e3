/**
 * All matches of a plan in one segment, batch by batch from the kernels: for pages far back, sorted hits and aggregations,
 * which want each of them.
 *
 * The scorers find the same documents with the same scores, one at a time: they are the twin, and run where this is null.
 */

import { assert } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import {
  foundIn,
  memoryOf,
  type PlannedSegment,
  rarestOf,
  SegmentSlots,
  scoresAlways,
} from '../../match/kernel-plan/kernel-segment.ts';
import { isScored, termsOfShape } from '../../match/weight/plan-shape.ts';
import type { KernelPlan, Weight } from '../../match/weight/weight.ts';
import type { KernelMemory, QueryArea } from '../../memory/kernel-memory.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import { type AcceptedDocs, acceptedDocs } from './accepted-docs.ts';
import type { BatchSource } from './batch-source.ts';
import type { HitCollector, MatchWalk, WalkNeeds } from './match-walk.ts';

/** Below, setting the kernels up costs more than they save. */
const POSTINGS_MIN = 1_024;
/** Kernels take postings into memory even where there is no room; a walk over all matches can do without. */
const SPARE_BYTES_MIN = 1024 * 1024;

/** What of the matches of a segment is wanted. */
export interface MatchDemand {
  /** The collector reads their scores. */
  readonly readsScores: boolean;
  readonly needs?: WalkNeeds;
}

/** Walks the matches of a query in one segment: on the kernels where they can, else by its scorer. */
export async function walkMatches(
  walk: MatchWalk,
  view: SegmentView,
  weight: Weight,
  collector: HitCollector | null,
  { readsScores, needs }: MatchDemand,
): Promise<void> {
  const matches = await openMatches(view, weight, walk.pacer, walk.wantsScores(readsScores));
  if (matches === null) return walk.run(view, weight.scorer(view), collector, needs);
  try {
    await walk.runBatches(view, matches, collector, needs);
  } finally {
    matches.close();
  }
}

/** Matches that must be closed. */
export interface OpenMatches extends BatchSource {
  close(): void;
}

/** Matches from the kernels; null where they cannot. */
export async function openMatches(
  view: SegmentView,
  { plan }: Weight,
  pacer: WorkPacer,
  wantsScores: boolean,
): Promise<OpenMatches | null> {
  return plan === undefined ? null : KernelMatches.open(view, plan, wantsScores, pacer);
}

class KernelMatches implements OpenMatches {
  /** The segment has no more. */
  isDone = false;
  private readonly memory: KernelMemory;
  private readonly area: QueryArea;
  private readonly slots: SegmentSlots;
  private readonly accepted: AcceptedDocs;
  private readonly next: (area: number, isScored: number) => number;
  private readonly scoreFlag: number;
  /** Every match has all terms. */
  private readonly hasAll: boolean;

  private constructor(
    memory: KernelMemory,
    area: QueryArea,
    accepted: AcceptedDocs,
    plan: KernelPlan,
    scores: boolean,
  ) {
    const { kernels } = memory;
    this.memory = memory;
    this.area = area;
    this.accepted = accepted;
    this.slots = new SegmentSlots(memory, area, false);
    this.scoreFlag = scores ? 1 : 0;
    const isOne = termsOfShape(plan.shape).length === 1;
    this.hasAll = plan.shape.kind === 'all';
    this.next = isOne ? kernels.nextOfTerm : this.hasAll ? kernels.nextOfAll : kernels.nextOfAny;
  }

  /** null when the scorers have to do it. Nobody else may use the pacer until it is done. */
  static async open(
    view: SegmentView,
    plan: KernelPlan,
    wantsScores: boolean,
    pacer: WorkPacer,
  ): Promise<KernelMatches | null> {
    const memory = memoryOf([view]);
    const { shape } = plan;
    if (memory === null || (shape.kind !== 'any' && shape.kind !== 'all')) return null;
    if (shape.terms.length > memory.kernels.termsMax()) return null;
    if (!memory.makeRoom(SPARE_BYTES_MIN)) return null;
    const segment = foundIn(shape, view);
    if (segment === null || !isWorthIt(segment)) return null;
    if (wantsScores && !(isScored(plan) && segment.found.every(scoresAlways))) return null;
    const area = memory.takeArea();
    if (area === null) return null;
    // Deleted documents are left out by who walks the matches.
    const accepted = await acceptedDocs(memory, { ...view, liveDocs: null }, plan, pacer);
    // Without any document the scorers have nothing to do either.
    if (accepted === null || accepted.isEmpty) {
      memory.returnArea(area);
      return null;
    }
    const matches = new KernelMatches(memory, area, accepted, plan, wantsScores);
    if (matches.begin(segment)) return matches;
    matches.close();
    return null;
  }

  private begin({ view, found }: PlannedSegment): boolean {
    const { memory, area, slots } = this;
    const { kernels } = memory;
    kernels.beginQuery(area.address, area.heap, 0, 0, 0, 0);
    kernels.beginSegment(area.address, view.segment.docCount, view.docBase, this.accepted.address);
    if (!slots.setTerms(view, found, this.hasAll ? rarestOf(found) : null)) return false;
    const order = found.map((_, slot) => slot);
    order.sort((a, b) => (found[a]?.docFreq ?? 0) - (found[b]?.docFreq ?? 0));
    order.forEach((slot, at) => {
      kernels.addTerm(area.address, at, slot);
    });
    return true;
  }

  /** Next batch, with the contract of a scorer's `nextBatch`; 0 also before the end, see `isDone`. */
  nextBatch(docs: Uint32Array, scores: Float32Array): number {
    assert(!this.isDone, `matches are read behind the last, from area ${this.area.address}`);
    const count = this.next(this.area.address, this.scoreFlag);
    assert(count >= -1 && count <= docs.length, `kernels found ${count} matches for a batch of ${docs.length}`);
    if (count < 0) this.isDone = true;
    if (count > 0) this.memory.readBatch(this.area.address, count, docs, this.scoreFlag === 1 ? scores : null);
    return Math.max(0, count);
  }

  close(): void {
    this.slots.release();
    this.accepted.release();
    this.memory.returnArea(this.area);
  }
}

function isWorthIt({ found }: PlannedSegment): boolean {
  return found.some(({ docFreq }) => docFreq >= POSTINGS_MIN);
}
