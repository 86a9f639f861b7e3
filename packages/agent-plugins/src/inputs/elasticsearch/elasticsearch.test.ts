import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventToJsonText, parseFieldReference } from '@shoal/agent-event';
import { afterEach, expect, test } from 'vitest';
import {
  CollectingSink,
  makeInput,
  type OptionsLiteral,
  temporaryFolder,
  testContext,
} from '../../plugin-instance.test-support.ts';
import { elasticsearchInput } from './elasticsearch.ts';

const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
});

/** Gives the hits of one page, then none; shows the queries it got. */
async function cluster(hits: readonly object[]): Promise<{ url: string; queries: unknown[] }> {
  const queries: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isFirst = request.url?.startsWith('/_search/scroll') !== true;
      if (isFirst) queries.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.end(JSON.stringify({ _scroll_id: 's', hits: { hits: isFirst ? hits : [] } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, queries };
}

async function search(url: string, options: OptionsLiteral): Promise<CollectingSink> {
  const sink = new CollectingSink();
  const input = makeInput(elasticsearchInput, { hosts: [url], ...options }, testContext());
  await input.start(sink);
  await input.finished;
  await input.stop();
  return sink;
}

test('a tracked field goes on where the last run ended, also after a restart', async () => {
  const path = join(await temporaryFolder(), 'below', 'last');
  const options = {
    query: '{"query":{"range":{"event.at":{"gt":":last_value","lt":":present"}}},"sort":["event.at"]}',
    tracking_field: '[event][at]',
    tracking_field_seed: '2020-01-01',
    last_run_metadata_path: path,
  };
  const { url, queries } = await cluster([{ _source: { event: { at: 'x' } } }, { _source: { event: { at: 'y"' } } }]);
  const sink = await search(url, options);
  expect(sink.events).toHaveLength(2);
  expect(await readFile(path, 'utf8')).toBe('y"');
  await search(url, options);
  const bounds = queries.map((one) => Object(one).query.range['event.at']);
  expect(bounds.map((bound) => bound.gt)).toEqual(['2020-01-01', 'y"']);
  expect(Date.parse(bounds[0].lt)).toBeLessThan(Date.now());
});

test('a tracked field and slices exclude each other', async () => {
  const { url } = await cluster([]);
  await expect(search(url, { tracking_field: 'a', slices: 2 })).rejects.toThrow('leave out [slices]');
});

test.each([
  [{ slices: 0 }, '[slices] must be at least 1'],
  [{ retries: -1 }, '[retries] must not be negative'],
  [{ query: '{"query":' }, '[query => {"query":] is no JSON'],
  [{ query: '[]' }, '[query => []] is no JSON object'],
  [{ query: '{"slice":{"id":0,"max":2}}', slices: 2 }, '[query] has a slice of its own'],
])('%j is refused', (options, message) => {
  expect(() => makeInput(elasticsearchInput, { hosts: ['http://h'], ...options }, testContext())).toThrow(message);
});

test('what is around a document is merged into an object, and into nothing else', async () => {
  const { url } = await cluster([{ _index: 'i', _id: '7', _source: { meta: { a: 1 }, text: 'x' } }]);
  const { events } = await search(url, { docinfo: true, docinfo_target: 'meta', docinfo_fields: ['_id'] });
  expect(events[0]?.fields.get('meta')).toEqual(
    new Map<string, unknown>([
      ['a', 1],
      ['_id', '7'],
    ]),
  );
  await expect(search(url, { docinfo: true, docinfo_target: 'text' })).rejects.toThrow('incompatible event');
});

test('an ES|QL query gives an event for each row, with a field for each column that has a value', async () => {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.method, request.url, JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')));
    const columns = ['@timestamp', 'a.b.1', 'a.c', 'time.min', 'time', 'time.max.of'].map((name) => ({ name }));
    const values = [
      ['2026-01-02T03:04:05.000Z', 'x', null, 1, 50, 100],
      [null, null, 'y', 0, null, 9],
    ];
    response.end(JSON.stringify({ columns, values }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const query = 'FROM a METADATA _id | LIMIT 2';
  const { events } = await search(url, { query_type: 'esql', query });
  expect(asked).toEqual(['POST', '/_query?format=json', { query }]);
  expect(events.map((event) => JSON.parse(eventToJsonText(event)))).toEqual([
    { '@timestamp': '2026-01-02T03:04:05.000Z', '@version': '1', a: { b: { 1: 'x' } }, time: 50 },
    { '@timestamp': expect.any(String), '@version': '1', a: { c: 'y' } },
  ]);
  const below = await search(url, { query_type: 'esql', query, target: '[found]' });
  expect(below.events[1]?.get(parseFieldReference('[found]'))).toEqual(new Map([['a', new Map([['c', 'y']])]]));
});

test.each([
  [{}, '[query] must start with one of FROM, ROW, SHOW'],
  [{ query: 'FROM a', index: 'a', slices: 2, docinfo: true }, '[index], [slices], [docinfo] cannot go'],
  [{ query: 'FROM a', tracking_field: 'a' }, '[tracking_field] cannot go'],
])('an ES|QL query is refused with %j', (options, message) => {
  const make = () => makeInput(elasticsearchInput, { query_type: 'esql', ...options }, testContext());
  expect(make).toThrow(message);
});
