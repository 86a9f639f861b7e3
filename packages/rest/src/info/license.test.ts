import { describe, expect, test } from 'vitest';
import { RecordedCluster } from '../cluster/recorded-cluster.test-support.ts';

describe('the licence', () => {
  test('is a basic one that does not end, of this cluster', async () => {
    const { metadata, clusterName } = new RecordedCluster().current;
    expect((await new RecordedCluster().ask('GET', '/_license')).json).toMatchObject({
      license: { status: 'active', type: 'basic', uid: metadata.clusterUuid, issued_to: clusterName },
    });
    expect((await new RecordedCluster().ask('GET', '/_license/basic_status')).json).toEqual({
      eligible_to_start_basic: false,
    });
    expect((await new RecordedCluster().ask('GET', '/_license/trial_status')).json).toEqual({
      eligible_to_start_trial: false,
    });
  });
});

describe('_xpack', () => {
  test('says which features are here', async () => {
    const { json } = await new RecordedCluster().ask('GET', '/_xpack?categories=features,license');
    expect(json).toMatchObject({
      license: { type: 'basic', mode: 'basic', status: 'active' },
      features: { ilm: { available: true, enabled: true }, security: { available: false, enabled: false } },
    });
    expect(json).not.toHaveProperty('build');
  });

  test('refuses a category that is none', async () => {
    expect((await new RecordedCluster().ask('GET', '/_xpack?categories=x')).status).toBe(400);
  });

  test('counts what is in use', async () => {
    expect((await new RecordedCluster().ask('GET', '/_xpack/usage')).json).toMatchObject({
      data_streams: { available: true, data_streams: 0, indices_count: 0 },
      ilm: { policy_count: 0, policy_stats: [] },
      ml: { available: false },
    });
  });
});
