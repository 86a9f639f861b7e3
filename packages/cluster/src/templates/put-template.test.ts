import type { ClusterState, TemplateKind } from '@shoal/cluster-state';
import { NO_CONFIG_FILES } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { putIngestPipeline } from '../ingest-pipelines/change-ingest-pipelines.ts';
import { clusterOf, testContext, withIndex } from '../value/cluster-states.test-support.ts';
import { deleteTemplates, putTemplate } from './put-template.ts';
import { templateWarnings } from './template-warnings.ts';

type Json = Readonly<Record<string, unknown>>;

function put(state: ClusterState, kind: TemplateKind, name: string, body: Json, create = false): ClusterState {
  return putTemplate(state, { kind, name, body, create }, NO_CONFIG_FILES);
}

const keyword = { properties: { tag: { type: 'keyword' } } };
const empty = clusterOf();

describe('an index created under templates', () => {
  const state = put(
    put(
      put(empty, 'component', 'base', {
        template: {
          settings: { number_of_shards: 2, 'index.refresh_interval': '3s' },
          mappings: { properties: { tag: { type: 'text' }, at: { properties: { x: { type: 'long' } } } } },
          aliases: { all: {}, 'in-{index}': {} },
        },
      }),
      'index',
      'logs',
      {
        index_patterns: ['logs-*'],
        composed_of: ['base'],
        priority: 5,
        template: { settings: { number_of_shards: 3 }, mappings: keyword, aliases: { all: { routing: '1' } } },
      },
    ),
    'index',
    'any',
    { index_patterns: ['*'], template: { settings: { number_of_shards: 9 } } },
  );
  const indexOf = (name: string, body: Json = {}) => withIndex(state, name, body).metadata.indices.get(name);

  test('has what the template of the highest priority and its components say, the last one winning', () => {
    const index = indexOf('logs-1');
    expect(index?.settings).toMatchObject({ 'index.number_of_shards': '3', 'index.refresh_interval': '3s' });
    expect(index?.mapping).toEqual({
      properties: { tag: { type: 'keyword' }, at: { properties: { x: { type: 'long' } } } },
    });
    expect([...(index?.aliases.keys() ?? [])]).toEqual(['all', 'in-logs-1']);
    expect(index?.aliases.get('all')?.indexRouting).toBe('1');
  });

  test('has what its request says instead, where it says something', () => {
    const index = indexOf('logs-1', {
      settings: { number_of_shards: 1, refresh_interval: null },
      mappings: { properties: { tag: { type: 'long' } } },
      aliases: { all: {} },
    });
    expect(index?.settings['index.number_of_shards']).toBe('1');
    expect(index?.settings['index.refresh_interval']).toBeUndefined();
    expect(index?.mapping.properties).toMatchObject({ tag: { type: 'long' }, at: {} });
    expect(index?.aliases.get('all')?.indexRouting).toBeNull();
  });

  test('that is hidden is not touched by templates of every name', () => {
    expect(indexOf('x')?.numberOfShards).toBe(9);
    expect(indexOf('x', { settings: { hidden: true } })?.numberOfShards).toBe(1);
  });

  test('is refused with the field of the template that its own mapping contradicts', () => {
    expect(() => indexOf('logs-1', { mappings: { properties: { at: { type: 'long' } } } })).toThrow(
      "can't merge a non object mapping [at] with an object mapping",
    );
  });
});

describe('legacy templates', () => {
  const legacy = put(
    put(empty, 'legacy', 'a', {
      index_patterns: ['l*'],
      order: 1,
      settings: { number_of_shards: 2 },
      mappings: keyword,
    }),
    'legacy',
    'b',
    { template: 'l*', mappings: { dynamic: 'strict', properties: { tag: { type: 'text' }, n: { type: 'long' } } } },
  );

  test('are merged by their order', () => {
    const index = withIndex(legacy, 'lib').metadata.indices.get('lib');
    expect(index?.numberOfShards).toBe(2);
    expect(index?.mapping).toMatchObject({
      dynamic: 'strict',
      properties: { tag: { type: 'keyword' }, n: { type: 'long' } },
    });
  });

  test('have no effect where an index template fits, of which the user is told', () => {
    const change = { kind: 'index', name: 'new', create: false, body: { index_patterns: ['li*'] } } as const;
    expect(templateWarnings(legacy, change)).toEqual([
      'index template [new] has index patterns [li*] matching patterns from existing older templates [a,b] with patterns (a => [l*],b => [l*]); this template [new] will take precedence during new index creation',
    ]);
    expect(
      withIndex(putTemplate(legacy, change, NO_CONFIG_FILES), 'lib').metadata.indices.get('lib')?.numberOfShards,
    ).toBe(1);
  });
});

test('who puts an index template is warned of what it is made of that is deprecated', () => {
  const component = put(empty, 'component', 'c', {
    template: { settings: { default_pipeline: 'p' } },
    deprecated: true,
  });
  const state = putIngestPipeline(component, { id: 'p', config: '{"processors":[],"deprecated":true}' });
  const warned = (body: object) =>
    templateWarnings(state, { kind: 'index', name: 't', create: false, body: { ...body } });
  expect(warned({ index_patterns: 'a*', composed_of: ['c'] })).toEqual([
    'index template [t] uses deprecated component template [c]',
    'index template [t] uses deprecated ingest pipeline [p]',
  ]);
  expect(warned({ index_patterns: 'a*', template: { settings: { final_pipeline: 'q' } }, deprecated: true })).toEqual(
    [],
  );
});

describe('a template is refused', () => {
  const one = put(empty, 'component', 'c', { template: { mappings: keyword } });
  const two = put(one, 'index', 't', { index_patterns: ['a*'], composed_of: ['c'], priority: 1 });
  const refused: readonly (readonly [string, () => unknown, string])[] = [
    [
      'that exists already',
      () => put(two, 'index', 't', { index_patterns: ['a*'] }, true),
      'index template [t] already',
    ],
    [
      'with an unknown setting',
      () => put(one, 'component', 'd', { template: { settings: { bogus: 1 } } }),
      'unknown set',
    ],
    [
      'with an analyzer that nobody declares',
      () =>
        put(one, 'component', 'd', { template: { mappings: { properties: { a: { type: 'text', analyzer: 'z' } } } } }),
      'analyzer [z] has not been configured',
    ],
    ['with an unknown key', () => put(one, 'component', 'd', { tempate: {} }), 'did you mean [template]?'],
    [
      'of the priority of another that fits the same names',
      () => put(two, 'index', 'u', { index_patterns: ['ab*'], priority: 1 }),
      'that have the same priority [1]',
    ],
    [
      'composed of what is not there',
      () => put(one, 'index', 'u', { index_patterns: ['x'], composed_of: ['none'] }),
      'component templates [none] that do not exist',
    ],
    [
      'whose components contradict it',
      () =>
        put(one, 'index', 'u', {
          index_patterns: ['x'],
          composed_of: ['c'],
          template: { mappings: { properties: { tag: { properties: { x: { type: 'long' } } } } } },
        }),
      'after composition with component templates [c] is invalid',
    ],
    [
      'with a name that is none',
      () => put(one, 'index', 'U u', { index_patterns: ['x'] }),
      'must not contain a space;2:',
    ],
    [
      'with too many patterns',
      () => put(one, 'index', 'u', { index_patterns: Array.from({ length: 101 }, (_, i) => `p${i}`) }),
      'more than [100] entries',
    ],
  ];
  test.each(refused)('%s', (_why, change, reason) => {
    expect(change).toThrow(reason);
  });

  test('that a component would make invalid, or that loses its component', () => {
    const object = { template: { mappings: { properties: { tag: { type: 'object' } } } } };
    const user = put(two, 'index', 't', {
      index_patterns: ['a*'],
      composed_of: ['c'],
      template: { mappings: keyword },
    });
    expect(() => put(user, 'component', 'c', object)).toThrow('results in invalid composable template [t]');
    expect(() => deleteTemplates(user, 'component', ['c'])).toThrow('still in use by index templates [t]');
  });
});

describe('deleting templates', () => {
  const state = put(put(empty, 'index', 'a1', { index_patterns: ['x'] }), 'index', 'a2', { index_patterns: ['y'] });

  test('takes names and patterns, and refuses those that mean none', () => {
    expect(deleteTemplates(state, 'index', ['a*']).metadata.templates.index.size).toBe(0);
    expect(() => deleteTemplates(state, 'index', ['b*'])).toThrow('index_template [b*] missing');
    expect(deleteTemplates(empty, 'index', ['*']).metadata.templates.index.size).toBe(0);
  });
});

test('component templates that may be missing are passed over', () => {
  const state = put(empty, 'index', 't', {
    index_patterns: ['a*'],
    composed_of: ['later'],
    ignore_missing_component_templates: ['later'],
  });
  const later = put(state, 'component', 'later', { template: { settings: { number_of_shards: 4 } } });
  const shards = [state, later].map(
    (s) => withIndex(s, 'ab', {}, testContext()).metadata.indices.get('ab')?.numberOfShards,
  );
  expect(shards).toEqual([1, 4]);
});
