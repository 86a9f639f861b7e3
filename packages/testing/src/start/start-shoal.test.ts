import { connect, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ShoalNode } from './shoal-node.ts';
import { type StartOptions, startShoal } from './start-shoal.ts';

const listen = vi.spyOn(Server.prototype, 'listen');
const nodes: ShoalNode[] = [];

async function start(options: StartOptions = {}): Promise<ShoalNode> {
  const node = await startShoal(options);
  nodes.push(node);
  return node;
}

afterEach(async () => {
  listen.mockClear();
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

describe('a node in a test', () => {
  test('answers without a socket', async () => {
    const node = await start();
    const put = await node.fetch('/books/_doc/1?refresh=true', { method: 'PUT', body: { title: 'Emma' } });
    expect([put.status, put.headers.get('x-elastic-product')]).toEqual([201, 'Elasticsearch']);
    const found = await node.fetch('/books/_search', { method: 'POST', body: '{"query":{"match":{"title":"emma"}}}' });
    expect(await found.json()).toMatchObject({ hits: { total: { value: 1 }, hits: [{ _id: '1' }] } });
    expect(listen).not.toHaveBeenCalled();
  });

  test('listens on loopback alone, and only when it is asked where', async () => {
    const node = await start();
    const { url } = node;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(node.url).toBe(url);
    expect(listen).toHaveBeenCalledTimes(1);
    expect(await (await fetch(url)).json()).toMatchObject({ tagline: 'You Know, for Search' });
    const beyond = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter((at) => !at.internal && at.family === 'IPv4');
    for (const { address } of beyond) expect(await canConnect(address, Number(new URL(url).port))).toBe(false);
    await node.close();
    expect(await canConnect('127.0.0.1', Number(new URL(url).port))).toBe(false);
  });

  test('tells its address of HTTP once it has one', async () => {
    const node = await start();
    const told = async (): Promise<readonly unknown[]> => {
      const { nodes } = await (await node.fetch('/_nodes/http')).json();
      const { nodes: counted } = await (await node.fetch('/_nodes/stats/http')).json();
      const [info] = Object.values<{ http?: { publish_address: string } }>(nodes);
      const [stats] = Object.values<{ http?: { current_open: number } }>(counted);
      const table = await (await node.fetch('/_cat/nodes?h=http')).text();
      return [info?.http?.publish_address, stats?.http?.current_open, table.trim()];
    };
    expect(await told()).toEqual([undefined, undefined, '']);
    const address = new URL(node.url).host;
    await fetch(node.url);
    expect(await told()).toEqual([address, 1, address]);
  });

  test('refuses pages of other sites at its address', async () => {
    const { url } = await start();
    expect((await fetch(url, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  });

  test('is alone: others in the process have what is theirs', async () => {
    const [a, b] = [await start(), await start()];
    await a.fetch('/books/_doc/1', { method: 'PUT', body: { title: 'Emma' } });
    expect((await a.fetch('/books')).status).toBe(200);
    expect((await b.fetch('/books')).status).toBe(404);
  });

  test('takes the settings of any node, and refuses what no node knows', async () => {
    const node = await start({ settings: { 'cluster.name': 'mine', node: { name: 'only' } } });
    expect(await (await node.fetch('/')).json()).toMatchObject({ cluster_name: 'mine', name: 'only' });
    await expect(startShoal({ settings: { 'cluster.nam': 'mine' } })).rejects.toThrow('cluster.name');
    await expect(startShoal({ settings: { http: { port: 9_200 } } })).rejects.toThrow('[http.port] has no effect here');
  });

  test('is over once it is closed', async () => {
    const node = await start();
    await node.close();
    await expect(node.fetch('/')).rejects.toThrow('closed');
    expect(() => node.url).toThrow('closed');
  });
});

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
