import { ShoalError } from '@shoal/core';
import { OPEN_READER } from '@shoal/protocol';
import { expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { type TestNode, testNode } from '../http.test-support.ts';

function spread(): TestNode {
  const indices = [indexOf('big', { shards: 3 })];
  return testNode({ indices, nodes: [nodeOf('n1'), nodeOf('n2')], place: (_, shard) => `n${1 + (shard % 2)}` });
}

const gone = (): never => {
  throw new ShoalError('node_disconnected_exception', 500, 'gone');
};

test('a shard that moved meanwhile is asked where a newer state has it', async () => {
  const node = spread();
  node.cluster.intercept = ({ nodeId, action }) => {
    if (nodeId !== 'n2' || action !== OPEN_READER.name) return;
    node.cluster.change({ place: () => 'n1' });
    gone();
  };
  const answer = await node.ask('POST', '/big/_pit?keep_alive=1m');
  expect([answer.status, typeof answer.json.id]).toEqual([200, 'string']);
  await expect.poll(() => node.cluster.openContexts()).toBe(3);
});

test('a shard that is not there fails it, and what was opened is let go', async () => {
  const node = spread();
  node.cluster.intercept = ({ nodeId, action }) =>
    nodeId === 'n2' && action === OPEN_READER.name ? gone() : undefined;
  const answer = await node.ask('POST', '/big/_pit?keep_alive=1m');
  expect([answer.status, answer.json.error.type]).toEqual([503, 'search_phase_execution_exception']);
  await expect.poll(() => node.cluster.openContexts()).toBe(0);
});

test.each([
  [{ index_filter: { term: { n: 1 } } }, '[index_filter] of a point in time is not supported by this server'],
  [{ query: { match_all: {} } }, '[open_point_in_time] unknown field [query]'],
])('a body that would change what is in it is refused: %j', async (body, reason) => {
  const node = spread();
  const answer = await node.ask('POST', '/big/_pit?keep_alive=1m', body);
  expect([answer.status, answer.json.error?.reason]).toEqual([400, reason]);
  expect(await node.cluster.openContexts()).toBe(0);
  expect((await node.ask('POST', '/big/_pit?keep_alive=1m', {})).status).toBe(200);
});
