import type { ClusterState, StreamComponent } from '@shoal/cluster-state';
import { NO_CONFIG_FILES } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { deleteIndices } from '../metadata/delete-index.ts';
import { updateAliases } from '../metadata/index-aliases.ts';
import { dataStreamOf } from '../reading/data-stream-indices.ts';
import { deleteTemplates, putTemplate } from '../templates/put-template.ts';
import { clusterOf, testContext, withIndex } from '../value/cluster-states.test-support.ts';
import { createDataStream, deleteDataStreams } from './data-streams.ts';
import { migrateToDataStream } from './migrate-to-data-stream.ts';
import { modifyDataStreams } from './modify-data-streams.ts';
import { planRollover, rollover, rolloverOnWrite } from './rollover.ts';

type Json = Readonly<Record<string, unknown>>;

const context = testContext();
const FIRST = '.ds-logs-1970.01.01-000001';
const SECOND = '.ds-logs-1970.01.01-000002';

function template(body: Json = {}): ClusterState {
  const change = { kind: 'index', name: 't', create: false } as const;
  return putTemplate(
    clusterOf(),
    { ...change, body: { index_patterns: ['logs*'], data_stream: {}, ...body } },
    NO_CONFIG_FILES,
  );
}

function rolled(
  state: ClusterState,
  target: string,
  body: Json = {},
  newIndex: string | null = null,
  component: StreamComponent = 'data',
): ClusterState {
  const plan = planRollover(state, { target, component, newIndex, nowMs: 0, resolveName: (name) => name });
  const { newIndex: name, providedName, source } = plan;
  const parts = { settings: {}, mappings: {}, aliases: {}, waitForActiveShards: null, ...body };
  const names = { target, component, source: source?.name ?? null, newIndex: name, providedName };
  return rollover(state, { ...names, ...parts }, context);
}

const logs = createDataStream(template(), 'logs', context);

describe('a data stream', () => {
  test('begins with one hidden index that knows the time of its documents', () => {
    expect(logs.metadata.dataStreams.get('logs')).toMatchObject({ indices: [FIRST], generation: 1, isHidden: false });
    const index = logs.metadata.indices.get(FIRST);
    expect(index?.settings['index.hidden']).toBe('true');
    expect(index?.mapping).toEqual({
      _data_stream_timestamp: { enabled: true },
      properties: { '@timestamp': { type: 'date' } },
    });
  });

  test('rolls over to the index of the next generation', () => {
    const next = rolled(logs, 'logs');
    expect(next.metadata.dataStreams.get('logs')).toMatchObject({ indices: [FIRST, SECOND], generation: 2 });
    expect(dataStreamOf(next, SECOND)?.name).toBe('logs');
  });

  test('never gives a number twice', () => {
    const shorter = deleteIndices(rolled(logs, 'logs'), [FIRST], context);
    expect(shorter.metadata.dataStreams.get('logs')).toMatchObject({ indices: [SECOND], generation: 2 });
    expect(rolled(shorter, 'logs').metadata.dataStreams.get('logs')?.indices[1]).toContain('-000003');
  });

  test('takes its indices with it', () => {
    const gone = deleteDataStreams(rolled(logs, 'logs'), ['logs', 'none'], context);
    expect([gone.metadata.dataStreams.size, gone.metadata.indices.size]).toEqual([0, 0]);
  });

  const change = { kind: 'index', name: 't', create: false } as const;
  const refused: readonly (readonly [string, () => unknown, string])[] = [
    ['without a template', () => createDataStream(clusterOf(), 'logs', context), 'no matching index template'],
    [
      'under a template of indices',
      () =>
        createDataStream(
          putTemplate(clusterOf(), { ...change, body: { index_patterns: ['l*'] } }, NO_CONFIG_FILES),
          'logs',
          context,
        ),
      'has no data stream template',
    ],
    ['twice', () => createDataStream(logs, 'logs', context), 'data_stream [logs] already exists'],
    ['with a name that is none', () => createDataStream(template(), 'Logs', context), 'must be lowercase'],
    ['with the prefix of its indices', () => createDataStream(template(), '.ds-x', context), "must not start with '.'"],
    [
      'whose time is no date',
      () => {
        const mappings = { properties: { '@timestamp': { type: 'keyword' } } };
        return createDataStream(template({ template: { mappings } }), 'logs', context);
      },
      'is of type [keyword], but [date,date_nanos] is expected',
    ],
    [
      'without its write index',
      () => deleteIndices(logs, [FIRST], context),
      'is the write index for data stream [logs]',
    ],
    ['without its template', () => deleteTemplates(logs, 'index', ['t']), 'in use by a data streams [logs]'],
    [
      'whose template makes indices from now on',
      () => putTemplate(logs, { ...change, body: { index_patterns: ['logs*'] } }, NO_CONFIG_FILES),
      'and no data stream configuration would cause data streams [logs]',
    ],
    ['beside an index of its name', () => withIndex(logs, 'logs'), 'already exists as data stream'],
    ['beside an index that its template fits', () => withIndex(logs, 'logs-1'), 'that creates data streams only'],
    [
      'behind an alias',
      () => {
        const alias = { filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null };
        return updateAliases(logs, [{ kind: 'add', index: FIRST, alias: 'a', ...alias }], context);
      },
      "Data streams and their backing indices don't support aliases",
    ],
    [
      'with mappings of a rollover',
      () => rolled(logs, 'logs', { mappings: { dynamic: false } }),
      'may not be specified',
    ],
    ['with a name of a rollover', () => rolled(logs, 'logs', {}, 'x'), 'new index name may not be specified'],
  ];
  test.each(refused)('is refused %s', (_why, act, reason) => {
    expect(act).toThrow(reason);
  });
});

describe('the rollover of an alias', () => {
  const plain = withIndex(clusterOf(), 'app-9', { aliases: { app: { filter: { match_all: {} } } } });
  const explicit = withIndex(clusterOf(), 'app-9', { aliases: { app: { is_write_index: true } } });
  const aliasesOf = (state: ClusterState): Json =>
    Object.fromEntries(
      [...state.metadata.indices.values()].map((index) => [index.name, index.aliases.get('app')?.isWriteIndex]),
    );

  test('moves it to the next index', () => {
    expect(aliasesOf(rolled(plain, 'app'))).toEqual({ 'app-9': undefined, 'app-000010': null });
  });

  test('that names its write index adds the next one', () => {
    const next = rolled(rolled(explicit, 'app'), 'app');
    expect(aliasesOf(next)).toEqual({ 'app-9': false, 'app-000010': false, 'app-000011': true });
  });

  test('takes what the request says of the index, and its name', () => {
    const next = rolled(plain, 'app', { settings: { number_of_shards: 2 }, aliases: { more: {} } }, 'other');
    const index = next.metadata.indices.get('other');
    expect([index?.numberOfShards, [...(index?.aliases.keys() ?? [])]]).toEqual([2, ['app', 'more']]);
  });

  test('keeps date math in the name', () => {
    const body = { providedName: '<app-{now/d}-1>', aliases: { app: {} } };
    const state = withIndex(clusterOf(), 'app-2020.01.01-1', body);
    const resolveName = (name: string) => name.replace('{now/d}', '2020.01.02').slice(1, -1);
    expect(
      planRollover(state, { target: 'app', component: 'data', newIndex: null, nowMs: 0, resolveName }),
    ).toMatchObject({
      newIndex: 'app-2020.01.02-000002',
      providedName: '<app-{now/d}-000002>',
    });
  });

  test('is refused when the write index changed since the conditions were looked at', () => {
    const body = {
      target: 'app',
      component: 'data',
      source: 'app-8',
      newIndex: 'app-9',
      providedName: 'app-9',
      waitForActiveShards: null,
    } as const;
    expect(() => rollover(plain, { ...body, settings: {}, mappings: {}, aliases: {} }, context)).toThrow('moved from');
  });

  test.each([
    ['an index', 'app-9', 'one of [alias,data_stream] was expected'],
    ['nothing', 'none', 'rollover target [none] does not exist'],
  ])('of %s is refused', (_what, target, reason) => {
    expect(() => rolled(plain, target)).toThrow(reason);
  });

  test('is refused where a template gives the new index the alias too', () => {
    const body = { index_patterns: ['app-*'], template: { aliases: { app: {} } } };
    const state = putTemplate(plain, { kind: 'index', name: 'dup', create: true, body }, NO_CONFIG_FILES);
    expect(() => rolled(state, 'app')).toThrow('found duplicated alias [[app]] in index template [dup]');
  });

  test('is refused where the name has no number', () => {
    const state = withIndex(clusterOf(), 'app', { aliases: { x: {} } });
    expect(() => rolled(state, 'x')).toThrow("does not match pattern '^.*-\\d+$'");
  });
});

describe('the indices of a data stream', () => {
  const old = withIndex(logs, 'old', { mappings: { properties: { '@timestamp': { type: 'date' } } } });
  const change = (state: ClusterState, kind: 'add' | 'remove', index: string, stream = 'logs') =>
    modifyDataStreams(state, [{ kind, stream, component: 'data', index }]);

  test('take in one of another name as the oldest, hidden and with one time a document', () => {
    const next = change(old, 'add', 'old');
    expect(next.metadata.dataStreams.get('logs')).toMatchObject({ indices: ['old', FIRST], generation: 1 });
    expect(dataStreamOf(next, 'old')?.name).toBe('logs');
    expect(next.metadata.indices.get('old')).toMatchObject({
      settings: { 'index.hidden': 'true' },
      mapping: { _data_stream_timestamp: { enabled: true } },
    });
  });

  test('give one back, shown again', () => {
    const next = change(change(old, 'add', 'old'), 'remove', 'old');
    expect(next.metadata.dataStreams.get('logs')?.indices).toEqual([FIRST]);
    expect(next.metadata.indices.get('old')?.settings['index.hidden']).toBe('false');
  });

  test.each([
    ['add', 'none', 'logs', 'index [none] not found'],
    ['add', 'old', 'none', 'data stream [none] not found'],
    ['remove', 'old', 'logs', 'index [old] not found'],
    ['remove', FIRST, 'logs', 'because it is the write index'],
  ] as const)('refuse to %s [%s] of [%s]', (kind, index, stream, reason) => {
    expect(() => change(old, kind, index, stream)).toThrow(reason);
  });

  test('take in none without a time', () => {
    expect(() => change(withIndex(logs, 'untimed', {}), 'add', 'untimed')).toThrow('data stream timestamp field');
  });
});

describe('a rollover that waits for a write', () => {
  test('is over with the next rollover, whatever brought it about', () => {
    const waiting = rolloverOnWrite(logs, 'logs', 'data');
    expect(waiting.metadata.dataStreams.get('logs')).toMatchObject({ rollsOverOnWrite: true, indices: [FIRST] });
    expect(rolled(waiting, 'logs').metadata.dataStreams.get('logs')).toMatchObject({ rollsOverOnWrite: false });
  });
});

describe('an alias that becomes a data stream', () => {
  const mappings = { properties: { '@timestamp': { type: 'date' } } };
  const indexed = (state: ClusterState, name: string, alias: Json, nowMs = 0): ClusterState =>
    withIndex(state, name, { mappings, aliases: { logs: alias } }, { ...context, nowMs });
  const withTemplate = (state: ClusterState): ClusterState => {
    const change = { kind: 'index', name: 't', create: false } as const;
    const body = { index_patterns: ['logs*'], data_stream: {}, template: { lifecycle: { data_retention: '7d' } } };
    return putTemplate(state, { ...change, body }, NO_CONFIG_FILES);
  };
  const two = indexed(indexed(clusterOf(), 'young', { is_write_index: true }, 1), 'old', {}, 0);
  const three = withTemplate(indexed(two, 'older', {}, 2));

  test('has its indices from then on, the one that was written to last', () => {
    const next = migrateToDataStream(three, 'logs');
    expect(next.metadata.dataStreams.get('logs')).toMatchObject({
      indices: ['old', 'older', 'young'],
      generation: 3,
      lifecycle: { retention: '7d' },
    });
    for (const name of ['old', 'older', 'young']) {
      expect(next.metadata.indices.get(name)).toMatchObject({
        settings: { 'index.hidden': 'true' },
        mapping: { _data_stream_timestamp: { enabled: true } },
        aliases: new Map(),
      });
    }
    const further = rolled(next, 'logs').metadata.dataStreams.get('logs');
    expect(further).toMatchObject({ generation: 4, indices: ['old', 'older', 'young', '.ds-logs-1970.01.01-000004'] });
  });

  test('may have one index alone, which needs not be named for writes', () => {
    const next = migrateToDataStream(withTemplate(indexed(clusterOf(), 'only', {})), 'logs');
    expect(next.metadata.dataStreams.get('logs')).toMatchObject({ indices: ['only'], generation: 1 });
  });

  test.each([
    ['none', () => migrateToDataStream(three, 'none'), 'alias [none] does not exist'],
    ['a stream', () => migrateToDataStream(logs, 'logs'), 'alias [logs] does not exist'],
    ['without a template', () => migrateToDataStream(two, 'logs'), 'no matching index template'],
    [
      'without an index to write to',
      () => migrateToDataStream(withTemplate(indexed(indexed(clusterOf(), 'a', {}), 'b', {})), 'logs'),
      'must specify a write index',
    ],
    [
      'with a filter',
      () => migrateToDataStream(withTemplate(indexed(clusterOf(), 'a', { filter: { match_all: {} } })), 'logs'),
      'may not have custom filtering or routing applied',
    ],
    [
      'whose indices have others',
      () => {
        const aliases = { logs: {}, more: {} };
        return migrateToDataStream(withTemplate(withIndex(clusterOf(), 'a', { mappings, aliases })), 'logs');
      },
      'must be removed before migrating to a data stream: [more]',
    ],
    [
      'without times',
      () => migrateToDataStream(withTemplate(withIndex(clusterOf(), 'a', { aliases: { logs: {} } })), 'logs'),
      'data stream timestamp field [@timestamp]',
    ],
  ])('is refused: %s', (_, migrate, reason) => {
    expect(migrate).toThrow(reason);
  });
});
