import { createCoordinatorContext } from '@shoal/coordinator';
import { SnapshotPolicyRunner } from '@shoal/rest';
import type { Runtime } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type HttpAnswer, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const HOUR_MS = 3_600_000;
const NIGHTLY = { name: '<night-{now/d{uuuu}}>', schedule: '0 30 1 * * ?', repository: 'r' };

describe('snapshot policies', () => {
  const cluster = new TestCluster();
  let node: TestNode;
  let laterMs = 0;
  let runner: SnapshotPolicyRunner;

  async function ok(method: string, path: string, body?: unknown): Promise<HttpAnswer['body']> {
    const answer = await call(node, method, path, body);
    expect([answer.status, answer.body?.error]).toEqual([200, undefined]);
    return answer.body;
  }

  const policyOf = async (name: string): Promise<HttpAnswer['body']> =>
    (await ok('GET', `/_slm/policy/${name}?human=true`))[name];
  const snapshotsOf = async (policy: string): Promise<readonly string[]> => {
    const { snapshots } = await ok('GET', `/_snapshot/r/_all?slm_policy_filter=${policy}`);
    return snapshots.map(({ snapshot }: { readonly snapshot: string }) => snapshot);
  };
  const noted = (name: string, counts: object): Promise<void> =>
    expect.poll(async () => (await policyOf(name)).stats, { timeout: 30_000 }).toMatchObject(counts);

  beforeAll(async () => {
    node = await cluster.start('a', { settings: { 'path.repo': ['/repos'] } });
    const { clock } = node.runtime;
    const ahead: Runtime = {
      ...node.runtime,
      clock: { monotonicMs: () => clock.monotonicMs(), wallMs: () => clock.wallMs() + laterMs },
    };
    runner = new SnapshotPolicyRunner(createCoordinatorContext(ahead, node.node.cluster));
    await ok('PUT', '/_snapshot/r', { type: 'fs', settings: { location: '/repos/r' } });
    await call(node, 'PUT', '/books/_doc/1?refresh=true', { title: 'Emma' });
  }, 60_000);
  afterAll(async () => {
    await runner.close();
    await cluster.close();
  });

  test('are shown as they were put, with the time of their next snapshot', async () => {
    await ok('PUT', '/_slm/policy/nightly', { ...NIGHTLY, config: { indices: 'books' } });
    const { policy, version, next_execution: next, stats } = await policyOf('nightly');
    expect([policy, version]).toEqual([{ ...NIGHTLY, config: { indices: 'books' } }, 1]);
    expect(next).toMatch(/T01:30:00\.000Z$/);
    expect(stats).toMatchObject({ policy: 'nightly', snapshots_taken: 0 });
    await ok('PUT', '/_slm/policy/nightly', NIGHTLY);
    expect((await policyOf('nightly')).version).toBe(2);
  });

  test('make a snapshot when they are told to, and note it', async () => {
    const { snapshot_name: name } = await ok('POST', '/_slm/policy/nightly/_execute');
    expect(name).toMatch(/^night-\d{4}-/);
    await noted('nightly', { snapshots_taken: 1, snapshots_failed: 0 });
    expect((await policyOf('nightly')).last_success.snapshot_name).toBe(name);
    const { snapshots } = await ok('GET', `/_snapshot/r/${name}`);
    expect(snapshots[0]).toMatchObject({ state: 'SUCCESS', metadata: { policy: 'nightly' }, indices: ['books'] });
  });

  test('make snapshots when their time has come, and not while they are stopped', async () => {
    await ok('POST', '/_slm/stop');
    expect(await ok('GET', '/_slm/status')).toEqual({ operation_mode: 'STOPPED' });
    expect((await ok('GET', '/_health_report/slm')).indicators.slm.status).toBe('yellow');
    await ok('POST', '/_slm/start');
    expect((await ok('GET', '/_health_report/slm')).indicators.slm.status).toBe('green');
    await runner.runOnce();
    expect(await snapshotsOf('nightly')).toHaveLength(1);
    laterMs += 25 * HOUR_MS;
    await runner.runOnce();
    await noted('nightly', { snapshots_taken: 2 });
    expect(await snapshotsOf('nightly')).toHaveLength(2);
    await runner.runOnce();
    expect(await snapshotsOf('nightly')).toHaveLength(2);
  });

  test('note what their repository says against a snapshot', async () => {
    await ok('PUT', '/_slm/policy/lost', { ...NIGHTLY, config: { indices: 'missing' } });
    expect((await call(node, 'POST', '/_slm/policy/lost/_execute')).status).toBe(404);
    const { last_failure: failure, stats } = await policyOf('lost');
    expect([stats.snapshots_failed, failure.details]).toEqual([1, expect.stringContaining('no such index [missing]')]);
    const { status, symptom } = (await ok('GET', '/_health_report/slm')).indicators.slm;
    expect([status, symptom]).toEqual(['yellow', expect.stringContaining('1 snapshot policy')]);
    expect(await ok('DELETE', '/_slm/policy/lost')).toEqual({ acknowledged: true });
    expect((await call(node, 'GET', '/_slm/policy/lost')).status).toBe(404);
  });

  test('delete what they keep no longer, and only that', async () => {
    await ok('PUT', '/_snapshot/r/mine?wait_for_completion=true', {});
    await ok('PUT', '/_slm/policy/nightly', { ...NIGHTLY, retention: { max_count: 1 } });
    // The night that passed had a run of its own.
    const before = await snapshotsOf('nightly');
    await ok('POST', '/_slm/_execute_retention');
    expect(await snapshotsOf('nightly')).toEqual([before.at(-1)]);
    expect(await snapshotsOf('_none')).toEqual(['mine']);
    expect(await ok('GET', '/_slm/stats')).toMatchObject({
      ...{ retention_runs: 2, retention_failed: 0, total_snapshots_taken: 2, total_snapshots_deleted: 1 },
      policy_stats: [{ policy: 'nightly', snapshots_taken: 2, snapshots_deleted: 1 }],
    });
  });

  test.each([
    [{ ...NIGHTLY, repository: 'none' }, 'no such repository [none]'],
    [{ ...NIGHTLY, schedule: '0 * * * * ?' }, 'more than every [15m]'],
    [{ ...NIGHTLY, schedule: 'often' }, 'invalid schedule [often]'],
    [{ ...NIGHTLY, name: undefined }, 'Required [name]'],
    [{ ...NIGHTLY, config: { metadata: { policy: 'x' } } }, 'reserved'],
    [{ ...NIGHTLY, config: { what: 1 } }, 'Unknown parameter what'],
    [{ ...NIGHTLY, retention: { min_count: 5, max_count: 3 } }, 'cannot be larger'],
    [{ ...NIGHTLY, retention: { keep: 5 } }, 'unknown field [keep]'],
  ])('are refused: %j', async (policy, reason) => {
    const { status, body } = await call(node, 'PUT', '/_slm/policy/wrong', policy);
    expect([status, body.error.reason]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('may be more frequent where the cluster allows it', async () => {
    await ok('PUT', '/_cluster/settings', { persistent: { 'slm.minimum_interval': '1m' } });
    await ok('PUT', '/_slm/policy/often', { ...NIGHTLY, schedule: '0 * * * * ?' });
    await ok('DELETE', '/_slm/policy/often');
    const wrong = { persistent: { 'slm.retention_schedule': 'never' } };
    expect((await call(node, 'PUT', '/_cluster/settings', wrong)).status).toBe(400);
  });
});
