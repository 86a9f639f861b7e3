import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

async function library(): Promise<TestNode> {
  const node = testNode({ indices: [indexOf('lib', { shards: 2 })] });
  await node.ask('POST', '/lib/_bulk', lines({ index: { _id: '1' } }, { tag: 'a', tags: ['a'] }));
  return node;
}

async function statuses(header: object, query: object = {}): Promise<unknown> {
  const { json } = await (await library()).ask('POST', '/_msearch', lines(header, query));
  const { responses, error } = json;
  return (
    error?.reason ??
    responses.map((one: { error?: { reason: string }; hits?: { total: { value: number } } }) => {
      return one.error?.reason ?? one.hits?.total.value;
    })[0]
  );
}

describe('the header of a search', () => {
  test.each([
    { ignore_throttled: true },
    { expand_wildcards: ['open', 'closed'] },
    { expand_wildcards: 'all' },
    { ccs_minimize_roundtrips: true },
    { preference: '_local' },
    { request_cache: false },
    { allow_no_indices: true, ignore_unavailable: 'true' },
  ])('may say %j', async (header) => {
    expect(await statuses({ index: 'lib*', ...header })).toBe(1);
  });

  test('decides which indices a pattern means', async () => {
    expect(await statuses({ index: 'li*', expand_wildcards: 'none' })).toBe(0);
  });

  test.each([
    [{ expand_wildcards: 'nope' }, 'No valid expand wildcard value [nope]'],
    [{ ignore_unavailable: 'yes' }, 'Could not convert [ignore_unavailable] to boolean'],
    [{ preference: '_nope' }, 'no Preference for [_nope]'],
    [{ nope: 1 }, 'key [nope] is not supported in the metadata section'],
  ])('is refused for %j', async (header, reason) => {
    expect(await statuses({ index: 'lib', ...header })).toBe(reason);
  });
});

test('terms of a document that cannot be read fail their own search alone', async () => {
  const node = await library();
  const terms = (index: string) => ({ query: { terms: { tag: { index, id: '1', path: 'tags' } } } });
  const body = lines({ index: 'lib' }, terms('none'), { index: 'lib' }, {}, { index: 'lib' }, terms('lib'));
  const { responses } = (await node.ask('POST', '/_msearch', body)).json;
  expect(responses[0]).toMatchObject({ status: 404, error: { type: 'index_not_found_exception' } });
  expect([responses[1].hits.total.value, responses[2].hits.total.value]).toEqual([1, 1]);
});

test('a header without a search is none', async () => {
  const answer = await (await library()).ask('POST', '/lib/_msearch', '{}\n');
  expect(answer.json.error.reason).toBe('Validation Failed: 1: no requests added;');
});
