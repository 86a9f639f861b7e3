/** The same text has one number in all segments, however its number is found: looked up, built, or read from the cache. */
import { runSteps, StepMeter } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FlatSegment } from '../../../format/flat-segment.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { createSegmentMemory, type ThreadMemory } from '../../../memory/thread-memory.ts';
import type { TermUnion } from '../../../memory/union-cache.ts';
import { memoryContext, runQuery } from '../../../phases/query/memory-searcher.test-support.ts';
import { sizeOf } from '../values/term-union.ts';
import { TermNumbers } from './term-numbers.ts';

const MAPPING = { properties: { kw: { type: 'keyword' }, ip: { type: 'ip' }, n: { type: 'long' } } };

/** Texts of one segment, one document each. */
type Texts = readonly string[];

function viewsOf(segments: readonly Texts[], memory: ThreadMemory): readonly SegmentView[] {
  const parts = segments.map((texts, at) =>
    texts.map((kw, i) => ({ id: `${at}-${i}`, source: JSON.stringify(kw === '' ? {} : { kw }) })),
  );
  return memoryContext(MAPPING, parts, () => false, memory).searcher.views;
}

const newMemory = (): ThreadMemory => createSegmentMemory({ bytesMax: 2 ** 27 });

interface Pass {
  /** Positions of the segments that are entered. */
  readonly entered: readonly number[];
  /** Numbers are settled before they are asked for; else afterwards. */
  readonly isEarly: boolean;
  /** Looked up before any segment. */
  readonly missing: string | null;
}

/** Texts by number as one request sees them; checks that numbers and texts belong to each other. */
function numbersIn(views: readonly SegmentView[], { entered, isEarly, missing }: Pass): Map<number, string> {
  const numbers = new TermNumbers('kw', views);
  const meter = new StepMeter();
  const texts = new Map<number, string>();
  const note = (number: number, text: string): void => {
    expect(texts.get(number) ?? text).toBe(text);
    texts.set(number, text);
    expect(Buffer.from(numbers.bytes(number)).toString()).toBe(text);
    expect(number).toBeLessThan(numbers.size);
  };
  if (missing !== null) note(numbers.ofBytes(Buffer.from(missing)), missing);
  for (const at of entered) {
    const view = views[at]!;
    const column = view.segment.ordinalColumn('kw');
    numbers.enter(view, column);
    const count = column?.valueCount ?? 0;
    if (isEarly) runSteps(numbers.settle(count, meter));
    for (let ordinal = 0; ordinal < count; ordinal++) {
      note(numbers.ofOrdinal(ordinal), Buffer.from(column!.value(ordinal)).toString());
    }
    if (!isEarly) runSteps(numbers.settle(0, meter));
  }
  expect(new Set(texts.values()).size).toBe(texts.size);
  return texts;
}

const everyText = (segments: readonly Texts[], entered: readonly number[]): Set<string> =>
  new Set(entered.flatMap((at) => segments[at]!.filter((text) => text !== '')));

const text = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((n) => `k${n}`),
  fc.string({ maxLength: 4, unit: 'binary' }),
  fc.constantFrom('', 'a', 'ab', 'abc', 'é', '\u{1f600}'),
);
const segment = fc.array(text, { minLength: 1, maxLength: 40 });

describe('numbers of texts', () => {
  test('are one a text in every request, in whatever order unions come to be', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 6 }),
        fc.array(
          fc.record({
            skipped: fc.nat(63),
            isEarly: fc.boolean(),
            missing: fc.option(text.filter((one) => one !== '')),
            // Readers of an older or younger state of the shard share its first segments.
            count: fc.integer({ min: 1, max: 6 }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (segments, passes) => {
          const views = viewsOf(segments, newMemory());
          for (const { skipped, count, ...pass } of passes) {
            const seen = views.slice(0, count);
            const entered = seen.map((_, at) => at).filter((at) => ((skipped >> at) & 1) === 0);
            const texts = numbersIn(seen, { ...pass, entered });
            const expected = everyText(segments, entered);
            if (pass.missing !== null) expected.add(pass.missing);
            expect(new Set(texts.values())).toEqual(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

const sequence = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `t${String(from + i).padStart(5, '0')}`);
const unionOf = (views: readonly SegmentView[]): TermUnion => (views[0]!.segment as FlatSegment).unions!.get('kw')!;
const ALL_PASS: Pass = { entered: [0, 1, 2], isEarly: true, missing: null };

describe('the union of the terms', () => {
  const segments = [sequence(0, 400), sequence(200, 700), sequence(0, 900)];

  test('is cached with the first segment, and goes with it', () => {
    const memory = newMemory();
    const views = viewsOf(segments, memory);
    numbersIn(views, ALL_PASS);
    const union = unionOf(views);
    expect(union.levels.map(({ segment: name, size }) => [name, size])).toEqual([
      ['_0', 400],
      ['_1', 700],
      ['_2', 900],
    ]);
    expect(memory.unions.usedBytes).toBeGreaterThan(union.bytes);
    (views[0]!.segment as FlatSegment).release();
    expect(memory.unions.usedBytes).toBe(0);
  });

  test('loses the levels of segments that were merged, and gets those of new ones', () => {
    const memory = newMemory();
    const views = viewsOf([...segments, sequence(800, 1_000)], memory);
    numbersIn(views.slice(0, 3), ALL_PASS);
    const later = [views[0]!, views[1]!, views[3]!];
    numbersIn(later, ALL_PASS);
    const union = unionOf(views);
    expect(union.levels.map(({ segment: name }) => name)).toEqual(['_0', '_1', '_3']);
    expect(sizeOf(union)).toBe(900);
  });

  test('is not built for a few look-ups', () => {
    const memory = newMemory();
    const views = viewsOf(segments, memory);
    const numbers = new TermNumbers('kw', views);
    for (const view of views) {
      numbers.enter(view, view.segment.ordinalColumn('kw'));
      for (let ordinal = 0; ordinal < 20; ordinal++) numbers.ofOrdinal(ordinal);
      runSteps(numbers.settle(0, new StepMeter()));
    }
    expect(memory.unions.usedBytes).toBe(0);
  });

  test('ends before a level that the cache has no room for', () => {
    const memory = createSegmentMemory({ bytesMax: 2 ** 17 });
    const views = viewsOf(segments, memory);
    for (let request = 0; request < 2; request++) expect(numbersIn(views, ALL_PASS).size).toBe(900);
    const union = unionOf(views);
    expect(union.levels.length).toBe(2);
    expect(memory.unions.usedBytes).toBeLessThanOrEqual(memory.unions.bytesMax);
  });

  test('is built in steps', () => {
    const views = viewsOf([sequence(0, 6_000), sequence(3_000, 12_000)], newMemory());
    const numbers = new TermNumbers('kw', views);
    let turns = 0;
    for (const view of views) {
      numbers.enter(view, view.segment.ordinalColumn('kw'));
      for (const _ of numbers.settle(9_000, new StepMeter())) turns++;
    }
    expect(turns).toBeGreaterThan(1);
  });
});

describe('a terms aggregation over several segments', () => {
  const docs = (texts: Texts, n: number) =>
    texts.map((kw, i) => ({ id: `${n}-${i}`, source: JSON.stringify({ kw, n }) }));

  async function shown(memory: ThreadMemory, body: unknown, times: number): Promise<unknown[]> {
    const parts = [docs(sequence(0, 40), 1), docs(sequence(20, 70), 2), docs(sequence(10, 90), 3)];
    const context = memoryContext(MAPPING, parts, () => false, memory);
    const answers: unknown[] = [];
    for (let i = 0; i < times; i++) answers.push((await runQuery(context, body, { topN: 0 })).aggregations);
    return answers;
  }

  test.each([
    ['of all documents', {}, { size: 100 }],
    ['of some segments', { query: { range: { n: { gte: 2 } } } }, { size: 100 }],
    ['with empty buckets of segments without matches', { query: { term: { n: 2 } } }, { size: 100, min_doc_count: 0 }],
    ['with a value for none', {}, { size: 100, missing: 't00085' }],
    ['of chosen texts', {}, { size: 100, include: 't000[1-7].*' }],
  ])('%s answers the same before and after its terms have common numbers', async (_, query, terms) => {
    for (const aggs of [{ s: { sum: { field: 'n' } } }, {}]) {
      const body = { size: 0, ...query, aggs: { a: { terms: { field: 'kw', ...terms }, aggs } } };
      const [first, ...later] = await shown(newMemory(), body, 3);
      for (const answer of later) expect(answer).toEqual(first);
    }
  });

  test('shows a text that only segments without matches have, when empty buckets are asked for', async () => {
    const memory = newMemory();
    const body = {
      size: 0,
      query: { term: { n: 1 } },
      aggs: { a: { terms: { field: 'kw', size: 100, min_doc_count: 0 } } },
    };
    const [answer] = await shown(memory, body, 1);
    expect(Buffer.from(answer as Uint8Array).toString('latin1')).toContain('t00089');
  });
});
