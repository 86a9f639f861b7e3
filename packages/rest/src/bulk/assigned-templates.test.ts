/** `dynamic_templates` of items of a bulk: which template a new field gets, whatever the conditions of the templates say. */
import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeAll(() => {
  const dynamic_templates = [
    { place: { mapping: { type: 'geo_point' } } },
    { made: { match: 'none', runtime: { type: 'long' } } },
  ];
  const mapping = { dynamic_templates, properties: { known: { type: 'keyword' } } };
  node = testNode({ indices: [indexOf('lib', { shards: 2, mapping })] });
});

const write = (templates: unknown, document: object): ReturnType<TestNode['ask']> =>
  node.ask('POST', '/lib/_bulk?refresh=true', lines({ index: { _id: '1', dynamic_templates: templates } }, document));

describe('an item of a bulk', () => {
  test('says which templates its new fields get', async () => {
    const { json } = await write({ 'a.home': 'place', 'a.number': 'made' }, { a: { home: '1,2', number: '7' } });
    expect(json.items).toMatchObject([{ index: { status: 201 } }]);
    const filter = [{ geo_distance: { distance: '1km', 'a.home': '1,2' } }, { range: { 'a.number': { gte: 7 } } }];
    const found = await node.ask('POST', '/lib/_search', { query: { bool: { filter } } });
    expect(found.json.hits.hits).toMatchObject([{ _id: '1' }]);
  });

  test('cannot give a new field a template that there is not, where a field that is known needs none', async () => {
    const { json } = await write({ other: 'nosuch' }, { other: 1 });
    const reason = "Can't find dynamic template for dynamic template name [nosuch] of field [other]";
    expect(json.items).toMatchObject([{ index: { status: 400, error: { type: 'mapper_parsing_exception', reason } } }]);
    expect((await write({ known: 'nosuch' }, { known: 'x' })).json.errors).toBe(false);
  });

  test.each([
    [
      { delete: { _index: 'lib', _id: '1', dynamic_templates: { a: 'b' } } },
      'Delete request in line [1] does not accept',
    ],
    [
      { update: { _index: 'lib', _id: '1', dynamic_templates: { a: 'b' } } },
      'Update request in line [1] does not accept',
    ],
    [{ index: { _index: 'lib', dynamic_templates: 'b' } }, 'contains an unknown parameter [dynamic_templates]'],
    [{ index: { _index: 'lib', dynamic_templates: { a: {} } } }, 'expected a simple value for field [a]'],
  ])('%j is refused', async (action, reason) => {
    const { status, json } = await node.ask('POST', '/_bulk', lines(action, { doc: {} }));
    expect([status, json.error.reason]).toEqual([400, expect.stringContaining(reason)]);
  });
});
