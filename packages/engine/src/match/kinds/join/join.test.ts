/** Parents and children by queries, against the documents themselves. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../../phases/fetch/fetch-hits.ts';
import {
  idsOf,
  memoryContext,
  runQuery,
  shardSearch,
  type TestDoc,
} from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text' },
    n: { type: 'long' },
    j: { type: 'join', relations: { question: ['answer', 'comment'], answer: 'vote' } },
  },
};

const DOCS: readonly TestDoc[] = [
  { id: '1', source: '{"t":"red fox","j":"question"}' },
  { id: '2', source: '{"t":"blue fox","j":{"name":"question"}}' },
  { id: '3', routing: '1', source: '{"t":"red answer","j":{"name":"answer","parent":"1"}}' },
  { id: '4', routing: '1', source: '{"t":"red red answer x","j":{"name":"answer","parent":1}}' },
  { id: '5', routing: '1', source: '{"t":"a vote","j":{"name":"vote","parent":"3"}}' },
];

const red = { match: { t: 'red' } };

function contextOf(docs: readonly TestDoc[], isDeleted: (id: string) => boolean = () => false, isSplit = true) {
  const segments = isSplit ? [docs.filter((_, i) => i % 2 === 0), docs.filter((_, i) => i % 2 === 1)] : [docs];
  return memoryContext(
    MAPPING,
    segments.filter((list) => list.length > 0),
    isDeleted,
  );
}

async function found(query: object, docs = DOCS) {
  const context = contextOf(docs);
  const { ords, columns } = await runQuery(context, { query });
  const [scores] = columns;
  const values = scores?.kind === 'score' ? [...scores.values] : [];
  return idsOf(context, ords)
    .map((id, i) => [id, values[i]] as const)
    .sort(([a], [b]) => Number(a) - Number(b));
}

async function innerHits(query: object) {
  const context = contextOf(DOCS);
  const { ords } = await runQuery(context, { query });
  const { request } = shardSearch({ query });
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const [hit] = await fetchHits(context, { ords, request }, { isStopped: false }, clock);
  return JSON.parse(Buffer.from(hit?.innerHits ?? 'null').toString());
}

describe('queries by parents and children', () => {
  test('score by the mode, and by the boost without one', async () => {
    const child = (more: object) => ({ has_child: { type: 'answer', query: red, ...more } });
    expect(await found(child({ boost: 3 }))).toEqual([['1', 3]]);
    expect(await found(child({ boost: 3, score_mode: 'sum' }))).toEqual([['1', expect.closeTo(3.6076093, 5)]]);
    expect(await found(child({ score_mode: 'max' }))).toEqual([['1', expect.closeTo(0.6241012, 6)]]);
    expect(await found(child({ score_mode: 'min' }))).toEqual([['1', expect.closeTo(0.57843524, 6)]]);
    expect(await found(child({ score_mode: 'avg' }))).toEqual([['1', expect.closeTo(0.60126822, 6)]]);
    expect(await found(child({ min_children: 3 }))).toEqual([]);
    expect(await found(child({ min_children: 2, max_children: 2 }))).toEqual([['1', 1]]);
    const parent = { parent_type: 'question', query: red, boost: 3 };
    expect(await found({ has_parent: parent })).toEqual([
      ['3', 3],
      ['4', 3],
    ]);
    const scored = await found({ has_parent: { ...parent, score: true } });
    expect(scored).toEqual([
      ['3', expect.closeTo(1.7353058, 5)],
      ['4', expect.closeTo(1.7353058, 5)],
    ]);
    expect(await found({ parent_id: { type: 'answer', id: '1', boost: 2 } })).toEqual([
      ['3', expect.closeTo(0.7133499, 6)],
      ['4', expect.closeTo(0.7133499, 6)],
    ]);
  });

  test('show the children of a parent, and the parent of a child', async () => {
    expect(await innerHits({ has_child: { type: 'answer', query: red, inner_hits: { _source: ['t'] } } })).toEqual({
      answer: {
        hits: {
          total: { value: 2, relation: 'eq' },
          max_score: expect.closeTo(0.6241012, 6),
          hits: [
            { _index: 'test', _id: '4', _score: expect.any(Number), _routing: '1', _source: { t: 'red red answer x' } },
            { _index: 'test', _id: '3', _score: expect.any(Number), _routing: '1', _source: { t: 'red answer' } },
          ],
        },
      },
    });
    const up = { has_parent: { parent_type: 'question', query: red, inner_hits: { name: 'up', _source: false } } };
    expect(await innerHits(up)).toMatchObject({ up: { hits: { total: { value: 1 }, hits: [{ _id: '1' }] } } });
  });

  test('join whatever segment documents are in, without deleted ones', async () => {
    const parents = fc.integer({ min: 1, max: 5 });
    const children = fc.array(fc.tuple(fc.nat(5), fc.nat(3)), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(parents, children, fc.nat(3), fc.boolean(), async (count, links, least, isSplit) => {
        const questions = Array.from({ length: count }, (_, i) => ({ id: `q${i}`, source: '{"j":"question"}' }));
        const answers = links.map(([of, n], i) => ({
          id: `a${i}`,
          routing: 'x',
          source: JSON.stringify({ n, j: { name: 'answer', parent: `q${of}` } }),
        }));
        const isDeleted = (id: string) => id === 'a1' || id === 'q2';
        const context = contextOf([...answers, ...questions], isDeleted, isSplit);
        const ids = async (query: object) => {
          const { ords } = await runQuery(context, { query }, { topN: 100 });
          return idsOf(context, ords).sort();
        };
        const live = links.flatMap(([of, n], i) => (isDeleted(`a${i}`) ? [] : [{ id: `a${i}`, of: `q${of}`, n }]));
        const query = { range: { n: { gte: least } } };
        const matching = live.filter(({ n }) => n >= least);
        const there = questions.map(({ id }) => id).filter((id) => !isDeleted(id));
        expect(await ids({ has_child: { type: 'answer', query } })).toEqual(
          there.filter((id) => matching.some(({ of }) => of === id)).sort(),
        );
        const summed = { function_score: { query, script_score: { script: "doc['n'].value" }, boost_mode: 'replace' } };
        const byScore = { has_child: { type: 'answer', query: summed, score_mode: 'sum' } };
        const { columns, ords } = await runQuery(context, { query: byScore }, { topN: 100 });
        const scores = columns[0]?.kind === 'score' ? columns[0].values : [];
        for (const [at, id] of idsOf(context, ords).entries()) {
          expect(scores[at]).toBe(matching.filter(({ of }) => of === id).reduce((sum, { n }) => sum + n, 0));
        }
        expect(await ids({ has_child: { type: 'answer', query, min_children: 2 } })).toEqual(
          there.filter((id) => matching.filter(({ of }) => of === id).length > 1).sort(),
        );
        expect(await ids({ has_parent: { parent_type: 'question', query: { match_all: {} } } })).toEqual(
          live.flatMap(({ id, of }) => (there.includes(of) ? [id] : [])).sort(),
        );
        expect(await ids({ bool: { must_not: { parent_id: { type: 'answer', id: 'q0' } } } })).toEqual(
          [...there, ...live.flatMap(({ id, of }) => (of === 'q0' ? [] : [id]))].sort(),
        );
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    [{ has_child: { type: 'foo', query: red } }, "[has_child] join field [j] doesn't hold [foo] as a child"],
    [
      { has_parent: { parent_type: 'vote', query: red } },
      "[has_parent] join field [j] doesn't hold [vote] as a parent",
    ],
    [{ parent_id: { type: 'question', id: '1' } }, '[parent_id] no relation found for child [question]'],
    [{ has_child: { query: red } }, "[has_child] requires 'type' field"],
    [{ has_child: { type: 'answer' } }, "[has_child] requires 'query' field"],
    [{ has_parent: { query: red } }, "[has_parent] requires 'parent_type' field"],
    [{ has_child: { type: 'answer', query: red, min_children: 3, max_children: 1 } }, "is less than 'min_children'"],
    [{ has_child: { type: 'answer', query: red, score_mode: 'x' } }, 'No score mode for child query [x] found'],
    [{ has_child: { type: 'answer', query: red, foo: 1 } }, '[has_child] query does not support [foo]'],
  ])('%j is refused', async (query, message) => {
    await expect(found(query)).rejects.toThrow(message);
  });

  test('pass over kinds that are not there where they are told to', async () => {
    expect(await found({ has_child: { type: 'foo', query: red, ignore_unmapped: true } })).toEqual([]);
    expect(await found({ has_parent: { parent_type: 'foo', query: red, ignore_unmapped: true } })).toEqual([]);
    expect(await found({ parent_id: { type: 'foo', id: '1', ignore_unmapped: true } })).toEqual([]);
  });
});

describe('documents of a join', () => {
  test.each([
    ['{"j":"foo"}', '1', 'unknown join name [foo] for field [j]'],
    ['{"j":{"name":"answer","parent":"1"}}', undefined, '[routing] is missing for join field [j]'],
    ['{"j":"answer"}', '1', '[parent] is missing for join field [j]'],
    ['{"j":{"name":"answer","parent":"1","x":1}}', '1', 'unknown field name [x] in join field [j]'],
    ['{"j":5}', '1', '[null] expected START_OBJECT or VALUE_STRING but was: VALUE_NUMBER'],
  ])('%s is refused', (source, routing, message) => {
    const doc: TestDoc = { id: '9', source, ...(routing !== undefined && { routing }) };
    expect(() => contextOf([doc])).toThrow(
      expect.objectContaining({ reason: 'failed to parse', causedBy: expect.objectContaining({ reason: message }) }),
    );
  });

  test('have their kind and the ids of their parents as values', async () => {
    const aggs = { kinds: { terms: { field: 'j' } }, of: { terms: { field: 'j#question' } } };
    const context = contextOf(DOCS);
    const body = { query: { term: { 'j#answer': '3' } }, aggs, sort: ['j#answer'], docvalue_fields: ['j'] };
    const { ords } = await runQuery(context, body);
    expect(idsOf(context, ords).sort()).toEqual(['3', '5']);
  });
});
