import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShoalNode } from '../start/shoal-node.ts';
import { startShoal } from '../start/start-shoal.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-load-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DOCUMENTS = [
  { isbn: 'a', title: 'Emma' },
  { isbn: 'b', title: 'Persuasion' },
];
const LINES = DOCUMENTS.map((document) => `${JSON.stringify(document)}\n`).join('');
const BULK = DOCUMENTS.map((document) => `{"index":{"_id":"${document.isbn}"}}\n${JSON.stringify(document)}\n`).join(
  '',
);
const INTO = { index: 'books', id: 'isbn' } as const;

let node: ShoalNode;
beforeEach(async () => {
  node = await startShoal();
});
afterEach(() => node.close());

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function titles(): Promise<Readonly<Record<string, string>>> {
  const answer = await node.fetch('/books/_search');
  const { hits } = (await answer.json()) as { hits: { hits: { _id: string; _source: { title: string } }[] } };
  return Object.fromEntries(hits.hits.map(({ _id, _source }) => [_id, _source.title]));
}

async function* slowly(): AsyncGenerator<(typeof DOCUMENTS)[number]> {
  for (const document of DOCUMENTS) yield document;
}

describe('documents are loaded', () => {
  test.each([
    ['an array', () => DOCUMENTS],
    ['a set', () => new Set(DOCUMENTS)],
    ['a generator', () => slowly()],
    ['lines', () => LINES],
    ['lines with the ends of Windows, and empty ones', () => LINES.replaceAll('\n', '\r\n\r\n')],
    ['bulk lines', () => BULK],
    ['a file of lines', () => file('books.ndjson', LINES)],
    ['a packed file', () => file('books.ndjson.gz', gzipSync(LINES))],
    ['a file of bulk lines', () => file('bulk.json', BULK)],
    ['a file of one array', () => file('books.json', JSON.stringify(DOCUMENTS, null, 2))],
    ['the URL of a file', () => pathToFileURL(file('url.ndjson', LINES))],
  ])('from %s', async (_name, source) => {
    expect(await node.load(source(), INTO)).toEqual({ loaded: 2 });
    expect(await titles()).toEqual({ a: 'Emma', b: 'Persuasion' });
  });

  test('by ids that a function tells, or that are made', async () => {
    await node.load(DOCUMENTS, { index: 'books', id: ({ title }) => String(title) });
    expect(Object.keys(await titles())).toEqual(['Emma', 'Persuasion']);
    await node.load(DOCUMENTS, { index: 'books' });
    expect(Object.keys(await titles())).toHaveLength(4);
  });

  test('with all digits of their numbers', async () => {
    await node.load('{"n":12345678901234567890}\n', { index: 'books', id: () => '1' });
    expect(await (await node.fetch('/books/_source/1')).text()).toBe('{"n":12345678901234567890}');
  });

  test('through a pipeline', async () => {
    await node.fetch('/_ingest/pipeline/loud', {
      method: 'PUT',
      body: { processors: [{ uppercase: { field: 'title' } }] },
    });
    await node.load(DOCUMENTS, { ...INTO, pipeline: 'loud' });
    expect(await titles()).toEqual({ a: 'EMMA', b: 'PERSUASION' });
  });

  test('none, from nothing', async () => {
    expect(await node.load([], INTO)).toEqual({ loaded: 0 });
    expect(await node.load('\n', INTO)).toEqual({ loaded: 0 });
  });
});

describe('what cannot be loaded is told with its place', () => {
  test.each([
    ['a line that is no JSON', () => `${LINES}{"title":\n`, /^line 3: no JSON/],
    ['a line of a file', () => file('broken.ndjson', `${LINES}\n\noops\n`), /^line 5 of .*broken\.ndjson: no JSON/],
    ['a line that is no object', () => `${LINES}17\n`, /^line 3: a document is an object, and this is \[17\]/],
    [
      'a document without its id',
      () => `${LINES}{"title":"Sanditon"}\n`,
      /^line 3: the field \[isbn\] is no id: \[undefined\]/,
    ],
    [
      'a bulk body that ends early',
      () => `${BULK}{"index":{}}\n`,
      /^line 5: the document of the last action is missing/,
    ],
    ['a bulk body with a document in place of an action', () => `${BULK}{"a":1}\n`, /^line 5: an action such as/],
    ['a file that is not there', () => join(folder, 'nowhere.ndjson'), /nowhere\.ndjson/],
  ])('%s', async (_name, source, message) => {
    await expect(node.load(source(), INTO)).rejects.toThrow(message);
    expect((await node.fetch('/books')).status).toBe(404);
  });

  test('a document that the node refuses', async () => {
    const mappings = { properties: { n: { type: 'integer' } } };
    await node.fetch('/books', { method: 'PUT', body: { mappings } });
    await expect(node.load('{"n":1}\n{"n":"many"}\n', { index: 'books' })).rejects.toThrow(
      /^line 2: mapper_parsing_exception: .*\[n\]/,
    );
  });

  test('documents without an index', async () => {
    await expect(node.load(DOCUMENTS)).rejects.toThrow('index is missing');
  });
});
