import { describe, expect, test } from 'vitest';
import { RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';

async function created(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const cluster = new RecordedCluster();
  cluster.adminAnswer = { shardsAcknowledged: true, index: 'copy' };
  expect((await cluster.ask('PUT', path, body)).status).toBe(200);
  const call = cluster.calls.find(({ method }) => method === 'createIndex');
  return call?.request as Readonly<Record<string, unknown>>;
}

describe('_create_from', () => {
  test('takes the settings and the mapping of an index, but not what makes it that index', async () => {
    const source = new RecordedCluster().current.metadata.indices.get('lib');
    const { settings, mappings, index } = await created('/_create_from/lib/copy', {});
    expect(index).toBe('copy');
    expect(mappings).toEqual(source?.mapping);
    const {
      'index.uuid': _u,
      'index.creation_date': _c,
      'index.version.created': _v,
      ...kept
    } = source?.settings ?? {};
    delete (kept as Record<string, unknown>)['index.provided_name'];
    expect(settings).toEqual(kept);
  });

  test('changes what the request says, and leaves a null to the default', async () => {
    const { settings, mappings } = await created('/_create_from/lib/copy', {
      settings_override: { index: { number_of_shards: 7, number_of_replicas: null } },
      mappings_override: { properties: { extra: { type: 'long' } } },
    });
    expect(settings).toMatchObject({ 'index.number_of_shards': '7' });
    expect(settings).not.toHaveProperty(['index.number_of_replicas']);
    expect(mappings).toMatchObject({ properties: { extra: { type: 'long' } } });
  });

  test('refuses a source that is none, and a member that is none', async () => {
    const cluster = new RecordedCluster();
    expect((await cluster.ask('PUT', '/_create_from/none/copy', {})).status).toBe(404);
    const { status, text } = await cluster.ask('PUT', '/_create_from/lib/copy', { settings: {} });
    expect([status, text]).toEqual([400, expect.stringContaining('unknown field [settings]')]);
  });
});
