import type { PendingTask } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';
import { answering, lost, RecordedCluster, twoIndices } from './recorded-cluster.test-support.ts';
import { lib, libCopy, NODE_ID, recordedState, stateWith, unassignedReplica } from './recorded-state.test-support.ts';

const waitingTask: PendingTask = {
  insertOrder: 101,
  priority: 'urgent',
  source: 'create-index [foo]',
  executing: true,
  timeInQueueMillis: 86,
};

describe('without a cluster manager', () => {
  test.each([
    ['GET', '/_cluster/health'],
    ['GET', '/_cluster/state'],
    ['GET', '/_cat/indices'],
    ['GET', '/_cat/master'],
    ['GET', '/lib'],
    ['PUT', '/lib/_mapping'],
    ['DELETE', '/lib'],
  ])('%s %s waits for master_timeout, then says that none was found', async (method, path) => {
    const cluster = new RecordedCluster(lost);
    const body = method === 'PUT' ? { properties: {} } : undefined;
    const answer = await cluster.ask(method, `${path}?master_timeout=5s`, body);
    expect(answer.status).toBe(503);
    expect(answer.text).toBe(
      '{"error":{"root_cause":[{"type":"master_not_discovered_exception","reason":null}],"type":"master_not_discovered_exception","reason":null},"status":503}',
    );
    expect(cluster.waits).toEqual([5000]);
  });

  test('the default wait is thirty seconds', async () => {
    const cluster = new RecordedCluster(lost);
    await cluster.ask('GET', '/_cluster/health');
    expect(cluster.waits).toEqual([30_000]);
  });

  test.each(['/_cluster/health?local=true', '/_cluster/state?local=true', '/_cat/health?local', '/lib?local=true'])(
    '%s answers from what the node knows',
    async (path) => {
      expect((await new RecordedCluster(lost).ask('GET', path)).status).toBe(200);
    },
  );

  test('the node does not call the cluster healthy: it cannot know', async () => {
    const answer = await new RecordedCluster(lost).ask('GET', '/_cluster/health?local=true');
    expect(answer.json).toMatchObject({ status: 'red', timed_out: false });
    const cat = await new RecordedCluster(lost).ask('GET', '/_cat/health?local&h=status');
    expect(cat.text).toBe('red\n');
  });

  test('GET / answers, pretty', async () => {
    const answer = await new RecordedCluster(lost).ask('GET', '/');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"number" : "8.17.0"');
    expect((await new RecordedCluster(lost).ask('HEAD', '/')).status).toBe(200);
  });
});

describe('_cluster/health', () => {
  test('is 408 with the last health when what it waits for does not come', async () => {
    const cluster = new RecordedCluster(stateWith([{ metadata: lib, shards: [[libCopy, unassignedReplica]] }]));
    const answer = await cluster.ask('GET', '/_cluster/health?wait_for_status=green&timeout=1s');
    expect(answer.status).toBe(408);
    expect(answer.json).toMatchObject({ timed_out: true, status: 'yellow', unassigned_shards: 1 });
    expect(cluster.waits).toEqual([1000]);
  });

  test('of a data stream is that of its indices', async () => {
    const { ask } = testNode({ indices: [indexOf('.ds-logs-1')], dataStreams: { logs: ['.ds-logs-1'] } });
    const { status, json } = await ask('GET', '/_cluster/health/logs?timeout=1s');
    expect([status, json.status, json.active_shards]).toEqual([200, 'green', 1]);
  });

  test('waits for an index that is not there, and calls that red', async () => {
    const answer = await new RecordedCluster().ask('GET', '/_cluster/health/nothere?timeout=1s');
    expect(answer.status).toBe(408);
    expect(answer.json).toMatchObject({ timed_out: true, status: 'red', active_shards: 0 });
  });

  test('takes an alias for its index', async () => {
    const answer = await new RecordedCluster(twoIndices).ask('GET', '/_cluster/health/books?level=indices');
    expect(answer.json).toMatchObject({ status: 'green', indices: { lib: {} } });
  });

  test('refuses words it does not know', async () => {
    expect((await new RecordedCluster().ask('GET', '/_cluster/health?wait_for_status=blue')).status).toBe(400);
    expect((await new RecordedCluster().ask('GET', '/_cluster/health?nosuch=1')).text).toContain(
      'unrecognized parameter',
    );
  });
});

describe('the cluster', () => {
  test('shows and changes its settings', async () => {
    const transientSettings = { 'cluster.routing.allocation.enable': 'none' };
    const cluster = answering({ ...recordedState, metadata: { ...recordedState.metadata, transientSettings } });
    expect((await cluster.ask('GET', '/_cluster/settings')).text).toBe(
      '{"persistent":{},"transient":{"cluster":{"routing":{"allocation":{"enable":"none"}}}}}',
    );
    const defaults = await cluster.ask('GET', '/_cluster/settings?include_defaults');
    expect(defaults.json).toMatchObject({ defaults: { node: { attr: { testattr: 'test' } } } });
    expect(defaults.json).not.toHaveProperty('defaults.cluster.routing.allocation.enable');
    cluster.adminAnswer = { persistent: {}, transient: transientSettings };
    expect((await cluster.ask('PUT', '/_cluster/settings?flat_settings', { transient: transientSettings })).text).toBe(
      '{"acknowledged":true,"persistent":{},"transient":{"cluster.routing.allocation.enable":"none"}}',
    );
  });

  test('reroutes, tries failed shards again, and refuses what it cannot do', async () => {
    const cluster = new RecordedCluster();
    const answer = await cluster.ask('POST', '/_cluster/reroute?retry_failed&metric=none&timeout=5s&master_timeout=7s');
    expect(answer.text).toBe('{"acknowledged":true}');
    const timeouts = { timeoutMs: 5_000, masterTimeoutMs: 7_000 };
    expect(cluster.calls).toMatchObject([{ method: 'reroute', request: { ...timeouts, retryFailed: true } }]);
    const { state } = (await cluster.ask('POST', '/_cluster/reroute')).json as { readonly state: object };
    expect(Object.keys(state)).toContain('routing_table');
    expect(state).not.toHaveProperty('metadata');
    expect((await cluster.ask('POST', '/_cluster/reroute', { command: [] })).status).toBe(400);
  });

  test('sends commands of a reroute, and refuses those that say too little or too much', async () => {
    const cluster = new RecordedCluster();
    cluster.adminAnswer = { explanations: [{ command: 'move' }] };
    const commands = [
      { move: { index: 'lib', shard: 0, from_node: 'a', to_node: 'b' } },
      { cancel: { index: 'lib', shard: '1', node: 'a', allow_primary: true } },
    ];
    const query = '/_cluster/reroute?metric=none&explain&dry_run';
    expect((await cluster.ask('POST', query, { commands })).text).toBe(
      '{"acknowledged":true,"explanations":[{"command":"move"}]}',
    );
    expect(cluster.calls.at(-1)?.request).toMatchObject({
      isDryRun: true,
      isExplained: true,
      commands: [
        { kind: 'move', index: 'lib', shard: 0, fromNode: 'a', toNode: 'b' },
        { kind: 'cancel', index: 'lib', shard: 1, node: 'a', allowPrimary: true },
      ],
    });
    const wrong = [
      {},
      { fly: {} },
      { move: { index: 'lib', shard: 0, from_node: 'a' } },
      { move: { index: 'lib', from_node: 'a', to_node: 'b' } },
      { cancel: { index: 'lib', shard: 0, node: 'a', to_node: 'b' } },
      { move: commands[0]?.move, cancel: commands[1]?.cancel },
    ];
    for (const command of wrong) {
      expect((await cluster.ask('POST', '/_cluster/reroute', { commands: [command] })).status).toBe(400);
    }
  });

  test('shows what waits for the cluster manager', async () => {
    const cluster = new RecordedCluster();
    cluster.answers = { 'cluster:monitor/task': () => ({ tasks: [waitingTask] }) };
    cluster.pendingTasks = [waitingTask];
    const answer = await cluster.ask('GET', '/_cluster/pending_tasks?master_timeout=5s');
    expect(answer.text).toBe(
      '{"tasks":[{"insert_order":101,"priority":"URGENT","source":"create-index [foo]","executing":true,' +
        '"time_in_queue_millis":86,"time_in_queue":"86ms"}]}',
    );
    expect(cluster.calls).toMatchObject([{ method: 'pendingTasks', request: { masterTimeoutMs: 5000 } }]);
    expect((await cluster.ask('GET', '/_cat/pending_tasks?v')).text).toBe(
      'insertOrder timeInQueue priority source\n        101        86ms URGENT   create-index [foo]\n',
    );
    const health = await cluster.ask('GET', '/_cluster/health');
    expect(health.json).toMatchObject({ number_of_pending_tasks: 1, task_max_waiting_in_queue_millis: 86 });
    const silent = await new RecordedCluster().ask('GET', '/_cluster/health');
    expect(silent.json).toMatchObject({ number_of_pending_tasks: 0, task_max_waiting_in_queue_millis: 0 });
    expect((await new RecordedCluster(lost).ask('GET', '/_cluster/pending_tasks?local')).text).toBe('{"tasks":[]}');
  });

  test('explains where a shard is', async () => {
    const cluster = new RecordedCluster();
    cluster.adminAnswer = { index: 'lib' };
    await cluster.ask('POST', '/_cluster/allocation/explain', { index: 'lib', shard: 0, primary: true });
    await cluster.ask('GET', '/_cluster/allocation/explain');
    expect(cluster.calls).toMatchObject([
      { request: { shard: { index: 'lib', shard: 0, isPrimary: true } } },
      { request: { shard: null } },
    ]);
    expect((await cluster.ask('POST', '/_cluster/allocation/explain', { index: 'lib' })).status).toBe(400);
  });

  test('takes nodes out of the vote', async () => {
    const cluster = new RecordedCluster();
    expect((await cluster.ask('POST', '/_cluster/voting_config_exclusions?node_names=a,b')).text).toBe('');
    await cluster.ask('DELETE', '/_cluster/voting_config_exclusions?wait_for_removal=false');
    expect(cluster.calls).toMatchObject([
      { request: { nodeNames: ['a', 'b'], nodeIds: [] } },
      { request: { waitForRemoval: false } },
    ]);
    expect((await cluster.ask('POST', '/_cluster/voting_config_exclusions')).status).toBe(400);
  });

  test('shows parts of its state', async () => {
    const answer = await new RecordedCluster().ask('GET', '/_cluster/state/metadata,routing_table/lib');
    expect(Object.keys(Object(answer.json))).toEqual(['cluster_name', 'cluster_uuid', 'metadata', 'routing_table']);
    expect((await new RecordedCluster().ask('GET', '/_cluster/state/nosuch')).status).toBe(400);
    expect(
      (await new RecordedCluster().ask('GET', '/_cluster/state?wait_for_metadata_version=9&wait_for_timeout=1s')).json,
    ).toEqual({
      cluster_name: 'peer-19290',
      wait_for_timed_out: true,
    });
  });

  test('counts what is in it', async () => {
    expect((await answering().ask('GET', '/_cluster/stats')).json).toMatchObject({
      _nodes: { total: 1, successful: 1, failed: 0 },
      status: 'green',
      indices: { count: 1, shards: { total: 1, primaries: 1 }, docs: { count: 3 } },
      nodes: { count: { total: 1, master: 1, data: 1 }, fs: { total_in_bytes: 1000 } },
    });
  });
});

describe('_nodes', () => {
  test('tells a metric from a node', async () => {
    const cluster = answering();
    const byMetric = await cluster.ask('GET', '/_nodes/os');
    expect(byMetric.json).toMatchObject({ nodes: { [NODE_ID]: { name: 'peer-19290', os: { name: 'Linux' } } } });
    expect(byMetric.json).not.toHaveProperty(['nodes', NODE_ID, 'process']);
    expect((await cluster.ask('GET', '/_nodes/_master')).json).toMatchObject({ nodes: { [NODE_ID]: { process: {} } } });
    expect((await cluster.ask('GET', '/_nodes/other')).json).toMatchObject({ _nodes: { total: 0 }, nodes: {} });
  });

  test('has statistics by metric and index metric', async () => {
    const cluster = answering();
    const docs = await cluster.ask('GET', '/_nodes/stats/indices/docs?level=indices');
    expect(docs.json).toMatchObject({
      nodes: { [NODE_ID]: { ip: '127.0.0.1:20290', indices: { docs: { count: 3 }, indices: { lib: {} } } } },
    });
    expect(docs.json).not.toHaveProperty(['nodes', NODE_ID, 'os']);
    expect(docs.json).not.toHaveProperty(['nodes', NODE_ID, 'indices', 'store']);
    expect((await cluster.ask('GET', '/_nodes/stats/transprot')).text).toContain('did you mean [transport]?');
    expect((await cluster.ask('GET', '/_nodes/stats/os/docs')).status).toBe(400);
  });

  test('names nodes that did not answer', async () => {
    expect((await new RecordedCluster().ask('GET', '/_nodes/stats')).json).toMatchObject({
      _nodes: { total: 1, failed: 1, failures: [{ type: 'failed_node_exception', node_id: NODE_ID }] },
    });
  });
});

describe('_cat', () => {
  test('shows text, or rows as JSON and YAML', async () => {
    const cluster = answering();
    const text = await cluster.ask('GET', '/_cat/indices?v&h=index,docs.count&s=index:desc');
    expect(text.contentType).toBe('text/plain; charset=UTF-8');
    expect(text.text).toBe('index docs.count\nlib            3\n');
    expect((await cluster.ask('GET', '/_cat/shards?format=json&h=i,docs')).text).toBe('[{"i":"lib","docs":"3"}]');
    expect((await cluster.ask('GET', '/_cat/health?format=yaml&h=st')).text).toBe('---\n- st: "green"\n');
  });

  test.each([
    ['/_cat/nodes?h=ip,heap.percent,cpu,node.role,master,name,pid', '127.0.0.1 14 9 dimr * peer-19290 7\n'],
    ['/_cat/allocation', '1 12.9kb 750b 250b 1000b 75 127.0.0.1 127.0.0.1 peer-19290\n'],
    ['/_cat/allocation/nosuch', ''],
    ['/_cat/nodeattrs', 'peer-19290 127.0.0.1 127.0.0.1 testattr test\n'],
    ['/_cat/nodeattrs?h=id,pid,port,attr', `${NODE_ID} 7 20290 testattr\n`],
    ['/_cat/plugins', ''],
    ['/_cat/master', `${NODE_ID} 127.0.0.1 127.0.0.1 peer-19290\n`],
    ['/_cat/health?h=timestamp,status', '09:29:27 green\n'],
    ['/_cat/aliases', ''],
    ['/_cat/count/bla*', '1795253367 09:29:27 0\n'],
    ['/_cat/shards?h=index,node', 'lib peer-19290\n'],
  ])('%s', async (path, text) => {
    expect((await answering().ask('GET', path)).text).toBe(text);
  });

  test('helps', async () => {
    expect((await answering().ask('GET', '/_cat')).text).toContain('=^.^=\n/_cat/aliases\n');
    expect((await answering(lost).ask('GET', '/_cat/indices?help')).text).toContain('docs.count');
    expect((await answering().ask('GET', '/_cat/indices?health=invalid')).status).toBe(400);
  });
});
