import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    time: { type: 'date' },
    size: { type: 'long' },
    price: { type: 'double' },
    some: { type: 'long' },
    many: { type: 'long' },
    tag: { type: 'keyword' },
    names: { type: 'keyword' },
  },
};

const FIRST_MS = 1_700_000_000_000;

interface Row {
  readonly ord: number;
  readonly isLive: boolean;
  readonly time: number;
  readonly size: number;
  readonly price: number;
  readonly some: number | null;
  readonly many: readonly number[];
  readonly tag: string;
  readonly names: readonly string[];
}

function makeRows(count: number): Row[] {
  let state = 12345;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, ord) => ({
    ord,
    isLive: random(10) !== 0,
    // Later documents are mostly later, and some stretches all the same.
    time: FIRST_MS + ord * 10 + random(500),
    size: ord % 3_000 < 1_100 ? 7 : random(200),
    price: random(1_000) / 8,
    some: ord % 2_500 < 1_200 || random(3) === 0 ? null : random(50),
    many: Array.from({ length: random(4) }, () => random(100)),
    tag: `t${random(4)}`,
    names: Array.from({ length: random(3) }, () => `n${100 + random(300)}`),
  }));
}

const rows = makeRows(9_500);
const SIZES = [5_000, 1_024, 3_000, 476];
let start = 0;
const groups = SIZES.map((size) => {
  const group = rows.slice(start, start + size);
  start += size;
  return group.map(({ ord, isLive: _, some, ...rest }) => ({
    id: String(ord),
    source: JSON.stringify(some === null ? rest : { ...rest, some }),
  }));
});
const memory = createSegmentMemory({ bytesMax: 2 ** 28 });
const whole = memoryContext(MAPPING, groups, () => false, memory);
const thinned = memoryContext(MAPPING, groups, (id) => !rows[Number(id)]!.isLive, memory);

type Field = 'time' | 'size' | 'price' | 'some' | 'many';
const FIELDS: readonly Field[] = ['time', 'size', 'price', 'some', 'many'];

function valuesOf(row: Row, field: Field): readonly number[] {
  const value = row[field];
  return typeof value === 'number' ? [value] : (value ?? []);
}

type Sorted = Field | 'tag' | 'names';
const SORTED: readonly Sorted[] = [...FIELDS, 'tag', 'names'];

/** What documents are sorted by: words by the numbers behind their letter, which have one length. */
function sortedValues(row: Row, field: Sorted): readonly number[] {
  if (field === 'tag') return [Number(row.tag.slice(1))];
  return field === 'names' ? row.names.map((name) => Number(name.slice(1))) : valuesOf(row, field);
}

interface Range {
  readonly field: Field;
  readonly from: number;
  readonly span: number;
}

const range: fc.Arbitrary<Range> = fc
  .record({
    field: fc.constantFrom(...FIELDS),
    from: fc.integer({ min: -5, max: 120 }),
    span: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 100_000 })),
  })
  // Dates are far from other numbers.
  .map((one) => (one.field === 'time' ? { ...one, from: FIRST_MS + one.from * 800 } : one));

const clauses = fc.record({
  filter: fc.array(range, { maxLength: 2 }),
  mustNot: fc.array(range, { maxLength: 1 }),
  tag: fc.option(fc.constantFrom('t0', 't1'), { nil: null }),
});

function json({ field, from, span }: Range): object {
  return { range: { [field]: { gte: from, lte: from + span } } };
}

function holds(row: Row, { field, from, span }: Range): boolean {
  return valuesOf(row, field).some((value) => value >= from && value <= from + span);
}

describe('ranges and sorts by blocks', () => {
  test('answer as a look at every document does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        clauses,
        fc.option(fc.record({ field: fc.constantFrom(...SORTED), isDescending: fc.boolean() }), { nil: null }),
        fc.constantFrom<'_first' | '_last'>('_first', '_last'),
        fc.constantFrom(0, 1, 10, 300),
        fc.constantFrom<true | number>(true, 10, 2_000),
        async (hasDeletes, { filter, mustNot, tag }, sort, missing, topN, track) => {
          const found = rows.filter((row) => {
            if (hasDeletes && !row.isLive) return false;
            if (tag !== null && row.tag !== tag) return false;
            return filter.every((one) => holds(row, one)) && !mustNot.some((one) => holds(row, one));
          });
          const key = (row: Row): number => {
            if (sort === null) return 0;
            const values = sortedValues(row, sort.field);
            if (values.length === 0) return missing === '_first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
            return sort.isDescending ? -Math.max(...values) : Math.min(...values);
          };
          const expected = [...found].sort((a, b) => {
            const x = key(a);
            const y = key(b);
            return x === y ? a.ord - b.ord : x < y ? -1 : 1;
          });
          const all = [...filter.map(json), ...(tag === null ? [] : [{ term: { tag } }])];
          const order = sort && { [sort.field]: { order: sort.isDescending ? 'desc' : 'asc', missing } };
          const body = {
            query: { constant_score: { filter: { bool: { filter: all, must_not: mustNot.map(json) } } } },
            track_total_hits: track,
            ...(order && { sort: [order] }),
          };
          const { ords, total } = await runQuery(hasDeletes ? thinned : whole, body, { topN });
          expect([...ords]).toEqual(expected.slice(0, topN).map(({ ord }) => ord));
          const limit = track === true ? Number.POSITIVE_INFINITY : track;
          const shown =
            found.length > limit ? { value: limit, relation: 'gte' } : { value: found.length, relation: 'eq' };
          expect(total).toEqual(shown);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('go on behind what was shown', async () => {
    const seen: number[] = [];
    let after: number[] | null = null;
    for (let page = 0; page < 6; page++) {
      const body = { sort: [{ time: 'desc' }, { size: 'asc' }], ...(after && { search_after: after }) };
      const { ords } = await runQuery(thinned, body, { topN: 200 });
      seen.push(...ords);
      const last = rows[ords.at(-1)!]!;
      after = [last.time, last.size];
    }
    const expected = rows.filter(({ isLive }) => isLive).sort((a, b) => b.time - a.time || a.size - b.size);
    expect(seen.map((ord) => rows[ord]!.time)).toEqual(expected.slice(0, seen.length).map(({ time }) => time));
  });
});
