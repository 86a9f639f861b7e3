import { beforeEach, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

const text = { properties: { t: { type: 'text' } } };
const rulesets = { properties: { ruleset_id: { type: 'keyword' }, rules: { type: 'object', enabled: false } } };
const rule = (id: string, values: readonly unknown[], more: object = {}) => ({
  rule_id: id,
  type: 'pinned',
  criteria: [{ type: 'contains', metadata: 'q', values }],
  actions: { ids: ['3'] },
  ...more,
});

beforeEach(async () => {
  node = testNode({
    indices: [
      { ...indexOf('lib'), mapping: text },
      { ...indexOf('more'), mapping: text },
      { ...indexOf('.query-rules'), mapping: rulesets },
    ],
  });
  const docs = ['fox', 'fox fox', 'dog', 'cat'].flatMap((t, i) => [{ index: { _id: String(i) } }, { t }]);
  for (const index of ['lib', 'more']) await node.ask('POST', `/${index}/_bulk?refresh=true`, lines(...docs));
});

const put = (rules: readonly unknown[], id = 'set') => node.ask('PUT', `/_query_rules/${id}`, { rules });

async function hits(q: string, more: object = {}, path = '/lib/_search'): Promise<readonly string[]> {
  const query = { rule: { organic: { match: { t: 'fox' } }, match_criteria: { q }, ruleset_ids: ['set'], ...more } };
  const { json } = await node.ask('POST', path, { query });
  const found = json as { hits: { hits: { _index: string; _id: string }[] } };
  return found.hits.hits.map(({ _index, _id }) => `${_index}/${_id}`);
}

describe('a ruleset', () => {
  test('is made, replaced, shown by priority, listed and deleted', async () => {
    const made = await put([rule('a', ['x']), rule('b', ['y'], { priority: 5 })]);
    expect([made.status, made.json]).toEqual([201, { result: 'created' }]);
    const again = await put([rule('a', ['x']), rule('b', ['y'], { priority: 5 })]);
    expect([again.status, again.json]).toEqual([200, { result: 'updated' }]);
    const shown = await node.ask('GET', '/_query_rules/set');
    expect(shown.json).toEqual({ ruleset_id: 'set', rules: [rule('b', ['y'], { priority: 5 }), rule('a', ['x'])] });
    await put([rule('a', ['x'], { type: 'exclude' })], 'another');
    const listed = await node.ask('GET', '/_query_rules?size=1');
    expect(listed.json).toEqual({
      count: 2,
      results: [
        {
          ruleset_id: 'another',
          rule_total_count: 1,
          rule_criteria_types_counts: { contains: 1 },
          rule_type_counts: { exclude: 1 },
        },
      ],
    });
    expect((await node.ask('DELETE', '/_query_rules/set')).json).toEqual({ acknowledged: true });
    expect((await node.ask('GET', '/_query_rules/set')).json).toMatchObject({
      error: { type: 'resource_not_found_exception', reason: 'query ruleset [set] not found' },
    });
  });

  test('is changed rule by rule, made by its first and gone with its last', async () => {
    const one = '/_query_rules/set/_rule/a';
    const { rule_id: _id, ...body } = rule('a', ['x']);
    expect((await node.ask('PUT', one, body)).status).toBe(201);
    expect((await node.ask('PUT', one, { ...body, priority: 1 })).json).toEqual({ result: 'updated' });
    expect((await node.ask('GET', one)).json).toEqual(rule('a', ['x'], { priority: 1 }));
    expect((await node.ask('DELETE', '/_query_rules/set/_rule/b')).status).toBe(404);
    expect((await node.ask('DELETE', one)).json).toEqual({ acknowledged: true });
    expect((await node.ask('GET', '/_query_rules/set')).status).toBe(404);
  });

  test('keeps all rules that are put at the same time', async () => {
    const { rule_id: _id, ...body } = rule('', ['x']);
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => node.ask('PUT', `/_query_rules/set/_rule/${name}`, body)));
    const { json } = await node.ask('GET', '/_query_rules/set');
    expect((json as { rules: { rule_id: string }[] }).rules.map((one) => one.rule_id).toSorted()).toEqual(names);
  });

  test.each([
    [{ type: 'hidden' }, 'Unknown QueryRuleType: hidden'],
    [{ actions: { ids: ['1'], docs: [] } }, 'pinned query rule actions must contain only one of either ids or docs'],
    [{ actions: { ids: [] } }, 'pinned query rule actions cannot be empty'],
    [{ criteria: [{ type: 'near', metadata: 'q', values: ['x'] }] }, 'Unknown QueryRuleCriteriaType: near'],
    [{ criteria: [{ type: 'exact', values: ['x'] }] }, 'criteriaMetadata cannot be blank'],
    [{ criteria: [{ type: 'exact', metadata: 'q' }] }, 'criteriaValues cannot be null or empty'],
    [{ priority: -1 }, 'Priority was -1, must be between 0 and 1000000'],
    [{ weight: 1 }, 'unknown field [weight]'],
  ])('with a rule of %j is refused', async (more, reason) => {
    const { status, json } = await put([rule('a', ['x'], more)]);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('criteria', () => {
  const tested = async (criteria: readonly object[], given: object): Promise<number> => {
    await put([rule('a', [], { criteria })]);
    const { json } = await node.ask('POST', '/_query_rules/set/_test', { match_criteria: given });
    return (json as { total_matched_rules: number }).total_matched_rules;
  };

  test.each([
    ['exact', 'pug', 'pug', 1],
    ['exact', 'pug', 'Pug', 0],
    ['exact', 5, '5.0', 1],
    ['fuzzy', 'rescue dogs', 'rescue dog', 1],
    ['fuzzy', 'rescue dogs', 'cats', 0],
    ['prefix', 'pu', 'pug', 1],
    ['suffix', 'ug', 'pug', 1],
    ['contains', 'u', 'pug', 1],
    ['contains', '5', 5, 0],
    ['lt', 5, 4, 1],
    ['lte', 5, '5', 1],
    ['gt', 5, 5, 0],
    ['gte', 5, 'many', 0],
  ])('of the type %s with %j hold against %j: %i', async (type, wanted, given, count) => {
    expect(await tested([{ type, metadata: 'q', values: [wanted] }], { q: given })).toBe(count);
  });

  test('must all be met, but for those of which the request says nothing', async () => {
    const both = [
      { type: 'exact', metadata: 'q', values: ['a', 'b'] },
      { type: 'exact', metadata: 'country', values: ['us'] },
    ];
    expect(await tested(both, { q: 'b', country: 'us' })).toBe(1);
    expect(await tested(both, { q: 'b', country: 'fr' })).toBe(0);
    expect(await tested(both, { q: 'b' })).toBe(1);
    expect(await tested(both, { city: 'x' })).toBe(0);
    expect(await tested([{ type: 'always' }], { city: 'x' })).toBe(1);
  });
});

describe('a rule query', () => {
  test('finds what its organic query finds where no rule matches', async () => {
    await put([rule('a', ['x'])]);
    expect(await hits('pug')).toEqual(['lib/1', 'lib/0']);
  });

  test('has documents on top and others left out, of one index or of all', async () => {
    await put([
      rule('a', ['x'], { actions: { docs: [{ _index: 'more', _id: '3' }, { _id: '2' }] } }),
      rule('b', ['x'], { type: 'exclude', actions: { docs: [{ _index: 'lib', _id: '1' }] } }),
    ]);
    expect(await hits('x')).toEqual(['lib/2', 'lib/0']);
    expect(await hits('x', {}, '/lib,more/_search')).toEqual([
      'more/3',
      'lib/2',
      'more/2',
      'more/1',
      'lib/0',
      'more/0',
    ]);
  });

  test('stands inside others, in another, and in counts and searches of many', async () => {
    await put([rule('a', ['x'])]);
    const inner = { rule: { organic: { match: { t: 'dog' } }, match_criteria: { q: 'x' }, ruleset_ids: ['set'] } };
    expect(await hits('y', { organic: inner })).toEqual(['lib/3', 'lib/2']);
    const query = { bool: { must: [inner] } };
    expect((await node.ask('POST', '/lib/_count', { query })).json).toMatchObject({ count: 2 });
    const many = await node.ask('POST', '/lib/_msearch', lines({}, { query }));
    expect(many.json).toMatchObject({ responses: [{ hits: { total: { value: 2 } } }] });
  });

  test.each([
    [{ ruleset_ids: ['none'] }, 404, 'query ruleset [none] not found'],
    [{ ruleset_ids: [] }, 400, 'rulesetIds must not be null or empty'],
    [{ ruleset_ids: Array.from({ length: 11 }, (_, i) => `r${i}`) }, 400, 'must not contain more than 10 rulesets'],
    [{ match_criteria: {} }, 400, 'matchCriteria must not be null or empty'],
    [{ organic: undefined }, 400, 'Required [organic]'],
    [{ organic: { none: {} } }, 400, 'unknown query [none]'],
    [{ pinned: [] }, 400, 'unknown field [pinned]'],
  ])('with %j is refused', async (more, status, reason) => {
    await put([rule('a', ['x'])]);
    const query = { rule: { organic: { match_all: {} }, match_criteria: { q: 'x' }, ruleset_ids: ['set'], ...more } };
    const answer = await node.ask('POST', '/lib/_search', { query });
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(reason)]);
  });
});

describe('a retriever of rules', () => {
  const ruled = async (q: string, more: object = {}) => {
    const standard = { query: { match: { t: 'fox' } } };
    const rule = { retriever: { standard }, match_criteria: { q }, ruleset_ids: ['set'], ...more };
    return node.ask('POST', '/lib/_search', { retriever: { rule } });
  };
  const found = async (q: string, more: object = {}) => {
    const { json } = await ruled(q, more);
    return (json as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id);
  };

  test('puts documents above the hits of another, and leaves others out', async () => {
    await put([
      rule('a', ['x'], { actions: { docs: [{ _index: 'lib', _id: '3' }, { _id: '2' }] } }),
      rule('b', ['x'], { type: 'exclude', actions: { docs: [{ _index: 'lib', _id: '1' }] } }),
    ]);
    expect(await found('y')).toEqual(['1', '0']);
    expect(await found('x')).toEqual(['3', '2', '0']);
    expect(await found('x', { filter: { ids: { values: ['1'] } } })).toEqual(['3', '2']);
  });

  test.each([
    [{ ruleset_ids: ['none'] }, 404, 'query ruleset [none] not found'],
    [{ retriever: undefined }, 400, 'Required [retriever]'],
    [{ rules: [] }, 400, '[rule] unknown field [rules]'],
  ])('with %j is refused', async (more, status, reason) => {
    await put([rule('a', ['x'])]);
    const answer = await ruled('x', more);
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(reason)]);
  });
});
