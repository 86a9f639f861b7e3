import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeAll(async () => {
  const mapping = { properties: { t: { type: 'text' }, other: { type: 'alias', path: 't' } } };
  node = testNode({
    indices: [
      { ...indexOf('lib'), mapping },
      { ...indexOf('old'), mapping },
    ],
  });
  const body = lines(
    { index: { _index: 'lib', _id: 'fox' } },
    { t: 'a quick fox' },
    { index: { _index: 'lib', _id: 'dog' } },
    { t: 'a lazy dog' },
    { index: { _index: 'lib', _id: 'both' } },
    { t: 'fox hound' },
    { index: { _index: 'old', _id: 'fox' } },
    { t: 'hound' },
  );
  await node.ask('POST', '/_bulk?refresh=true', body);
});

const like = (item: object, more: object = {}) => ({
  query: { more_like_this: { like: item, min_term_freq: 1, min_doc_freq: 1, stop_words: ['a'], ...more } },
});
const idsOf = (json: unknown): readonly string[] =>
  (json as { hits: { hits: { _index: string; _id: string }[] } }).hits.hits.map((hit) => `${hit._index}/${hit._id}`);

describe('documents that others are to be like', () => {
  test.each<[string, object, readonly string[]]>([
    ['of the index that is searched', like({ _id: 'fox' }), ['lib/both']],
    ['of another index', like({ _index: 'old', _id: 'fox' }), ['lib/both']],
    ['of the request', like({ doc: { t: 'lazy' } }), ['lib/dog']],
    ['of the request, cut as it says', like({ doc: { t: 'Lazy' }, per_field_analyzer: { t: 'keyword' } }), []],
    ['of which a field is named by another name', like({ _id: 'fox' }, { fields: ['other'] }), ['lib/both']],
    ['that are not there', like({ _id: 'none' }), []],
    ['of an index that is not there', like({ _index: 'none', _id: 'fox' }), []],
    ['of another version', like({ _id: 'fox', version: 9 }), []],
  ])('are those %s', async (_, body, ids) => {
    const found = await node.ask('POST', '/lib/_search', body);
    expect([found.status, idsOf(found.json)]).toEqual([200, ids]);
  });

  test('are looked up in each index that is searched', async () => {
    const found = await node.ask('POST', '/lib,old/_search', like({ _id: 'fox' }, { include: true }));
    expect([...idsOf(found.json)].sort()).toEqual(['lib/both', 'lib/fox', 'old/fox']);
  });

  test('are looked up by counts, several searches, explanations and changes by query', async () => {
    const body = like({ _id: 'fox' });
    expect((await node.ask('POST', '/lib/_count', body)).json).toMatchObject({ count: 1 });
    const many = await node.ask('POST', '/_msearch', lines({ index: 'lib' }, body));
    expect(many.json).toMatchObject({ responses: [{ hits: { total: { value: 1 } } }] });
    expect((await node.ask('POST', '/lib/_explain/both', body)).json).toMatchObject({ matched: true });
    expect((await node.ask('POST', '/lib/_explain/dog', body)).json).toMatchObject({ matched: false });
    const changed = await node.ask('POST', '/lib/_update_by_query?refresh=true', body);
    expect(changed.json).toMatchObject({ total: 1, updated: 1 });
  });
});
