import type { ClusterState, StreamComponent } from '@shoal/cluster-state';
import { NO_CONFIG_FILES } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { composedFailureStore, parseFailureStore } from '../declarations/failure-store-options.ts';
import { deleteIndices } from '../metadata/delete-index.ts';
import { putTemplate } from '../templates/put-template.ts';
import { clusterOf, testContext, withIndex } from '../value/cluster-states.test-support.ts';
import { createDataStream, deleteDataStreams } from './data-streams.ts';
import { failuresLifecycleOf, keepsFailures } from './failure-store.ts';
import { modifyDataStreams } from './modify-data-streams.ts';
import { planRollover, rollover, rolloverOnWrite, rollsOverBeforeWrite } from './rollover.ts';

const context = testContext();
const FIRST = '.fs-logs-1970.01.01-000002';
const SECOND = '.fs-logs-1970.01.01-000003';

function logsWith(template: Readonly<Record<string, unknown>> = {}): ClusterState {
  const body = { index_patterns: ['logs*'], data_stream: {}, template };
  const state = putTemplate(clusterOf(), { kind: 'index', name: 't', create: false, body }, NO_CONFIG_FILES);
  return createDataStream(state, 'logs', context);
}

function rolled(state: ClusterState, target = 'logs', component: StreamComponent = 'failures'): ClusterState {
  const plan = planRollover(state, { target, component, newIndex: null, nowMs: 0, resolveName: (name) => name });
  const { newIndex, providedName, source } = plan;
  const parts = { settings: {}, mappings: {}, aliases: {}, waitForActiveShards: null };
  return rollover(
    state,
    { target, component, source: source?.name ?? null, newIndex, providedName, ...parts },
    context,
  );
}

const streamOf = (state: ClusterState) => {
  const stream = state.metadata.dataStreams.get('logs');
  if (stream === undefined) throw new Error('there is no stream');
  return stream;
};
const plain = logsWith();
const first = rolled(plain);

describe('the failure indices of a data stream', () => {
  test('begin with the first rollover, which gives it a number behind those of its backing indices', () => {
    expect(rollsOverBeforeWrite(streamOf(plain), 'failures')).toBe(true);
    expect(streamOf(first)).toMatchObject({ indices: ['.ds-logs-1970.01.01-000001'], failureIndices: [FIRST] });
    expect(streamOf(first).generation).toBe(2);
    expect(rollsOverBeforeWrite(streamOf(first), 'failures')).toBe(false);
    const second = rolled(rolloverOnWrite(first, 'logs', 'failures'));
    expect(streamOf(second)).toMatchObject({ failureIndices: [FIRST, SECOND], failuresRollOverOnWrite: false });
    expect(second.metadata.indices.get(FIRST)?.rolledOverMs).toBe(context.nowMs);
  });

  test('have the settings of the template, but its pipelines and its order, and a mapping of their own', () => {
    const settings = {
      ...{ number_of_shards: 2, default_pipeline: 'p', final_pipeline: 'q' },
      ...{ 'sort.field': 'n', 'sort.order': 'asc' },
    };
    const mappings = { dynamic: 'strict', properties: { n: { type: 'long' } } };
    const index = rolled(logsWith({ settings, mappings })).metadata.indices.get(FIRST);
    expect(index?.numberOfShards).toBe(2);
    expect(index?.settings).toMatchObject({ 'index.hidden': 'true' });
    for (const name of ['default_pipeline', 'final_pipeline', 'sort.field']) {
      expect(index?.settings).not.toHaveProperty([`index.${name}`]);
    }
    expect(index?.mapping).toMatchObject({ dynamic: 'false', properties: { error: { properties: {} } } });
    expect(index?.mapping.properties).not.toHaveProperty('n');
  });

  test('are those of data streams alone', () => {
    const state = withIndex(clusterOf(), 'app-1', { aliases: { app: {} } });
    expect(() => rolled(state, 'app')).toThrow('only possible on a data stream');
  });

  test('go with the stream, and alone, but the one that is written to', () => {
    const second = rolled(first);
    expect(streamOf(deleteIndices(second, [FIRST], context)).failureIndices).toEqual([SECOND]);
    expect(() => deleteIndices(second, [SECOND], context)).toThrow('is the failure store write index for data stream');
    expect([...deleteDataStreams(second, ['logs'], context).metadata.indices.keys()]).toEqual([]);
  });

  test('are taken in and given back by name, without their pipelines', () => {
    const state = withIndex(first, 'old', { settings: { default_pipeline: 'p' } });
    const change = (of: ClusterState, kind: 'add' | 'remove', index: string) =>
      modifyDataStreams(of, [{ kind, stream: 'logs', component: 'failures', index }]);
    const added = change(state, 'add', 'old');
    expect(streamOf(added).failureIndices).toEqual(['old', FIRST]);
    expect(added.metadata.indices.get('old')?.settings['index.hidden']).toBe('true');
    expect(added.metadata.indices.get('old')?.settings).not.toHaveProperty(['index.default_pipeline']);
    expect(streamOf(change(added, 'remove', 'old')).failureIndices).toEqual([FIRST]);
    expect(() => change(state, 'remove', FIRST)).toThrow('it is the write index of the failure store');
    expect(() => change(state, 'remove', 'old')).toThrow('is not part of data stream [logs] failure store');
    const elsewhere = () =>
      modifyDataStreams(added, [{ kind: 'add', stream: 'logs', component: 'data', index: 'old' }]);
    expect(elsewhere).toThrow('already a failure store index on data stream [logs]');
  });
});

describe('the failure store', () => {
  test('is on where options say so, or else where a pattern of the setting fits', () => {
    const settings = { 'data_streams.failure_store.enabled': 'other, logs*' };
    const on = { isEnabled: true, lifecycle: null };
    expect([keepsFailures(streamOf(plain), {}), keepsFailures(streamOf(plain), settings)]).toEqual([false, true]);
    const options = (isEnabled: boolean) => ({ name: 'logs', failureStore: { ...on, isEnabled } });
    expect([keepsFailures(options(true), {}), keepsFailures(options(false), settings)]).toEqual([true, false]);
  });

  test('of a new stream is that of its template', () => {
    const made = logsWith({ data_stream_options: { failure_store: { enabled: true } } });
    expect(streamOf(made).failureStore).toEqual({ isEnabled: true, lifecycle: null });
  });

  test('is kept for as long as its options say, or else the setting', () => {
    expect(failuresLifecycleOf(streamOf(plain), {})).toBeNull();
    expect(failuresLifecycleOf(streamOf(first), {})).toMatchObject({ effectiveRetention: '30d' });
    const unlimited = { 'data_streams.lifecycle.retention.failures_default': '-1' };
    expect(failuresLifecycleOf(streamOf(first), unlimited)).toMatchObject({ effectiveRetention: null });
    const own = { isEnabled: true, lifecycle: { isEnabled: true, retention: '7d' } };
    expect(failuresLifecycleOf({ ...streamOf(plain), failureStore: own }, {})).toMatchObject({
      effectiveRetention: '7d',
      determinedBy: 'data_stream_configuration',
    });
  });

  test.each([
    [
      { enabled: true, lifecycle: { data_retention: '1d' } },
      { isEnabled: true, lifecycle: { retention: '1d' } },
    ],
    [{ enabled: 'false' }, { isEnabled: false, lifecycle: null }],
  ])('is read from %j', (body, parsed) => {
    expect(parseFailureStore(body, 'request')).toMatchObject(parsed);
  });
  test.each([
    [{}, 'failed to parse field [failure_store]'],
    [{ enabled: null }, 'failed to parse field [failure_store]'],
    [{ enabled: 1 }, 'failed to parse field [enabled]'],
    [{ nosuch: 1 }, 'unknown field [nosuch]'],
    [{ lifecycle: 'x' }, 'failed to parse field [lifecycle]'],
  ])('is not read from %j', (body, reason) => {
    expect(() => parseFailureStore(body, 'request')).toThrow(reason);
  });

  test.each([
    [[{ failure_store: { enabled: true } }, null], { isEnabled: true, lifecycle: null }],
    [[{ failure_store: { enabled: true } }, { failure_store: null }], null],
    [[{ failure_store: { enabled: true } }, { failure_store: { enabled: null } }], null],
    [
      [
        { failure_store: { lifecycle: { data_retention: '1d' } } },
        { failure_store: { lifecycle: { enabled: false } } },
      ],
      { isEnabled: null, lifecycle: { isEnabled: false, retention: '1d' } },
    ],
  ])('of templates %j is %j', (options, composed) => {
    expect(composedFailureStore(options)).toEqual(composed);
  });

  test('is nothing for a template that makes indices', () => {
    const body = { index_patterns: ['a*'], template: { data_stream_options: { failure_store: { enabled: true } } } };
    const put = () => putTemplate(clusterOf(), { kind: 'index', name: 'a', create: false, body }, NO_CONFIG_FILES);
    expect(put).toThrow('specifies data stream options that can only be used in combination with a data stream');
  });
});
