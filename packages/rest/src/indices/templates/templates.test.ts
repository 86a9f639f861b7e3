import { describe, expect, test } from 'vitest';
import { testNode } from '../../http.test-support.ts';

async function nodeWith(...requests: readonly (readonly [string, object])[]) {
  const node = testNode({});
  for (const [path, body] of requests) expect((await node.ask('PUT', path, body)).status).toBe(200);
  return node;
}

const component = { template: { settings: { 'index.number_of_shards': 2 }, aliases: { all: {} } }, version: 3 };
const template = { index_patterns: 'logs-*', composed_of: ['base'], priority: 7, template: { mappings: { _doc: {} } } };

describe('templates', () => {
  test('of all kinds are shown as they were put', async () => {
    const node = await nodeWith(
      ['/_component_template/base', component],
      ['/_index_template/logs', template],
      ['/_template/old?order=4', { index_patterns: ['x*'], settings: { refresh_interval: '1s' } }],
    );
    expect((await node.ask('GET', '/_component_template/b*?flat_settings')).json).toEqual({
      component_templates: [
        {
          name: 'base',
          component_template: {
            template: { settings: { 'index.number_of_shards': '2' }, aliases: { all: {} } },
            version: 3,
          },
        },
      ],
    });
    expect((await node.ask('GET', '/_index_template/logs')).json.index_templates[0].index_template).toEqual({
      index_patterns: ['logs-*'],
      template: { mappings: {} },
      composed_of: ['base'],
      priority: 7,
    });
    expect((await node.ask('GET', '/_template')).json).toEqual({
      old: {
        order: 4,
        index_patterns: ['x*'],
        settings: { index: { refresh_interval: '1s' } },
        mappings: {},
        aliases: {},
      },
    });
    expect((await node.ask('GET', '/_cat/templates?h=name,order,composed_of')).text).toBe('old  4 \nlogs 7 [base]\n');
    expect((await node.ask('GET', '/_cat/component_templates?h=name,alias_count,included_in')).text).toBe(
      'base 1 [logs]\n',
    );
  });

  test.each([
    ['GET', '/_index_template/none', 404],
    ['GET', '/_index_template/none*', 404],
    ['GET', '/_index_template', 200],
    ['GET', '/_template/none', 404],
    ['HEAD', '/_template/none', 404],
    ['HEAD', '/_component_template/ba*', 200],
    ['DELETE', '/_component_template/none', 404],
    ['DELETE', '/_component_template/base', 200],
  ])('%s %s is answered with %i', async (method, path, status) => {
    const node = await nodeWith(['/_component_template/base', component]);
    expect((await node.ask(method, path)).status).toBe(status);
  });

  test('with a filter that is no query are refused', async () => {
    const node = testNode({});
    const body = { template: { aliases: { a: { filter: { bogus: {} } } } } };
    const answer = await node.ask('PUT', '/_component_template/base', body);
    expect([answer.status, answer.json.error.reason]).toEqual([400, 'failed to parse filter for alias [a]']);
  });

  test('that take precedence over older ones say so in a header', async () => {
    const node = await nodeWith(['/_template/old', { index_patterns: ['lo*'] }]);
    const answer = await node.ask('PUT', '/_index_template/new', { index_patterns: ['logs-*'] });
    expect(answer.headers.warning).toContain('matching patterns from existing older templates [old]');
  });
});

describe('a simulation', () => {
  const puts = [
    ['/_component_template/base', component],
    ['/_index_template/logs', template],
  ] as const;
  const outcome = {
    template: { settings: { index: { number_of_shards: '2' } }, aliases: { all: {} } },
    overlapping: [],
  };

  test.each([
    ['/_index_template/_simulate/logs', undefined, outcome],
    ['/_index_template/_simulate_index/logs-1', undefined, outcome],
    ['/_index_template/_simulate_index/other', undefined, {}],
    [
      '/_index_template/_simulate',
      { index_patterns: ['logs-1'], composed_of: ['base'], priority: 8 },
      { ...outcome, overlapping: [{ name: 'logs', index_patterns: ['logs-*'] }] },
    ],
  ])('POST %s shows what an index would have', async (path, body, expected) => {
    const node = await nodeWith(...puts);
    expect((await node.ask('POST', path, body)).json).toEqual(expected);
  });

  test('of a template that would be refused is refused', async () => {
    const node = await nodeWith(...puts);
    const body = { index_patterns: ['logs-1'], priority: 7 };
    const answer = await node.ask('POST', '/_index_template/_simulate', body);
    expect([answer.status, answer.json.error.reason]).toEqual([400, expect.stringContaining('same priority [7]')]);
  });
});
