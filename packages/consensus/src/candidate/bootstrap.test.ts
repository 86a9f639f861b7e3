import type { DiscoveryNode } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { decideBootstrap } from './bootstrap.ts';

function node(name: string, port = 9300): DiscoveryNode {
  return {
    id: `id-${name}`,
    ephemeralId: `process-${name}`,
    name,
    version: '0.1.0',
    roles: ['cluster_manager'],
    address: { host: `host-${name}`, port },
    httpAddress: null,
    attributes: {},
  };
}

const [a, b, c] = [node('a'), node('b'), node('c')];

describe('a cluster is bootstrapped', () => {
  test('when more than half of the list is found, with placeholders for the rest', () => {
    expect(decideBootstrap(['a', 'b', 'c'], a, [b])).toEqual({
      kind: 'set',
      config: ['id-a', 'id-b', '{bootstrap-placeholder}-c'],
    });
  });

  test('by name, host, or host and port', () => {
    expect(decideBootstrap(['a', 'host-b', 'host-c:9300'], a, [b, c])).toMatchObject({
      kind: 'set',
      config: ['id-a', 'id-b', 'id-c'],
    });
  });
});

describe('a bootstrap', () => {
  test('waits for more than half, and says for whom', () => {
    expect(decideBootstrap(['a', 'b', 'c'], a, [])).toEqual({ kind: 'wait', missing: ['b', 'c'] });
    expect(decideBootstrap(['a', 'b'], a, [])).toEqual({ kind: 'wait', missing: ['b'] });
  });

  test('does not count nodes that cannot vote', () => {
    expect(decideBootstrap(['a', 'b'], a, [{ ...b, roles: ['data'] }])).toMatchObject({ kind: 'wait' });
  });

  test.each([
    ['this node is not in the list', ['b', 'c'], /not in the list/],
    ['a name is there twice', ['a', 'a', 'b'], /named twice/],
    ['two names match one node', ['a', 'b', 'host-b'], /both match \[b\]/],
  ])('is refused when %s', (_story, names, reason) => {
    expect(decideBootstrap(names, a, [b])).toMatchObject({ kind: 'refused', reason: expect.stringMatching(reason) });
  });

  test('is refused when a name matches two nodes', () => {
    const twin = { ...node('b', 9301), id: 'id-twin' };
    expect(decideBootstrap(['a', 'b'], a, [b, twin])).toMatchObject({ kind: 'refused' });
  });
});
