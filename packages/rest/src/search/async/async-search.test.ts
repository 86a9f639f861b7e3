import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

/** Documents in four shards of two nodes. */
async function library(): Promise<TestNode> {
  const mapping = { properties: { n: { type: 'long' } } };
  const node = testNode({
    indices: [indexOf('lib', { shards: 4, mapping })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = Array.from({ length: 20 }, (_, n) => [{ index: { _id: `${n}` } }, { n }]);
  await node.ask('POST', '/lib/_bulk?refresh=true', lines(...docs.flat()));
  return node;
}

const SUM = { size: 0, aggs: { sum: { sum: { field: 'n' } } } };

describe('an asynchronous search', () => {
  test('that ends soon is answered like any other, and forgotten', async () => {
    const { json, status } = await (await library()).ask('POST', '/lib/_async_search', SUM);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      is_partial: false,
      is_running: false,
      response: { _shards: { successful: 4 }, hits: { total: { value: 20 } }, aggregations: { sum: { value: 190 } } },
    });
    expect(json).not.toHaveProperty('id');
    expect(json.expiration_time_in_millis - json.start_time_in_millis).toBe(5 * 24 * 60 * 60 * 1_000);
  });

  test('is told of an id when it is to be kept', async () => {
    const node = await library();
    const { json } = await node.ask('POST', '/lib/_async_search?keep_on_completion=true&typed_keys=true', SUM);
    expect(json.id).toMatch(/^[\w-]{20,}$/);
    expect(json.response.aggregations).toEqual({ 'sum#sum': { value: 190 } });
  });

  test('shows what the shards found that have answered', async () => {
    const node = await library();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    node.cluster.intercept = ({ nodeId }) => (nodeId === 'n2' ? held : undefined);
    const { json } = await node.ask('POST', '/lib/_async_search?wait_for_completion_timeout=300ms', SUM);
    release();
    expect(json).toMatchObject({
      is_partial: true,
      is_running: true,
      response: { num_reduce_phases: 0, _shards: { total: 4, successful: 2, failed: 0 }, hits: { hits: [] } },
    });
    const { total } = json.response.hits;
    expect(total.value).toBeGreaterThan(0);
    expect(total.value).toBeLessThan(20);
    expect(json.response.aggregations.sum.value).toBeLessThan(190);
    expect(json.id).toMatch(/^[\w-]{20,}$/);
  });

  test('that fails says why, with the status of its error', async () => {
    const node = await library();
    const missing = await node.ask('POST', '/none/_async_search', SUM);
    expect([missing.status, missing.json.is_partial, missing.json.response]).toEqual([404, true, undefined]);
    expect(missing.json.error).toMatchObject({
      type: 'status_exception',
      reason: 'error while executing search',
      caused_by: { type: 'index_not_found_exception' },
    });
    const script = { query: { script: { script: 'foo(' } } };
    const failed = await node.ask('POST', '/lib/_async_search', script);
    expect(failed.json.error.caused_by.type).toBe('search_phase_execution_exception');
    expect([failed.status, failed.json.response._shards.failed]).toEqual([400, 4]);
  });

  test.each([
    ['scroll=1m', {}, '[scroll] queries are not supported'],
    ['keep_alive=1s', {}, '[keep_alive] must be greater than 1 minute, got:1s'],
    ['pre_filter_shard_size=2', {}, '[pre_filter_shard_size] cannot be changed for async search queries'],
    ['ccs_minimize_roundtrips=true', {}, '[ccs_minimize_roundtrips] is not supported on async search queries'],
    ['', { suggest: {} }, 'suggest-only queries are not supported'],
  ])('is refused for %s %j', async (params, body, problem) => {
    const { status, json } = await (await library()).ask('POST', `/lib/_async_search?${params}`, body);
    expect([status, json.error.reason]).toEqual([400, `Validation Failed: 1: ${problem};`]);
  });

  test('is refused at once when its body is wrong', async () => {
    const { status, json } = await (await library()).ask('POST', '/lib/_async_search', { query: { xyzzyplugh: {} } });
    expect([status, json.error.reason]).toEqual([400, 'unknown query [xyzzyplugh]']);
  });

  test.each(['GET', 'DELETE'])('%s refuses an id that is none', async (method) => {
    const node = await library();
    const wrong = await node.ask(method, '/_async_search/abc');
    expect([wrong.status, wrong.json.error.reason]).toEqual([400, 'invalid id: [abc]']);
    const id = Buffer.from('n9:abc').toString('base64url');
    const gone = await node.ask(method, `/_async_search/${id}`);
    expect([gone.status, gone.json.error.reason]).toEqual([404, id]);
  });
});
