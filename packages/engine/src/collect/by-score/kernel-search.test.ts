import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSegmentMemory, type ThreadMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import type { ShardQueryOutcome } from '../../phases/context/shard-search-context.ts';
import { memoryContext, runQuery, type TestDoc, TINY_PAGES } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    body: { type: 'text' },
    title: { type: 'text', norms: false },
    freqs: { type: 'text', index_options: 'freqs' },
    tag: { type: 'keyword' },
    mark: { type: 'keyword', norms: true },
    n: { type: 'long' },
  },
};
const RANKS = 40;
/** Words of which each document has one: a segment has some of each at most. */
const RARE = 701;
/** Word 0 is in nearly every document, word 39 in few. */
const words = Array.from({ length: RANKS }, (_, rank) => `w${rank}`);

/** Reproducible numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

function makeDocs(count: number, seed: number): TestDoc[] {
  const random = randomFrom(seed);
  const word = () => words[Math.min(RANKS - 1, Math.floor(RANKS ** random() - 1))]!;
  const text = (max: number) => Array.from({ length: 1 + Math.floor(random() ** 3 * max) }, word).join(' ');
  return Array.from({ length: count }, (_, i) => ({
    id: `${seed}-${i}`,
    source: JSON.stringify({
      body: `${i % 97 === 0 ? `${'w1 '.repeat(300)}w2` : text(60)} r${(i * 37) % RARE}`,
      title: text(8),
      freqs: text(20),
      tag: word(),
      mark: word(),
      n: i % 100,
    }),
  }));
}

interface Pair {
  readonly plain: QueryContext;
  readonly fast: QueryContext;
}

/** Where the segments stand whose searches are compared with those of plain ones. */
const MEMORIES: readonly [string, () => ThreadMemory][] = [
  ['of segments in memory', () => createSegmentMemory({ bytesMax: 2 ** 31 })],
  ['of files in pages', () => createSegmentMemory({ bytesMax: 2 ** 31, paging: TINY_PAGES })],
  ['of files in pages, with little room', () => createSegmentMemory({ bytesMax: 600_000, paging: TINY_PAGES })],
];

const word = fc.oneof(
  { weight: 5, arbitrary: fc.nat(RANKS - 1).map((rank) => words[rank]!) },
  { weight: 1, arbitrary: fc.nat(RARE - 1).map((rare) => `r${rare}`) },
);
const field = fc.constantFrom('body', 'body', 'body', 'title', 'freqs');
const boost = fc.constantFrom(1, 1, 0.5, 3.25, 1000);
const term = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(field, word, boost).map(([f, value, b]) => ({ term: { [f]: { value, boost: b } } })),
  },
  { weight: 1, arbitrary: word.map((value) => ({ term: { tag: value } })) },
  { weight: 1, arbitrary: word.map((value) => ({ term: { mark: value } })) },
);
const match = fc
  .tuple(field, fc.array(word, { minLength: 1, maxLength: 8 }), fc.constantFrom('or', 'or', 'and'), boost)
  .map(([f, list, operator, b]) => ({ match: { [f]: { query: list.join(' '), operator, boost: b } } }));
const phrase = fc
  .tuple(
    fc.constantFrom('body', 'title'),
    fc.array(
      fc.nat(12).map((rank) => words[rank]!),
      { minLength: 2, maxLength: 4 },
    ),
  )
  .map(([f, list]) => ({ match_phrase: { [f]: list.join(' ') } }));
const terms = fc.array(term, { minLength: 1, maxLength: 5 });
const filter = fc.oneof(
  fc.tuple(fc.nat(99), fc.nat(60)).map(([gte, span]) => ({ range: { n: { gte, lt: gte + span } } })),
  term,
);
const bool = fc
  .record(
    {
      must: fc.oneof(
        terms,
        fc.oneof(match, phrase).map((one) => [one]),
      ),
      should: fc.oneof(
        terms,
        match.map((one) => [one]),
      ),
      filter: fc.array(filter, { maxLength: 2 }),
      must_not: fc.array(filter, { maxLength: 1 }),
      minimum_should_match: fc.constantFrom(1, 2, 3),
    },
    { requiredKeys: [] },
  )
  .map((one) => ({ bool: one.should ? one : { ...one, minimum_should_match: undefined } }));
const tieBreaker = fc.constantFrom(0, 0, 0.3, 1);
const several = fc
  .tuple(field, fc.array(word, { minLength: 2, maxLength: 6 }), fc.constantFrom('2', '2', '3', '60%', '-1'), boost)
  .map(([f, list, minimum, b]) => ({
    match: { [f]: { query: list.join(' '), minimum_should_match: minimum, boost: b } },
  }));
const fields = fc.uniqueArray(fc.constantFrom('body', 'title^2', 'freqs', 'mark^0.5'), { minLength: 2, maxLength: 3 });
const bestFields = fc
  .record({
    query: fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' ')),
    fields,
    type: fc.constantFrom('best_fields', 'best_fields', 'most_fields'),
    operator: fc.constantFrom('or', 'or', 'and'),
    tie_breaker: tieBreaker,
  })
  .map((one) => ({ multi_match: one }));
const best = fc
  .tuple(fc.array(fc.oneof(term, term, match, several), { minLength: 2, maxLength: 5 }), tieBreaker, boost)
  .map(([queries, tie, b]) => ({ dis_max: { queries, tie_breaker: tie, boost: b } }));
const clause = fc.oneof(term, match, several);
const clauses = fc
  .record(
    {
      must: fc.array(clause, { minLength: 1, maxLength: 3 }),
      should: fc.array(clause, { minLength: 1, maxLength: 4 }),
      filter: fc.array(filter, { maxLength: 1 }),
      must_not: fc.array(filter, { maxLength: 1 }),
      minimum_should_match: fc.constantFrom(0, 0, 1, 2, 3),
    },
    { requiredKeys: ['should'] },
  )
  .map((one) => ({ bool: one }));
/** Queries of clauses, alone and beside filters. */
const ofClauses = fc.oneof(several, bestFields, best, clauses, clauses);
const filtered = fc
  .tuple(ofClauses, fc.array(filter, { minLength: 1, maxLength: 2 }), fc.array(filter, { maxLength: 1 }))
  .map(([one, list, not]) => ({ bool: { must: [one], filter: list, must_not: not } }));
const constant = fc.oneof(term, match, bool, ofClauses).map((one) => ({ constant_score: { filter: one, boost: 2 } }));
const query = fc.oneof(term, match, phrase, bool, bool, constant, ofClauses, ofClauses, filtered);

function plainAnswer({ total, maxScore, columns, ords }: ShardQueryOutcome): unknown {
  const [column] = columns;
  return { total, maxScore, ords: [...ords], scores: column?.kind === 'score' ? [...column.values] : [] };
}

describe.each(MEMORIES)('the kernels, %s,', (_name, makeMemory) => {
  let pairs: Pair[] = [];
  let memory: ThreadMemory;

  beforeAll(() => {
    memory = makeMemory();
    const shapes: [number[], (id: string) => boolean][] = [
      [[6_000, 5_800], () => false],
      [[5_000, 130, 1, 3_000], () => false],
      [[6_000, 400, 2_500], (id) => Number(id.split('-')[1]) % 7 === 3],
    ];
    pairs = shapes.map(([sizes, isDeleted], n) => {
      const groups = sizes.map((size, i) => makeDocs(size, n * 10 + i + 1));
      return {
        plain: memoryContext(MAPPING, groups, isDeleted),
        fast: memoryContext(MAPPING, groups, isDeleted, memory),
      };
    });
  });

  test('are loaded here', () => {
    expect(memory.kernels).not.toBeNull();
  });

  test('are what runs such queries here', async () => {
    const before = memory.usedBytes;
    for (const one of [{ match: { body: 'w3 w5' } }, { match_phrase: { body: 'w1 w2' } }]) {
      await runQuery(pairs[0]!.fast, { query: one }, { topN: 10 });
      // A query takes its area when the first one comes.
      expect(memory.usedBytes).toBeGreaterThan(before);
    }
  });

  test('give the hits, scores and totals of the scorers, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        query,
        fc.constantFrom(0, 1, 10, 10, 100, 1000, 5000),
        fc.constantFrom(false, true, 10, 500, 10_000),
        async (which, one, topN, track) => {
          const { plain, fast } = pairs[which]!;
          const body = { query: one, track_total_hits: track };
          const expected = await runQuery(plain, body, { topN });
          const got = await runQuery(fast, body, { topN });
          expect(plainAnswer(got)).toEqual(plainAnswer(expected));
        },
      ),
      { numRuns: 600 },
    );
  });

  test('so they do for queries of clauses, of which the hits that are counted are as many as the totals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.oneof(ofClauses, ofClauses, filtered),
        fc.constantFrom(0, 1, 10, 300),
        fc.constantFrom(false, true, 1, 50, 1000, 100_000),
        async (which, one, topN, track) => {
          const { plain, fast } = pairs[which]!;
          const body = { query: one, track_total_hits: track };
          const expected = plainAnswer(await runQuery(plain, body, { topN }));
          // A column is made when a term is asked for again.
          for (let i = 0; i < 2; i++) expect(plainAnswer(await runQuery(fast, body, { topN }))).toEqual(expected);
        },
      ),
      { numRuns: 600 },
    );
  });

  test('so they do where a filter leaves few documents of frequent words', async () => {
    const one = fc
      .tuple(field, fc.nat(4), boost)
      .map(([f, rank, b]) => ({ term: { [f]: { value: words[rank], boost: b } } }));
    const several = fc
      .tuple(field, fc.array(fc.nat(6), { minLength: 2, maxLength: 4 }), fc.constantFrom('or', 'and'), fc.nat(3))
      .map(([f, ranks, operator, least]) => {
        const query = ranks.map((rank) => words[rank]).join(' ');
        return { match: { [f]: { query, operator, ...(least > 1 && { minimum_should_match: least }) } } };
      });
    const best = fc
      .tuple(fc.array(fc.oneof(one, several), { minLength: 2, maxLength: 3 }), tieBreaker)
      .map(([queries, tie]) => ({ dis_max: { queries, tie_breaker: tie } }));
    const optional = fc.tuple(several, fc.oneof(one, several)).map(([must, should]) => ({ bool: { must, should } }));
    const frequent = fc.oneof(one, several, several, best, optional);
    const narrow = fc.oneof(
      fc
        .tuple(fc.nat(99), fc.integer({ min: 1, max: 9 }))
        .map(([gte, span]) => ({ range: { n: { gte, lt: gte + span } } })),
      fc.integer({ min: 20, max: RANKS - 1 }).map((rank) => ({ term: { tag: words[rank] } })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        frequent,
        fc.array(narrow, { minLength: 1, maxLength: 2 }),
        fc.option(narrow, { freq: 4 }),
        fc.constantFrom(1, 10, 1000),
        fc.constantFrom(false, true, 10, 10_000),
        async (which, must, clauses, not, topN, track) => {
          const { plain, fast } = pairs[which]!;
          const one = { bool: { must: [must], filter: clauses, must_not: not === null ? [] : [not] } };
          const body = { query: one, track_total_hits: track };
          const expected = plainAnswer(await runQuery(plain, body, { topN }));
          // A column is made when a term is asked for again.
          for (let i = 0; i < 3; i++) expect(plainAnswer(await runQuery(fast, body, { topN }))).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('so they do for phrases, of one word twice and of deleted documents too, whether hits are counted to the end or not', async () => {
    const frequent = fc.nat(9).map((rank) => words[rank]!);
    const rare = fc.nat(RANKS - 1).map((rank) => words[rank]!);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.constantFrom('body', 'title'),
        fc.array(fc.oneof({ weight: 4, arbitrary: frequent }, { weight: 1, arbitrary: rare }), {
          minLength: 2,
          maxLength: 5,
        }),
        fc.constantFrom(0, 1, 10, 300),
        fc.constantFrom(false, true, 1, 50, 1000),
        fc.option(filter, { freq: 4 }),
        async (which, name, list, topN, track, clause) => {
          const { plain, fast } = pairs[which]!;
          const one = { match_phrase: { [name]: list.join(' ') } };
          const both = clause === null ? one : { bool: { must: [one], filter: [clause] } };
          const body = { query: both, track_total_hits: track };
          const expected = plainAnswer(await runQuery(plain, body, { topN }));
          for (let i = 0; i < 2; i++) expect(plainAnswer(await runQuery(fast, body, { topN }))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
