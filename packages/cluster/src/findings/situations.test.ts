/** Situations of a cluster, seeded one by one: what is found says the cause, and the first command that it names mends it. */
import { type ClusterState, readClusterState, writeClusterState } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { commandOf, meaningOf } from '../mends/mend.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { stateAfter } from './dry-run.ts';
import { SituationCluster } from './situations.test-support.ts';

interface Situation {
  readonly name: string;
  readonly nodes: string;
  readonly seed: (cluster: SituationCluster) => void;
  /** Causes in the order in which they are told. */
  readonly causes: readonly string[];
  readonly status: 'green' | 'yellow' | 'red';
  /** The command of the first mend, as it is printed. */
  readonly command: string | null;
}

const ONE = { number_of_replicas: 1 };
const SEEDS = 60;

const SITUATIONS: readonly Situation[] = [
  {
    name: 'more replicas than nodes',
    nodes: 'ab',
    seed: (cluster) => cluster.create('lib', { number_of_replicas: 2, number_of_shards: 3 }),
    causes: ['too_many_copies'],
    status: 'yellow',
    command: 'PUT /lib/_settings {"index.number_of_replicas":1}',
  },
  {
    name: 'a range of replicas whose least is more than the nodes',
    nodes: 'a',
    seed: (cluster) => cluster.create('lib', { auto_expand_replicas: '2-all' }),
    causes: ['too_many_copies'],
    status: 'yellow',
    command: 'PUT /lib/_settings {"index.auto_expand_replicas":"0-all"}',
  },
  {
    name: 'allocation switched off for the cluster, in both kinds of settings',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.cluster(
        { 'cluster.routing.allocation.enable': 'none' },
        { 'cluster.routing.allocation.enable': 'primaries' },
      );
      cluster.create('lib', ONE);
      cluster.create('other', ONE);
    },
    causes: ['allocation_disabled'],
    status: 'red',
    command:
      'PUT /_cluster/settings {"persistent":{"cluster.routing.allocation.enable":null},"transient":{"cluster.routing.allocation.enable":null}}',
  },
  {
    name: 'allocation switched off in the file of the cluster manager',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.nodeSettings = { 'cluster.routing.allocation.enable': 'primaries' };
      cluster.create('lib', ONE);
    },
    causes: ['allocation_disabled'],
    status: 'yellow',
    command: 'PUT /_cluster/settings {"persistent":{"cluster.routing.allocation.enable":"all"}}',
  },
  {
    name: 'allocation switched off for an index',
    nodes: 'ab',
    seed: (cluster) => cluster.create('lib', { ...ONE, 'routing.allocation.enable': 'none' }),
    causes: ['allocation_disabled'],
    status: 'red',
    command: 'PUT /lib/_settings {"index.routing.allocation.enable":null}',
  },
  {
    name: 'an index that requires a node that there is not',
    nodes: 'ab',
    seed: (cluster) =>
      cluster.create('lib', {
        number_of_replicas: 0,
        'routing.allocation.require._name': 'nobody',
        'routing.allocation.require.rack': 'r1',
      }),
    causes: ['filtered'],
    status: 'red',
    command:
      'PUT /lib/_settings {"index.routing.allocation.require._name":null,"index.routing.allocation.require.rack":null}',
  },
  {
    name: 'a filter of the cluster that a new index meets on every node',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.cluster({ 'cluster.routing.allocation.exclude._name': 'name-*' });
      cluster.create('lib', { number_of_replicas: 0 });
    },
    causes: ['filtered'],
    status: 'red',
    command: 'PUT /_cluster/settings {"transient":{"cluster.routing.allocation.exclude._name":null}}',
  },
  {
    name: 'disks that are too full for another copy',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.free.set('b', 20);
      cluster.create('lib', ONE);
    },
    causes: ['disk_watermark'],
    status: 'yellow',
    command: 'shoal data-node --cluster.name c --seed-hosts 127.0.0.1:9397,127.0.0.1:9398 --data NEW_FOLDER',
  },
  {
    name: 'forced awareness of a zone that has no node',
    nodes: 'a',
    seed: (cluster) => {
      cluster.cluster(
        {},
        {
          'cluster.routing.allocation.awareness.attributes': 'zone',
          'cluster.routing.allocation.awareness.force.zone.values': 'a,west',
        },
      );
      cluster.join('q', { zone: 'a' });
      cluster.create('lib', ONE);
    },
    causes: ['awareness'],
    status: 'yellow',
    command:
      'shoal data-node --cluster.name c --seed-hosts 127.0.0.1:9397,127.0.0.1:9413 --data NEW_FOLDER --set node.attr.zone=west',
  },
  {
    name: 'as many copies on each node as the index allows, and a filter beside it',
    nodes: 'abc',
    seed: (cluster) =>
      cluster.create('lib', {
        ...ONE,
        number_of_shards: 2,
        'routing.allocation.total_shards_per_node': 1,
        'routing.allocation.exclude._name': 'name-c',
      }),
    causes: ['shards_limit'],
    status: 'yellow',
    command: 'PUT /lib/_settings {"index.routing.allocation.total_shards_per_node":2}',
  },
  {
    name: 'allocation switched off and a filter, which both must go',
    nodes: 'ab',
    seed: (cluster) =>
      cluster.create('lib', {
        number_of_replicas: 0,
        'routing.allocation.enable': 'none',
        'routing.allocation.require._name': 'nobody',
      }),
    causes: ['allocation_disabled', 'filtered'],
    status: 'red',
    command: 'PUT /lib/_settings {"index.routing.allocation.enable":null}',
  },
  {
    name: 'the node of the only copy gone',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', { number_of_replicas: 0, 'routing.allocation.include._name': 'name-b' });
      cluster.startAll();
      cluster.leave('b');
    },
    causes: ['primary_lost'],
    status: 'red',
    command: 'shoal data-node --data FOLDER_OF_THAT_NODE',
  },
  {
    name: 'the node of the only copy back on an empty disk',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', { number_of_replicas: 0, 'routing.allocation.include._name': 'name-b' });
      cluster.startAll();
      cluster.leave('b');
      cluster.wipe('b');
      cluster.join('b');
    },
    causes: ['primary_lost'],
    status: 'red',
    command:
      'POST /_cluster/reroute?metric=none {"commands":[{"allocate_empty_primary":{"index":"lib","shard":0,"node":"name-b","accept_data_loss":true}}]}',
  },
  {
    name: 'the node of the newest copies gone for good, and older ones of two shards left',
    nodes: 'a',
    seed: (cluster) => {
      cluster.create('lib', { ...ONE, number_of_shards: 2 });
      cluster.startAll();
      cluster.join('b');
      cluster.startAll();
      for (const copy of cluster.copies('lib').filter(({ nodeId }) => nodeId === 'b')) {
        cluster.fail(copy, 'a write was not acknowledged by the copy', true);
      }
      cluster.leave('a');
      cluster.wipe('a');
      cluster.join('a');
    },
    causes: ['primary_lost'],
    status: 'red',
    command:
      'POST /_cluster/reroute?metric=none {"commands":[{"allocate_stale_primary":{"index":"lib","shard":0,"node":"name-b","accept_data_loss":true}},{"allocate_stale_primary":{"index":"lib","shard":1,"node":"name-b","accept_data_loss":true}}]}',
  },
  {
    name: 'a node away for whose copies others wait',
    nodes: 'abc',
    seed: (cluster) => {
      cluster.create('lib', ONE);
      cluster.startAll();
      cluster.leave('b');
    },
    causes: ['delayed'],
    status: 'yellow',
    command: 'shoal data-node --data FOLDER_OF_THAT_NODE',
  },
  {
    name: 'a node away that no other can stand in for',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', ONE);
      cluster.startAll();
      cluster.leave('b');
    },
    causes: ['too_many_copies'],
    status: 'yellow',
    command: 'shoal data-node --data FOLDER_OF_THAT_NODE',
  },
  {
    name: 'a copy that failed too often',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', ONE);
      cluster.failForGood('lib', 'no space left');
    },
    causes: ['retries_exhausted'],
    status: 'red',
    command: 'POST /_cluster/reroute?retry_failed=true&metric=none',
  },
  {
    name: 'a copy between two attempts',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', ONE);
      const [primary] = cluster.copies('lib');
      if (primary !== undefined) cluster.fail(primary, 'busy');
    },
    causes: ['retry_pending'],
    status: 'red',
    command: 'GET /_cluster/health/lib?wait_for_status=green&timeout=60s',
  },
  {
    name: 'the only copy damaged',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', { number_of_replicas: 0 });
      cluster.startAll();
      const [primary] = cluster.copies('lib');
      if (primary !== undefined) cluster.fail(primary, 'file [1.seg] is damaged');
      cluster.failForGood('lib', 'file [1.seg] is damaged');
    },
    causes: ['damaged'],
    status: 'red',
    command:
      'POST /_cluster/reroute?metric=none {"commands":[{"allocate_empty_primary":{"index":"lib","shard":0,"node":"name-a","accept_data_loss":true}}]}',
  },
  {
    name: 'a copy that recovers',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.create('lib', ONE);
      for (const copy of cluster.copies('lib').slice(0, 1)) cluster.start(copy);
      cluster.reroute();
    },
    causes: ['recovering'],
    status: 'yellow',
    command: 'GET /_cluster/health/lib?wait_for_status=green&timeout=60s',
  },
  {
    name: 'copies that wait for the recoveries of others',
    nodes: 'a',
    seed: (cluster) => {
      cluster.create('lib', { ...ONE, number_of_shards: 5 });
      cluster.startAll();
      cluster.join('b');
    },
    causes: ['recovering', 'throttled'],
    status: 'yellow',
    command: 'GET /_cluster/health/lib?wait_for_status=green&timeout=60s',
  },
  {
    name: 'no recovery allowed at all',
    nodes: 'ab',
    seed: (cluster) => {
      cluster.cluster({}, { 'cluster.routing.allocation.node_concurrent_recoveries': '0' });
      cluster.create('lib', ONE);
    },
    causes: ['throttled'],
    status: 'yellow',
    command: 'PUT /_cluster/settings {"persistent":{"cluster.routing.allocation.node_concurrent_recoveries":null}}',
  },
  {
    name: 'an index that a full disk made read-only',
    nodes: 'a',
    seed: (cluster) => cluster.create('lib', { 'blocks.read_only_allow_delete': true, number_of_replicas: 0 }),
    causes: ['full_disk_block'],
    status: 'red',
    command: 'PUT /lib/_settings {"index.blocks.read_only_allow_delete":null}',
  },
  {
    name: 'a cluster that is read-only, which refuses what would mend an index',
    nodes: 'a',
    seed: (cluster) => {
      cluster.create('lib', ONE);
      cluster.cluster({}, { 'cluster.blocks.read_only': 'true' });
    },
    causes: ['cluster_block', 'too_many_copies'],
    status: 'red',
    command: 'PUT /_cluster/settings {"persistent":{"cluster.blocks.read_only":null}}',
  },
];

describe('a finding', () => {
  test.each(SITUATIONS)('names the cause and what mends it: $name', (situation) => {
    const cluster = new SituationCluster(...situation.nodes);
    situation.seed(cluster);
    if (!situation.causes.includes('recovering')) cluster.startAll();
    const { findings } = cluster;
    expect(findings.map(({ cause }) => cause)).toEqual(situation.causes);
    expect(findings[0]?.status).toBe(situation.status);
    expect(commandOf(findings[0]!.mends[0]!)).toBe(situation.command);
    const before = cluster.state;

    // What the dry run says of all first mends together is what they do.
    const mends = findings.map((finding) => finding.mends[0]!);
    const foreseen = clusterHealth(stateAfter(before, mends, cluster.context), null);
    expect(cluster.state).toBe(before);
    for (const mend of mends) cluster.run(mend);
    expect([cluster.health, foreseen.status]).toEqual(['green', 'green']);
    expect(cluster.findings.filter(({ status }) => status !== 'green')).toEqual([]);
  });

  test('tells of a block that somebody set, and counts it as green', () => {
    const cluster = new SituationCluster('a');
    cluster.create('lib', { 'blocks.write': true, number_of_replicas: 0 });
    cluster.startAll();
    expect(cluster.findings).toMatchObject([{ cause: 'index_block', status: 'green', indices: ['lib'] }]);
  });

  test('joins what many copies and indices suffer from', () => {
    const cluster = new SituationCluster('a');
    cluster.cluster({ 'cluster.routing.allocation.enable': 'none' });
    for (const index of ['one', 'three', 'two']) cluster.create(index, { number_of_shards: 2, number_of_replicas: 0 });
    expect(cluster.findings).toMatchObject([{ indices: ['one', 'three', 'two'], copies: 6, status: 'red' }]);
  });
});

describe('every index that is not green has a finding', () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed))('whatever became of its copies (seed %i)', (seed) => {
    const dice = numbers(seed);
    const cluster = new SituationCluster('a', 'b', 'c');
    for (const name of ['x', 'y']) {
      cluster.create(name, { number_of_shards: 1 + dice(3), number_of_replicas: dice(4) });
    }
    for (let step = 0; step < 12; step++) happen(cluster, dice);
    const health = clusterHealth(cluster.state, null);
    const told = new Set(cluster.findings.flatMap(({ indices }) => indices));
    const wanted = [...health.indices.values()].filter(({ status }) => status !== 'green').map(({ index }) => index);
    expect([...told].filter((name) => wanted.includes(name)).sort()).toEqual(wanted.sort());
    // A dry run of any mend ends, and leaves the state alone.
    for (const { mends } of cluster.findings) {
      for (const mend of mends) stateAfter(cluster.state, [mend], cluster.context);
    }
  });
});

describe('a node that left and had the only copy', () => {
  function told(state: (before: ClusterState) => ClusterState): readonly string[] {
    const cluster = new SituationCluster('a', 'b');
    cluster.create('lib', { number_of_replicas: 0, 'routing.allocation.include._name': 'name-b' });
    cluster.startAll();
    cluster.leave('b');
    cluster.state = state(cluster.state);
    const [finding] = cluster.findings;
    return [finding?.reason ?? '', ...(finding?.mends ?? []).map(meaningOf)];
  }

  test('is told by its name, in a state that another node has read too', () => {
    const [reason, mend] = told((state) => readClusterState(writeClusterState(state)));
    expect(reason).toContain('the node [name-b] with the id [b], which had it last, is not in the cluster');
    expect(mend).toBe('starts the node [name-b] with the id [b] again, on the data folder that it had');
  });

  test('is told by its id where a state of an older version has no name of it', () => {
    const nameless = (state: ClusterState): ClusterState => {
      const [primary] = state.routing.indices.get('lib')?.[0] ?? [];
      if (primary?.unassigned == null) throw new Error('the copy is not unassigned');
      const { lastNodeName: _, ...unassigned } = primary.unassigned;
      const indices = new Map(state.routing.indices).set('lib', [[{ ...primary, unassigned }]]);
      return { ...state, routing: { ...state.routing, indices } };
    };
    expect(told(nameless)[0]).toContain('the node with the id [b], which had it last, is not in the cluster');
  });
});

type Dice = (below: number) => number;

/** Linear congruential numbers from a seed. */
function numbers(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function happen(cluster: SituationCluster, dice: Dice): void {
  const id = ['a', 'b', 'c'][dice(3)] ?? 'a';
  const index = ['x', 'y'][dice(2)] ?? 'x';
  switch (dice(8)) {
    case 0:
      if (cluster.state.nodes.has(id) && cluster.state.nodes.size > 1) cluster.leave(id);
      return;
    case 1:
      cluster.join(id);
      return;
    case 2: {
      const copies = cluster.copies(index).filter(({ nodeId }) => nodeId !== null);
      const copy = copies[dice(copies.length)];
      if (copy !== undefined) cluster.fail(copy, dice(2) === 0 ? 'busy' : 'file [x] is damaged');
      return;
    }
    case 3:
      cluster.index(index, { 'index.routing.allocation.exclude._name': dice(2) === 0 ? `name-${id}` : null });
      return;
    case 4:
      cluster.cluster({ 'cluster.routing.allocation.enable': ['all', 'none', 'primaries', null][dice(4)] });
      return;
    case 5:
      cluster.close(index);
      return;
    case 6:
      if (dice(2) === 0) cluster.wipe(id);
      else cluster.index(index, { 'index.number_of_replicas': dice(4) });
      return;
    default:
      cluster.startAll();
  }
}
