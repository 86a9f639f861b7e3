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

describe('a change of the licence', () => {
  test.each([
    ['/_license/start_basic', { basic_was_started: false, error_message: expect.stringContaining('is basic') }],
    [
      '/_license/start_trial',
      { trial_was_started: false, error_message: expect.stringContaining('already activated') },
    ],
  ])('by %s is forbidden', async (path, body) => {
    expect(await new RecordedCluster().ask('POST', path)).toMatchObject({ status: 403, json: body });
  });

  test('to one that is signed is not valid, as no signature can be checked', async () => {
    const body = { licenses: [{ type: 'platinum', signature: 'AAAA' }] };
    const { json } = await new RecordedCluster().ask('PUT', '/_license', body);
    expect(json).toEqual({ acknowledged: true, license_status: 'invalid' });
  });

  test.each([
    [{ licenses: [{ type: 'basic' }] }, 'Installing basic licenses is no longer allowed'],
    [{ licenses: [{}, {}] }, 'only one license'],
    [{}, 'license not found'],
  ])('by the body %j is refused', async (body, reason) => {
    const { status, text } = await new RecordedCluster().ask('PUT', '/_license', body);
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('by taking it away leaves it as it is', async () => {
    const cluster = new RecordedCluster();
    const before = (await cluster.ask('GET', '/_license')).json;
    expect((await cluster.ask('DELETE', '/_license')).json).toEqual({ acknowledged: true });
    expect((await cluster.ask('GET', '/_license')).json).toEqual(before);
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
