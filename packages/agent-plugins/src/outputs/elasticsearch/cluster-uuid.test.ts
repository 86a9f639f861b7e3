import { eventFromJson } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { testContext } from '../../plugin-instance.test-support.ts';
import { clusterWith, output } from './cluster-double.test-support.ts';

test('the cluster is asked for its uuid behind the first events, until it tells one', async () => {
  const about: Record<string, unknown> = { '/': {} };
  const { url, seen } = await clusterWith(about);
  const context = testContext();
  const { sched } = context.runtime;
  let pauses = 0;
  const after: typeof sched.after = (_ms, run) =>
    sched.after(1, () => {
      // The first answer names no cluster, the one after it does.
      if (++pauses === 2) about['/'] = { cluster_uuid: 'u' };
      run();
    });
  const told = new Promise<unknown>((resolve, reject) => {
    const metrics = { increment: () => {}, gauge: (name: string, value: unknown) => resolve([name, value]) };
    const own = { ...context, runtime: { ...context.runtime, sched: { ...sched, after } }, metrics };
    output(url, { index: 'i', manage_template: false }, own as typeof context)
      .made.receive([eventFromJson({ n: 1 })])
      .catch(reject);
  });
  expect(await told).toEqual(['cluster_uuid', 'u']);
  expect(seen).toHaveLength(1);
  expect(pauses).toBeGreaterThanOrEqual(2);
});
