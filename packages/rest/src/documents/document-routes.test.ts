import { ShoalError } from '@shoal/core';
import { BULK_SHARD, type BulkShardRequest } from '@shoal/protocol';
import { createNodeRuntime, createSilentLog, type Scheduler } from '@shoal/runtime';
import { beforeEach, describe, expect, test } from 'vitest';
import { aliasOf, indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

let node: TestNode;

beforeEach(() => {
  node = testNode({ indices: [indexOf('lib')] });
});

const SHARDS = '"_shards":{"total":1,"successful":1,"failed":0}';

describe('answers are those recorded from a real server', () => {
  test('a bulk of mixed results', async () => {
    const body = lines(
      { index: { _id: '1' } },
      { title: 'The quick brown fox' },
      { create: { _id: '1' } },
      { title: 'again' },
      { update: { _id: '9' } },
      { doc: { n: 3 } },
      { index: { _id: '3' } },
      { n: 'not a number' },
      { delete: { _id: '77' } },
    );
    const answer = await node.ask('POST', '/lib/_bulk?refresh=true', body);
    expect(answer.status).toBe(200);
    expect(answer.text.replace(/"took":\d+/, '"took":1')).toBe(
      `{"took":1,"errors":true,"items":[{"index":{"_index":"lib","_id":"1","_version":1,"result":"created","forced_refresh":true,${SHARDS},"_seq_no":0,"_primary_term":1,"status":201}},` +
        '{"create":{"_index":"lib","_id":"1","status":409,"error":{"type":"version_conflict_engine_exception","reason":"[1]: version conflict, document already exists (current version [1])","index":"lib","shard":"0","index_uuid":"uuid-lib"}}},' +
        '{"update":{"_index":"lib","_id":"9","status":404,"error":{"type":"document_missing_exception","reason":"[9]: document missing","index":"lib","shard":"0","index_uuid":"uuid-lib"}}},' +
        `{"index":{"_index":"lib","_id":"3","status":400,"error":{"type":"mapper_parsing_exception","reason":"failed to parse field [n] of type [long] in document with id '3'. Preview of field's value: 'not a number'","caused_by":{"type":"illegal_argument_exception","reason":"For input string: \\"not a number\\""}}}},` +
        `{"delete":{"_index":"lib","_id":"77","_version":1,"result":"not_found","forced_refresh":true,${SHARDS},"_seq_no":1,"_primary_term":1,"status":404}}]}`,
    );
  });
  test('a bulk that is none', async () => {
    const unended = await node.ask('POST', '/_bulk', new TextEncoder().encode('{"index":{"_index":"lib"}}\n{"n":1}'));
    expect([unended.status, unended.json.error.reason]).toEqual([
      400,
      'The bulk request must be terminated by a newline [\\n]',
    ]);
    const unknown = await node.ask('POST', '/_bulk', '{"what":{"_index":"lib"}}\n{"n":1}\n');
    expect(unknown.json.error.reason).toBe(
      'Malformed action/metadata line [1], expected one of [create, delete, index, update] but found [what]',
    );
    expect((await node.ask('POST', '/_bulk', lines({ index: {} }, { n: 1 }))).json.error.reason).toBe(
      'Validation Failed: 1: index is missing;',
    );
  });
  test('one document through its life', async () => {
    const created = await node.ask('PUT', '/lib/_doc/5', { title: 'new one', n: 5 });
    expect([created.status, created.headers.location]).toEqual([201, '/lib/_doc/5']);
    expect(created.text).toBe(
      `{"_index":"lib","_id":"5","_version":1,"result":"created",${SHARDS},"_seq_no":0,"_primary_term":1}`,
    );
    const updated = await node.ask('PUT', '/lib/_doc/5', { title: 'new one again', n: 5 });
    expect([updated.status, updated.json.result, updated.headers.location]).toEqual([200, 'updated', undefined]);
    const got = await node.ask('GET', '/lib/_doc/5');
    expect(got.text).toBe(
      '{"_index":"lib","_id":"5","_version":2,"_seq_no":1,"_primary_term":1,"found":true,"_source":{"title":"new one again","n":5}}',
    );
    expect((await node.ask('HEAD', '/lib/_doc/5')).headers['content-length']).toBe('124');
    expect((await node.ask('GET', '/lib/_source/5')).text).toBe('{"title":"new one again","n":5}');
    const versioned = await node.ask('GET', '/lib/_source/5?version=2');
    expect([versioned.status, versioned.json.error.reason]).toEqual([
      400,
      'request [/lib/_source/5] contains unrecognized parameter: [version]',
    ]);
    const noop = await node.ask('POST', '/lib/_update/5', { doc: { n: 5 } });
    expect(noop.text).toContain('"result":"noop","_shards":{"total":0,"successful":0,"failed":0},"_seq_no":1');
    const conflict = await node.ask('PUT', '/lib/_create/5', { n: 1 });
    expect([conflict.status, conflict.json.error.root_cause[0].index_uuid]).toEqual([409, 'uuid-lib']);
    expect((await node.ask('PUT', '/lib/_doc/5?if_seq_no=0&if_primary_term=1', { n: 1 })).status).toBe(409);
    expect((await node.ask('DELETE', '/lib/_doc/5')).json.result).toBe('deleted');
    const gone = await node.ask('DELETE', '/lib/_doc/5');
    expect([gone.status, gone.json.result]).toEqual([404, 'not_found']);
  });
  test('a document without an id gets one', async () => {
    const answer = await node.ask('POST', '/lib/_doc', { n: 1 });
    expect([answer.status, answer.json._id.length]).toEqual([201, 20]);
    expect(answer.headers.location).toBe(`/lib/_doc/${answer.json._id}`);
  });
  test('what is not there', async () => {
    const none = await node.ask('GET', '/lib/_doc/none');
    expect([none.status, none.text]).toEqual([404, '{"_index":"lib","_id":"none","found":false}']);
    const source = await node.ask('GET', '/lib/_source/none');
    expect([source.status, source.json.error.reason]).toEqual([404, 'Document not found [lib]/[none]']);
    const nothere = await node.ask('GET', '/nothere/_doc/1');
    expect([nothere.status, nothere.text]).toEqual([
      404,
      '{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [nothere]","index":"nothere","resource.id":"nothere","resource.type":"index_expression","index_uuid":"_na_"}],"type":"index_not_found_exception","reason":"no such index [nothere]","index":"nothere","resource.id":"nothere","resource.type":"index_expression","index_uuid":"_na_"},"status":404}',
    ]);
  });
  test('stored fields take the place of the source, of one document and of several', async () => {
    const mapping = { properties: { tag: { type: 'keyword', store: true } } };
    const stored = testNode({ indices: [indexOf('lib', { mapping })] });
    await stored.ask('PUT', '/lib/_doc/1', { tag: 'a', n: 1 });
    const one = (await stored.ask('GET', '/lib/_doc/1?stored_fields=tag,n')).json;
    expect([one.fields, one._source]).toEqual([{ tag: ['a'] }, undefined]);
    const docs = [{ _id: '1' }, { _id: '1', stored_fields: ['n', '_source'] }];
    const several = (await stored.ask('POST', '/lib/_mget?stored_fields=tag', { docs })).json.docs;
    expect(several).toMatchObject([{ fields: { tag: ['a'] } }, { _source: { tag: 'a', n: 1 } }]);
    expect([several[0]._source, several[1].fields]).toEqual([undefined, undefined]);
  });

  test('the routing is a stored field: it is not read where neither the source nor another is', async () => {
    const node = testNode({ indices: [indexOf('lib')] });
    await node.ask('PUT', '/lib/_doc/1?routing=r', { n: 1 });
    const routing = async (path: string) => (await node.ask('GET', `/lib/_doc/1?routing=r&${path}`)).json._routing;
    expect(await routing('_source=false')).toBeUndefined();
    expect([await routing('_source=n'), await routing('stored_fields=n')]).toEqual(['r', 'r']);
    const docs = [{ _id: '1', routing: 'r', _source: false }];
    expect((await node.ask('POST', '/lib/_mget', { docs })).json.docs[0]._routing).toBeUndefined();
  });

  test('several documents at once', async () => {
    await node.ask('PUT', '/lib/_doc/1', { title: 'a', n: 1 });
    const answer = await node.ask('GET', '/lib/_mget', { ids: ['1', 'none'] });
    expect(answer.text).toBe(
      '{"docs":[{"_index":"lib","_id":"1","_version":1,"_seq_no":0,"_primary_term":1,"found":true,"_source":{"title":"a","n":1}},{"_index":"lib","_id":"none","found":false}]}',
    );
    const docs = [
      { _index: 'lib', _id: '1', _source: ['n'] },
      { _index: 'nothere', _id: '1' },
    ];
    const mixed = await node.ask('POST', '/_mget', { docs });
    expect(mixed.json.docs[0]._source).toEqual({ n: 1 });
    expect(mixed.json.docs[1].error.type).toBe('index_not_found_exception');
    expect((await node.ask('POST', '/_mget', { docs: [] })).json.error.reason).toBe(
      'Validation Failed: 1: no documents to get;',
    );
  });
  test('_source parameters cut documents', async () => {
    await node.ask('PUT', '/lib/_doc/1', { title: 'a', n: 1 });
    expect((await node.ask('GET', '/lib/_doc/1?_source=false')).json._source).toBeUndefined();
    expect((await node.ask('GET', '/lib/_doc/1?_source_excludes=title')).json._source).toEqual({ n: 1 });
    expect((await node.ask('GET', '/lib/_source/1?_source=title')).text).toBe('{"title":"a"}');
  });
});

describe('writes', () => {
  test('create a missing index once, whatever the number of documents', async () => {
    const body = lines({ index: { _index: 'fresh' } }, { n: 1 }, { index: { _index: 'fresh' } }, { n: 2 });
    const answer = await node.ask('POST', '/_bulk', body);
    expect(answer.json.errors).toBe(false);
    expect(answer.json.items[0].index._id).toMatch(/^[\w-]{20}$/);
    expect(node.cluster.state().metadata.indices.has('fresh')).toBe(true);
    expect(node.cluster.sent).toHaveLength(1);
  });
  test('fail one by one when their index cannot be', async () => {
    const body = lines(
      { index: { _index: 'Bad', _id: '1' } },
      { n: 1 },
      { index: { _index: 'lib', _id: '1' } },
      { n: 2 },
    );
    const answer = await node.ask('POST', '/_bulk', body);
    expect(answer.json.items[0].index.error.reason).toBe('Invalid index name [Bad], must be lowercase');
    expect(answer.json.items[1].index.status).toBe(201);
  });
  test('do not create what the node may not, or what must be an alias', async () => {
    const strict = testNode({ indices: [], nodeSettings: { 'action.auto_create_index': 'false' } });
    const refused = await strict.ask('PUT', '/fresh/_doc/1', {});
    expect([refused.status, refused.json.error.reason]).toEqual([
      404,
      'no such index [fresh] and [action.auto_create_index] is [false]',
    ]);
    const alias = await node.ask('PUT', '/lib/_doc/1?require_alias=true', {});
    expect(alias.json.error.reason).toBe(
      'no such index [lib] and [require_alias] request flag is [true] and [lib] is not an alias',
    );
    const reason =
      'no such index [lib] and [require_data_stream] request flag is [true] and [lib] is not a data stream';
    const stream = await node.ask('POST', '/lib/_doc?require_data_stream=true', {});
    expect([stream.status, stream.json.error.reason]).toEqual([404, reason]);
    const lined = lines({ index: { require_data_stream: true } }, {}, { create: { _id: '9' } }, {});
    const { items } = (await node.ask('POST', '/lib/_bulk', lined)).json;
    expect([items[0].index.error.reason, items[1].create.status]).toEqual([reason, 201]);
    const all = await node.ask('POST', '/lib/_bulk?require_data_stream=true', lines({ create: { _id: '8' } }, {}));
    expect(all.json.items[0].create.error.reason).toBe(reason);
  });
  test('go through the write index of an alias, with its routing', async () => {
    const routed = testNode({ indices: [indexOf('a', { shards: 3, aliases: [aliasOf('w', { indexRouting: 'x' })] })] });
    await routed.ask('PUT', '/w/_doc/1', { n: 1 });
    const got = await routed.ask('GET', '/a/_doc/1?routing=x');
    expect([got.json._index, got.json._routing]).toEqual(['a', 'x']);
  });
  test('with a pipeline fail alone in a bulk, whoever names it', async () => {
    const node = testNode({
      indices: [
        indexOf('lib'),
        indexOf('usual', { settings: { 'index.default_pipeline': 'p' } }),
        indexOf('final', { settings: { 'index.final_pipeline': 'f' } }),
      ],
    });
    const write = (index: string, more: object = {}) => [{ index: { _index: index, _id: '1', ...more } }, { a: 1 }];
    const bulk = lines(
      ...write('lib'),
      ...write('lib', { pipeline: 'q' }),
      ...write('usual'),
      ...write('usual', { pipeline: '_none' }),
      ...write('final', { pipeline: '_none' }),
      { update: { _index: 'usual', _id: '1' } },
      { doc: { b: 1 } },
      { update: { _index: 'usual', _id: '2' } },
      { doc: { b: 1 }, doc_as_upsert: true },
    );
    const { json } = await node.ask('POST', '/_bulk', bulk);
    const shown = json.items.map((item: Record<string, { status: number; error?: { reason: string } }>) => {
      const [result] = Object.values(item);
      return result?.error?.reason ?? result?.status;
    });
    const missing = (name: string) => `pipeline with id [${name}] does not exist`;
    expect(shown).toEqual([201, missing('q'), missing('p'), 201, missing('f'), 200, missing('p')]);
    expect((await node.ask('PUT', '/usual/_doc/3', {})).json.error.reason).toBe(missing('p'));
    const all = await node.ask(
      'POST',
      '/_bulk?pipeline=r',
      lines(...write('lib'), { delete: { _index: 'lib', _id: '1' } }),
    );
    expect([all.json.items[0].index.status, all.json.items[1].delete.status]).toEqual([400, 200]);
  });

  test('refuse pipelines, oversized documents and conditions that do not go together', async () => {
    expect((await node.ask('PUT', '/lib/_doc/1?pipeline=p', {})).json.error.reason).toBe(
      'pipeline with id [p] does not exist',
    );
    const small = testNode({ indices: [indexOf('lib')] }, { documentBytesMax: 100 });
    const large = await small.ask('PUT', '/lib/_doc/1', { text: 'x'.repeat(200) });
    expect([large.status, large.json.error.type]).toEqual([413, 'content_too_long_exception']);
    expect((await node.ask('PUT', '/lib/_doc/1?if_seq_no=3', {})).json.error.type).toBe(
      'action_request_validation_exception',
    );
    expect((await node.ask('PUT', '/lib/_doc/1?refresh=perhaps', {})).json.error.reason).toBe(
      'Unknown value for refresh: [perhaps].',
    );
    expect((await node.ask('PUT', '/lib/_doc/1')).status).toBe(400);
  });
  test('of one shard travel in requests of at most 8 MiB, in order', async () => {
    const parts: object[] = [];
    for (let i = 0; i < 10; i++) parts.push({ index: { _id: String(i % 2) } }, { i, text: 'x'.repeat(2 ** 20) });
    await node.ask('POST', '/lib/_bulk?refresh=true', lines(...parts));
    const batches = node.cluster.sent.map((sent) => sent.request as BulkShardRequest);
    expect(batches.map((batch) => [batch.operations.length, batch.refresh])).toEqual([
      [7, 'none'],
      [3, 'immediate'],
    ]);
    expect((await node.ask('GET', '/lib/_source/1?_source=i')).json).toEqual({ i: 9 });
  });
  test('wait for a primary, and go where it comes up', async () => {
    const nodes = [nodeOf('n1'), nodeOf('n2')];
    const lost = testNode({ indices: [indexOf('lib')], nodes, place: () => null });
    const write = lost.ask('PUT', '/lib/_doc/1', { n: 1 });
    lost.cluster.change({ place: () => 'n2' });
    expect((await write).status).toBe(201);
    expect(lost.cluster.sent.map((sent) => sent.nodeId)).toEqual(['n2']);
  });
  test('are refused when no primary comes up in time', async () => {
    const lost = testNode({ indices: [indexOf('lib')], place: () => null });
    const answer = await lost.ask('PUT', '/lib/_doc/1?timeout=20ms', { n: 1 });
    expect([answer.status, answer.json.error.reason]).toEqual([
      503,
      '[lib][0] primary shard is not active Timeout: [20ms], request: [BulkShardRequest [[lib][0]] containing [1] requests]',
    ]);
  });
  test('wait for a cluster manager, and are refused when none comes in time', async () => {
    const cut = testNode({ indices: [indexOf('lib')] });
    cut.cluster.lose();
    const refused = await cut.ask('PUT', '/lib/_doc/1?timeout=20ms', { n: 1 });
    expect([refused.status, refused.json.error.type, refused.json.error.reason]).toEqual([
      503,
      'cluster_block_exception',
      'blocked by: [SERVICE_UNAVAILABLE/2/no master];',
    ]);
    const write = cut.ask('PUT', '/lib/_doc/1', { n: 1 });
    cut.cluster.change({});
    expect((await write).status).toBe(201);
  });
  test('wait for a node that starts, but not for a block that somebody has to lift', async () => {
    const levels = ['read', 'write', 'metadata_write'] as const;
    const unknown = { id: 1, description: 'state not recovered / initialized', status: 503, levels };
    const lasting = { id: 6, description: 'cluster read-only (api)', status: 403, levels };
    const starting = testNode({ blocks: [unknown] });
    const write = starting.ask('PUT', '/lib/_doc/1', { n: 1 });
    starting.cluster.change({ blocks: [], indices: [indexOf('lib')] });
    expect((await write).status).toBe(201);
    starting.cluster.change({ blocks: [unknown, lasting], indices: [indexOf('lib')] });
    expect((await starting.ask('PUT', '/lib/_doc/1?timeout=1h', { n: 1 })).status).toBe(503);
  });
  test('wait for as many copies as they are told to', async () => {
    expect((await node.ask('PUT', '/lib/_doc/1?wait_for_active_shards=all', {})).status).toBe(201);
    const two = await node.ask('PUT', '/lib/_doc/1?wait_for_active_shards=2&timeout=10ms', {});
    expect(two.json.error.reason).toBe(
      '[lib][0] Not enough active copies to meet shard count of [2] (have 1, needed 2). Timeout: [10ms], request: [BulkShardRequest [[lib][0]] containing [1] requests]',
    );
  });
  test('are routed anew when a node knows better', async () => {
    const nodes = [nodeOf('n1'), nodeOf('n2')];
    const moving = testNode({ indices: [indexOf('lib')], nodes, place: () => 'n1' });
    moving.cluster.intercept = (sent) => {
      if (sent.nodeId !== 'n1') return;
      moving.cluster.change({ place: () => 'n2' });
      throw new ShoalError('shard_not_found_exception', 404, 'no such shard');
    };
    expect((await moving.ask('PUT', '/lib/_doc/1', { n: 1 })).status).toBe(201);
    expect(moving.cluster.sent.map((sent) => [sent.nodeId, sent.target.stateVersion])).toEqual([
      ['n1', 1],
      ['n2', 2],
    ]);
    expect(moving.cluster.sent[0]?.action).toBe(BULK_SHARD.name);
  });
  test('whose time is up before the primary is found may have been done: the answer does not say that they were not', async () => {
    const lost = testNode({ indices: [indexOf('lib')], nodes: [nodeOf('n1')], place: () => 'n1' });
    lost.cluster.intercept = () => {
      throw new ShoalError('shard_not_found_exception', 404, 'no such shard');
    };
    const answer = await lost.ask('PUT', '/lib/_doc/1?timeout=10ms', { n: 1 });
    expect(answer.status).toBe(503);
    expect(answer.json.error).toMatchObject({
      type: 'unavailable_shards_exception',
      caused_by: { type: 'shard_not_found_exception', reason: 'no such shard' },
    });
  });
  test('that may have got through the first time are not taken for new ones', async () => {
    let cut = false;
    node.cluster.intercept = () => {
      if (cut) return;
      cut = true;
      throw new ShoalError('node_disconnected_exception', 500, 'gone');
    };
    expect((await node.ask('POST', '/lib/_create/7', { n: 1 })).status).toBe(201);
    cut = false;
    expect((await node.ask('POST', '/lib/_doc', { n: 1 })).status).toBe(201);
    const operations = node.cluster.sent.flatMap((sent) => [...(sent.request as BulkShardRequest).operations]);
    expect(operations.map((operation) => operation.kind === 'index' && operation.isAutoId)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(new Set(operations.slice(2).map((operation) => operation.id)).size).toBe(1);
  });
  test('whose answer was lost are answered as they were executed, and not in conflict with themselves', async () => {
    const cut = testNode({ indices: [indexOf('lib')] });
    let losses = 0;
    const loseAnswer = (): void => {
      losses++;
      cut.cluster.answered = () => {};
      throw new ShoalError('node_disconnected_exception', 500, 'gone');
    };
    const ask = (method: string, path: string, body?: object) => {
      cut.cluster.answered = loseAnswer;
      return cut.ask(method, path, body);
    };
    const created = await ask('PUT', '/lib/_create/1', { n: 1 });
    expect([created.status, created.json.result, created.json._version]).toEqual([201, 'created', 1]);
    const updated = await ask('POST', '/lib/_update/1?if_seq_no=0&if_primary_term=1', { doc: { n: 2 } });
    expect([updated.status, updated.json.result, updated.json._version]).toEqual([200, 'updated', 2]);
    const deleted = await ask('DELETE', '/lib/_doc/1');
    expect([deleted.status, deleted.json.result]).toEqual([200, 'deleted']);
    expect(losses).toBe(3);
    expect((await cut.ask('DELETE', '/lib/_doc/1')).status).toBe(404);
  });
  test('are refused while the cluster is not formed', async () => {
    const levels = ['read', 'write', 'metadata_read', 'metadata_write'] as const;
    const block = { id: 1, description: 'state not recovered / initialized', status: 503, levels };
    const unformed = testNode({ blocks: [block] });
    const answer = await unformed.ask('PUT', '/lib/_doc/1?timeout=10ms', { n: 1 });
    expect([answer.status, answer.text]).toEqual([
      503,
      '{"error":{"root_cause":[{"type":"cluster_block_exception","reason":"blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];"}],"type":"cluster_block_exception","reason":"blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];"},"status":503}',
    ]);
    expect((await unformed.ask('GET', '/lib/_doc/1')).status).toBe(503);
  });
});

test.each([
  ['cannot be reached', 'node_not_connected_exception', '[n1] Node not connected'],
  ['does not answer in time', 'receive_timeout_transport_exception', '[n1] timed out after [30000ms]'],
])('a get whose node %s is 503 and says why', async (_, type, reason) => {
  node.cluster.intercept = () => {
    throw new ShoalError(type, 500, reason);
  };
  const answer = await node.ask('GET', '/lib/_doc/1');
  expect([answer.status, answer.json.error]).toMatchObject([
    503,
    {
      type: 'no_shard_available_action_exception',
      reason: 'No shard available for [get [lib][0]]',
      caused_by: { type, reason },
    },
  ]);
});

describe('an update answers with the document when asked to', () => {
  const updated = async (target: string, body: object, action: object = {}): Promise<unknown> => {
    await node.ask('PUT', '/lib/_doc/1', { foo: 'a', bar: 'b' });
    const bulk = await node.ask('POST', `/lib/_bulk${target}`, lines({ update: { _id: '1', ...action } }, body));
    return bulk.json.items[0].update.get?._source;
  };
  test('by parameter, in the action or in its body, whole or in part', async () => {
    const doc = { foo: 'c' };
    expect(await updated('', { doc })).toBeUndefined();
    expect(await updated('?_source=true', { doc })).toEqual({ foo: 'c', bar: 'b' });
    expect(await updated('?_source_includes=foo', { doc })).toEqual({ foo: 'c' });
    expect(await updated('', { doc }, { _source: { includes: 'bar' } })).toEqual({ bar: 'b' });
    expect(await updated('', { _source: ['bar'], doc })).toEqual({ bar: 'b' });
    expect(await updated('?_source=true', { _source: false, doc })).toBeUndefined();
  });
  test('also alone', async () => {
    await node.ask('PUT', '/lib/_doc/1', { foo: 'a', bar: 'b' });
    const answer = await node.ask('POST', '/lib/_update/1?_source=foo', { doc: { foo: 'c' } });
    expect(answer.json.get).toEqual({ _seq_no: 1, _primary_term: 1, found: true, _source: { foo: 'c' } });
  });
});

test('an empty id fails its document alone, a create has no versions', async () => {
  const answer = await node.ask('POST', '/lib/_bulk', lines({ index: { _id: '' } }, {}, { index: { _id: '2' } }, {}));
  expect(answer.json.items[0].index.error.reason).toBe('if _id is specified it must not be empty');
  expect(answer.json.items[1].index.status).toBe(201);
  expect((await node.ask('PUT', '/lib/_create/9?version=1&version_type=external', {})).json.error.reason).toBe(
    'Validation Failed: 1: create operations only support internal versioning. use index instead;',
  );
});

test('a large bulk is done in turns, and keeps the order and the outcome of each of its items', async () => {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  let turns = 0;
  const sched: Scheduler = {
    after: (ms, fn) => runtime.sched.after(ms, fn),
    soon: (fn) => {
      turns++;
      runtime.sched.soon(fn);
    },
  };
  const { ask } = testNode({ indices: [indexOf('lib')] }, {}, { ...runtime, sched });
  const count = 4_500;
  const small = await ask('POST', '/lib/_bulk', lines({ create: { _id: '7' } }, { n: 7 }));
  expect([small.json.errors, turns]).toEqual([false, 0]);
  const body = Array.from({ length: count }, (_, n) => [{ create: { _id: String(n) } }, { n }]).flat();
  const { json } = await ask('POST', '/lib/_bulk', lines(...body));
  // Reading, planning and printing, each at least once in a thousand items.
  expect(turns).toBeGreaterThanOrEqual(3 * Math.floor(count / 1_000));
  expect(json.items.map((item: { create: { _id: string } }) => item.create._id)).toEqual(
    Array.from({ length: count }, (_, n) => String(n)),
  );
  expect(
    json.items.flatMap((item: { create: { status: number } }, n: number) => (item.create.status === 201 ? [] : [n])),
  ).toEqual([7]);
});

describe('a version in an entry of _mget', () => {
  const get = async (entry: object) => {
    await node.ask('PUT', '/lib/_doc/1', { n: 1 });
    const { json } = await node.ask('POST', '/lib/_mget', { docs: [{ _id: '1', ...entry }] });
    return json.error?.reason ?? json.docs[0].error?.reason ?? json.docs[0].found;
  };
  test('is that of the document, or the entry alone has a conflict', async () => {
    expect(await get({ version: 1 })).toBe(true);
    expect(await get({ version: 2, version_type: 'external' })).toBe(true);
    expect(await get({ version: '7' })).toBe(
      '[1]: version conflict, current version [3] is different than the one provided [7]',
    );
    expect(await get({ _id: 'none', version: 7 })).toBe(false);
  });
  test('has a type that exists, as a get of one document', async () => {
    expect(await get({ version_type: 'nope' })).toBe('No version type match [nope]');
    expect((await node.ask('GET', '/lib/_doc/1?version=1&version_type=nope')).json.error.reason).toBe(
      'No version type match [nope]',
    );
  });
  test('stands under no other name', async () => {
    expect(await get({ _version: 1 })).toBe('failed to parse multi get request. unknown field [_version]');
    expect(await get({ fields: ['n'] })).toBe('Unsupported field [fields] used, expected [stored_fields] instead');
  });
});
