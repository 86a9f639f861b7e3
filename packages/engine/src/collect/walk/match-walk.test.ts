import { expect, test } from 'vitest';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { allDocsWeight } from '../../match/bits/constant-weight.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import { type HitCollector, MatchWalk, type OwedWork } from './match-walk.ts';

const DOCS = 10_000;
const view = { segment: { docCount: DOCS }, liveDocs: null, liveCount: DOCS, docBase: 0 } as unknown as SegmentView;

/** Each batch leaves work of so many steps. */
class Indebted implements HitCollector {
  owed: OwedWork | null = null;
  batches = 0;
  seen = 0;

  collect(_docs: Uint32Array, _scores: Float32Array, count: number): void {
    this.take(count);
  }

  collectStretch(from: number, to: number): void {
    this.take(to - from);
  }

  private take(count: number): void {
    expect(this.owed, 'a batch before the work of the last was done').toBeNull();
    this.batches++;
    this.seen += count;
    this.owed = this.work();
  }

  private *work(): Generator<void, void, void> {
    for (let i = 0; i < 10; i++) yield;
    this.owed = null;
  }
}

test.each(['all', 'bits', 'batches'] as const)('%s: no batch before owed work is done, in pauses', async (way) => {
  let now = 0;
  let pauses = 0;
  const yieldNow = (): Promise<void> => {
    pauses++;
    return Promise.resolve();
  };
  const pacer = new WorkPacer({ stop: { isStopped: false }, nowMs: () => now++, timeoutMs: null, yieldNow });
  const walk = new MatchWalk(pacer, { minScore: null, terminateAfter: 0, isScored: false });
  const scorer = allDocsWeight(1).scorer(view);
  const collector = new Indebted();
  if (way === 'all') await walk.runAll(view, collector);
  else if (way === 'bits') await walk.run(view, scorer, collector);
  else if (scorer?.nextBatch) {
    await walk.runBatches(
      view,
      { nextBatch: (docs, scores, isScored) => scorer.nextBatch?.(docs, scores, isScored) ?? 0 },
      collector,
    );
  }
  expect(collector.seen).toBe(DOCS);
  expect(collector.batches).toBeGreaterThan(3);
  expect(pauses).toBeGreaterThan(collector.batches);
});
