/**
 * Analytics collections on a whole node: the data streams that they are, and the events that they keep.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ShoalNode, startShoal } from '../../packages/testing/src/index.ts';

let node: ShoalNode;
beforeAll(async () => {
  node = await startShoal();
});
afterAll(() => node.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
type Answer = readonly [number, any];

async function ask(method: string, path: string, body?: Readonly<Record<string, unknown>>): Promise<Answer> {
  const answer = await node.fetch(path, { method, ...(body !== undefined && { body }) });
  return [answer.status, await answer.json()];
}

const APP = '/_application/analytics';
const WHOM = { session: { id: 's' }, user: { id: 'u' } };

describe('an analytics collection', () => {
  test('is made once, shown, and deleted with its events', async () => {
    expect(await ask('PUT', `${APP}/shop`)).toEqual([200, { acknowledged: true, name: 'shop' }]);
    const [status, again] = await ask('PUT', `${APP}/shop`);
    expect([status, again.error.type]).toEqual([400, 'resource_already_exists_exception']);
    await ask('PUT', `${APP}/other`);
    const stream = (name: string) => ({ event_data_stream: { name: `behavioral_analytics-events-${name}` } });
    expect(await ask('GET', APP)).toEqual([200, { other: stream('other'), shop: stream('shop') }]);
    expect(await ask('GET', `${APP}/sh*,other`)).toEqual([200, { other: stream('other'), shop: stream('shop') }]);
    expect((await ask('GET', `${APP}/none`))[0]).toBe(404);
    expect(await ask('DELETE', `${APP}/other`)).toEqual([200, { acknowledged: true }]);
    expect((await ask('DELETE', `${APP}/other`))[0]).toBe(404);
    expect(await ask('GET', APP)).toEqual([200, { shop: stream('shop') }]);
  });

  test('keeps what people saw, looked for and opened', async () => {
    const post = (type: string, more: object) => ask('POST', `${APP}/shop/event/${type}`, { ...WHOM, ...more });
    const search = { query: 'lamp', filters: { brand: ['a', 'b'] }, results: { total_results: 2 } };
    expect(await post('page_view', { page: { url: 'http://x' } })).toEqual([202, { accepted: true }]);
    expect((await post('search', { search }))[0]).toBe(202);
    const [, clicked] = await ask('POST', `${APP}/shop/event/search_click?debug=true`, {
      ...WHOM,
      search,
      document: { id: '1', index: 'lamps' },
    });
    expect(clicked).toMatchObject({ accepted: true, event: { event: { action: 'search_click' }, user: { id: 'u' } } });
    const [, found] = await ask('POST', '/behavioral_analytics-events-shop/_search', {
      query: { term: { 'search.filters': 'b' } },
      aggs: { actions: { terms: { field: 'event.action' } } },
    });
    expect(found.hits.total.value).toBe(2);
    expect(found.aggregations.actions.buckets.map(({ key }: { readonly key: string }) => key).toSorted()).toEqual([
      'search',
      'search_click',
    ]);
    expect(found.hits.hits[0]._source.data_stream.namespace).toBe('shop');
  });

  test.each([
    ['shop/event/page_view', { ...WHOM }, 400, 'Required [page]'],
    ['shop/event/page_view', { page: { url: 'x' }, user: { id: 'u' } }, 400, 'Required [session]'],
    ['shop/event/search', { ...WHOM, search: { query: 'x', more: 1 } }, 400, 'unknown field [more]'],
    ['shop/event/search_click', { ...WHOM, search: { query: 'x' } }, 400, 'Either [document] or [page]'],
    ['shop/event/sale', WHOM, 400, 'invalid event type: [sale]'],
    ['none/event/search', { ...WHOM, search: { query: 'x' } }, 404, 'none'],
  ])('of %s refuses %j', async (path, body, status, reason) => {
    const [answered, { error }] = await ask('POST', `${APP}/${path}`, body);
    expect([answered, error.reason]).toEqual([status, expect.stringContaining(reason)]);
  });

  test('is counted beside search applications and query rules', async () => {
    await ask('PUT', '/lamps');
    await ask('PUT', '/_application/search_application/lamps', { indices: ['lamps'] });
    const rule = { type: 'pinned', criteria: [{ type: 'always' }], actions: { ids: ['1'] } };
    const rules = (...ids: readonly string[]) => ids.map((rule_id) => ({ rule_id, ...rule }));
    await ask('PUT', '/_query_rules/one', { rules: rules('a') });
    await ask('PUT', '/_query_rules/two', { rules: rules('a', 'b') });
    const [, { enterprise_search: counts }] = await ask('GET', '/_xpack/usage');
    expect(counts).toEqual({
      available: true,
      enabled: true,
      search_applications: { count: 1 },
      analytics_collections: { count: 1 },
      query_rulesets: { total_count: 2, total_rule_count: 3, min_rule_count: 1, max_rule_count: 2 },
    });
  });
});
