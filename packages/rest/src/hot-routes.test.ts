/**
 * Requests of hot routes are answered straight from node:http, the others through Express: answers must not tell which way they
 * came. Requests of all sorts go byte for byte to one server of each adapter, and the bytes that come back must be the same.
 */

import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CancelSource } from '@shoal/core';
import { answerRequest, createHttpHandler, type HttpServer, startHttpServer, valueResponse } from '@shoal/http';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../coordinator/src/coordinator.test-support.ts';
import { lines, testNode } from './http.test-support.ts';
import { restRoutes } from './rest-routes.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const templates = restRoutes.flatMap((route) => route.paths.map((path) => ({ route, path, parts: split(path) })));

function split(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

const isTemplate = (part: string): boolean => part.startsWith('{');

/** What the table promises, spelled out: literal before template, from the left, among the routes that have the method. */
function expectedRoute(method: string, segments: readonly string[]): (typeof restRoutes)[number] | null {
  const fitting = templates.filter(
    ({ route, parts }) =>
      parts.length === segments.length &&
      route.methods.some((name) => name === method) &&
      parts.every((part, i) => {
        const segment = segments[i] ?? '';
        return isTemplate(part) ? route.except?.includes(segment) !== true : part === segment;
      }),
  );
  const rank = (parts: readonly string[]): string => parts.map((part) => (isTemplate(part) ? 'b' : 'a')).join('');
  fitting.sort((a, b) => (rank(a.parts) < rank(b.parts) ? -1 : 1));
  return fitting[0]?.route ?? null;
}

const word = fc.oneof(
  fc.constantFrom(
    'lib',
    'a',
    '1',
    '_all',
    '*',
    '_search',
    '_doc',
    '_nodes',
    'usage',
    'stats',
    '-',
    '.x',
    '%',
    'é',
    'a b',
    '%41',
  ),
  fc.constantFrom(...new Set(templates.flatMap(({ parts }) => parts.filter((part) => !isTemplate(part))))),
);
/** A path of some route with its names filled in, or any words. */
const segments = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...templates), fc.array(word, { minLength: 6, maxLength: 6 }))
      .map(([{ parts }, words]) => parts.map((part, i) => (isTemplate(part) ? (words[i] ?? 'x') : part))),
  },
  { weight: 1, arbitrary: fc.array(word, { maxLength: 5 }) },
);

describe('the table', () => {
  test('gives every path the route that it promises, and knows whether it is hot', async () => {
    const numbered = restRoutes.map((route, number) => ({
      ...route,
      handler: async () => valueResponse({ number }),
    }));
    const handler = createHttpHandler(numbered, {
      context: null as never,
      log: createSilentLog(),
      contentBytesMax: 1,
      onAssertionFailure: () => undefined,
    });
    const reached = async (method: string, target: string): Promise<number | null> => {
      const noBody = async (): Promise<Uint8Array> => new Uint8Array(0);
      const { status, body } = await answerRequest(handler, {
        method,
        target,
        headers: {},
        remoteAddress: '',
        readBody: noBody,
        signal: new CancelSource(),
      });
      return status === 200
        ? ((JSON.parse(new TextDecoder().decode(body)) as { number?: number }).number ?? null)
        : null;
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), segments, async (method, path) => {
        if (method === 'OPTIONS') return;
        const target = `/${path.map(encodeURIComponent).join('/')}`;
        const expected = expectedRoute(method, path);
        expect(await reached(method, `${target}?pretty=false`), `${method} ${target}`).toBe(
          expected === null ? null : restRoutes.indexOf(expected),
        );
        expect(handler.match(method, target).isHot).toBe(expected?.isHot === true);
        expect(handler.match(method, `${target}?%zz=%`).isHot).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  test('marks searches, documents and bulks, and nothing else', () => {
    const hot = templates
      .filter(({ route }) => route.isHot === true)
      .map(({ path }) =>
        split(path)
          .filter((part) => !isTemplate(part))
          .join(),
      );
    expect([...new Set(hot)].sort()).toEqual([
      '_bulk',
      '_count',
      '_create',
      '_doc',
      '_doc,_bulk',
      '_doc,_count',
      '_doc,_create',
      '_doc,_mget',
      '_doc,_msearch',
      '_doc,_search',
      '_doc,_source',
      '_doc,_update',
      '_mget',
      '_msearch',
      '_search',
      '_source',
      '_update',
    ]);
  });
});

const servers: HttpServer[] = [];
const ports: number[] = [];

/** A clock that stands still, so that no answer says how long it took. */
const clock = { wallMs: () => 1_700_000_000_000, monotonicMs: () => 0 };

/** One node behind each adapter, with the same documents: what one request changes, it changes in all. */
beforeAll(async () => {
  for (const adapter of ['express-all', 'node', 'express'] as const) {
    const node = testNode(
      { indices: [indexOf('lib')] },
      {},
      { ...createNodeRuntime({ log: createSilentLog() }), clock },
    );
    await node.ask(
      'POST',
      '/lib/_bulk?refresh=true',
      lines({ index: { _id: '1' } }, { n: 1, text: 'x'.repeat(3_000) }, { index: { _id: 'a b' } }, { n: 2 }),
    );
    const server = await startHttpServer(node.runtime, { host: '127.0.0.1', port: 0, handler: node.handler, adapter });
    servers.push(server);
    ports.push(server.address.port);
  }
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** Answer of a server to these bytes, until it closes the connection, without what differs from one moment to the next. */
function answerTo(port: number, request: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(settled(unpacked(Buffer.concat(chunks)))));
  });
}

/** Packed answers hold generated ids too: they are compared unpacked. */
function unpacked(answer: Buffer): string {
  const packedAt = answer.toString('latin1').search(/\r\ncontent-encoding: gzip\r\n/i);
  if (packedAt < 0) return answer.toString('latin1');
  const bodyAt = answer.indexOf('\r\n\r\n', packedAt) + 4;
  // The packed length depends on the ids.
  const head = answer.toString('latin1', 0, bodyAt).replace(/^content-length: \d+\r\n/im, '');
  return bodyAt === answer.length ? head : head + gunzipSync(answer.subarray(bodyAt)).toString('latin1');
}

function settled(answer: string): string {
  return answer.replace(/^date: .*\r\n/im, '').replace(/[A-Za-z0-9_-]{20}(?=["\r])/g, 'ID');
}

const BODIES: readonly Uint8Array[] = [
  '',
  '{}',
  '{"query":{"match_all":{}}}',
  '{"query":{"match_all":{}},"size":1,"_source":["n"]}',
  '{"query":{"nosuch":{}}}',
  '{"query":',
  '{"n":3}',
  '{"doc":{"n":4}}',
  '{"ids":["1","2"]}',
  '{"index":{"_id":"1"}}\n{"n":1}\n',
  '{}\n{"query":{"match_all":{}}}\n',
  '\u0000\uffff',
  '[[[[',
].map((text) => Buffer.from(text));

const query = fc.array(
  fc.constantFrom(
    'pretty',
    'human',
    'format=yaml',
    'format=x',
    'filter_path=hits.hits._id,-took',
    'error_trace=x',
    'size=1',
    'size=x',
    'refresh=true',
    'routing=a',
    'nosuch=1',
    'source=%7B%7D',
    'source_content_type=application/json',
    '%zz',
    'a=%',
    '=',
    'index=lib',
    'op_type=create',
    'version=1',
    '_source=false',
    'rest_total_hits_as_int',
  ),
  { maxLength: 3 },
);
const header = fc.constantFrom(
  'Accept: application/json',
  'Accept: application/yaml',
  'Accept: application/cbor',
  'Accept: application/vnd.elasticsearch+json; compatible-with=8',
  'Accept: application/vnd.elasticsearch+json; compatible-with=7',
  'Accept-Encoding: gzip',
  'Accept-Encoding: br, gzip;q=0.5',
  'Accept-Encoding: gzip;q=0',
  'X-Opaque-Id: one-7',
  `X-Opaque-Id: ${'é'.repeat(600)}`,
  'X-HTTP-Method-Override: DELETE',
  'Content-Encoding: br',
  'Expect: 100-continue',
  'Set-Cookie: a=b',
  'Cookie: a=b',
  'Authorization: Basic eDp5',
  'If-None-Match: *',
  'Range: bytes=0-1',
  'Upgrade: h2c',
  'Bad Header: x',
  'constructor: x',
  '__proto__: x',
);
const contentType = fc.constantFrom(
  'application/json',
  'application/x-ndjson',
  'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
  'text/plain',
  'application/json; charset=utf-8',
  '',
);
const body = fc.tuple(fc.constantFrom(...BODIES), fc.constantFrom('plain', 'gzip', 'broken gzip', 'chunked'));
const hotPath = fc.tuple(
  fc.constantFrom(...templates.filter(({ route }) => route.isHot === true)),
  fc.constantFrom('lib', 'nothere', 'lib,nothere', 'l*', '_all', '%3Clib%3E', 'LIB'),
  fc.constantFrom('1', 'a%20b', 'a+b', '%zz', 'none', 'x'.repeat(600)),
);
const target = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(hotPath, query).map(([[{ path }, index, id], pairs]) => {
      const filled = path.replace('{index}', index).replace('{id}', id);
      return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/',
      '/lib/_nosuch',
      '//lib//_search',
      '/lib/_search/',
      '/_search;a=b',
      '/lib/_doc/1#x',
      '/%',
      '/lib/../_search',
      '/lib\\_search',
      '*',
      'http://other/lib/_count',
      'http://',
      `/${'a/'.repeat(70)}`,
      '?q=1',
      '/lib/_search?',
      '/LIB/_SEARCH',
      '/lib/_doc/1/x',
    ),
  },
  { weight: 1, arbitrary: fc.webPath() },
);

function requestBytes(
  method: string,
  path: string,
  headers: readonly string[],
  type: string,
  [bytes, form]: readonly [Uint8Array, string],
): Uint8Array {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers];
  const sent = form === 'gzip' ? gzipSync(bytes) : bytes;
  if (form.endsWith('gzip')) head.push('Content-Encoding: gzip');
  if (bytes.length > 0) head.push(`Content-Type: ${type}`);
  if (form === 'chunked') {
    const chunks = bytes.length === 0 ? [] : [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'];
    return Buffer.concat(
      [...head, 'Transfer-Encoding: chunked', '', '']
        .flatMap((line, i) => (i === 0 ? [line] : ['\r\n', line]))
        .concat(chunks as string[], '0\r\n\r\n')
        .map((part) => Buffer.from(part)),
    );
  }
  if (sent.length > 0) head.push(`Content-Length: ${sent.length}`);
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'utf8'), sent]);
}

describe('good, broken and hostile requests', () => {
  test('are answered alike by every adapter', async () => {
    const statuses = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'POST', ...METHODS, 'BREW'),
        target,
        fc.array(header, { maxLength: 3 }),
        contentType,
        body,
        async (method, path, headers, type, content) => {
          const request = requestBytes(method, path, headers, type, content);
          const [framed, ...others] = await Promise.all(ports.map((port) => answerTo(port, request)));
          const status = framed?.slice(9, 12) ?? '';
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          for (const other of others) expect(other).toBe(framed);
        },
      ),
      // A path that is right and an index that is not meet too rarely by chance.
      { numRuns: 1_000, examples: [['GET', '/nothere/_search', [], 'application/json', [new Uint8Array(0), 'plain']]] },
    );
    // It tried what it was meant to try.
    for (const status of ['200', '400', '404', '405', '406'])
      expect(statuses.get(status) ?? 0, status).toBeGreaterThan(0);
  });
});
