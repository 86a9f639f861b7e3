import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShoalNode } from './shoal-node.ts';
import { startShoal } from './start-shoal.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape.
type Json = any;

let node: ShoalNode;

async function ask(method: string, path: string, body?: object | string): Promise<Json> {
  const answer = await node.fetch(path, { method, ...(body === undefined ? {} : { body: body as string }) });
  return answer.json();
}

/** All that a user can ask for, but for what says how often something changed. */
async function everything(): Promise<Json> {
  const documents = await ask(
    'POST',
    '/_all/_search?size=1000&seq_no_primary_term&version&sort=_index,title.keyword',
    {},
  );
  const metadata = await ask('GET', '/_cluster/state/metadata?filter_path=-**.uuid,-**.index_uuid');
  const { indices, templates, stored_scripts } = metadata.metadata;
  return {
    hits: documents.hits,
    names: Object.keys(indices).sort(),
    indices: await ask('GET', '/_all?expand_wildcards=all&filter_path=-**.uuid'),
    templates,
    stored_scripts,
    pipelines: await ask('GET', '/_ingest/pipeline'),
    composable: await ask('GET', '/_index_template'),
    components: await ask('GET', '/_component_template'),
    settings: await ask('GET', '/_cluster/settings'),
    streams: (await ask('GET', '/_data_stream')).data_streams.map(({ name }: Json) => name),
  };
}

async function fixture(): Promise<void> {
  await ask('PUT', '/books', {
    settings: { number_of_shards: 2 },
    mappings: { properties: { title: { type: 'text', fields: { keyword: { type: 'keyword' } } } } },
    aliases: { novels: {} },
  });
  const titles = ['Emma', 'Persuasion', 'Sanditon'];
  for (const [id, title] of titles.entries()) await ask('PUT', `/books/_doc/${id}`, { title });
  await ask('PUT', '/quiet/_doc/1', { title: 'Nothing happens' });
  await ask('PUT', '/_index_template/logs', { index_patterns: ['logs-*'], data_stream: {}, template: {} });
  await ask('POST', '/logs-a/_doc', { '@timestamp': '2026-01-01T00:00:00Z', title: 'a line' });
  await ask('PUT', '/_ingest/pipeline/lower', { processors: [{ lowercase: { field: 'title' } }] });
  await ask('PUT', '/_scripts/twice', { script: { lang: 'painless', source: 'params.n * 2' } });
  await ask('PUT', '/_cluster/settings', { persistent: { 'action.auto_create_index': 'true' } });
}

async function disturb(): Promise<void> {
  await ask('POST', '/books/_doc', { title: 'Dracula', pages: 400 });
  await ask('DELETE', '/books/_doc/0');
  await ask('PUT', '/others/_doc/1', { title: 'Others' });
  await ask('POST', '/_aliases', { actions: [{ remove: { index: 'books', alias: 'novels' } }] });
  await ask('DELETE', '/_data_stream/logs-a');
  await ask('DELETE', '/_index_template/logs');
  await ask('DELETE', '/_ingest/pipeline/lower');
  await ask('DELETE', '/_scripts/twice');
  await ask('PUT', '/_cluster/settings', { persistent: { 'action.auto_create_index': null } });
}

beforeEach(async () => {
  node = await startShoal();
});
afterEach(() => node.close());

describe('a snapshot', () => {
  test('brings back all that there was, as often as wanted', async () => {
    await fixture();
    const before = await everything();
    expect(before.hits.total.value).toBe(5);
    const snapshot = await node.snapshot();
    for (let turn = 0; turn < 3; turn++) {
      await disturb();
      expect(await everything()).not.toEqual(before);
      await node.restore(snapshot);
      expect(await everything()).toEqual(before);
    }
    await node.restore(snapshot);
    expect(await everything()).toEqual(before);
  });

  test('of an empty node empties it', async () => {
    const snapshot = await node.snapshot();
    await fixture();
    await node.restore(snapshot);
    expect((await everything()).names).toEqual([]);
    expect((await ask('POST', '/_all/_search', {})).hits.total.value).toBe(0);
  });

  test('is one of several, in any order', async () => {
    const states: { readonly snapshot: Awaited<ReturnType<ShoalNode['snapshot']>>; readonly count: number }[] = [];
    for (let count = 0; count < 3; count++) {
      states.push({ snapshot: await node.snapshot(), count });
      await ask('PUT', `/books/_doc/${count}`, { title: `Book ${count}` });
    }
    for (const at of [2, 0, 1, 1, 2]) {
      const { snapshot, count } = states[at] ?? expect.fail('no state');
      await node.restore(snapshot);
      expect((await ask('POST', '/_all/_search', {})).hits.total.value).toBe(count);
    }
  });

  test('is told from another that was written after a return, with the same sequence numbers', async () => {
    await ask('PUT', '/books/_doc/1', { title: 'Emma' });
    const first = await node.snapshot();
    await ask('PUT', '/books/_doc/2', { title: 'Persuasion' });
    const second = await node.snapshot();
    const found = async (): Promise<Json> =>
      (await ask('POST', '/books/_search?sort=title.keyword', {})).hits.hits.map((hit: Json) => hit._source.title);
    await node.restore(first);
    await ask('PUT', '/books/_doc/2', { title: 'Sanditon' });
    const third = await node.snapshot();
    for (const [snapshot, titles] of [
      [second, ['Emma', 'Persuasion']],
      [third, ['Emma', 'Sanditon']],
      [first, ['Emma']],
      [second, ['Emma', 'Persuasion']],
      [second, ['Emma', 'Persuasion']],
      [third, ['Emma', 'Sanditon']],
    ] as const) {
      await node.restore(snapshot);
      expect(await found()).toEqual(titles);
    }
  });

  test('is returned to in place where documents and mappings alone changed: indices keep their uuid, states their version', async () => {
    await fixture();
    const uuid = async (): Promise<string> => (await ask('GET', '/books/_settings')).books.settings.index.uuid;
    const version = async (): Promise<number> => (await ask('GET', '/_cluster/state/version')).version;
    const snapshot = await node.snapshot();
    const [before, mapping] = [await uuid(), await ask('GET', '/books/_mapping')];
    await ask('PUT', '/books/_doc/9', { pages: 400 });
    await node.restore(snapshot);
    expect([await uuid(), await ask('GET', '/books/_mapping')]).toEqual([before, mapping]);
    expect(await ask('PUT', '/books/_mapping', { properties: { pages: { type: 'keyword' } } })).toMatchObject({
      acknowledged: true,
    });
    await node.restore(snapshot);
    const versionBefore = await version();
    await ask('PUT', '/books/_doc/9', { title: 'Dracula' });
    await node.restore(snapshot);
    expect([await uuid(), await version()]).toEqual([before, versionBefore]);
    expect((await ask('GET', '/books/_search?q=dracula')).hits.total.value).toBe(0);
  });

  test('comes back with closed indices closed, and opened again they have their documents', async () => {
    await fixture();
    await ask('POST', '/books/_close');
    const snapshot = await node.snapshot();
    await ask('POST', '/books/_open');
    await ask('DELETE', '/books');
    await node.restore(snapshot);
    expect((await ask('POST', '/books/_search', {})).error.type).toBe('index_closed_exception');
    await ask('POST', '/books/_open');
    expect((await ask('POST', '/books/_search', {})).hits.total.value).toBe(3);
  });

  test('does not bring back an index that changed its settings while it was closed', async () => {
    await fixture();
    const snapshot = await node.snapshot();
    await ask('POST', '/quiet/_close');
    await ask('PUT', '/quiet/_settings', { 'index.analysis.analyzer.mine.type': 'keyword' });
    await ask('POST', '/quiet/_open');
    await node.restore(snapshot);
    expect(JSON.stringify(await ask('GET', '/quiet/_settings'))).not.toContain('mine');
    expect((await ask('GET', '/quiet/_search?q=happens')).hits.total.value).toBe(1);
  });

  test('writes go on where they were: versions, sequence numbers and terms', async () => {
    await fixture();
    const snapshot = await node.snapshot();
    await ask('PUT', '/quiet/_doc/1', { title: 'Something happens' });
    await node.restore(snapshot);
    const { _version, _seq_no, _primary_term } = await ask('PUT', '/quiet/_doc/1', { title: 'Other' });
    expect([_version, _seq_no, _primary_term]).toEqual([2, 1, 1]);
  });

  test('is what there was then, whatever was written, mapped, closed and returned to in between', {
    timeout: 120_000,
  }, async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), id: fc.nat(3), n: fc.nat(9) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.nat(3) }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom('map' as const, 'reopen' as const, 'drop' as const) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('keep' as const) }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('return' as const), to: fc.nat(20) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        await ask('DELETE', '/numbers');
        await ask('PUT', '/numbers', { settings: { number_of_shards: 2 } });
        const kept = [{ snapshot: await node.snapshot(), held: {} as Record<string, number> }];
        let held: Record<string, number> = {};
        for (const one of steps) {
          if (one.kind === 'write') {
            await ask('PUT', `/numbers/_doc/${one.id}`, { n: one.n });
            held = { ...held, [one.id]: one.n };
          } else if (one.kind === 'delete') {
            await ask('DELETE', `/numbers/_doc/${one.id}`);
            held = Object.fromEntries(Object.entries(held).filter(([id]) => id !== String(one.id)));
          } else if (one.kind === 'map')
            await ask('PUT', '/numbers/_mapping', { properties: { more: { type: 'long' } } });
          else if (one.kind === 'keep') kept.push({ snapshot: await node.snapshot(), held });
          else if (one.kind === 'return') {
            const to = kept[one.to % kept.length] ?? expect.fail('nothing kept');
            await node.restore(to.snapshot);
            held = to.held;
          } else {
            await ask(one.kind === 'drop' ? 'DELETE' : 'POST', one.kind === 'drop' ? '/numbers' : '/numbers/_close');
            if (one.kind === 'drop') held = {};
            else await ask('POST', '/numbers/_open');
          }
          const { hits } = await ask('POST', '/numbers/_search?ignore_unavailable=true', {});
          expect(Object.fromEntries(hits.hits.map((hit: Json) => [hit._id, hit._source.n]))).toEqual(held);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('ends scrolls, points in time and asynchronous searches', async () => {
    await fixture();
    const snapshot = await node.snapshot();
    const scroll = await ask('POST', '/quiet/_search?scroll=1m&size=1', {});
    const { id: pit } = await ask('POST', '/quiet/_pit?keep_alive=1m');
    const { id } = await ask('POST', '/quiet/_async_search?keep_on_completion=true', {});
    await node.restore(snapshot);
    expect((await ask('POST', '/_search/scroll', { scroll_id: scroll._scroll_id })).error.type).toBe(
      'search_phase_execution_exception',
    );
    expect((await ask('POST', '/_search', { pit: { id: pit } })).error).toBeDefined();
    // One that is opened now is not taken for it.
    await ask('PUT', '/quiet/_doc/2', { title: 'Something' });
    await node.restore(snapshot);
    await ask('POST', '/quiet/_pit?keep_alive=1m');
    expect((await ask('POST', '/_search', { pit: { id: pit } })).error.root_cause[0].type).toBe(
      'search_context_missing_exception',
    );
    expect((await ask('GET', `/_async_search/${id}`)).error.type).toBe('resource_not_found_exception');
  });

  test('brings back the files of a repository', async () => {
    const settings = { 'path.repo': ['/backups'] };
    await node.close();
    node = await startShoal({ settings });
    await fixture();
    await ask('PUT', '/_snapshot/all', { type: 'fs', settings: { location: '/backups/all' } });
    await ask('PUT', '/_snapshot/all/one?wait_for_completion=true', {});
    const snapshot = await node.snapshot();
    await ask('DELETE', '/_snapshot/all/one');
    await ask('DELETE', '/books');
    await node.restore(snapshot);
    await ask('DELETE', '/books');
    expect(
      await ask('POST', '/_snapshot/all/one/_restore?wait_for_completion=true', { indices: 'books' }),
    ).toMatchObject({
      snapshot: { shards: { failed: 0 } },
    });
    expect((await ask('POST', '/books/_search', {})).hits.total.value).toBe(3);
  });

  test('is of the node that made it', async () => {
    const snapshot = await node.snapshot();
    await using other = await startShoal();
    await expect(other.restore(snapshot)).rejects.toThrow('another node');
  });
});
