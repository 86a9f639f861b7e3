import { answerRequest, type HttpHandler } from '@shoal/http';
import { afterEach, describe, expect, test } from 'vitest';
import type { ShoalNode } from '../start/shoal-node.ts';
import { startShoal } from '../start/start-shoal.ts';
import { RequestLog } from './request-log.ts';

const nodes: ShoalNode[] = [];

async function start(): Promise<ShoalNode> {
  const node = await startShoal();
  nodes.push(node);
  return node;
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

describe('the requests of a node', () => {
  test('are shown with what they asked and what was answered, with and without a socket', async () => {
    const node = await start();
    await node.fetch('/books/_doc/1?refresh=true', {
      method: 'PUT',
      body: { title: 'Emma' },
      headers: { 'X-Opaque-Id': 'me' },
    });
    await fetch(`${node.url}/books/_search?q=title:emma`);
    expect(node.requests).toMatchObject([
      {
        method: 'PUT',
        path: '/books/_doc/1',
        query: { refresh: 'true' },
        headers: { 'x-opaque-id': 'me' },
        body: { title: 'Emma' },
        status: 201,
        answer: { _id: '1', result: 'created' },
      },
      {
        method: 'GET',
        path: '/books/_search',
        query: { q: 'title:emma' },
        body: null,
        status: 200,
        answer: { hits: { total: { value: 1 } } },
      },
    ]);
  });

  test('have the lines of NDJSON as a list, and texts as they are', async () => {
    const node = await start();
    await node.fetch('/_bulk', { method: 'POST', body: '{"index":{"_index":"books"}}\n{"n":1}\n' });
    await node.fetch('/_cat/indices?h=index', { headers: { accept: 'text/plain' } });
    expect(node.requests[0]).toMatchObject({ body: [{ index: { _index: 'books' } }, { n: 1 }] });
    expect(node.requests[1]).toMatchObject({ answer: 'books\n' });
  });

  test('show what a fault answered, and nothing where none came', async () => {
    const node = await start();
    node.faults.next(1, { kind: 'status', status: 429 });
    await node.fetch('/');
    node.faults.next(1, { kind: 'cut' });
    await node.fetch('/').catch(() => undefined);
    expect(node.requests).toMatchObject([{ status: 429 }, { status: null, answer: null }]);
    node.clearRequests();
    expect(node.requests).toEqual([]);
  });
});

test('the log keeps 64 MB of bodies and answers, the newest', async () => {
  const log = new RequestLog();
  const answer = new Uint8Array(15 * 1024 * 1024);
  const handler: HttpHandler = {
    match: () => ({ isHot: false, answer: async () => ({ status: 200, headers: [], body: answer }) }),
  };
  const noting = log.noting(handler);
  const asked = {
    headers: {},
    remoteAddress: '-',
    readBody: async () => answer,
    signal: { cancelled: false, reason: null, onCancel: () => undefined },
  };
  for (const target of ['/a', '/b', '/c', '/d', '/e']) await answerRequest(noting, { method: 'GET', target, ...asked });
  expect(log.requests.map(({ path }) => path)).toEqual(['/b', '/c', '/d', '/e']);
  expect(log.dropped).toBe(1);
});
