import { Client, errors } from '@elastic/elasticsearch';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ShoalNode } from '../start/shoal-node.ts';
import { startShoal } from '../start/start-shoal.ts';

const nodes: ShoalNode[] = [];

async function start(): Promise<ShoalNode> {
  const node = await startShoal();
  nodes.push(node);
  return node;
}

async function ask(node: ShoalNode, method: string, path: string, body?: Record<string, unknown> | string) {
  const answer = await node.fetch(path, { method, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

describe('a fault', () => {
  test('is met by as many requests as it is for', async () => {
    const node = await start();
    const armed = node.faults.next(2, { kind: 'status', status: 429 });
    expect(await ask(node, 'GET', '/')).toMatchObject({
      status: 429,
      body: { error: { type: 'es_rejected_execution_exception' }, status: 429 },
    });
    expect(armed.left).toBe(1);
    expect((await ask(node, 'GET', '/')).status).toBe(429);
    expect((await ask(node, 'GET', '/')).status).toBe(200);
    expect(armed.left).toBe(0);
  });

  test('waits for a request that it is for', async () => {
    const node = await start();
    node.faults.next(1, { kind: 'status', status: 503 }, { method: 'put', path: '/books/*' });
    expect((await ask(node, 'GET', '/')).status).toBe(200);
    expect((await ask(node, 'PUT', '/books')).status).toBe(200);
    expect((await ask(node, 'PUT', '/books/_doc/1', {})).status).toBe(503);
    expect((await ask(node, 'GET', '/books/_doc/1')).status).toBe(404);
  });

  test('can be taken back', async () => {
    const node = await start();
    node.faults.next(Number.POSITIVE_INFINITY, { kind: 'status', status: 500 });
    expect((await ask(node, 'GET', '/')).status).toBe(500);
    node.faults.clear();
    expect((await ask(node, 'GET', '/')).status).toBe(200);
    node.faults.next(1, { kind: 'status', status: 500 }).cancel();
    expect((await ask(node, 'GET', '/')).status).toBe(200);
  });

  test.each([
    [{ kind: 'status', status: 200 } as const, 'from 400 to 599'],
    [{ kind: 'status', status: 418 } as const, 'needs the type'],
    [{ kind: 'delay', ms: -1 } as const, 'a delay of [-1] ms'],
  ])('that cannot be is refused at once: %j', async (fault, reason) => {
    const node = await start();
    expect(() => node.faults.next(1, fault)).toThrow(reason);
    expect(() => node.faults.next(0, { kind: 'cut' })).toThrow('at least one');
  });
});

describe('a lost answer', () => {
  test.each([
    [false, 404],
    [true, 200],
  ])('of a request that was carried out (%s)', async (isDone, status) => {
    const node = await start();
    node.faults.next(1, { kind: 'cut', isDone }, { method: 'PUT' });
    await expect(ask(node, 'PUT', '/books/_doc/1', {})).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect((await ask(node, 'GET', '/books/_doc/1')).status).toBe(status);
  });

  test('through a socket is a broken connection, which clients try again', async () => {
    const node = await start();
    const client = new Client({ node: node.url, maxRetries: 2 });
    node.faults.next(2, { kind: 'cut' }, { path: '/_cat/*' });
    expect(await client.cat.count({ format: 'json' })).toMatchObject([{ count: '0' }]);
    node.faults.next(3, { kind: 'cut' });
    await expect(client.info()).rejects.toBeInstanceOf(errors.ConnectionError);
    await client.close();
  });

  test('can be waited for until the client has enough', async () => {
    const node = await start();
    node.faults.next(2, { kind: 'timeout' });
    await expect(node.fetch('/', { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' });
    const waiting = node.fetch('/');
    await node.close();
    await expect(waiting).rejects.toThrow('fetch failed');
  });

  test('after its work: who tries again sees that it was done', async () => {
    const node = await start();
    node.faults.next(1, { kind: 'timeout', isDone: true }, { path: '*/_create/*' });
    const enough = new AbortController();
    const waiting = node.fetch('/books/_create/1', { method: 'PUT', body: {}, signal: enough.signal });
    const isThere = async () => (await ask(node, 'GET', '/books/_doc/1')).status === 200;
    await vi.waitUntil(isThere, { timeout: 60_000, interval: 20 });
    enough.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect((await ask(node, 'PUT', '/books/_create/1', {})).status).toBe(409);
  });
});

describe('a conflict', () => {
  test('meets writes of documents alone', async () => {
    const node = await start();
    node.faults.next(1, { kind: 'conflict' });
    expect((await ask(node, 'GET', '/')).status).toBe(200);
    expect((await ask(node, 'POST', '/_search')).status).toBe(200);
    expect(await ask(node, 'PUT', '/books/_doc/a%2Fb', {})).toMatchObject({
      status: 409,
      body: {
        error: {
          type: 'version_conflict_engine_exception',
          index: 'books',
          reason: expect.stringMatching(/^\[a\/b\]: /),
        },
      },
    });
    expect((await ask(node, 'GET', '/books')).status).toBe(404);
  });

  test('of bulk items leaves the others to be done', async () => {
    const node = await start();
    node.faults.next(1, { kind: 'conflict', items: [1] });
    const lines = [
      { index: { _id: 'a' } },
      { n: 1 },
      { delete: { _id: 'b' } },
      { create: { _index: 'other', _id: 'c' } },
      {},
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const answer = await ask(node, 'POST', '/books/_bulk?refresh=true', body);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        errors: true,
        items: [
          { index: { _index: 'books', _id: 'a', status: 201 } },
          { delete: { _index: 'books', _id: 'b', status: 409, error: { type: 'version_conflict_engine_exception' } } },
          { create: { _index: 'other', _id: 'c', status: 201 } },
        ],
      },
    });
  });

  test('of all bulk items does nothing', async () => {
    const node = await start();
    node.faults.next(1, { kind: 'conflict' });
    const answer = await ask(node, 'POST', '/_bulk', '{"index":{"_index":"books","_id":"1"}}\n{}\n');
    expect(answer.body).toMatchObject({ errors: true, items: [{ index: { status: 409 } }] });
    expect((await ask(node, 'GET', '/books')).status).toBe(404);
  });
});

test('the helper of the official client tries again what a bulk request refused in part', async () => {
  const node = await start();
  const client = new Client({ node: node.url });
  const armed = node.faults.next(1, { kind: 'status', status: 429, items: [0, 2] });
  const datasource = Array.from({ length: 4 }, (_, n) => ({ n }));
  const result = await client.helpers.bulk({
    datasource,
    onDocument: ({ n }) => ({ index: { _index: 'books', _id: String(n) } }),
    wait: 1,
    refreshOnCompletion: true,
  });
  expect([result.successful, result.failed, armed.left]).toEqual([4, 0, 0]);
  expect(node.requests.filter(({ path }) => path === '/_bulk').map(({ body }) => (body as unknown[]).length)).toEqual([
    8, 4,
  ]);
  expect(await client.count({ index: 'books' })).toMatchObject({ count: 4 });
  await client.close();
});

describe('a shard that fails', () => {
  test('is missing in the answer, and told', async () => {
    const node = await start();
    await ask(node, 'PUT', '/books', { settings: { number_of_shards: 3 } });
    for (let id = 0; id < 30; id++) await ask(node, 'PUT', `/books/_doc/${id}`, {});
    await ask(node, 'POST', '/books/_refresh');
    node.faults.next(2, { kind: 'shardFailure', index: 'books', shard: 1, reason: 'no luck' });
    const part = await ask(node, 'POST', '/books/_search?size=0');
    expect(part).toMatchObject({
      status: 200,
      body: {
        _shards: {
          total: 3,
          successful: 2,
          failed: 1,
          failures: [{ shard: 1, index: 'books', reason: { reason: 'no luck' } }],
        },
      },
    });
    const { value } = (part.body as { hits: { total: { value: number } } }).hits.total;
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(30);
    expect((await ask(node, 'POST', '/books/_search?allow_partial_search_results=false')).status).toBe(500);
    expect((await ask(node, 'POST', '/books/_search')).body).toMatchObject({ hits: { total: { value: 30 } } });
  });
});

test('a delay passes by the clock of the node', async () => {
  const node = await start();
  node.faults.next(1, { kind: 'delay', ms: 3_600_000 });
  let isAnswered = false;
  const answer = node.fetch('/').then(({ status }) => {
    isAnswered = true;
    return status;
  });
  await node.clock.advance('59m');
  expect(isAnswered).toBe(false);
  await node.clock.advance('1m');
  expect(await answer).toBe(200);
});
