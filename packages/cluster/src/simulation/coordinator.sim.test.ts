import { describe, expect, test } from 'vitest';
import { agreedLeader, clusterOf } from './coordinator-cluster.test-support.ts';

describe('three nodes on a good network', () => {
  test('elect one leader, agree on a write, and all apply it', () => {
    const cluster = clusterOf(3, 'calm');
    for (const id of cluster.ids) cluster.start(id);
    const formed = cluster.run(10_000, () => agreedLeader(cluster) !== null);
    if (!formed) console.log(cluster.trace.join('\n'));
    expect(formed).toBe(true);
    console.log('formed at', cluster.time.nowMs, cluster.eventCount);
    const leader = agreedLeader(cluster)!;
    const name = cluster.write(leader);
    const done = cluster.run(20_000, () => cluster.results.get(name) !== null);
    console.log(cluster.trace.slice(-30).join('\n'));
    expect(done).toBe(true);
    expect(cluster.results.get(name)).toEqual({ kind: 'committed', allApplied: true });
  });
});
