import type { AliasMetadata, IndexMetadata } from '@shoal/cluster-state';
import { filterNodes } from '@shoal/coordinator';
import { matchesAny, runSteps, simpleMatch, writeJsonText } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStatsMetrics } from '../bodies/shard-stats-body.ts';
import { getAliasesAnswer } from '../indices/aliases/alias-body.ts';
import { indexStatsBody } from '../indices/index-stats-body.ts';
import { fieldMappingsBody } from '../indices/mappings/field-mapping-body.ts';
import { indexSettingsBody, nestSettings } from '../indices/settings/index-settings-body.ts';
import { rootBody } from '../info/root-body.ts';
import { NO_FIELDS } from '../request/field-patterns.ts';
import { clusterStateBody, STATE_METRICS, type StateMetric } from './cluster-state-body.ts';
import { lib, libStats, NODE_ID, recordedState } from './recorded-state.test-support.ts';

function stateBody(...metrics: readonly StateMetric[]): string {
  return writeJsonText(
    runSteps(
      clusterStateBody(recordedState, {
        metrics: new Set(metrics.length === 0 ? STATE_METRICS : metrics),
        indices: ['lib'],
        isFlatSettings: false,
      }),
    ),
  );
}

const COPY =
  '{"state":"STARTED","primary":true,"node":"C09shqfFQ2-hKCeFjhrcMA","relocating_node":null,"shard":0,"index":"lib",' +
  '"allocation_id":{"id":"riwxpOqgSeOgwz7G2QzP-w"}}';
const SETTINGS =
  '{"index":{"number_of_shards":"1","provided_name":"lib","creation_date":"1795253359807","number_of_replicas":"0",' +
  '"uuid":"gBB1iblQTkmo_D3MU32TBA","version":{"created":"136407927"}}}';

describe('the cluster state body', () => {
  test('shows only the parts asked for', () => {
    expect(stateBody('version', 'master_node')).toBe(
      '{"cluster_name":"peer-19290","cluster_uuid":"dQvAlpe2R7uiWr2WjXS9oQ","version":4,' +
        '"state_uuid":"D1V4jqEGTqW3GQPfssbk1g","master_node":"C09shqfFQ2-hKCeFjhrcMA"}',
    );
    expect(stateBody('routing_table')).toContain(`"routing_table":{"indices":{"lib":{"shards":{"0":[${COPY}]}}}}}`);
  });

  test('shows everything in the recorded order', () => {
    const body = stateBody();
    expect(Object.keys(JSON.parse(body))).toEqual([
      ...['cluster_name', 'cluster_uuid', 'version', 'state_uuid', 'master_node', 'blocks', 'nodes', 'metadata'],
      ...['routing_table', 'routing_nodes'],
    ]);
    expect(body).toContain(
      '"cluster_coordination":{"term":1,"last_committed_config":["C09shqfFQ2-hKCeFjhrcMA"],' +
        '"last_accepted_config":["C09shqfFQ2-hKCeFjhrcMA"],"voting_config_exclusions":[]}',
    );
    expect(body).toContain(
      '"lib":{"version":3,"mapping_version":1,"settings_version":1,"aliases_version":1,"routing_num_shards":1024,' +
        `"state":"open","settings":${SETTINGS},"mappings":{"_doc":`,
    );
    expect(body).toContain(
      '"aliases":[],"primary_terms":{"0":1},"in_sync_allocations":{"0":["riwxpOqgSeOgwz7G2QzP-w"]},"rollover_info":{},"system":false}',
    );
    expect(body).toContain(`"routing_nodes":{"unassigned":[],"nodes":{"C09shqfFQ2-hKCeFjhrcMA":[${COPY}]}}`);
  });

  test('names blocks by id', () => {
    const block = { id: 2, description: 'no master', status: 503, levels: ['write', 'metadata_write'] as const };
    const state = { ...recordedState, blocks: { global: [block], indices: new Map([['lib', [block]]]) } };
    const view = { metrics: new Set<StateMetric>(['blocks']), indices: ['lib'], isFlatSettings: false };
    const shown = { description: 'no master', retryable: true, levels: ['write', 'metadata_write'] };
    expect(runSteps(clusterStateBody(state, view)).blocks).toEqual({
      global: { 2: shown },
      indices: { lib: { 2: shown } },
    });
  });
});

describe('settings', () => {
  test('nest in the recorded order, or stay flat by name', () => {
    expect(writeJsonText(indexSettingsBody(lib, { isFlat: false, names: [], isHuman: false }))).toBe(SETTINGS);
    expect(indexSettingsBody(lib, { isFlat: true, names: ['index.number_of_s*'], isHuman: false })).toEqual({
      'index.number_of_shards': '1',
    });
  });

  test('say dates and versions in words for humans', () => {
    const names = ['index.creation_date', 'index.version.created'];
    expect(indexSettingsBody(lib, { isFlat: true, names, isHuman: true })).toMatchObject({
      'index.creation_date_string': '2026-11-21T09:29:19.807Z',
      'index.version.created_string': '136.40.79',
    });
  });

  test('keep what is both a value and a prefix, and show lists as lists', () => {
    expect(nestSettings({ a: '1', 'a.b': '2', 'l.0': 'x', 'l.1': 'y', __proto__x: '3' })).toEqual({
      a: '1',
      'a.b': '2',
      l: ['x', 'y'],
      __proto__x: '3',
    });
  });

  test('lose nothing by nesting', () => {
    const name = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }).map((p) => p.join('.'));
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (settings) => {
        expect(flatten(nestSettings(settings), '')).toEqual({ ...settings });
      }),
    );
  });
});

function flatten(tree: Readonly<Record<string, unknown>>, prefix: string): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(tree).map(([key, value]) =>
      typeof value === 'object' && value !== null
        ? flatten(value as Record<string, unknown>, `${prefix}${key}.`) // Checked: an object.
        : { [prefix + key]: value },
    ),
  );
}

describe('aliases', () => {
  const alias = (name: string, extra: Partial<AliasMetadata> = {}): [string, AliasMetadata] => [
    name,
    { name, filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null, ...extra },
  ];
  const routed: IndexMetadata = {
    ...lib,
    aliases: new Map([alias('a1', { indexRouting: 'r', searchRouting: 's' }), alias('a2', { isWriteIndex: true })]),
  };

  test('are listed for every index when none is named', () => {
    expect(getAliasesAnswer([lib], [])).toEqual({ status: 200, body: { lib: { aliases: {} } } });
  });

  test('that are missing by name make a 404 which still lists the others', () => {
    expect(getAliasesAnswer([routed], ['a1', 'z', 'y'])).toEqual({
      status: 404,
      body: {
        error: 'aliases [y,z] missing',
        status: 404,
        lib: { aliases: { a1: { index_routing: 'r', search_routing: 's' } } },
      },
    });
    expect(getAliasesAnswer([routed], ['z']).body).toEqual({ error: 'alias [z] missing', status: 404 });
    expect(getAliasesAnswer([routed], ['z*'])).toEqual({ status: 200, body: {} });
  });

  test('can be taken out again', () => {
    expect(getAliasesAnswer([routed], ['a*', '-a1']).body).toEqual({
      lib: { aliases: { a2: { is_write_index: true } } },
    });
  });
});

describe('field mappings', () => {
  test('are found by pattern, sub-fields too, objects not', () => {
    const mapping = { properties: { o: { properties: { x: { type: 'long' } } }, ...Object(lib.mapping.properties) } };
    expect(Object.keys(fieldMappingsBody(mapping, ['*'], false))).toEqual(['o.x', 'title', 'title.raw', 'n']);
    expect(fieldMappingsBody(mapping, ['title.r*'], false)).toEqual({
      'title.raw': { full_name: 'title.raw', mapping: { raw: { type: 'keyword' } } },
    });
    expect(fieldMappingsBody(mapping, ['title'], true)).toMatchObject({
      title: { mapping: { title: { analyzer: 'default', type: 'text' } } },
    });
  });
});

describe('index statistics', () => {
  const header = { total: 1, successful: 1, failed: 0, failures: [] };

  test('are summed over the cluster and each index', () => {
    const view = { indices: ['lib'], metrics: new Set(['docs'] as const), level: 'shards', fields: NO_FIELDS } as const;
    const body = runSteps(indexStatsBody(recordedState, [libStats], header, view));
    const docs = { docs: { count: 3, deleted: 5 } };
    expect(body).toMatchObject({
      _shards: { total: 1, successful: 1, failed: 0 },
      _all: { primaries: docs, total: docs },
      indices: { lib: { health: 'green', status: 'open', total: docs, shards: { 0: [{ ...docs, commit: {} }] } } },
    });
  });

  test('refuse a metric that is none and say which was meant', () => {
    expect(() => parseStatsMetrics(['fieldata'], '/_stats/fieldata')).toThrow(
      'request [/_stats/fieldata] contains unrecognized metric: [fieldata] -> did you mean [fielddata]?',
    );
    expect(parseStatsMetrics(['_all'], '/_stats/_all')).toBeNull();
  });
});

describe('a filter of nodes', () => {
  const named = (...names: readonly string[]): readonly string[] =>
    filterNodes(recordedState, NODE_ID, names).map((node) => node.id);

  test.each([
    [],
    ['_all'],
    ['_local'],
    ['_master'],
    ['peer-*'],
    ['127.0.0.1'],
    ['data:true'],
    ['testattr:t*'],
    [NODE_ID],
  ])('finds a node by %j %j', (...names) => expect(named(...names)).toEqual([NODE_ID]));

  test.each([['other'], ['coordinating_only:true'], ['_all', 'master:false'], ['testattr:no']])(
    'leaves it out by %j %j',
    (...names) => expect(named(...names)).toEqual([]),
  );
});

describe('GET /', () => {
  test('says the API level and who we are', () => {
    const body = rootBody('n', recordedState);
    expect(Object.keys(body)).toEqual(['name', 'cluster_name', 'cluster_uuid', 'version', 'tagline', 'shoal']);
    expect(body).toMatchObject({
      version: { number: '8.17.0', build_flavor: 'default' },
      tagline: 'You Know, for Search',
    });
  });
});

describe('a pattern', () => {
  test('matches like the regular expression it stands for', () => {
    const text = fc.stringMatching(/^[ab.]{0,8}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab.*]{0,6}$/), text, (pattern, candidate) => {
        const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        expect(simpleMatch(pattern, candidate)).toBe(expression.test(candidate));
      }),
    );
    expect(matchesAny(['x', 'a*'], 'ab')).toBe(true);
  });
});
