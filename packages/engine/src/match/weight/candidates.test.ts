/** Whoever tests candidates himself finds what `next` finds, with the same scores; whoever asks for some documents, too. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { memoryContext, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { compileQuery } from '../registry/compile-query.ts';
import { StatisticsCache } from '../scorers/statistics-cache.ts';
import { DocTest } from './doc-test.ts';
import type { Scorer } from './scorer.ts';

const MAPPING = { properties: { t: { type: 'text' }, n: { type: 'long' } } };
const WORDS = ['a', 'b', 'c', 'd'];
const mixed = (i: number): number => Math.imul(i + 1, 2_654_435_761) >>> 0;
const docs = Array.from({ length: 400 }, (_, i) => {
  const t = Array.from({ length: mixed(i) % 7 }, (_, k) => WORDS[mixed(i * 7 + k) % 4]).join(' ');
  return { id: String(i), source: JSON.stringify({ t, n: mixed(i) % 5 }) };
});
const context = memoryContext(MAPPING, [docs]);
const [view] = context.searcher.views;

type Query = Record<string, unknown>;
const word = fc.constantFrom(...WORDS);
const clause: fc.Arbitrary<Query> = fc.oneof(
  word.map((t) => ({ term: { t } })),
  fc.tuple(word, word, fc.nat(1)).map(([a, b, slop]) => ({ match_phrase: { t: { query: `${a} ${b}`, slop } } })),
  fc.tuple(word, word).map(([a, b]) => ({
    span_near: { clauses: [{ span_term: { t: a } }, { span_term: { t: b } }], slop: 1, in_order: true },
  })),
  fc.nat(4).map((n) => ({ term: { n } })),
  fc.tuple(word, word).map(([a, b]) => ({
    terms_set: { t: { terms: [a, b, 'd'], minimum_should_match_field: 'n' } },
  })),
);
const { query } = fc.letrec<{ query: Query; clauses: Query[] }>((tie) => ({
  clauses: fc.array(tie('query'), { maxLength: 3 }),
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    clause,
    fc
      .record({
        must: tie('clauses'),
        filter: tie('clauses'),
        should: tie('clauses'),
        must_not: tie('clauses'),
        least: fc.nat(2),
      })
      .map(({ least, ...bool }) => ({ bool: { ...bool, minimum_should_match: least } })),
    tie('clauses').map((queries) => ({ dis_max: { queries: [{ term: { t: 'a' } }, ...queries], tie_breaker: 0.3 } })),
    fc.tuple(tie('query'), tie('query')).map(([positive, negative]) => ({
      boosting: { positive, negative, negative_boost: 0.25 },
    })),
    tie('query').map((filter) => ({ constant_score: { filter, boost: 2 } })),
    fc
      .tuple(tie('query'), tie('query'), fc.option(fc.double({ min: 0, max: 2, noNaN: true })))
      .map(([inner, filter, least]) => ({
        function_score: {
          query: inner,
          functions: [{ filter, weight: 3 }],
          ...(least !== null && { min_score: least }),
        },
      })),
  ),
}));

function scorerOf(body: unknown): Scorer | null {
  const { request } = shardSearch({ query: body });
  const { searcher, mapping, settings, analyzers, index } = context;
  const ctx: CompileContext = {
    searcher,
    mapping,
    settings,
    analyzers,
    shard: index,
    statistics: new StatisticsCache(context.searcher),
    clock: { nowMs: 0 },
  };
  return compileQuery(ctx, request.query, { boost: 1, isScored: true }).scorer(view!);
}

type Found = readonly [doc: number, score: number];

function byNext(scorer: Scorer): Found[] {
  const found: Found[] = [];
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) found.push([doc, scorer.score()]);
  return found;
}

function byCandidates(scorer: Scorer): Found[] {
  const { candidates } = scorer;
  if (!candidates) return byNext(scorer);
  const found: Found[] = [];
  for (let doc = candidates.docs.next(); doc !== NO_MORE_DOCS; doc = candidates.docs.next()) {
    if (candidates.matches()) found.push([doc, scorer.score()]);
  }
  return found;
}

function byTest(scorer: Scorer, every: number): Found[] {
  const tested = new DocTest(scorer);
  const found: Found[] = [];
  for (let doc = 0; doc < docs.length; doc += every) {
    const isIn = tested.has(doc);
    expect(tested.has(doc)).toBe(isIn);
    if (isIn) found.push([doc, scorer.score()]);
  }
  return found;
}

describe('candidates', () => {
  test('that match are the documents of the iterator, whether all are tested or some', () => {
    let tested = 0;
    fc.assert(
      fc.property(query, fc.integer({ min: 2, max: 9 }), (body, every) => {
        const scorer = scorerOf(body);
        if (scorer === null) return;
        const expected = byNext(scorer);
        const again = scorerOf(body)!;
        if (again.candidates && expected.length > 0) tested++;
        expect(byCandidates(again)).toEqual(expected);
        expect(byTest(scorerOf(body)!, 1)).toEqual(expected);
        expect(byTest(scorerOf(body)!, every)).toEqual(expected.filter(([doc]) => doc % every === 0));
      }),
      { numRuns: 500, seed: 42 },
    );
    expect(tested).toBeGreaterThan(50);
  });
});
