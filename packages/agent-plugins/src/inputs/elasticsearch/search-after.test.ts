import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CollectingSink, makeInput, type OptionsLiteral, testContext } from '../../plugin-instance.test-support.ts';
import { elasticsearchInput } from './elasticsearch.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Documents 1 to 5 in pages of two. Every other one has the same `rank`, so that a sort by it alone passes hits over. */
async function cluster({ hasPoints }: { readonly hasPoints: boolean }): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  let points = 0;
  const answer = ({ path, body }: Asked): { readonly status: number; readonly body: object } => {
    if (path.includes('/_pit'))
      return hasPoints ? { status: 200, body: { id: `p${points}` } } : { status: 405, body: {} };
    const keys = (body.sort ?? []) as readonly unknown[];
    const isTold = body.pit !== undefined;
    const sortOf = (id: number) => keys.map((key) => (typeof key === 'object' ? id : Math.ceil(id / 3)));
    const after = body.search_after as readonly number[] | undefined;
    const behind = (id: number): boolean => {
      const [last, own] = [after?.at(-1), sortOf(id).at(-1)];
      return last === undefined || (own ?? 0) > last;
    };
    const hits = [1, 2, 3, 4, 5].filter(behind).slice(0, 2);
    points++;
    const found = hits.map((id) => ({ _id: String(id), _source: { id }, sort: sortOf(id) }));
    return {
      status: 200,
      body: { ...(isTold ? { pit_id: `p${points}` } : {}), hits: { total: { value: 5 }, hits: found } },
    };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const call = { method: request.method ?? '', path: request.url ?? '', body: text === '' ? {} : JSON.parse(text) };
      asked.push(call);
      const { status, body } = answer(call);
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function search(url: string, options: OptionsLiteral) {
  const log = createRecordingLog();
  const literal = { hosts: [url], index: 'a,b', search_api: 'search_after', size: 2, ...options };
  const sink = new CollectingSink();
  const input = makeInput(elasticsearchInput, literal, testContext({ runtime: createNodeRuntime({ log }) }));
  await input.start(sink);
  await input.finished;
  await input.stop();
  return { ids: sink.events.map((event) => event.fields.get('id')), warnings: log.lines.map(({ message }) => message) };
}

describe('search_after', () => {
  test('goes through a point in time, whatever the query sorts by, and closes it', async () => {
    for (const query of ['{"sort":["_doc"]}', '{}', '{"sort":["rank"]}']) {
      const { url, asked } = await cluster({ hasPoints: true });
      expect(await search(url, { query })).toEqual({ ids: [1, 2, 3, 4, 5], warnings: [] });
      expect(asked[0]).toMatchObject({ method: 'POST', path: '/a%2Cb/_pit?keep_alive=1m' });
      expect(asked.slice(2, -1).map(({ path }) => path)).toEqual([
        '/_search?size=2',
        '/_search?size=2',
        '/_search?size=2',
      ]);
      expect(asked.slice(2, -1).map(({ body }) => body.pit)).toEqual([
        { id: 'p0', keep_alive: '1m' },
        { id: 'p2', keep_alive: '1m' },
        { id: 'p3', keep_alive: '1m' },
      ]);
      expect(asked.at(-1)).toEqual({ method: 'DELETE', path: '/_pit', body: { id: 'p4' } });
    }
  });

  test('takes the sort of the query alone where there are none, and says what that passes over', async () => {
    const { url, asked } = await cluster({ hasPoints: false });
    expect(await search(url, { query: '{"sort":["rank"]}' })).toEqual({
      ids: [1, 2, 4, 5],
      warnings: ['hits were passed over: the sort of the query does not tell them apart'],
    });
    expect(asked.slice(1).every(({ path }) => path === '/a%2Cb/_search?size=2')).toBe(true);
    await expect(search(url, {})).rejects.toThrow('search_after needs a [query] with a sort');
  });
});
