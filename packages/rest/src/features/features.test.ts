import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

describe('_features', () => {
  test('names what keeps data of its own', async () => {
    const { status, json } = await testNode({}).ask('GET', '/_features');
    expect(status).toBe(200);
    expect(json.features.map(({ name }: { name: string }) => name)).toEqual(['async_search', 'tasks']);
    expect(json.features.every(({ description }: { description: string }) => description.length > 0)).toBe(true);
  });

  test('are none of the parameters of other APIs', async () => {
    const { status, json } = await testNode({}).ask('GET', '/_features?local=true');
    expect(status).toBe(400);
    expect(json.error.reason).toContain('unrecognized parameter: [local]');
  });
});

describe('_migration/system_features', () => {
  test('says that no index must be made anew, and makes none', async () => {
    const node = testNode({});
    const { json } = await node.ask('GET', '/_migration/system_features');
    expect(json).toEqual({
      features: [
        { feature_name: 'async_search', migration_status: 'NO_MIGRATION_NEEDED', indices: [] },
        { feature_name: 'tasks', migration_status: 'NO_MIGRATION_NEEDED', indices: [] },
      ],
      migration_status: 'NO_MIGRATION_NEEDED',
    });
    const posted = await node.ask('POST', '/_migration/system_features');
    expect([posted.status, posted.json.accepted]).toEqual([200, false]);
  });
});

describe('_migration/deprecations', () => {
  test('tells of settings that have no effect, in indices that are named and in templates', async () => {
    const node = testNode({
      indices: [indexOf('old', { settings: { 'index.translog.retention.size': '1mb' } }), indexOf('new')],
    });
    const template = { index_patterns: ['x*'], template: { settings: { 'translog.retention.age': '1h' } } };
    await node.ask('PUT', '/_index_template/keeps', template);
    const { json } = await node.ask('GET', '/_migration/deprecations');
    expect(json).toMatchObject({
      cluster_settings: [],
      index_settings: {
        old: [{ level: 'warning', details: expect.stringContaining('[index.translog.retention.size]') }],
      },
      templates: { keeps: [{ level: 'warning' }] },
    });
    expect((await node.ask('GET', '/new/_migration/deprecations')).json.index_settings).toEqual({});
  });
});
