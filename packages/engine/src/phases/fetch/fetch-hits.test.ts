import { searchRequest } from '@shoal/query';
import { describe, expect, test } from 'vitest';
import { memoryContext } from '../query/memory-searcher.test-support.ts';
import { fetchHits } from './fetch-hits.ts';

const DOCS = 300;

function pageOf(ords: readonly number[]) {
  return { ords: Uint32Array.from(ords), request: searchRequest({}) };
}

function someDocuments() {
  const docs = Array.from({ length: DOCS }, (_, i) => ({ id: `d${i}`, source: `{"n":${i}}` }));
  return memoryContext({ properties: { n: { type: 'long' } } }, [docs.slice(0, 100), docs.slice(100)]);
}

/** A millisecond passes with each look at it. */
function passingClock() {
  let nowMs = 0;
  return { monotonicMs: () => nowMs++, wallMs: () => 0 };
}

describe('the documents of a page', () => {
  test('come in the order asked for, whatever the order they are read in', async () => {
    const ords = Array.from({ length: DOCS }, (_, i) => (i * 7) % DOCS);
    const hits = await fetchHits(someDocuments(), pageOf(ords), { isStopped: false }, passingClock());
    expect(hits.map(({ id }) => id)).toEqual(ords.map((ord) => `d${ord}`));
  });

  test('let others run every few milliseconds', async () => {
    let turns = 0;
    const yieldNow = async (): Promise<void> => {
      turns++;
    };
    const context = { ...someDocuments(), yieldNow };
    const ords = Array.from({ length: DOCS }, (_, i) => i);
    await fetchHits(context, pageOf(ords), { isStopped: false }, passingClock());
    // A document a millisecond, and five milliseconds a slice.
    expect(turns).toBeGreaterThanOrEqual(DOCS / 8);
  });

  test('are not read to the end when nobody waits for them any more', async () => {
    const stop = { isStopped: false };
    let turns = 0;
    const yieldNow = async (): Promise<void> => {
      stop.isStopped = ++turns === 3;
    };
    const clock = passingClock();
    const ords = Array.from({ length: DOCS }, (_, i) => i);
    const pages = fetchHits({ ...someDocuments(), yieldNow }, pageOf(ords), stop, clock);
    await expect(pages).rejects.toMatchObject({ type: 'task_cancelled_exception' });
    expect(clock.monotonicMs()).toBeLessThan(DOCS / 5);
  });
});
