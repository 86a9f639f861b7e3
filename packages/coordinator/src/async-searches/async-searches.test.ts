import type { Scheduler } from '@shoal/runtime';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import type { AsyncContent } from './async-search.ts';
import { type AsyncLimits, AsyncSearches, asyncSearchNode } from './async-searches.ts';

/** Time that stands still until it is told to go on. */
class HeldTime implements Scheduler {
  nowMs = 1_000;
  #timers: { readonly atMs: number; readonly fn: () => void }[] = [];

  after(ms: number, fn: () => void): () => void {
    const timer = { atMs: this.nowMs + ms, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  soon(fn: () => void): void {
    fn();
  }

  pass(ms: number): void {
    this.nowMs += ms;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs);
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.nowMs);
    for (const { fn } of due) fn();
  }
}

const MINUTE = 60_000;

function searches(limits?: AsyncLimits): { readonly kept: AsyncSearches; readonly time: HeldTime } {
  const time = new HeldTime();
  const { random } = createNodeRuntime({ log: createSilentLog() });
  const clock = { wallMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  return { kept: new AsyncSearches({ clock, sched: time, random }, limits), time };
}

const content = (bytes: number): AsyncContent => {
  const plain = new Uint8Array(bytes);
  return { status: 200, response: { plain, typed: plain }, error: null, shards: new Uint8Array(0) };
};
const nobody = (): void => {};

describe('asynchronous searches', () => {
  test('are found by ids that name their node', () => {
    const { kept } = searches();
    const search = kept.begin('n1', MINUTE, nobody);
    expect(kept.find(search.id)).toBe(search);
    expect(asyncSearchNode(search.id)).toBe('n1');
    expect(asyncSearchNode('abc')).toBeNull();
  });

  test('show what came so far, and tell who waits when they end', async () => {
    const { kept, time } = searches();
    const search = kept.begin('n1', MINUTE, nobody);
    search.watch(async () => content(1));
    expect([search.isRunning, await search.content()]).toEqual([true, content(1)]);
    const early = search.finished(10, time);
    time.pass(10);
    await early;
    const ended = search.finished(1_000, time);
    kept.finish(search, content(2));
    await ended;
    expect([search.isRunning, await search.content()]).toEqual([false, content(2)]);
  });

  test('expire, running or not, unless they are kept longer', () => {
    const { kept, time } = searches();
    const reasons: string[] = [];
    const running = kept.begin('n1', MINUTE, (reason) => void reasons.push(reason));
    const longer = kept.begin('n1', MINUTE, nobody);
    kept.keep(longer, 3 * MINUTE);
    time.pass(MINUTE);
    expect([kept.find(running.id), reasons]).toEqual([null, ['async search was deleted']]);
    expect(kept.find(longer.id)).toBe(longer);
    time.pass(2 * MINUTE);
    expect(kept.find(longer.id)).toBeNull();
  });

  test('that are removed leave their room', async () => {
    const { kept } = searches({ searchesMax: 2, bytesMax: 100 });
    const first = kept.begin('n1', MINUTE, nobody);
    kept.finish(first, content(80));
    const second = kept.begin('n1', MINUTE, nobody);
    expect(() => kept.begin('n1', MINUTE, nobody)).toThrow('[2] asynchronous searches');
    kept.finish(second, content(80));
    expect((await second.content()).status).toBe(429);
    kept.remove(first);
    kept.remove(second);
    const third = kept.begin('n1', MINUTE, nobody);
    kept.finish(third, content(80));
    expect((await third.content()).status).toBe(200);
  });

  test('that end when they are gone leave nothing', () => {
    const { kept } = searches({ searchesMax: 1, bytesMax: 100 });
    for (let round = 0; round < 3; round++) {
      const search = kept.begin('n1', MINUTE, nobody);
      kept.remove(search);
      kept.finish(search, content(80));
    }
    const last = kept.begin('n1', MINUTE, nobody);
    kept.finish(last, content(80));
    expect([last.bytes, kept.find(last.id)]).toEqual([80, last]);
  });
});
