/**
 * One thread's share of the aggregations of a search: collects the parts that it claims.
 *
 * Where the order of additions does not show, all parts go into the same collectors. Where it does, each part is collected by itself, and
 * the states of all parts are added in their order: the result is the same whoever collected what, on one thread or on many.
 */
import { assert, StepMeter } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { type DocPart, PartWalk } from '../../walk/part-walk.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { type CollectorState, type SideBySide, sharingOf } from '../collector/state-sharing.ts';
import { buildCollectors } from '../collectors.ts';
import { type AggregationRun, inSlices } from './aggregation-run.ts';
import { Fan, type FanAround } from './fan.ts';
import type { PartStates } from './search-guests.ts';

interface ReadyCollectors {
  readonly collectors: readonly BucketCollector[];
  readonly sharing: SideBySide;
  readonly fan: Fan;
}

/** `besideBytes` is what the pieces take. */
interface PartsAround extends FanAround {
  besideBytes: number;
}

/** The one bucket of the request. */
const TOP = [0];

export class PartCollector {
  private readonly run: AggregationRun;
  private readonly parts: readonly DocPart[];
  private readonly around: PartsAround;
  private readonly meter = new StepMeter();
  private readonly isOrderFree: boolean;
  private readonly pieces: PartStates[] = [];
  /** Parts in `current`, and their matches. */
  private collected: number[] = [];
  private total = 0;
  private current: ReadyCollectors | null;
  /** Segment that the current collectors are in; null between two. */
  private view: SegmentView | null = null;

  private constructor(
    run: AggregationRun,
    parts: readonly DocPart[],
    around: PartsAround,
    { first, isOrderFree }: { readonly first: ReadyCollectors; readonly isOrderFree: boolean },
  ) {
    this.run = run;
    this.parts = parts;
    this.around = around;
    this.current = first;
    this.isOrderFree = isOrderFree;
  }

  /**
   * Null where this thread has no room for it. The run has no limits that end it early.
   *
   * @param collectors new ones for the run; can all be shared
   * @param looked called every few batches
   */
  static async begin(
    run: AggregationRun,
    parts: readonly DocPart[],
    collectors: readonly BucketCollector[],
    looked: () => void,
  ): Promise<PartCollector | null> {
    const around = { besideBytes: 0, looked };
    const first = await ready(run, collectors, around);
    return first && new PartCollector(run, parts, around, { first, isOrderFree: first.sharing.isOrderFree });
  }

  /** Parts whose matches were collected. */
  get covered(): readonly number[] {
    return [...this.pieces.flatMap(({ parts }) => parts), ...this.collected];
  }

  /** @param claim position of the next part, ascending; -1: there is none */
  async collect(claim: () => number): Promise<void> {
    const { run } = this;
    const walk = new PartWalk(run.weight, run.walk);
    try {
      for (let at = claim(); at >= 0 && !run.walk.isDone; at = claim()) {
        await this.collectPart(at, walk);
        this.around.looked();
      }
    } finally {
      walk.close();
    }
    await this.leave();
  }

  private async collectPart(at: number, walk: PartWalk): Promise<void> {
    const { run, parts } = this;
    const part = parts[at];
    const view = run.ctx.searcher.views[part?.at ?? -1];
    assert(part !== undefined && view !== undefined, `part ${at} of ${parts.length} is collected`);
    const { fan } = await this.enter(view);
    const before = run.walk.total;
    await walk.run(view, part, fan);
    // Half a part is none.
    if (run.walk.isDone) return;
    this.collected.push(at);
    this.total += run.walk.total - before;
    if (!this.isOrderFree) await this.close();
  }

  /** To enter a segment may cost as much as to collect some thousand documents: further parts of it are collected without. */
  private async enter(view: SegmentView): Promise<ReadyCollectors> {
    if (this.view !== view) await this.leave();
    this.current ??= await this.more();
    if (this.view === null) this.current.fan.enter(view);
    this.view = view;
    return this.current;
  }

  private async leave(): Promise<void> {
    if (this.view !== null && this.current !== null) await inSlices(this.run, this.current.fan.leave());
    this.view = null;
  }

  /** What was collected, for another thread. */
  async take(): Promise<readonly PartStates[]> {
    await this.close();
    return this.pieces;
  }

  /** Collectors of all matches: those of this thread, and of others. The run counts the others' too. */
  async united(others: readonly PartStates[]): Promise<readonly BucketCollector[]> {
    const { run, meter, pieces } = this;
    const root = this.current ?? (await this.more());
    const inOrder = [...pieces, ...others].sort((a, b) => (a.parts[0] as number) - (b.parts[0] as number));
    run.held?.set(inOrder.reduce((bytes, { states }) => bytes + bytesOf(states), 0));
    for (const { states } of inOrder) await inSlices(run, root.sharing.add(states, TOP, meter));
    for (const { total } of others) run.walk.total += total;
    return root.collectors;
  }

  /** What the current collectors have becomes a piece. */
  private async close(): Promise<void> {
    await this.leave();
    const { current, collected: parts, total } = this;
    if (current !== null && parts.length > 0) {
      const states = await inSlices(this.run, current.sharing.take(this.meter));
      this.pieces.push({ parts, total, states });
      this.around.besideBytes += bytesOf(states);
    }
    this.current = null;
    this.collected = [];
    this.total = 0;
  }

  private async more(): Promise<ReadyCollectors> {
    const { run } = this;
    const made = await ready(run, buildCollectors(run.ctx, run.aggregations, true, run), this.around);
    assert(made !== null, 'collectors of a search can be shared no more');
    return made;
  }
}

async function ready(
  run: AggregationRun,
  collectors: readonly BucketCollector[],
  around: FanAround,
): Promise<ReadyCollectors | null> {
  const sharing = sharingOf(collectors, run.ctx.searcher.views);
  if (sharing === null || !(await inSlices(run, sharing.ready(new StepMeter())))) return null;
  return { collectors, sharing, fan: new Fan(collectors, run.held, around) };
}

function bytesOf(states: readonly CollectorState[]): number {
  let bytes = 0;
  for (const { arrays, children } of states) {
    for (const array of arrays) bytes += array.byteLength;
    bytes += bytesOf(children);
  }
  return bytes;
}
