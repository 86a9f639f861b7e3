import { describe, expect, test } from 'vitest';
import { answering, RecordedCluster, twoIndices } from '../cluster/recorded-cluster.test-support.ts';
import { lib, NODE_ID } from '../cluster/recorded-state.test-support.ts';

describe('an index', () => {
  test('is created with the parts of its body', async () => {
    const cluster = new RecordedCluster();
    cluster.adminAnswer = { shardsAcknowledged: true, index: 'new' };
    const body = { settings: { number_of_shards: 2 }, aliases: { a: {} } };
    const answer = await cluster.ask('PUT', '/new?wait_for_active_shards=all&timeout=1s', body);
    expect(answer.text).toBe('{"acknowledged":true,"shards_acknowledged":true,"index":"new"}');
    const request = {
      index: 'new',
      ...body,
      mappings: {},
      waitForActiveShards: 'all',
      masterTimeoutMs: 30_000,
      timeoutMs: 1000,
      providedName: 'new',
    };
    expect(cluster.calls).toEqual([{ method: 'createIndex', request }]);
  });

  test.each([
    ['', null],
    ['?wait_for_active_shards=0', 0],
    ['?wait_for_active_shards=all', 'all'],
  ])('is waited for at its creation (%s) until %s copies are active', async (query, wanted) => {
    const cluster = new RecordedCluster();
    cluster.adminAnswer = { shardsAcknowledged: true, index: 'new' };
    await cluster.ask('PUT', `/new${query}`, {});
    expect(cluster.calls).toMatchObject([{ request: { waitForActiveShards: wanted } }]);
  });

  test.each([
    [{ nosuch: {} }, 'unknown key [nosuch] for create index'],
    [{ mappings: { _doc: {} } }, 'The mapping definition cannot be nested under a type [_doc]'],
    [[], 'request body is required to be a JSON object'],
  ])('is not created with %j', async (body, reason) => {
    const answer = await new RecordedCluster().ask('PUT', '/new', body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(reason);
  });

  test('shows aliases, mappings and settings', async () => {
    const answer = await new RecordedCluster(twoIndices).ask('GET', '/books?flat_settings&human');
    expect(answer.json).toMatchObject({
      lib: { aliases: { books: {} }, mappings: lib.mapping, settings: { 'index.number_of_shards': '1' } },
    });
    expect(answer.text).toContain('creation_date_string');
    expect((await new RecordedCluster(twoIndices).ask('GET', '/*?expand_wildcards=closed')).json).toHaveProperty(
      'shut',
    );
  });

  test('that is not there is 404', async () => {
    expect((await new RecordedCluster().ask('HEAD', '/lib')).status).toBe(200);
    expect((await new RecordedCluster().ask('HEAD', '/nothere')).status).toBe(404);
    expect((await new RecordedCluster().ask('GET', '/nothere')).json).toMatchObject({
      error: { type: 'index_not_found_exception', 'resource.id': 'nothere' },
    });
  });

  test.each(['/*', '/_all', '/li*,lib'])('is not deleted by %s unless the cluster allows it', async (path) => {
    const strict = await new RecordedCluster(twoIndices).ask('DELETE', path);
    expect(strict.json).toMatchObject({
      error: { type: 'illegal_argument_exception', reason: 'Wildcard expressions or all indices are not allowed' },
    });
    const persistentSettings = { 'action.destructive_requires_name': 'false' };
    const cluster = new RecordedCluster({ ...twoIndices, metadata: { ...twoIndices.metadata, persistentSettings } });
    expect((await cluster.ask('DELETE', path)).status).toBe(200);
    expect(cluster.calls[0]?.method).toBe('deleteIndices');
  });

  test('is not deleted by its alias', async () => {
    expect((await new RecordedCluster(twoIndices).ask('DELETE', '/books')).text).toContain('matches an alias');
  });

  test('is closed and opened', async () => {
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask('POST', '/lib/_close')).text).toBe(
      '{"acknowledged":true,"shards_acknowledged":true,"indices":{"lib":{"closed":true}}}',
    );
    expect((await cluster.ask('POST', '/_all/_open')).text).toBe('{"acknowledged":true,"shards_acknowledged":true}');
    expect(cluster.calls).toMatchObject([
      { request: { indices: ['lib'], state: 'close' } },
      { request: { indices: ['shut'], state: 'open' } },
    ]);
  });
});

describe('mappings and settings', () => {
  test('are shown by the index behind an alias', async () => {
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask('GET', '/books/_mapping')).json).toEqual({ lib: { mappings: lib.mapping } });
    expect((await cluster.ask('GET', '/lib/_settings/index.number_of_s*')).json).toEqual({
      lib: { settings: { index: { number_of_shards: '1' } } },
    });
    expect((await cluster.ask('GET', '/_mapping/field/tit*')).json).toMatchObject({ lib: { mappings: { title: {} } } });
  });

  test('are changed on concrete indices', async () => {
    const cluster = new RecordedCluster(twoIndices);
    await cluster.ask('PUT', '/_all/_mapping', { properties: { x: { type: 'long' } } });
    await cluster.ask('PUT', '/lib/_settings?preserve_existing', { settings: { number_of_replicas: 1 } });
    expect(cluster.calls).toMatchObject([
      { method: 'putMapping', request: { indices: ['lib', 'shut'], mapping: { properties: {} } } },
      {
        method: 'updateIndexSettings',
        request: { indices: ['lib'], settings: { number_of_replicas: 1 }, preserveExisting: true },
      },
    ]);
    expect((await cluster.ask('PUT', '/lib/_mapping', { _doc: {} })).text).toContain('Types cannot be provided');
  });
});

describe('aliases', () => {
  test('are listed, and missing ones are 404 with a text', async () => {
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask('GET', '/_alias/books')).json).toEqual({ lib: { aliases: { books: {} } } });
    expect((await cluster.ask('GET', '/lib/_alias/nosuch')).json).toEqual({
      error: 'alias [nosuch] missing',
      status: 404,
    });
    const answer = async (names: string) => (await cluster.ask('GET', `/_alias/${names}`)).json;
    expect(await answer('books,-books')).toEqual({ error: 'aliases [-books,books] missing', status: 404 });
    expect(await answer('b*,-books')).toEqual({});
    expect(await answer('-books,b*')).toEqual({
      error: 'alias [-books] missing',
      status: 404,
      lib: { aliases: { books: {} } },
    });
    expect(await answer('nosuch,-no*')).toEqual({});
    expect((await cluster.ask('HEAD', '/_alias/books')).status).toBe(200);
    expect((await cluster.ask('HEAD', '/_alias/no*')).status).toBe(404);
  });

  test.each([
    ['PUT', '/lib/_alias/a', (filter: unknown) => ({ filter })],
    ['POST', '/_aliases', (filter: unknown) => ({ actions: [{ add: { index: 'lib', alias: 'a', filter } }] })],
    ['PUT', '/new', (filter: unknown) => ({ aliases: { a: { filter } } })],
  ] as const)('with a filter that is no query are refused: %s %s', async (method, path, bodyOf) => {
    const cluster = new RecordedCluster(twoIndices);
    for (const filter of [{ nope: {} }, { term: 'x' }, { range: { x: { foo: 1 } } }]) {
      expect((await cluster.ask(method, path, bodyOf(filter))).json).toMatchObject({
        error: {
          type: 'illegal_argument_exception',
          reason: 'failed to parse filter for alias [a]',
          caused_by: { type: 'parsing_exception' },
        },
        status: 400,
      });
    }
    expect(cluster.calls).toEqual([]);
    await cluster.ask(method, path, bodyOf({ term: { x: 1 } }));
    expect(cluster.calls).toHaveLength(1);
  });

  test('with an empty filter have none', async () => {
    const cluster = new RecordedCluster(twoIndices);
    await cluster.ask('PUT', '/lib/_alias/a', { filter: {} });
    expect(cluster.calls.map((call) => call.request)).toMatchObject([{ actions: [{ alias: 'a', filter: null }] }]);
  });

  test('are added and removed on concrete indices', async () => {
    const cluster = new RecordedCluster(twoIndices);
    await cluster.ask('PUT', '/lib/_alias/a', { routing: 'r', is_write_index: 'true' });
    await cluster.ask('DELETE', '/*/_alias/b*');
    expect((await cluster.ask('DELETE', '/lib/_alias/nosuch')).json).toMatchObject({
      error: { type: 'aliases_not_found_exception', reason: 'aliases [nosuch] missing' },
    });
    await cluster.ask('POST', '/_aliases', {
      actions: [{ add: { indices: ['lib'], aliases: ['shut', 'd'] } }, { remove_index: { index: 'shut' } }],
    });
    expect(cluster.calls.map((call) => call.request)).toMatchObject([
      {
        actions: [{ kind: 'add', index: 'lib', alias: 'a', indexRouting: 'r', searchRouting: 'r', isWriteIndex: true }],
      },
      { actions: [{ kind: 'remove', index: 'lib', alias: 'books' }] },
      { actions: [{ kind: 'remove_index', index: 'shut' }, { alias: 'shut' }, { alias: 'd' }] },
    ]);
  });
});

describe('an alias is added', () => {
  test.each([
    ['PUT', '/lib/_alias', { alias: 'a' }],
    ['PUT', '/lib/_aliases', { alias: 'a' }],
    ['PUT', '/lib/_alias/other', { alias: 'a' }],
    ['PUT', '/_alias/a', { index: 'lib' }],
    ['POST', '/_aliases/a', { index: ['lib'] }],
    ['PUT', '/_alias', { index: 'lib', alias: 'a' }],
    ['PUT', '/shut/_alias', { index: 'lib', alias: 'a' }],
    ['POST', '/_alias/a?index=lib', {}],
  ])('by %s %s with %j', async (method, path, body) => {
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask(method, path, { ...body, routing: 'r' })).status).toBe(200);
    expect(cluster.calls).toMatchObject([
      { request: { actions: [{ kind: 'add', index: 'lib', alias: 'a', indexRouting: 'r' }] } },
    ]);
  });

  test.each([
    ['/lib/_alias', {}, "[alias] can't be empty string"],
    ['/_alias/a', {}, "[indices] can't be empty"],
    ['/_alias', { index: '', alias: 'a' }, "[indices] can't be empty"],
    ['/_alias', {}, "[indices] can't be empty"],
  ])('not by PUT %s with %j', async (path, body, reason) => {
    const cluster = new RecordedCluster(twoIndices);
    const answer = await cluster.ask('PUT', path, body);
    expect(answer.json).toMatchObject({ status: 400, error: { type: 'illegal_argument_exception', reason } });
    expect(cluster.calls).toEqual([]);
  });
});

describe('POST _aliases', () => {
  const gone = { remove: { index: 'lib', alias: 'gone' } };
  const more = { remove: { index: 'lib', aliases: ['more', 'm*'] } };
  const add = { add: { index: 'lib', alias: 'a' } };
  const added = { kind: 'add', index: 'lib', alias: 'a' };

  test.each([
    ['an action that works', [gone, add], [added]],
    ['several of them', [gone, more, add], [added]],
    ['a name that is there', [{ remove: { index: 'lib', aliases: ['gone', 'books'] } }], [{ kind: 'remove' }]],
    ['an index that goes', [gone, { remove_index: { index: 'shut' } }], [{ kind: 'remove_index' }]],
  ])('passes over the removal of an alias that is not there beside %s', async (_name, actions, expected) => {
    const cluster = new RecordedCluster(twoIndices);
    expect(await cluster.ask('POST', '/_aliases', { actions })).toMatchObject({ status: 200 });
    expect(cluster.calls).toMatchObject([{ request: { actions: expected } }]);
  });

  test.each([
    [[gone], 'aliases [gone] missing', 'gone'],
    [[gone, more], 'aliases [gone, more, m*] missing', ['gone', 'more', 'm*']],
    [[add, { remove: { index: 'lib', alias: 'gone', must_exist: true } }], 'aliases [gone] missing', 'gone'],
  ])('is refused whole when %j can do nothing', async (actions, reason, id) => {
    const cluster = new RecordedCluster(twoIndices);
    const answer = await cluster.ask('POST', '/_aliases', { actions });
    const error = { type: 'aliases_not_found_exception', reason, 'resource.id': id, 'resource.type': 'aliases' };
    expect(answer.json).toMatchObject({ status: 404, error });
    expect(cluster.calls).toEqual([]);
  });

  test('acknowledges removals that need not find anything', async () => {
    const optional = { remove: { index: 'lib', alias: 'gone', must_exist: false } };
    const cluster = new RecordedCluster(twoIndices);
    expect((await cluster.ask('POST', '/_aliases', { actions: [optional, gone] })).status).toBe(200);
    expect(cluster.calls).toEqual([]);
  });
});

describe('_resolve/index', () => {
  const books = { name: 'books', indices: ['lib'] };
  const open = { name: 'lib', aliases: ['books'], attributes: ['open'] };
  const shut = { name: 'shut', attributes: ['closed'] };
  test.each([
    ['*', [open], [books]],
    ['books', [], [books]],
    ['shut,lib', [open, shut], []],
    ['*?expand_wildcards=all', [open, shut], [books]],
    ['*,-b*', [open], []],
    ['nosuch*', [], []],
    ['lib,nosuch?ignore_unavailable', [open], []],
  ])('%s names indices and aliases as themselves', async (expression, indices, aliases) => {
    const answer = await new RecordedCluster(twoIndices).ask('GET', `/_resolve/index/${expression}`);
    expect(answer.json).toEqual({ indices, aliases, data_streams: [] });
  });

  test('a name that nothing has is 404', async () => {
    expect((await new RecordedCluster(twoIndices).ask('GET', '/_resolve/index/nosuch')).status).toBe(404);
  });
});

describe('shards of an index', () => {
  test('are refreshed and flushed where they are', async () => {
    const cluster = answering();
    expect((await cluster.ask('POST', '/lib/_refresh')).text).toBe('{"_shards":{"total":1,"successful":1,"failed":0}}');
    expect((await cluster.ask('GET', '/_flush?force&wait_if_ongoing=false')).text).toContain(
      'wait_if_ongoing must be true for a force flush',
    );
    expect((await cluster.ask('POST', '/bla*/_refresh')).json).toEqual({
      _shards: { total: 0, successful: 0, failed: 0 },
    });
  });

  test('that cannot be reached are counted as failed, with the reason', async () => {
    expect((await new RecordedCluster().ask('POST', '/lib/_refresh')).json).toMatchObject({
      _shards: {
        total: 1,
        successful: 0,
        failed: 1,
        failures: [{ shard: 0, index: 'lib', node: NODE_ID, status: 'SERVICE_UNAVAILABLE' }],
      },
    });
  });

  test('have statistics', async () => {
    const answer = await answering().ask('GET', '/lib/_stats/docs,merge?level=shards');
    expect(answer.json).toMatchObject({
      _shards: { total: 1, successful: 1, failed: 0 },
      _all: { total: { docs: { count: 3, deleted: 5 }, merges: {} } },
      indices: { lib: { shards: { 0: [{ routing: { primary: true, node: NODE_ID } }] } } },
    });
  });
});

describe('_analyze', () => {
  const token = { token: 'a', start_offset: 0, end_offset: 1, type: 'word', position: 0 };

  test('shows the tokens that a data node makes', async () => {
    const cluster = new RecordedCluster();
    const requests: unknown[] = [];
    cluster.answers = {
      'indices:admin/analyze': (request) => {
        requests.push(request);
        return { body: { tokens: [token] } };
      },
    };
    const body = { tokenizer: 'whitespace', filter: ['lowercase', { type: 'stop' }], text: 'A' };
    expect((await cluster.ask('GET', '/lib/_analyze', body)).text).toBe(
      '{"tokens":[{"token":"a","start_offset":0,"end_offset":1,"type":"word","position":0}]}',
    );
    const wanted = { index: 'lib', tokenizer: 'whitespace', filters: body.filter, text: ['A'], explain: false };
    expect(requests).toMatchObject([wanted]);
  });

  test('wants a text and an index that is there', async () => {
    const cluster = new RecordedCluster();
    expect((await cluster.ask('GET', '/_analyze', {})).text).toContain('text is missing');
    expect((await cluster.ask('GET', '/nothere/_analyze', { text: 'a' })).status).toBe(404);
    expect((await cluster.ask('GET', '/_analyze', { text: 'a', nosuch: 1 })).status).toBe(400);
  });

  test('explains with the attributes asked for', async () => {
    const cluster = new RecordedCluster();
    const step = { name: 'whitespace', tokens: [{ ...token, bytes: '[61]', positionLength: 1, termFrequency: 1 }] };
    const detail = { custom_analyzer: true, charfilters: [], tokenizer: step, tokenfilters: [step] };
    cluster.answers = { 'indices:admin/analyze': () => ({ body: { detail } }) };
    const body = { tokenizer: 'whitespace', text: ['a'], explain: true };
    expect((await cluster.ask('POST', '/_analyze', body)).json).toEqual({ detail });
    const narrow = { name: 'whitespace', tokens: [{ ...token, bytes: '[61]' }] };
    expect((await cluster.ask('POST', '/_analyze', { ...body, attributes: ['bytes'] })).json).toEqual({
      detail: { ...detail, tokenizer: narrow, tokenfilters: [narrow] },
    });
  });
});

test.each([
  ['GET', '/lib'],
  ['HEAD', '/lib'],
  ['GET', '/_mapping'],
  ['GET', '/lib/_mapping/field/title'],
  ['GET', '/_settings'],
  ['GET', '/_alias/books'],
  ['HEAD', '/lib/_alias/books'],
  ['GET', '/_stats'],
  ['GET', '/_cat/indices'],
  ['GET', '/_cat/aliases'],
  ['GET', '/_cat/shards'],
])('%s %s does not show the metadata of an index with blocks.metadata', async (method, path) => {
  const levels = ['metadata_read', 'metadata_write'] as const;
  const block = { id: 9, description: 'index metadata (api)', status: 403, levels };
  const indices = new Map([['lib', [block]]]);
  const cluster = new RecordedCluster({ ...twoIndices, blocks: { ...twoIndices.blocks, indices } });
  const answer = await cluster.ask(method, path);
  expect(answer.status).toBe(403);
  if (method === 'GET') {
    expect(answer.text).toContain('"index [lib] blocked by: [FORBIDDEN/9/index metadata (api)];"');
  }
});

test.each(['/_index_template/x', '/_component_template/x', '/_template/x*'])(
  'HEAD %s says that there is no such template',
  async (path) => {
    const answer = await new RecordedCluster().ask('HEAD', path);
    expect([answer.status, answer.text]).toEqual([404, '']);
  },
);

test.each([
  ['GET', '/_sql'],
  ['POST', '/_sql?format=json'],
  ['POST', '/_query'],
  ['DELETE', '/_ml'],
  ['GET', '/_ml/anomaly_detectors'],
  ['GET', '/_watcher/stats'],
  ['GET', '/_dangling'],
  ['POST', '/_dangling/abc?accept_data_loss=true'],
  ['GET', '/_transform'],
])('%s %s says that there is no such API, not that an index is named so', async (method, path) => {
  const answer = await new RecordedCluster().ask(method, path);
  expect([answer.status, answer.json]).toEqual([
    400,
    { error: `no handler found for uri [${path}] and method [${method}]` },
  ]);
});
