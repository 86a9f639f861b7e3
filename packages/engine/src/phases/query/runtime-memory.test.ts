/** What searches hold while they have values of runtime fields. */
import { expect, test } from 'vitest';
import { breakerMemory, RequestBreaker } from '../../memory/request-breaker.ts';
import { memoryContext, runQuery } from './memory-searcher.test-support.ts';

const DOCUMENTS = 2_000;
const mapping = {
  properties: { n: { type: 'long' } },
  runtime: { text: { type: 'keyword', script: "emit('a text as long as some others of document ' + doc['n'].value)" } },
};
const body = { query: { match_all: {} }, sort: ['text'], size: 1 };

/** Tells of every change. */
class ToldBreaker extends RequestBreaker {
  readonly told: [label: string, bytes: number][] = [];

  constructor(limitBytes: number) {
    super(breakerMemory(1), 0, limitBytes, { limitBytes: Number.MAX_SAFE_INTEGER, residentBytes: null });
  }

  override change(bytes: number, label: string): void {
    super.change(bytes, label);
    if (bytes !== 0) this.told.push([label, bytes]);
  }
}

function context(breaker: RequestBreaker) {
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({ id: `${n}`, source: `{"n":${n}}` }));
  return { ...memoryContext(mapping, [documents]), breaker };
}

test('the values are held until the hits are found', async () => {
  const breaker = new ToldBreaker(Number.MAX_SAFE_INTEGER);
  const { ords } = await runQuery(context(breaker), body);
  expect(ords[0]).toBe(0);
  const labels = breaker.told.map(([label]) => label);
  const most = Math.max(...breaker.told.map(([, bytes]) => bytes));
  expect(labels.lastIndexOf('<runtime fields>')).toBeGreaterThan(labels.lastIndexOf('<hits>'));
  expect(most).toBeGreaterThan(DOCUMENTS * 10);
  expect(breaker.read().usedBytes).toBe(0);
});

test('values that do not fit are refused before all of them are made', async () => {
  const little = new ToldBreaker(4 * DOCUMENTS + 100);
  await expect(runQuery(context(little), body)).rejects.toMatchObject({
    type: 'circuit_breaking_exception',
    reason: expect.stringContaining('data for [<runtime fields>] would be'),
  });
  expect(little.read()).toMatchObject({ usedBytes: 0, trips: 1 });
});
