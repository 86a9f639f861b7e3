import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

/** Answers of a server that is asked instead of a cluster; the rest of its requests is refused. */
interface Scripted {
  readonly server: Server;
  readonly host: string;
  readonly asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
}

const page = (ids: readonly number[], sources: readonly string[] = []): string => {
  const hits = ids.map(
    (id, i) => `{"_index":"far","_id":"${id}","_version":1,"_source":${sources[i] ?? `{"n":${id}}`}}`,
  );
  return `{"_scroll_id":"s1","timed_out":false,"_shards":{"failures":[]},"hits":{"total":2,"hits":[${hits}]}}`;
};

async function scripted(answers: readonly (readonly [status: number, body: string])[]): Promise<Scripted> {
  const asked: Scripted['asked'][number][] = [];
  const left = [...answers];
  const server = createServer((request, response) => {
    asked.push({ url: `${request.method} ${request.url}`, headers: request.headers });
    request.resume();
    const [status, body] = left.shift() ?? [404, ''];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { server, host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const servers: Server[] = [];
const [near, far] = [new TestCluster(), new TestCluster()];
let here: TestNode;
let there: TestNode;

beforeAll(async () => {
  here = await near.start('near', { settings: { 'reindex.remote.whitelist': '127.0.0.1:*' } });
  there = await far.start('far');
});
afterAll(async () => {
  for (const server of servers) server.close();
  await Promise.all([near.close(), far.close()]);
});

const reindexFrom = (remote: object, rest: object = {}, query = '') =>
  call(here, 'POST', `/_reindex?refresh${query}`, {
    source: { remote, index: 'far', ...rest },
    dest: { index: 'copy' },
  });

describe('documents of another cluster', () => {
  test('are copied page by page, as they were written, as far as its query finds them', async () => {
    const lines = Array.from({ length: 25 }, (_, n) => [
      `{"index":{"_id":"${n}","routing":"r${n}"}}`,
      `{"n":${n}.0,"big":9007199254740993}`,
    ]);
    await call(there, 'POST', '/far/_bulk?refresh', `${lines.flat().join('\n')}\n`);
    const { host, port } = there.node.httpAddress ?? { host: '', port: 0 };
    const remote = { host: `http://${host}:${port}` };
    const answer = await reindexFrom(remote, { size: 4, query: { range: { n: { lt: 18 } } } });
    expect(answer.body).toMatchObject({ total: 18, created: 18, batches: 5, failures: [] });
    const found = await fetch(`http://127.0.0.1:${here.node.httpAddress?.port}/copy/_doc/7?routing=r7`);
    expect(await found.text()).toContain('"_source":{"n":7.0,"big":9007199254740993}');
    expect((await call(there, 'GET', '/_nodes/stats/indices/search')).body.nodes).toSatisfy((nodes: object) =>
      Object.values(nodes).every((node) => node.indices.search.scroll_current === 0),
    );
  });

  test('are asked for with the credentials and headers that were given, again after a refusal', async () => {
    const { host, asked } = await scripted([
      [429, ''],
      [200, page([1, 2])],
      [200, page([])],
      [200, '{}'],
    ]);
    const remote = { host: `${host}/es`, username: 'me', password: 'secret', headers: { 'X-Team': 'search' } };
    const answer = await reindexFrom(remote);
    expect(answer.body).toMatchObject({ total: 2, retries: { search: 1 }, failures: [] });
    expect(asked.map(({ url }) => url)).toEqual([
      'POST /es/far/_search?scroll=300000ms',
      'POST /es/far/_search?scroll=300000ms',
      expect.stringMatching('POST /es/_search/scroll'),
      'DELETE /es/_search/scroll',
    ]);
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(asked[0]?.headers).toMatchObject({ authorization: basic, 'x-team': 'search' });
  });

  test.each([
    [400, '{"error":"bad"}', 400, 'body={"error":"bad"}'],
    [200, '<html>', 500, 'remote is likely not an Elasticsearch instance'],
    [200, '{"hits":{"hits":[{"_id":1}]},"_scroll_id":"s"}', 500, 'a hit has no [_index]'],
  ])('that answers %i %s fail the request with %i', async (status, body, shown, reason) => {
    const { host } = await scripted([[status, body]]);
    const answer = await reindexFrom({ host });
    expect([answer.status, answer.body.error.reason]).toEqual([shown, expect.stringContaining(reason)]);
  });

  test('are not waited for longer than the time limits of a connection', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await reindexFrom({ host, socket_timeout: '50ms' });
    expect([answer.status, answer.body.error.reason]).toEqual([500, expect.stringContaining('did not answer')]);
    server.closeAllConnections();
  });
});

describe('another cluster', () => {
  const host = 'http://127.0.0.1:9';
  test.each([
    [{}, '', '[host] must be specified to reindex from a remote cluster'],
    [{ host: '127.0.0.1:9' }, '', '[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])?'],
    [{ host: 'ftp://127.0.0.1:9' }, '', 'no address of HTTP'],
    [{ host: 'http://127.0.0.1@evil:9' }, '', 'no address of HTTP'],
    [{ host, user: 'me' }, '', 'Unsupported fields in [remote]: [user]'],
    [{ host, headers: { a: 1 } }, '', 'Expected [headers] to be an object containing strings'],
    [{ host, headers: { a: 'b\nc: d' } }, '', '[headers] has no valid header [a]'],
    [{ host, socket_timeout: 'soon' }, '', 'socket_timeout'],
    [{ host }, '&slices=2', "reindex from remote sources doesn't support slices > 1 but was [2]"],
    [{ host }, '&slices=auto', "reindex from remote sources doesn't support slices > 1 but was [0]"],
    [{ host: 'http://localhost:9' }, '', '[localhost:9] not whitelisted in reindex.remote.whitelist'],
  ])('%j%s is refused', async (remote, query, reason) => {
    const { status, body } = await reindexFrom(remote, {}, query);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(reason)]);
  });
});
