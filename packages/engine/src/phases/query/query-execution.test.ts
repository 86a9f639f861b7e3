import { isShoalError, renderCause } from '@shoal/core';
import { type SortColumn, sortValueForHit } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../context/query-context.ts';
import {
  idsOf,
  memoryContext,
  PAGED_MEMORY,
  runQuery,
  shardSearch,
  type TestDoc,
  TINY_PAGES,
} from './memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text', analyzer: 'whitespace' },
    e: { type: 'text', analyzer: 'english' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    b: { type: 'boolean' },
    at: { type: 'date' },
    ip: { type: 'ip' },
  },
};

interface Doc {
  readonly t?: string;
  readonly k?: readonly string[];
  readonly n?: number;
}

const WORDS = ['a', 'b', 'c', 'd'];
const KEYS = ['x', 'xa', 'xab', 'y', 'z'];
const docArb: fc.Arbitrary<Doc> = fc.record(
  {
    t: fc.array(fc.constantFrom(...WORDS), { maxLength: 9 }).map((words) => words.join(' ')),
    k: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 }),
    n: fc.integer({ min: -3, max: 3 }),
  },
  { requiredKeys: [] },
);

type Json = Record<string, unknown>;
const leafArb: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({ match_all: {} }),
  fc.constantFrom(...WORDS, 'nope').map((t) => ({ term: { t } })),
  fc.constantFrom(...KEYS).map((k) => ({ term: { k } })),
  fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 }).map((k) => ({ terms: { k } })),
  fc.constantFrom('x', 'xa', 'q').map((k) => ({ prefix: { k } })),
  fc.constantFrom('x*', '*a*', '?', 'x?b').map((k) => ({ wildcard: { k } })),
  fc.constantFrom('t', 'k', 'n', 'missing').map((field) => ({ exists: { field } })),
  fc
    .tuple(
      fc.constantFrom('gte', 'gt'),
      fc.integer({ min: -4, max: 4 }),
      fc.constantFrom('lte', 'lt'),
      fc.integer({ min: -4, max: 4 }),
    )
    .map(([lower, from, upper, to]) => ({ range: { n: { [lower]: from, [upper]: to } } })),
  fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...KEYS)).map(([gt, lte]) => ({ range: { k: { gt, lte } } })),
  fc
    .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }), fc.constantFrom('and', 'or'))
    .map(([words, operator]) => ({ match: { t: { query: words.join(' '), operator } } })),
  fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
    .map((words) => ({ match_phrase: { t: words.join(' ') } })),
);
const { query: queryArb } = fc.letrec<{ query: Json }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leafArb,
    fc
      .record(
        {
          must: fc.array(tie('query'), { maxLength: 2 }),
          should: fc.array(tie('query'), { maxLength: 3 }),
          filter: fc.array(tie('query'), { maxLength: 2 }),
          must_not: fc.array(tie('query'), { maxLength: 1 }),
        },
        { requiredKeys: [] },
      )
      .chain((bool) =>
        fc
          .option(fc.integer({ min: 0, max: 2 }), { nil: undefined })
          .map((m) => (m === undefined ? { bool } : { bool: { ...bool, minimum_should_match: m } })),
      ),
    tie('query').map((filter) => ({ constant_score: { filter } })),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((queries) => ({ dis_max: { queries } })),
  ),
}));

/** What a query means, one document at a time. */
function matches(query: Json, doc: Doc): boolean {
  const [kind, body] = Object.entries(query)[0] as [string, Json];
  const words = doc.t?.split(' ').filter(Boolean) ?? [];
  const [field, value] = (Object.entries(body)[0] ?? ['', '']) as [keyof Doc, unknown];
  const list = (name: string) => (body[name] ?? []) as Json[];
  switch (kind) {
    case 'match_all':
      return true;
    case 'term':
      return field === 't' ? words.includes(String(value)) : (doc.k ?? []).includes(String(value));
    case 'terms':
      return (value as string[]).some((v) => doc.k?.includes(v));
    case 'prefix':
      return (doc.k ?? []).some((v) => v.startsWith(String(value)));
    case 'wildcard': {
      const pattern = new RegExp(`^${String(value).replaceAll('*', '.*').replaceAll('?', '.')}$`);
      return (doc.k ?? []).some((v) => pattern.test(v));
    }
    case 'exists': {
      const name = body.field as keyof Doc;
      return name === 'k' ? (doc.k ?? []).length > 0 : doc[name] !== undefined;
    }
    case 'range': {
      const { gt, gte, lt, lte } = value as Record<string, number>;
      const values = (field === 'n' ? (doc.n === undefined ? [] : [doc.n]) : (doc.k ?? [])) as readonly number[];
      return values.some(
        (v) =>
          (gt === undefined || v > gt) &&
          (gte === undefined || v >= gte) &&
          (lt === undefined || v < lt) &&
          (lte === undefined || v <= lte),
      );
    }
    case 'match': {
      const { query: text, operator } = value as { query: string; operator: string };
      const found = text.split(' ').map((w) => words.includes(w));
      return operator === 'and' ? found.every(Boolean) : found.some(Boolean);
    }
    case 'match_phrase': {
      const phrase = String(value).split(' ');
      return words.some((_, i) => phrase.every((w, j) => words[i + j] === w));
    }
    case 'constant_score':
      return matches(body.filter as Json, doc);
    case 'dis_max':
      return list('queries').some((q) => matches(q, doc));
    default: {
      const required = [...list('must'), ...list('filter')];
      const should = list('should');
      const minimum = Math.max(
        required.length > 0 || should.length === 0 ? 0 : 1,
        required.length + should.length === 0 ? 0 : Number(body.minimum_should_match ?? 0),
      );
      return (
        required.every((q) => matches(q, doc)) &&
        should.filter((q) => matches(q, doc)).length >= minimum &&
        !list('must_not').some((q) => matches(q, doc))
      );
    }
  }
}

function segmentsOf(docs: readonly Doc[], sizes: readonly number[]): TestDoc[][] {
  const all = docs.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }));
  const segments: TestDoc[][] = [];
  for (const size of [...sizes, all.length]) if (all.length > 0) segments.push(all.splice(0, size));
  return segments.filter((segment) => segment.length > 0);
}

/** Distance with swaps of neighbours, from its definition. */
function distance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, d[i - 2]![j - 2]! + 1);
      d[i]![j] = best;
    }
  }
  return d[a.length]![b.length]!;
}

test('fuzzy queries find all terms within their edits', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { minLength: 1, maxLength: 40 }),
      word,
      fc.constantFrom(0, 1, 2),
      async (words, wanted, fuzziness) => {
        const context = memoryContext(MAPPING, [words.map((k, i) => one({ k: [k] }, String(i)))]);
        const query = { fuzzy: { k: { value: wanted, fuzziness } } };
        const result = await runQuery(context, { query }, { topN: 100 });
        const found = idsOf(context, result.ords).map((id) => words[Number(id)]!);
        expect(found.sort()).toEqual(words.filter((w) => distance(w, wanted) <= fuzziness).sort());
      },
    ),
  );
});

describe.each([
  ['in memory', PLAIN_MEMORY],
  ['in pages of a file', PAGED_MEMORY],
  ['in pages of a file, on kernels', createSegmentMemory({ bytesMax: 2 ** 24, paging: TINY_PAGES })],
])('any query of segments %s', (_name, memory) => {
  test('matches what it means document by document, over several segments and with deletions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(docArb, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
        fc.array(queryArb, { minLength: 4, maxLength: 8 }),
        fc.integer({ min: 2, max: 9 }),
        async (docs, sizes, queries, deleteEvery) => {
          const isDeleted = (id: string) => Number(id) % deleteEvery === 1;
          const context = memoryContext(MAPPING, segmentsOf(docs, sizes), isDeleted, memory);
          for (const query of queries) {
            const expected = docs
              .map((_, i) => String(i))
              .filter((id) => !isDeleted(id) && matches(query, docs[Number(id)]!));
            const ranked = await runQuery(context, { query }, { topN: 100 });
            expect(
              idsOf(context, ranked.ords).sort((a, b) => Number(a) - Number(b)),
              JSON.stringify(query),
            ).toEqual(expected);
            const counted = await runQuery(context, { query, size: 0 }, { topN: 0 });
            expect(counted.total).toEqual({ value: expected.length, relation: 'eq' });
            const sorted = await runQuery(
              context,
              { query, sort: [{ n: 'desc' }, { k: 'asc' }, '_doc'] },
              { topN: 100 },
            );
            expect([...idsOf(context, sorted.ords)].sort((a, b) => Number(a) - Number(b))).toEqual(expected);
            await checkTopAndOrder(context, query, docs, sorted.ords);
          }
        },
      ),
      { numRuns: memory === PLAIN_MEMORY ? 150 : 60 },
    );
  });
});

function scoresOf([column]: readonly SortColumn[]): Float32Array {
  return column?.kind === 'score' ? column.values : new Float32Array(0);
}

/** Scores are the same whatever N is; sorted order is that of the values. */
async function checkTopAndOrder(context: QueryContext, query: Json, docs: readonly Doc[], sorted: Uint32Array) {
  const all = await runQuery(context, { query }, { topN: 100 });
  const scores = scoresOf(all.columns);
  for (let i = 1; i < scores.length; i++) {
    expect(scores[i]! < scores[i - 1]! || (scores[i] === scores[i - 1] && all.ords[i]! > all.ords[i - 1]!)).toBe(true);
  }
  const top = await runQuery(context, { query }, { topN: 3 });
  expect([...top.ords]).toEqual([...all.ords.slice(0, 3)]);
  expect(top.maxScore).toEqual(scores.length === 0 ? null : scores[0]);
  const key = (ord: number): [number, string] => {
    const doc = docs[ord]!;
    return [-(doc.n ?? -100), [...(doc.k ?? [])].sort()[0] ?? '~'];
  };
  const expected = [...sorted].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return x[0] - y[0] || (x[1] < y[1] ? -1 : x[1] > y[1] ? 1 : a - b);
  });
  expect([...sorted]).toEqual(expected);
  const first = await runQuery(context, { query, sort: [{ n: 'desc' }, { k: 'asc' }, '_doc'] }, { topN: 4 });
  expect([...first.ords]).toEqual(expected.slice(0, 4));
}

const one = (doc: object, id = '1'): TestDoc => ({ id, source: JSON.stringify(doc) });
const values = (column: SortColumn, count: number) =>
  Array.from({ length: count }, (_, i) => sortValueForHit(column, i));

describe('scores', () => {
  test('are those of a recorded server, deleted documents included in the statistics', async () => {
    const titles = ['The quick brown fox', 'A lazy brown dog', 'quick quick red fox', 'new one', 'new one again'];
    const docs = titles.map((title, i) => one({ title }, String(i)));
    const context = memoryContext({ properties: { title: { type: 'text' } } }, [docs], (id) => Number(id) > 2);
    const result = await runQuery(context, { query: { match: { title: 'quick fox' } } });
    expect(idsOf(context, result.ords)).toEqual(['2', '0']);
    expect(values(result.columns[0]!, 2).map(String)).toEqual(['1.9633707', '1.633044']);
  });
});

describe('sorting', () => {
  const docs = [
    one({ n: 2, d: 0.5, b: true, k: ['m'] }, 'a'),
    one({ k: ['b', 'z'] }, 'b'),
    { id: 'c', source: '{"n":9007199254740993,"d":-1,"b":false}' },
  ];
  const context = memoryContext(MAPPING, [docs.slice(0, 2), docs.slice(2)]);
  const order = async (sort: unknown, extra: object = {}) => {
    const result = await runQuery(context, { sort, ...extra });
    return [
      idsOf(context, result.ords).join(''),
      ...result.columns.map((c) => values(c, result.ords.length).map(String).join(' ')),
    ];
  };

  test.each([
    [[{ n: 'asc' }], ['acb', '2 9007199254740993 9223372036854775807']],
    [[{ n: { order: 'desc', missing: 5 } }], ['cba', '9007199254740993 5 2']],
    [[{ n: { order: 'desc', missing: '_first' } }], ['bca', '9223372036854775807 9007199254740993 2']],
    [[{ k: 'desc' }], ['bac', 'z m null']],
    [[{ k: { order: 'asc', missing: 'c' } }], ['bca', 'b c m']],
    [[{ d: 'asc' }], ['cab', '-1.0 0.5 "Infinity"']],
    [[{ b: 'desc' }], ['acb', '1 0 -9223372036854775808']],
    [['_doc'], ['abc', '0 1 2']],
    [
      [{ nope: { unmapped_type: 'keyword' } }, { n: 'desc' }],
      ['cab', 'null null null', '9007199254740993 2 -9223372036854775808'],
    ],
  ])('%j', async (sort, expected) => expect(await order(sort)).toEqual(expected));

  test('goes on behind the values of the last page', async () => {
    expect((await order([{ n: 'asc' }], { search_after: [2] }))[0]).toBe('cb');
    expect((await order([{ k: 'asc' }], { search_after: ['b'] }))[0]).toBe('ac');
    expect((await order([{ b: 'desc' }], { search_after: [true] }))[0]).toBe('cb');
  });

  test('goes on behind a date as a number, in the format of the field, and in that of the sort', async () => {
    const dated = memoryContext({ properties: { at: { type: 'date', format: 'yyyy-MM-dd HH:mm' } } }, [
      [one({ at: '2024-01-01 10:00' }, 'a'), one({ at: '2024-01-02 10:00' }, 'b')],
    ]);
    const after = async (value: unknown, format?: string) => {
      const sort = [{ at: format === undefined ? 'desc' : { order: 'desc', format } }];
      return idsOf(dated, (await runQuery(dated, { sort, search_after: [value] })).ords).join('');
    };
    expect(await after(Date.UTC(2024, 0, 2, 10))).toBe('a');
    expect(await after('2024-01-02 10:00')).toBe('a');
    expect(await after('2024-01-03', 'yyyy-MM-dd')).toBe('ba');
    await expect(after('x')).rejects.toMatchObject({ type: 'parse_exception' });
  });

  test('in a format is for dates alone', async () => {
    await expect(order([{ n: { format: 'yyyy' } }])).rejects.toThrow('[format] of a sort is for dates');
  });

  test.each([
    ['t', 'illegal_argument_exception', /^Text fields are not optimised/],
    ['nope', 'query_shard_exception', /^No mapping found for \[nope\] in order to sort on$/],
  ])('on [%s] is refused', async (field, type, reason) => {
    const error = await runQuery(context, { sort: [field] }).catch((e: unknown) => e);
    expect(isShoalError(error) && error.type).toBe(type);
    expect(isShoalError(error) && error.reason).toMatch(reason);
  });
});

test('more terms than the index allows are refused', async () => {
  const context = { ...memoryContext(MAPPING, [[one({ k: ['x'] }, 'a')]]), settings: { 'index.max_terms_count': '2' } };
  expect((await runQuery(context, { query: { terms: { k: ['x', 'y'] } } })).total?.value).toBe(1);
  await expect(runQuery(context, { query: { terms: { k: ['x', 'y', 'z'] } } })).rejects.toThrow(
    'The number of terms [3] used in the Terms Query request has exceeded the allowed maximum of [2].',
  );
});

describe('a query of very many clauses is refused, and soon', () => {
  const context = memoryContext(MAPPING, [[one({ t: 'u' })]]);
  const words = Array.from({ length: 100_000 }, (_, n) => `w${n}`);
  test.each([
    ['words of a query string', { query_string: { query: words.join(' ') } }],
    ['operators of a query string', { query_string: { query: words.map((word) => `NOT ${word}`).join(' ') } }],
    ['words of a match', { match: { t: words.join(' ') } }],
    ['words of a phrase', { match_phrase: { t: words.join(' ') } }],
    ['clauses of a bool', { bool: { should: words.map((word) => ({ term: { t: word } })) } }],
  ])('%s', async (_name, query) => {
    await expect(runQuery(context, { query })).rejects.toThrow('maxClauseCount is set to 4096');
  });
});

describe('queries on values', () => {
  const context = memoryContext(MAPPING, [
    [
      one({ at: '2024-01-31T10:00:00Z', ip: '10.1.2.3', n: 1, b: true, e: 'running dogs', t: 'u v w' }, 'a'),
      one({ at: '2024-02-01', ip: '10.2.0.1', n: 2, b: false, e: 'a dog', t: 'v u' }, 'b'),
      one({ at: '2024-03-15', ip: '::1', n: 3, d: 1.5, t: 'U' }, 'c'),
    ],
  ]);
  const NOW = Date.UTC(2024, 2, 15, 12);
  const found = async (query: unknown, params: Record<string, string> = {}) => {
    const result = await runQuery(context, {}, { search: shardSearch({ query, sort: ['_doc'] }, params), nowMs: NOW });
    return idsOf(context, result.ords).join('');
  };

  test.each([
    [{ range: { at: { gte: 'now/d', lt: 'now+1d/d' } } }, 'c'],
    [{ range: { at: { lte: '2024-01||/M' } } }, 'a'],
    [{ range: { at: { gt: '2024-01-31' } } }, 'bc'],
    [{ range: { at: { gt: '2024-01-31||/d' } } }, 'bc'],
    [{ range: { at: { gte: '01/02/2024', format: 'dd/MM/yyyy' } } }, 'bc'],
    [{ range: { at: { gte: '2024-02-01T00:30:00', time_zone: '+01:00' } } }, 'bc'],
    [{ term: { at: '2024-02-01' } }, 'b'],
    [{ term: { ip: '10.0.0.0/8' } }, 'ab'],
    [{ term: { ip: '::1' } }, 'c'],
    [{ range: { ip: { gt: '10.1.2.3', lte: '10.255.0.0' } } }, 'b'],
    [{ terms: { n: [1, '3', 7] } }, 'ac'],
    [{ range: { n: { gt: 1.5 } } }, 'bc'],
    [{ range: { d: { gt: 1.5 } } }, ''],
    [{ term: { n: 1.5 } }, ''],
    [{ term: { b: 'true' } }, 'a'],
    [{ ids: { values: ['b', 'zz'] } }, 'b'],
    [{ match: { e: 'dog' } }, 'ab'],
    [{ match: { e: { query: 'the', zero_terms_query: 'all' } } }, 'abc'],
    [{ match_phrase: { t: { query: 'u v', slop: 2 } } }, 'ab'],
    [{ match_phrase: { t: { query: 'u w', slop: 1 } } }, 'a'],
    [{ multi_match: { query: 'dog', fields: ['e', 't'], type: 'phrase' } }, 'ab'],
    [{ boosting: { positive: { match_all: {} }, negative: { term: { n: 1 } }, negative_boost: 0.5 } }, 'abc'],
    // The boost is that of the whole query: a least score within it is one without.
    [
      {
        boosting: {
          positive: { function_score: { query: { match_all: {} }, min_score: 1.5 } },
          negative: { match_none: {} },
          negative_boost: 0.5,
          boost: 2,
        },
      },
      '',
    ],
    [{ term: { k: { value: 'Q', case_insensitive: true } } }, ''],
    [{ match_phrase_prefix: { e: 'a do' } }, 'ab'],
    [{ match_phrase_prefix: { t: 'u v' } }, 'a'],
    [{ match_phrase_prefix: { t: 'v ' } }, 'ab'],
    [{ query_string: { query: 'e:dgo~1' } }, 'ab'],
    [{ query_string: { query: 'e:dgo~', fuzziness: 1 } }, 'ab'],
    [{ query_string: { query: 'e:dgo~1', fuzzy_transpositions: false } }, ''],
    [{ query_string: { query: 'e:dgo~1', fuzzy_prefix_length: 2 } }, ''],
    [{ query_string: { query: 't:/[vw]|U/' } }, 'abc'],
    [{ query_string: { query: 't:v*', rewrite: 'scoring_boolean' } }, 'ab'],
    [{ wrapper: { query: Buffer.from('{"term":{"n":2}}').toString('base64') } }, 'b'],
    [{ match: { t: { query: 'W', fuzziness: 'AUTO' } } }, ''],
    [{ match: { e: { query: 'dgos', fuzziness: 'AUTO' } } }, 'ab'],
    [{ query_string: { query: 'n:>1 AND NOT t:U' } }, 'b'],
    [{ query_string: { query: 't:(u AND w) OR n:3' } }, 'ac'],
    [{ query_string: { query: 't:"v u"' } }, 'b'],
    [{ query_string: { query: 'n:[2 TO *] -at:[2024-03-01 TO *}' } }, 'b'],
    [{ query_string: { query: 'e:do* +ip:"10.1.2.3"' } }, 'a'],
    [{ query_string: { query: 'dogs w', fields: ['e^2', 't'], default_operator: 'and' } }, ''],
    [{ query_string: { query: '_exists_:d' } }, 'c'],
    [{ query_string: { query: 'running' } }, 'a'],
  ])('%j finds %s', async (query, expected) => expect(await found(query)).toBe(expected));

  test('q= searches every field when it names none', async () => {
    expect(await found(undefined, { q: 'dogs' })).toBe('ab');
    expect(await found(undefined, { q: 't:u' })).toBe('ab');
    expect(await found(undefined, { q: '*:*' })).toBe('abc');
  });

  test('a text for a number is refused with the index and the cause', async () => {
    const error = await runQuery(context, { query: { term: { n: 'abc' } } }).catch((e: unknown) => e);
    expect(isShoalError(error) && renderCause(error)).toEqual({
      type: 'query_shard_exception',
      reason: 'failed to create query: For input string: "abc"',
      index: 'test',
      index_uuid: 'uuid',
      caused_by: { type: 'number_format_exception', reason: 'For input string: "abc"' },
    });
  });

  test('totals stop at the limit, early termination says so, min_score and post_filter count', async () => {
    expect((await runQuery(context, { track_total_hits: 2 })).total).toEqual({ value: 2, relation: 'gte' });
    expect((await runQuery(context, { track_total_hits: false })).total).toBeNull();
    expect(await runQuery(context, { terminate_after: 1 })).toMatchObject({
      terminatedEarly: true,
      total: { value: 1 },
    });
    expect((await runQuery(context, { min_score: 1.1 })).total?.value).toBe(0);
    expect((await runQuery(context, { post_filter: { term: { n: 2 } } })).total?.value).toBe(1);
  });
});
