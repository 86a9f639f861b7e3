import { CancelSource, illegalArgument, ShoalError } from '@shoal/core';
import {
  FETCH_PHASE,
  FREE_CONTEXT,
  FREE_CONTEXTS,
  NODE_QUERY,
  QUERY_PHASE,
  type QueryPhaseRequest,
  SearchCodec,
} from '@shoal/protocol';
import { parseQueryBytes } from '@shoal/query';
import { describe, expect, test } from 'vitest';
import { aliasOf, indexOf, nodeOf, type StateParts } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

async function library(parts: StateParts = { indices: [indexOf('lib')] }): Promise<TestNode> {
  const node = testNode(parts);
  const bulk = lines(
    { index: { _id: '1' } },
    { title: 'The quick brown fox', tag: 'a', n: 1 },
    { index: { _id: '2' } },
    { title: 'A lazy brown dog', tag: 'b', n: 2 },
    { index: { _id: '4' } },
    { title: 'quick quick red fox', tag: 'a', n: 4 },
  );
  await node.ask('POST', '/lib/_bulk', bulk);
  node.cluster.sent.length = 0;
  return node;
}

/** 60 documents over 3 shards on 2 nodes; `n` repeats, so that ties are broken by shard and position. */
async function spread(): Promise<TestNode> {
  const nodes = [nodeOf('n1'), nodeOf('n2')];
  const node = testNode({
    indices: [indexOf('big', { shards: 3 })],
    nodes,
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const parts: object[] = [];
  for (let i = 0; i < 60; i++) parts.push({ index: { _id: `d${i}` } }, { n: i % 7, i, text: i % 2 ? 'odd' : 'even' });
  await node.ask('POST', '/big/_bulk', lines(...parts));
  node.cluster.sent.length = 0;
  return node;
}

const withoutTook = (text: string): string => text.replace(/"took":\d+/g, '"took":1');
const ids = (json: { hits: { hits: { _id: string }[] } }): string[] => json.hits.hits.map((hit) => hit._id);

describe('answers are those recorded from a real server', () => {
  test('a search without a query', async () => {
    const answer = await (await library()).ask('GET', '/_search');
    expect(withoutTook(answer.text)).toBe(
      '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"total":{"value":3,"relation":"eq"},"max_score":1.0,"hits":[{"_index":"lib","_id":"1","_score":1.0,"_source":{"title":"The quick brown fox","tag":"a","n":1}},{"_index":"lib","_id":"2","_score":1.0,"_source":{"title":"A lazy brown dog","tag":"b","n":2}},{"_index":"lib","_id":"4","_score":1.0,"_source":{"title":"quick quick red fox","tag":"a","n":4}}]}}',
    );
  });
  test('no hit', async () => {
    const answer = await (await library()).ask('POST', '/lib/_search', { query: { match: { title: 'nothing' } } });
    expect(withoutTook(answer.text)).toBe(
      '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"total":{"value":0,"relation":"eq"},"max_score":null,"hits":[]}}',
    );
  });
  test('sorted, without totals, with a part of the source', async () => {
    const body = { size: 1, sort: [{ n: 'desc' }], _source: ['n'], track_total_hits: false };
    const answer = await (await library()).ask('GET', '/lib/_search', body);
    expect(withoutTook(answer.text)).toBe(
      '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"max_score":null,"hits":[{"_index":"lib","_id":"4","_score":null,"_source":{"n":4},"sort":[4]}]}}',
    );
  });
  test('sort values in the format that the sort asks for', async () => {
    const sort = [{ n: { order: 'asc', format: 'yyyy-MM-dd HH:mm:ss.SSS' } }];
    const answer = await (
      await library({ indices: [indexOf('lib', { mapping: { properties: { n: { type: 'date' } } } })] })
    ).ask('GET', '/lib/_search?size=1', { sort });
    expect(answer.json.hits.hits[0].sort).toEqual(['1970-01-01 00:00:00.001']);
  });
  test.each([
    ['batched_reduce_size=1', 'batchedReduceSize must be >= 2'],
    ['pre_filter_shard_size=0', 'preFilterShardSize must be >= 1'],
    ['search_type=query_and_fetch', 'No search type for [query_and_fetch]'],
  ])('%s is refused', async (parameter, reason) => {
    const answer = await (await library()).ask('GET', `/lib/_search?${parameter}`);
    expect(answer).toMatchObject({ status: 400, json: { error: { type: 'illegal_argument_exception', reason } } });
  });
  test('a search type among several searches', async () => {
    const several = (type: string) => `{"index":"lib","search_type":"${type}"}\n{"size":0}\n`;
    const node = await library();
    expect((await node.ask('POST', '/_msearch', several('query_then_fetch'))).json.responses[0].status).toBe(200);
    expect((await node.ask('POST', '/_msearch', several('scan'))).status).toBe(400);
  });
  test('stored fields, which hide the source, and nothing at all', async () => {
    const mapping = { properties: { tag: { type: 'keyword', store: true }, n: { type: 'long', store: true } } };
    const node = testNode({ indices: [indexOf('one', { mapping }), indexOf('two', { mapping, shards: 2 })] });
    for (const path of ['/one/_doc/1', '/two/_doc/2', '/two/_doc/3']) {
      await node.ask('PUT', `${path}?refresh=true`, { tag: 'a', n: 1, x: true });
    }
    const hits = async (path: string, body: object) => (await node.ask('POST', `${path}/_search`, body)).json.hits.hits;
    for (const path of ['/one', '/one,two']) {
      for (const hit of await hits(path, { stored_fields: ['t*', 'x'] })) {
        expect([hit.fields, hit._source]).toEqual([{ tag: ['a'] }, undefined]);
      }
      for (const hit of await hits(path, { stored_fields: ['n'], _source: ['x'] })) {
        expect([hit.fields, hit._source]).toEqual([{ n: [1] }, { x: true }]);
      }
    }
    const [bare] = await hits('/one', { stored_fields: '_none_' });
    expect([bare._id, bare._source, bare.fields]).toEqual([undefined, undefined, undefined]);
    const [plain] = await hits('/one', { stored_fields: [] });
    expect([plain._id, plain._source]).toEqual(['1', undefined]);
  });
  test('totals as a number, and no hits wanted', async () => {
    const answer = await (await library()).ask('GET', '/lib/_search?rest_total_hits_as_int=true&size=0');
    expect(withoutTook(answer.text)).toBe(
      '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"total":3,"max_score":null,"hits":[]}}',
    );
  });
  test('totals as a number contradict a threshold', async () => {
    const node = await library();
    const answer = await node.ask('POST', '/lib/_search?rest_total_hits_as_int=true', { track_total_hits: 100 });
    expect(answer.json.error.reason).toBe(
      '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got 100',
    );
  });
  test('filter_path', async () => {
    const answer = await (await library()).ask('GET', '/lib/_search?filter_path=hits.hits._id,took');
    expect(withoutTook(answer.text)).toBe('{"took":1,"hits":{"hits":[{"_id":"1"},{"_id":"2"},{"_id":"4"}]}}');
  });
  test('versions and sequence numbers', async () => {
    const answer = await (await library()).ask('GET', '/lib/_search?version=true&seq_no_primary_term=true&size=1');
    expect(answer.text).toContain('"_id":"1","_version":1,"_seq_no":0,"_primary_term":1,"_score":1.0,"_source"');
  });
  test('an index that may be missing and is', async () => {
    const answer = await (await library()).ask('GET', '/nothere/_search?ignore_unavailable=true');
    expect(withoutTook(answer.text)).toBe(
      '{"took":1,"timed_out":false,"_shards":{"total":0,"successful":0,"skipped":0,"failed":0},"hits":{"total":{"value":0,"relation":"eq"},"max_score":0.0,"hits":[]}}',
    );
    expect((await (await library()).ask('GET', '/nothere/_search')).headers['content-length']).toBe('371');
  });
  test('counts', async () => {
    const node = await library();
    expect((await node.ask('GET', '/_count')).text).toBe(
      '{"count":3,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0}}',
    );
    expect((await node.ask('POST', '/lib/_count', { query: { match: { title: 'fox' } } })).json.count).toBe(2);
    expect((await node.ask('POST', '/lib/_count', { size: 1 })).status).toBe(400);
  });
  test('several searches at once', async () => {
    const body = lines({ index: 'lib' }, { size: 0 }, { index: 'nothere' }, { size: 0 });
    const answer = await (await library()).ask('POST', '/_msearch', body);
    expect(withoutTook(answer.text)).toBe(
      '{"took":1,"responses":[{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"total":{"value":3,"relation":"eq"},"max_score":null,"hits":[]},"status":200},{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [nothere]","index":"nothere","resource.id":"nothere","resource.type":"index_or_alias","index_uuid":"_na_"}],"type":"index_not_found_exception","reason":"no such index [nothere]","index":"nothere","resource.id":"nothere","resource.type":"index_or_alias","index_uuid":"_na_"},"status":404}]}',
    );
  });
  test('several searches, one of them malformed, are refused whole', async () => {
    const body = lines({ index: 'lib' }, { size: 0 }, { index: 'lib' }, { nosuch: 1 });
    const answer = await (await library()).ask('POST', '/_msearch', body);
    expect([answer.status, answer.json.error.reason]).toEqual([400, 'Unknown key for a VALUE_NUMBER in [nosuch].']);
    const counted = lines({ index: 'lib' }, { track_total_hits: 10 });
    expect((await (await library()).ask('POST', '/_msearch?rest_total_hits_as_int=true', counted)).status).toBe(400);
  });
  test.each([
    ['/lib/_search?size=-1', '[size] parameter cannot be negative, found [-1]'],
    ['/lib/_search?nosuchparam=1', 'request [/lib/_search] contains unrecognized parameter: [nosuchparam]'],
    [
      '/lib/_search?scrol=1m',
      'request [/lib/_search] contains unrecognized parameter: [scrol] -> did you mean [scroll]?',
    ],
    ['/lib/_search?size=x', 'Failed to parse int parameter [size] with value [x]'],
  ])('%s', async (target, reason) => {
    const answer = await (await library()).ask('GET', target);
    expect([answer.status, answer.json.error.reason]).toEqual([400, reason]);
  });
  test('a page behind all hits, however far', async () => {
    const settings = { 'index.max_result_window': '2000000000' };
    const answer = await (await library({ indices: [indexOf('lib', { shards: 3, settings })] })).ask(
      'GET',
      '/lib/_search?from=100000000',
    );
    expect([answer.status, answer.json.hits.hits, answer.json.hits.total.value]).toEqual([200, [], 3]);
  });
  test('entries of all shards that would not fit in memory', async () => {
    const settings = { 'index.max_result_window': '2000000000' };
    const node = testNode({ indices: [indexOf('lib', { shards: 3, settings })] }, { searchBytesMax: 10_000 });
    const answer = await node.ask('GET', '/lib/_search?from=1000');
    expect([answer.status, answer.json.error.type]).toEqual([429, 'circuit_breaking_exception']);
    expect(node.cluster.sent).toEqual([]);
  });
  test('a page beyond the window', async () => {
    const reason =
      'Result window is too large, from + size must be less than or equal to: [10000] but was [10001]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.';
    const cause = `{"type":"illegal_argument_exception","reason":"${reason}"`;
    const answer = await (await library()).ask('GET', '/lib/_search?from=10000&size=1');
    expect([answer.status, answer.text]).toEqual([
      400,
      `{"error":{"root_cause":[${cause}}],"type":"search_phase_execution_exception","reason":"all shards failed","phase":"query","grouped":true,"failed_shards":[{"shard":0,"index":"lib","node":"n1","reason":${cause}}}],"caused_by":${cause},"caused_by":${cause}}}},"status":400}`,
    ]);
  });
});

describe('a search over several shards', () => {
  test('shows every page of the global order, whichever shards hold it', async () => {
    const node = await spread();
    const whole = await node.ask('POST', '/big/_search', { size: 60, sort: [{ n: 'desc' }] });
    expect(whole.json.hits.total).toEqual({ value: 60, relation: 'eq' });
    const values = whole.json.hits.hits.map((hit: { sort: number[] }) => hit.sort[0]);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    const pages: string[] = [];
    for (let from = 0; from < 60; from += 7) {
      pages.push(...ids((await node.ask('POST', `/big/_search?from=${from}&size=7`, { sort: [{ n: 'desc' }] })).json));
    }
    expect(pages).toEqual(ids(whole.json));
    expect(new Set(pages).size).toBe(60);
  });
  test('reads documents only from the owners of the page and frees every other context', async () => {
    const node = await spread();
    const answer = await node.ask('GET', '/big/_search?size=1&sort=i');
    expect(ids(answer.json)).toEqual(['d0']);
    const actions = node.cluster.sent.map((sent) => sent.action);
    // Two of the three shards are on one node.
    expect(actions.filter((action) => action === NODE_QUERY.name)).toHaveLength(1);
    expect(actions.filter((action) => action === QUERY_PHASE.name)).toHaveLength(1);
    expect(actions.filter((action) => action === FETCH_PHASE.name)).toHaveLength(1);
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
    await node.ask('GET', '/big/_search?size=0');
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });
  test('of one shard takes one message', async () => {
    const node = await library();
    await node.ask('GET', '/lib/_search?from=1&size=1');
    expect(node.cluster.sent.map((sent) => sent.action)).toEqual([QUERY_PHASE.name]);
    expect(node.cluster.sent[0]?.request).toMatchObject({ fetchPage: { from: 1, size: 1 } });
  });
  test('counts exactly up to the threshold', async () => {
    const node = await spread();
    const total = async (value: unknown) =>
      (await node.ask('POST', '/big/_search', { track_total_hits: value, size: 0 })).json.hits.total;
    expect(await total(true)).toEqual({ value: 60, relation: 'eq' });
    expect(await total(25)).toEqual({ value: 25, relation: 'gte' });
    expect(await total(false)).toBeUndefined();
  });
  test('has at most five shards of a node asked at once', async () => {
    const node = testNode({ indices: [indexOf('wide', { shards: 16 })] });
    let running = 0;
    let most = 0;
    node.cluster.intercept = async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => node.runtime.sched.soon(resolve));
      running--;
    };
    expect((await node.ask('GET', '/wide/_search')).json._shards.successful).toBe(16);
    expect(most).toBe(5);
    most = 0;
    await node.ask('GET', '/wide/_search?max_concurrent_shard_requests=2');
    expect(most).toBe(2);
  });
  test('asks the shards of a routing alone', async () => {
    const node = await spread();
    await node.ask('GET', '/big/_search?routing=d7');
    expect(node.cluster.sent.filter((sent) => sent.action === QUERY_PHASE.name)).toHaveLength(1);
  });
  test('gives shards the filter of the alias that led to them', async () => {
    const filter = { term: { n: 1 } };
    const node = testNode({ indices: [indexOf('lib', { aliases: [aliasOf('some', { filter })] })] });
    await node.ask('GET', '/some/_search');
    await node.ask('GET', '/some,lib/_search');
    const filters = node.cluster.sent.map((sent) => (sent.request as QueryPhaseRequest).query.aliasFilter);
    const codec = new SearchCodec();
    expect(filters.map((bytes) => bytes && codec.readQuery(bytes))).toEqual([
      parseQueryBytes(Buffer.from(JSON.stringify(filter))),
      null,
    ]);
  });
});

describe('aggregations that cannot be read', () => {
  test.each([
    [
      'of no type',
      { a: { trems: { field: 'tag' } } },
      'parsing_exception',
      'Unknown aggregation type [trems] did you mean',
    ],
    ['of two', { a: { min: { field: 'n' }, max: { field: 'n' } } }, 'parsing_exception', 'Found two aggregation type'],
    ['with a number for a field', { a: { terms: { field: 5 } } }, 'x_content_parse_exception', '[terms] field doesn'],
    [
      'with a text for a number',
      { a: { terms: { field: 'n', size: 'x' } } },
      'x_content_parse_exception',
      'field [size]',
    ],
  ])('%s are a mistake of the request, and no shard is asked', async (_, aggs, type, reason) => {
    const node = await library();
    const answer = await node.ask('POST', '/lib/_search', { size: 0, aggs });
    expect(answer.status).toBe(400);
    const { error } = JSON.parse(answer.text);
    expect([error.type, error.root_cause[0].type]).toEqual([type, type]);
    expect(error.reason).toContain(reason);
    expect(node.cluster.sent).toEqual([]);
  });
});

describe('a shard that fails or is not there is counted', () => {
  test('beside the answers of the others', async () => {
    const node = await spread();
    node.cluster.fail(
      QUERY_PHASE,
      'big',
      1,
      new ShoalError('query_shard_exception', 400, 'no', {
        metadata: { index: 'big' },
      }),
    );
    const answer = await node.ask('GET', '/big/_search?size=1');
    expect(answer.status).toBe(200);
    expect(answer.json._shards).toEqual({
      total: 3,
      successful: 2,
      skipped: 0,
      failed: 1,
      failures: [
        { shard: 1, index: 'big', node: 'n2', reason: { type: 'query_shard_exception', reason: 'no', index: 'big' } },
      ],
    });
  });
  test('without an entry when it has no copy', async () => {
    const node = await spread();
    node.cluster.change({ place: (_, shard) => (shard === 0 ? null : 'n1') });
    const answer = await node.ask('GET', '/big/_search');
    expect(answer.json._shards).toEqual({ total: 3, successful: 2, skipped: 0, failed: 1 });
    const strict = await node.ask('GET', '/big/_search?allow_partial_search_results=false');
    expect([strict.status, strict.json.error.reason]).toEqual([
      503,
      'Search rejected due to missing shards [[big][0]]. Consider using `allow_partial_search_results` setting to bypass this error.',
    ]);
  });
  test('and fails the search when all of them do, each cause once', async () => {
    const node = await spread();
    for (const shard of [0, 1, 2]) node.cluster.fail(QUERY_PHASE, 'big', shard, illegalArgument('bad sort'));
    const answer = await node.ask('GET', '/big/_search');
    expect(answer.status).toBe(400);
    expect(answer.json.error.reason).toBe('all shards failed');
    expect(answer.json.error.failed_shards).toEqual([
      { shard: 0, index: 'big', node: 'n1', reason: { type: 'illegal_argument_exception', reason: 'bad sort' } },
    ]);
    node.cluster.fail(QUERY_PHASE, 'big', 2, new ShoalError('circuit_breaking_exception', 429, 'full'));
    expect((await node.ask('GET', '/big/_count')).status).toBe(429);
  });
  test('and is unavailable when none is there', async () => {
    const node = await spread();
    node.cluster.change({ place: () => null });
    const answer = await node.ask('GET', '/big/_search');
    expect([answer.status, answer.text]).toEqual([
      503,
      '{"error":{"root_cause":[],"type":"search_phase_execution_exception","reason":"all shards failed","phase":"query","grouped":true,"failed_shards":[]},"status":503}',
    ]);
  });
  test('when its documents cannot be fetched', async () => {
    const node = await spread();
    node.cluster.fail(FETCH_PHASE, 'big', 0, new ShoalError('exception', 500, 'gone'));
    const answer = await node.ask('GET', '/big/_search?size=60');
    expect(answer.json._shards.failed).toBe(1);
    expect(answer.json.hits.hits.length).toBeLessThan(60);
    const strict = await node.ask('GET', '/big/_search?size=60&allow_partial_search_results=false');
    expect(strict.json.error).toMatchObject({ reason: 'Partial shards failure', phase: 'fetch' });
  });
  test('when its node cannot be reached: some of the hits, or 503 when no other shard answers', async () => {
    const node = await spread();
    const isGone = (nodeId: string): void => {
      throw new ShoalError('node_not_connected_exception', 500, `[${nodeId}] Node not connected`);
    };
    node.cluster.intercept = (sent) => (sent.nodeId === 'n2' ? isGone('n2') : undefined);
    const partial = await node.ask('GET', '/big/_search?size=0');
    expect([partial.status, partial.json._shards.failures[0].reason]).toMatchObject([
      200,
      { type: 'no_shard_available_action_exception', caused_by: { type: 'node_not_connected_exception' } },
    ]);
    node.cluster.intercept = (sent) => isGone(sent.nodeId);
    expect((await node.ask('GET', '/big/_search?size=0')).status).toBe(503);
    expect((await node.ask('GET', '/big/_count')).status).toBe(503);
  });
  test('is asked again where a newer state has it', async () => {
    const node = await spread();
    let refused = 0;
    node.cluster.intercept = (sent) => {
      if (sent.nodeId !== 'n2' || sent.action !== QUERY_PHASE.name) return;
      refused++;
      node.cluster.change({ place: () => 'n1' });
      throw new ShoalError('node_disconnected_exception', 500, 'gone');
    };
    const answer = await node.ask('GET', '/big/_search?size=60');
    expect(answer.json._shards).toEqual({ total: 3, successful: 3, skipped: 0, failed: 0 });
    expect(refused).toBe(1);
  });
});

test('a client that goes away cancels its search and leaves no context', async () => {
  const node = await spread();
  const client = new CancelSource();
  node.cluster.intercept = (sent, options) => {
    if (sent.action === QUERY_PHASE.name) client.cancel('http channel closed');
    // What cleans up is sent all the same.
    const isRelease = sent.action === FREE_CONTEXT.name || sent.action === FREE_CONTEXTS.name;
    expect(options.signal?.cancelled).toBe(isRelease ? undefined : true);
  };
  const answer = await node.ask('GET', '/big/_search', undefined, client);
  expect(answer.json.error.type).toBe('task_cancelled_exception');
  await expect.poll(() => node.cluster.openContexts()).toBe(0);
});

test('a search while the cluster is not formed is refused', async () => {
  const block = { id: 1, description: 'state not recovered / initialized', status: 503, levels: ['read'] as const };
  const node = testNode({ blocks: [block] });
  expect((await node.ask('GET', '/_search')).json.error.type).toBe('cluster_block_exception');
  expect((await node.ask('GET', '/_count')).status).toBe(503);
});

describe('a body of more tokens than any request needs', () => {
  const many = (query: string): Uint8Array => new TextEncoder().encode(query.replace('MANY', '1,'.repeat(1_000_000)));

  test.each(['_search', '_count', '_mget', '_explain/1'])('is refused by %s', async (api) => {
    const node = await library();
    const body = api === '_mget' ? '{"ids":[MANY1]}' : '{"query":{"terms":{"n":[MANY1]}}}';
    const answer = await node.ask('POST', `/lib/${api}`, many(body));
    expect([answer.status, answer.json.error.type]).toEqual([400, 'x_content_parse_exception']);
    expect(node.cluster.sent).toEqual([]);
  });

  test('is refused by _msearch, all of its searches together', async () => {
    const node = await library();
    const search = `{}\n{"query":{"terms":{"n":[${'1,'.repeat(60_000)}1]}}}\n`;
    const answer = await node.ask('POST', '/lib/_msearch', new TextEncoder().encode(search.repeat(20)));
    expect([answer.status, answer.json.error.type]).toEqual([400, 'x_content_parse_exception']);
    expect(node.cluster.sent).toEqual([]);
  });

  test('is refused as a document, and the document alone', async () => {
    const node = await library();
    const bulk = `{"index":{}}\n{"n":[MANY1]}\n{"index":{}}\n{"n":5}\n`;
    const answer = await node.ask('POST', '/lib/_bulk', many(bulk));
    expect(answer.json.items.map((item: { index: { status: number } }) => item.index.status)).toEqual([400, 201]);
    expect(answer.json.items[0].index.error.caused_by.type).toBe('x_content_parse_exception');
  });
});

test('a page of more composite buckets than an answer may have is refused before it is looked for', async () => {
  const composite = { size: 1_000_000, sources: [{ n: { terms: { field: 'n' } } }] };
  const answer = await (await library()).ask('POST', '/lib/_search', { aggs: { c: { composite } } });
  expect(answer).toMatchObject({ status: 400, json: { error: { type: 'too_many_buckets_exception' } } });
  expect(answer.json.error.reason).toContain('less than or equal to: [65536] but was [1000000]');
});

test.each([
  [
    'script_exception',
    400,
    {
      s: { scripted_metric: { map_script: 'state.n = 1', combine_script: 'return null', reduce_script: 'states[9]' } },
    },
  ],
  ['too_many_buckets_exception', 400, { h: { histogram: { field: 'n', interval: 1e-7 } } }],
])(
  'a reduction that fails with %s has no root cause, and fails the phase that begins with it',
  async (type, status, aggs) => {
    const answer = await (await library()).ask('POST', '/lib/_search', { size: 0, aggs });
    expect(answer).toMatchObject({
      status,
      json: {
        status,
        error: {
          root_cause: [],
          type: 'search_phase_execution_exception',
          reason: '',
          phase: 'fetch',
          grouped: true,
          failed_shards: [],
          caused_by: { type },
        },
      },
    });
  },
);
