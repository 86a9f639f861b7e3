import { describe, expect, test } from 'vitest';
import { WorkPacer } from './work-pacer.ts';

/** A search on a clock that the test moves. */
class Search {
  ms = 0;
  yields = 0;
  readonly stop = { isStopped: false };
  readonly pacer: WorkPacer;

  constructor(timeoutMs: number | null = null, startedMs?: number) {
    this.pacer = new WorkPacer({
      stop: this.stop,
      nowMs: () => this.ms,
      timeoutMs,
      yieldNow: async () => {
        this.yields++;
      },
      ...(startedMs === undefined ? {} : { startedMs }),
    });
  }

  async at(ms: number): Promise<number> {
    this.ms = ms;
    await this.pacer.checkpoint();
    return this.yields;
  }
}

describe('a search lets others run', () => {
  test('every five milliseconds, counted from the end of the last pause', async () => {
    const search = new Search();
    expect([await search.at(4), await search.at(5), await search.at(9), await search.at(10)]).toEqual([0, 1, 1, 2]);
  });

  test('and what it did before it had a pacer counts', async () => {
    const search = new Search(null, -6);
    expect(await search.at(0)).toBe(1);
  });
});

describe('a search ends', () => {
  test('when its time is over, or when it is told to', async () => {
    const late = new Search(20);
    await late.at(19);
    expect(late.pacer.isOver).toBe(false);
    await late.at(20);
    expect(late.pacer.isOver).toBe(true);
    const stopped = new Search();
    stopped.stop.isStopped = true;
    await stopped.at(1);
    expect(stopped.pacer.isOver).toBe(true);
  });

  test('but finishes in slices what it began to tell, unless nobody listens', async () => {
    const search = new Search(20);
    await search.at(20);
    const before = search.yields;
    search.ms = 30;
    await search.pacer.rest();
    expect(search.yields).toBe(before + 1);
    search.stop.isStopped = true;
    expect(() => search.pacer.rest()).toThrow('the search was cancelled');
  });
});
