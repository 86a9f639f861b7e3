/**
 * `shoal types` and the client of `shoal/client`: what the compiler lets pass works, and what cannot work does not compile.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyIndex, ResponseError, SearchClient } from '../../packages/client/src/http/index.ts';
import { type ShoalNode, startShoal } from '../../packages/testing/src/index.ts';
import { runShoal, shoalBinary } from '../support/shoal-process.test-support.ts';
import { PRELUDE, RIGHT, WRONG } from './typed-queries.test-support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/.bin/tsc');
const shopMapping = fileURLToPath(new URL('shop-mapping.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'shoal-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles modules as a strict program does; errors by module, and the processor time of it all. */
function compile(modules: Readonly<Record<string, string>>): {
  readonly errors: ReadonlyMap<string, string>;
  readonly cpuSeconds: number;
} {
  const home = mkdtempSync(join(folder, 'program-'));
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(home, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{
          module: 'nodenext',
          target: 'es2023',
          lib: ['ES2023', 'DOM'],
          types: [],
          noEmit: true,
          allowImportingTsExtensions: true,
        },
        ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        paths: { 'shoal/client': [join(root, 'packages/client/src/http/index.ts')] },
      },
      include: ['*.ts'],
    }),
  );
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(home, name), `${text}\nexport {};\n`);
  // The shell says what its child took of the processors, which other work on the machine does not change.
  const command = '"$@"; times';
  const { stdout } = spawnSync('sh', ['-c', command, 'sh', tsc, '-p', home, '--pretty', 'false', '--singleThreaded'], {
    cwd: home,
    encoding: 'utf8',
  });
  const errors = new Map<string, string>();
  for (const [, file = '', message = ''] of stdout.matchAll(/^(\S+?)\(\d+,\d+\): error (.*)$/gm))
    errors.set(file, message);
  const [, user = NaN, system = NaN] = /(\d+m[\d.]+)s (\d+m[\d.]+)s\s*$/.exec(stdout)?.map(secondsOf) ?? [];
  return { errors, cpuSeconds: user + system };
}

/** `1m2.5` as the shell prints it. */
function secondsOf(text: string): number {
  const [minutes, seconds] = text.split('m');
  return Number(minutes) * 60 + Number(seconds);
}

function typesOf(mapping: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [shoalBinary, 'types', '--mapping', mapping, ...args], { encoding: 'utf8' });
}

describe('types of a mapping', () => {
  test('let right requests pass and refuse wrong ones', () => {
    const cases = Object.entries(WRONG).map(([mistake, code], position) => ({
      mistake,
      file: `wrong-${position}.ts`,
      code,
    }));
    const { errors } = compile({
      'shop.ts': typesOf(shopMapping, '--name', 'Shop'),
      'right.ts': PRELUDE + RIGHT,
      ...Object.fromEntries(cases.map(({ file, code }) => [file, PRELUDE + code])),
    });
    expect(errors.get('shop.ts')).toBeUndefined();
    expect(errors.get('right.ts')).toBeUndefined();
    expect(cases.length).toBeGreaterThanOrEqual(30);
    expect(cases.filter(({ file }) => !errors.has(file)).map(({ mistake }) => mistake)).toEqual([]);
    // None of them fails for want of a module.
    expect([...errors.values()].filter((message) => /TS2307|TS7016|TS2554/.test(message))).toEqual([]);
  });

  test('tell lists from single values where they are told to', () => {
    const shop = typesOf(shopMapping, '--name', 'Shop', '--lists', 'tags,reviews');
    const { errors } = compile({
      'shop.ts': shop,
      'right.ts': `import type { ShopDocument } from './shop.ts'; const d: ShopDocument = {}; const t: string | null | undefined = d.title; const s: readonly string[] | null | undefined = d.tags; [t, s, d.reviews?.[0]?.stars];`,
      'wrong.ts': `import type { ShopDocument } from './shop.ts'; const d: ShopDocument = { title: ['a'] }; d;`,
    });
    expect([...errors.keys()]).toEqual(['wrong.ts']);
    const refused = spawnSync(process.execPath, [shoalBinary, 'types', '--mapping', shopMapping, '--lists', 'tgas'], {
      encoding: 'utf8',
    });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('tgas');
  });

  test('of 500 fields are checked in less than 2 s', () => {
    const types = [
      'text',
      'keyword',
      'long',
      'double',
      'date',
      'boolean',
      'ip',
      'geo_point',
      'integer_range',
      'flattened',
    ];
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, position) => [`field_${position}`, { type: types[position % types.length] }]),
    );
    const file = join(folder, 'wide.json');
    writeFileSync(file, JSON.stringify({ wide: { mappings: { properties } } }));
    const modules = {
      'wide.ts': typesOf(file),
      'use.ts': `import { wideClient } from './wide.ts'; const wide = wideClient({ node: 'http://127.0.0.1:9200' });
        const answer = await wide.search({ query: { bool: { must: { match: { field_0: 'x' } }, filter: [{ term: { field_1: 'x' } }, { range: { field_2: { gte: 1 } } }] } },
          sort: [{ field_3: 'asc' }], aggs: { a: { terms: { field: 'field_11' }, aggs: { b: { avg: { field: 'field_12' } } } } }, _source: ['field_0'] });
        const mean: number | null | undefined = answer.aggregations.a.buckets[0]?.b.value; mean; await wide.index({ field_0: 'x', field_2: 1 });`,
    };
    const { errors, cpuSeconds } = compile(modules);
    expect([...errors]).toEqual([]);
    expect(cpuSeconds).toBeLessThan(2);
  });

  test('say what is wrong with what is no mapping', async () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify({ properties: { a: { type: 'txt' } } }));
    const { status, stderr } = await runShoal(['types', '--mapping', file]);
    expect(status).toBe(1);
    expect(stderr).toContain('txt');
    expect((await runShoal(['types', '--mapping', 'http://127.0.0.1:1/'])).stderr).toContain('names no index');
    const { stderr: silent } = await runShoal(['types', '--mapping', 'http://127.0.0.1:1/shop']);
    expect(silent).toContain('http://127.0.0.1:1 does not answer as a cluster: ');
  });
});

describe('the client', () => {
  let node: ShoalNode;
  beforeAll(async () => {
    node = await startShoal();
    const created = await node.fetch('/shop', {
      method: 'PUT',
      body: JSON.parse(readFileSync(shopMapping, 'utf8')).shop,
    });
    expect(created.status).toBe(200);
  });
  afterAll(() => node?.close());

  test('has the same types from a cluster as from a file', async () => {
    const { stdout } = await runShoal(['types', '--mapping', `${node.url}/shop`, '--name', 'Shop']);
    const withoutHead = (text: string): string => text.slice(text.indexOf('\n'));
    expect(withoutHead(stdout)).toBe(withoutHead(typesOf(shopMapping, '--name', 'Shop')));
  });

  test.each(['with a socket', 'without one'])('indexes, finds, changes and deletes documents %s', async (way) => {
    const client = new SearchClient({ node: way === 'without one' ? node : node.url });
    const shop = client.index<AnyIndex>('shop');
    const written = await shop.index({ title: 'red lamp', brand: 'acme', price: 5 }, { id: 'ä/1' });
    expect(written.result).toBe('created');
    await expect(shop.create('ä/1', { title: 'again' })).rejects.toMatchObject({
      status: 409,
      type: 'version_conflict_engine_exception',
    });
    await shop.bulk([
      { index: { _id: '2' }, document: { title: 'blue lamp', brand: 'acme', price: 15 } },
      { create: { _id: '3' }, document: { title: 'table', brand: 'other', price: 50 } },
      { update: { _id: '2' }, body: { doc: { price: 10 } } },
      { delete: { _id: 'none' } },
    ]);
    await shop.update('3', { doc: { stock: 7 } });
    await shop.refresh();
    expect(await shop.get('ä/1')).toMatchObject({ found: true, _source: { title: 'red lamp' } });
    expect(await shop.get('none')).toMatchObject({ found: false });
    expect(await shop.count({ query: { match: { title: 'lamp' } } })).toMatchObject({ count: 2 });
    const answer = await shop.search({
      query: { match: { title: 'lamp' } },
      sort: [{ price: 'desc' }],
      aggs: { brands: { terms: { field: 'brand' }, aggs: { mean: { avg: { field: 'price' } } } } },
    });
    expect(answer.hits.hits.map(({ _id, _source }) => [_id, _source.price])).toEqual([
      ['2', 10],
      ['ä/1', 5],
    ]);
    expect(answer.aggregations.brands.buckets).toMatchObject([{ key: 'acme', doc_count: 2, mean: { value: 7.5 } }]);
    const [found, failed] = await shop.msearch([{ query: { ids: { values: ['3'] } } }, { sort: [{ title: 'asc' }] }]);
    expect(found).toMatchObject({ status: 200, hits: { hits: [{ _id: '3', _source: { stock: 7 } }] } });
    expect(failed).toMatchObject({ status: 400, error: { type: 'search_phase_execution_exception' } });
    expect(await shop.delete('2')).toMatchObject({ result: 'deleted' });
    expect(await shop.delete('2')).toMatchObject({ result: 'not_found' });
    expect(
      await shop.deleteByQuery({ query: { match_all: {} } }, { refresh: true, conflicts: 'proceed' }),
    ).toMatchObject({ deleted: 2 });
  });

  test('fails with what the API said', async () => {
    const missing = new SearchClient({ node }).index('none');
    const error = await missing.search({}).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      status: 404,
      type: 'index_not_found_exception',
      message: 'POST /none/_search: 404 index_not_found_exception: no such index [none]',
    });
    await expect(missing.get('1')).rejects.toMatchObject({ status: 404, type: 'index_not_found_exception' });
    await expect(missing.delete('1')).rejects.toMatchObject({ status: 404, type: 'index_not_found_exception' });
  });

  test('sends a password in its header, and asks nothing of all indices by an empty name', async () => {
    const seen: string[] = [];
    const spy = {
      fetch: async (_: string, { headers }: { readonly headers: Record<string, string> }) => {
        seen.push(headers.authorization ?? '');
        return new Response('{}');
      },
    };
    await new SearchClient({ node: spy, headers: { authorization: 'ApiKey x' } }).request({ path: '/' });
    expect(seen).toEqual(['ApiKey x']);
    expect(() => new SearchClient({ node }).index('')).toThrow(TypeError);
    await expect(new SearchClient({ node }).index('shop').delete('')).rejects.toThrow(TypeError);
  });
});
