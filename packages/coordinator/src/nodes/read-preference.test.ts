import { expect, test } from 'vitest';
import { nodeOf, stateOf } from '../coordinator.test-support.ts';
import { readPreference } from './read-preference.ts';

const STATE = stateOf({
  nodes: [nodeOf('n1'), nodeOf('n2'), { ...nodeOf('m1'), roles: ['cluster_manager'] }],
});
const read = (text: string) => readPreference(text, STATE, 'n1');
const nodes = (only: boolean, ...ids: string[]) => ({ kind: 'nodes', nodes: new Set(ids), only });

test.each([
  ['', { kind: 'adaptive' }, null],
  ['user 42', { kind: 'text', text: 'user 42' }, null],
  ['_local', nodes(false, 'n1'), null],
  ['_only_local', nodes(true, 'n1'), null],
  ['_prefer_nodes:n2,gone', nodes(false, 'n2', 'gone'), null],
  ['_only_nodes:n*', nodes(true, 'n1', 'n2'), null],
  ['_only_nodes:_local', nodes(true, 'n1'), null],
  ['_shards:0,2', { kind: 'adaptive' }, new Set([0, 2])],
  ['_shards:1|_only_local', nodes(true, 'n1'), new Set([1])],
  ['_shards:1|user 42', { kind: 'text', text: 'user 42' }, new Set([1])],
])('%j', (text, copies, shards) => {
  expect(read(text)).toEqual({ copies, shards });
});

test.each([
  ['_primary', 'no Preference for [_primary]'],
  ['_local:n1', 'no Preference for [_local]'],
  ['_only_nodes', 'no Preference for [_only_nodes]'],
  ['_only_nodes:m1', 'no data nodes with criteria [m1] found'],
  ['_shards:1|_nope', 'no Preference for [_nope]'],
  ['_shards:-1', 'For input string: "-1"'],
])('%s is refused', (text, reason) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ status: 400, reason }));
});
