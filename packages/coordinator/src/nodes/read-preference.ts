/**
 * `preference`: which copies of each shard answer a request that reads, and which shards are read at all.
 *
 * Names of nodes are resolved by the state of now. A text that means nothing leads to the same copy each time.
 */
import type { ClusterState } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';
import type { CopyPreference } from '@shoal/replication';
import { ANY_COPY, type ReadPreference } from '../copies/copy-order.ts';
import { filterNodes } from './node-filter.ts';

const SHARD_NUMBER = /^\d{1,9}$/;

/** @throws illegal_argument_exception for a preference that is none, or that names no node with data */
export function readPreference(text: string, state: ClusterState, localNodeId: string): ReadPreference {
  if (text === '') return ANY_COPY;
  if (!text.startsWith('_')) return { copies: { kind: 'text', text }, shards: null };
  const [word = '', ...rest] = text.split(':');
  const value = rest.join(':');
  if (word === '_shards' && rest.length > 0) {
    const [numbers = '', ...others] = value.split('|');
    const then = readPreference(others.join('|'), state, localNodeId);
    return { copies: then.copies, shards: shardNumbers(numbers) };
  }
  const nodes = nodesOf(word, rest.length > 0 ? value : null, state, localNodeId);
  if (nodes === null) throw illegalArgument(`no Preference for [${word}]`);
  return { copies: nodes, shards: null };
}

function shardNumbers(text: string): ReadonlySet<number> {
  const numbers = text.split(',').map((number) => number.trim());
  const wrong = numbers.find((number) => !SHARD_NUMBER.test(number));
  if (wrong !== undefined) throw illegalArgument(`For input string: "${wrong}"`);
  return new Set(numbers.map(Number));
}

/** null: a word that means nothing. */
function nodesOf(word: string, value: string | null, state: ClusterState, localNodeId: string): CopyPreference | null {
  const local = new Set([localNodeId]);
  if (value === null) {
    if (word === '_local') return { kind: 'nodes', nodes: local, only: false };
    return word === '_only_local' ? { kind: 'nodes', nodes: local, only: true } : null;
  }
  if (word === '_prefer_nodes') return { kind: 'nodes', nodes: new Set(value.split(',')), only: false };
  if (word !== '_only_nodes') return null;
  const named = filterNodes(state, localNodeId, value.split(',')).filter(({ roles }) => roles.includes('data'));
  if (named.length === 0) throw illegalArgument(`no data nodes with criteria [${value}] found`);
  return { kind: 'nodes', nodes: new Set(named.map(({ id }) => id)), only: true };
}
