import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const context = memoryContext(
  { properties: { k: { type: 'keyword' }, l: { type: 'long' }, ip: { type: 'ip' }, t: { type: 'text' } } },
  [
    [
      { id: '1', source: '{"k":"k1 quick","l":1,"ip":"10.0.0.1","t":"quick brown fox"}' },
      { id: '2', source: '{"k":"k2 quick","l":12,"ip":"10.0.0.2","t":"quick brown dog"}' },
    ],
  ],
);
const found = async (query: object) => idsOf(context, (await runQuery(context, { query })).ords).join('');

describe('match_bool_prefix', () => {
  test.each([
    [{ match_bool_prefix: { k: 'k' } }, '12'],
    [{ match_bool_prefix: { k: 'k1 q' } }, '1'],
    [{ match_bool_prefix: { k: 'q' } }, ''],
    [{ match_bool_prefix: { k: { query: 'k1', fuzziness: 1 } } }, '1'],
    [{ multi_match: { query: 'k2', fields: ['k', 't'], type: 'bool_prefix' } }, '2'],
    [{ match_bool_prefix: { l: '1' } }, '1'],
  ])('%j takes a whole value as one prefix', async (query, ids) => expect(await found(query)).toBe(ids));
});

describe('a phrase prefix', () => {
  test.each(['k', 'l', 'ip'])('on [%s] is refused, as it has no words', async (field) => {
    const reason = new RegExp(`Can only use phrase prefix queries on text fields - not on \\[${field}\\]`);
    await expect(found({ match_phrase_prefix: { [field]: '1' } })).rejects.toThrow(reason);
    const multi = { query: '1', fields: [field, 't'], type: 'phrase_prefix' };
    await expect(found({ multi_match: multi })).rejects.toThrow(reason);
    expect(await found({ multi_match: { ...multi, query: 'quick br', lenient: true } })).toBe('12');
  });

  test('over all fields leaves out those without words', async () => {
    expect(await found({ multi_match: { query: 'brown f', type: 'phrase_prefix' } })).toBe('1');
  });
});

describe('bool without optional clauses', () => {
  const all = { exists: { field: 'k' } };
  test.each([
    [{ minimum_should_match: 1, filter: [all] }, ''],
    [{ minimum_should_match: 1, must: [all] }, ''],
    [{ minimum_should_match: '50%', must: [all] }, '12'],
    [{ minimum_should_match: -1, must: [all] }, '12'],
    [{ minimum_should_match: 1, must_not: [{ term: { l: 1 } }] }, '2'],
    [{ minimum_should_match: 1 }, '12'],
  ])('%j', async (bool, ids) => expect(await found({ bool })).toBe(ids));
});
