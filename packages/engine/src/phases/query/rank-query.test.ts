import { compareColumnEntries, type RankAnswer, type RankAsk, type SortColumn } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerRound } from '../../collect/deep-page/ranked-list.ts';
import type { QueryContext } from '../context/query-context.ts';
import { idsOf, memoryContext, runQuery, shardRequest, type TestDoc } from './memory-searcher.test-support.ts';
import { executeRankQuery, type RankedOutcome } from './rank-query.ts';

const MAPPING = {
  properties: {
    text: { type: 'text' },
    n: { type: 'long' },
    wide: { type: 'long' },
    price: { type: 'double' },
    tag: { type: 'keyword' },
  },
};

const docSource = fc.record(
  {
    text: fc
      .array(fc.constantFrom('one', 'two', 'three'), { minLength: 1, maxLength: 6 })
      .map((words) => words.join(' ')),
    n: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 })),
    wide: fc.constantFrom('9007199254740993', '-9223372036854775807', '5', '9007199254740995'),
    price: fc.constantFrom(1.5, -2.25, 1e300, 0),
    tag: fc.constantFrom('a', 'b', 'bb', 'é', ''),
  },
  { requiredKeys: ['text'] },
);

const SORTS: readonly unknown[] = [
  undefined,
  ['_doc'],
  [{ _doc: 'desc' }],
  [{ _score: 'asc' }, { n: 'desc' }],
  [{ n: 'asc' }],
  [{ n: { order: 'desc', missing: '_first' } }],
  [{ n: { order: 'asc', missing: 3, mode: 'max' } }],
  [{ wide: 'desc' }],
  [{ wide: { order: 'asc', missing: '_first' } }],
  [{ price: 'asc' }, { tag: 'desc' }],
  [{ tag: 'asc' }],
  [{ tag: { order: 'desc', missing: '_first' } }],
  [{ tag: { order: 'asc', missing: 'b' } }, { n: 'asc' }],
];

const QUERIES: readonly unknown[] = [{ match_all: {} }, { match: { text: 'one two' } }, { term: { tag: 'b' } }];

const index = fc.array(fc.array(docSource, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 3 });

/** Segments of documents, and some of them deleted. */
function contextOf(segments: readonly (readonly unknown[])[]): QueryContext {
  let n = 0;
  const docs: TestDoc[][] = segments.map((sources) =>
    sources.map((source) => {
      // Longs beyond 2^53 are written with all of their digits.
      const text = JSON.stringify(source).replace(/"wide":"([^"]+)"/, '"wide":$1');
      return { id: String(n++), source: text };
    }),
  );
  return memoryContext(MAPPING, docs, (id) => Number(id) % 7 === 3);
}

function rank(context: QueryContext, body: unknown, ask: RankAsk, topN = 1): Promise<RankedOutcome> {
  return executeRankQuery(context, shardRequest(body, { topN, shardIndex: 1 }), {
    ask,
    stop: { isStopped: false },
    clock: { monotonicMs: () => 0, wallMs: () => 0 },
    bytesMax: 1 << 20,
  });
}

const EMPTY_ROUND = { lower: null, upper: null, from: 0, to: 0, pivots: 0, tail: null };

function entriesOf(context: QueryContext, { entries }: Pick<RankAnswer, 'entries'>): unknown {
  return { ids: idsOf(context, entries.ords), columns: entries.columns.map(valuesOf), scores: entries.scores };
}

/** Values as users see them: of which kind a column is depends on the values that it happens to have. */
function valuesOf(column: SortColumn): unknown {
  if (column.kind !== 'string') return Array.from<number | bigint, string>(column.values, String);
  const { bytes, offsets, missing } = column;
  return Array.from(missing, (isMissing, i) =>
    isMissing ? null : Buffer.from(bytes.subarray(offsets[i], offsets[i + 1])).toString(),
  );
}

describe('the ranked matches of a shard', () => {
  test('are those of a search for all of them, whichever way a page of them is found', async () => {
    const place = fc.integer({ min: 0, max: 100 });
    await fc.assert(
      fc.asyncProperty(
        index,
        fc.constantFrom(...SORTS),
        fc.constantFrom(...QUERIES),
        fc.boolean(),
        place,
        fc.integer({ min: 1, max: 20 }),
        async (segments, sort, query, tracked, from, size) => {
          const context = contextOf(segments);
          const body = { query, sort, track_scores: tracked, track_total_hits: true };
          const whole = await runQuery(context, body, { topN: 1_000 });
          const expected = {
            ids: idsOf(context, whole.ords).slice(from, from + size),
            columns: whole.columns.map((column) => (valuesOf(column) as unknown[]).slice(from, from + size)),
            scores: whole.scores?.slice(from, from + size) ?? null,
          };
          const asks: RankAsk[] = [
            { kind: 'page', from, size },
            { kind: 'list', round: { ...EMPTY_ROUND, from, to: from, tail: size } },
            { kind: 'top', round: { ...EMPTY_ROUND, from, to: from, tail: size } },
          ];
          for (const ask of asks) {
            const { result, answer } = await rank(context, body, ask, 1_000);
            if (expected.ids.length > 0) expect(entriesOf(context, answer)).toEqual(expected);
            else expect(answer.entries.ords).toHaveLength(0);
            expect(answer.count).toBe(whole.ords.length);
            expect(result.total).toEqual(whole.total);
            expect(result.maxScore).toBe(whole.maxScore);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('are counted before an entry of another shard, ties by shard', async () => {
    await fc.assert(
      fc.asyncProperty(
        index,
        index,
        fc.constantFrom(...SORTS),
        fc.nat(),
        fc.constantFrom(0, 1, 2),
        async (segments, others, sort, pick, shardIndex) => {
          const context = contextOf(segments);
          const other = contextOf(others);
          const body = { query: { match_all: {} }, sort };
          const { answer, kept } = await rank(context, body, { kind: 'list', round: { ...EMPTY_ROUND, pivots: 5 } });
          const entries = kept?.entries;
          if (!entries || !kept) throw new Error('no list');
          const all = entries.entries(0, entries.count);
          const { ords, columns } = await runQuery(other, body, { topN: 1_000 });
          if (ords.length === 0) return;
          const at = pick % ords.length;
          const { sort: order } = kept;
          let before = 0;
          for (let i = 0; i < entries.count; i++) {
            const compared = compareColumnEntries(order, all.columns, i, columns, at);
            if (compared < 0 || (compared === 0 && 1 < shardIndex)) before++;
          }
          const pivot = { columns: await oneEntry(other, body, at), shardIndex, position: at };
          const round = answerRound(entries, order, { ...EMPTY_ROUND, lower: pivot, upper: pivot, to: 1_000 }, 1);
          const expected = shardIndex === 1 ? Math.min(at, entries.count) : before;
          expect([round.below, round.above]).toEqual([expected, expected]);
          expect(answer.pivots.positions).toHaveLength(0);
        },
      ),
      { numRuns: 100 },
    );
  });
});

async function oneEntry(context: QueryContext, body: unknown, at: number): Promise<readonly SortColumn[]> {
  const ask: RankAsk = { kind: 'list', round: { ...EMPTY_ROUND, from: at, to: at, tail: 1 } };
  return (await rank(context, body, ask)).answer.entries.columns;
}
