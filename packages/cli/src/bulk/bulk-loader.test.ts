import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { HttpApi } from '../http/http-api.ts';
import { loadBulk } from './bulk-loader.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-bulk-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let server: Server | null = null;
afterEach(() => new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve()))));

/** A server that answers each bulk request by what `decide` says of each document. */
async function serverThat(
  decide: (document: { readonly n: number }, request: number) => number,
  documentsMax = Number.MAX_SAFE_INTEGER,
): Promise<string> {
  let requests = 0;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      requests += 1;
      const documents = body
        .trim()
        .split('\n')
        .filter((_, line) => line % 2 === 1);
      if (documents.length > documentsMax) {
        response.writeHead(413, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { type: 'content_too_long_exception', reason: 'too long' } }));
        return;
      }
      const items = documents.map((text) => {
        const status = decide(JSON.parse(text), requests);
        return { index: status < 300 ? { status } : { status, error: { type: 'some_exception', reason: 'because' } } };
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ errors: items.some((item) => item.index.status >= 300), items }));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fileOf(lines: readonly string[], name = 'docs.ndjson'): string {
  const path = join(folder, name);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

async function load(url: string, file: string, idField: string | null = null) {
  const api = new HttpApi(url);
  try {
    return await loadBulk(api, { file, index: 'i', idField, onProgress() {} });
  } finally {
    api.close();
  }
}

describe('loading a file', () => {
  test('sends only the documents again that the server pushed back', async () => {
    const seen: number[] = [];
    const url = await serverThat(({ n }, request) => {
      seen.push(n);
      return n === 2 && request === 1 ? 429 : 201;
    });
    const result = await load(url, fileOf(['{"n":1}', '{"n":2}', '{"n":3}'], 'docs.ndjson.gz'));
    expect(result).toMatchObject({ indexed: 3, failed: 0, retries: 1 });
    expect(seen).toEqual([1, 2, 3, 2]);
  });

  test('sends halves of a batch that is too long for the server', async () => {
    const file = fileOf(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}', '{"n":5}']);
    expect(await load(await serverThat(() => 201, 2), file)).toMatchObject({ indexed: 5, failed: 0 });
  });

  test('a document that is too long for the server by itself fails by itself', async () => {
    const result = await load(await serverThat(() => 201, 0), fileOf(['{"n":1}', '{"n":2}']));
    expect(result).toMatchObject({ indexed: 0, failed: 2 });
    expect(result.failures[0]).toEqual({ line: 1, reason: 'content_too_long_exception: too long' });
  });

  test('names the line and the reason of each document that failed', async () => {
    const url = await serverThat(({ n }) => (n === 2 ? 400 : 201));
    const result = await load(url, fileOf(['{"n":1}', '', '{"n":2}']));
    expect(result).toMatchObject({ indexed: 1, failed: 1, failures: [{ line: 3, reason: 'some_exception: because' }] });
  });

  test('a document without the id field, or that is no JSON, fails by itself', async () => {
    const url = await serverThat(() => 201);
    const result = await load(url, fileOf(['{"n":1,"key":"a"}', '{"n":2}', 'nonsense']), 'key');
    expect(result.indexed).toBe(1);
    expect(result.failures.map((failure) => failure.line)).toEqual([2, 3]);
  });

  test('a file that is not there is an error', async () => {
    await expect(load('http://127.0.0.1:9', join(folder, 'missing.ndjson'))).rejects.toThrow('ENOENT');
  });
});
