import { describe, expect, test } from 'vitest';
import { shardIdForRouting } from './shard-routing.ts';

describe('the shard of a document', () => {
  test('follows from its id, or from its routing when it has one', () => {
    const index = { numberOfShards: 3, routingNumShards: 768 };
    // murmur3("hello") = 0xd7c31989 = -675079799; floorMod 768 = 649; 649 / 256 = 2.
    expect(shardIdForRouting(index, 'hello', null)).toBe(2);
    expect(shardIdForRouting(index, 'anything', 'hello')).toBe(2);
    expect(shardIdForRouting({ numberOfShards: 1, routingNumShards: 1024 }, 'hello', null)).toBe(0);
  });

  test('is spread over all shards', () => {
    const counts = [0, 0, 0];
    for (let i = 0; i < 3_000; i++) {
      const shard = shardIdForRouting({ numberOfShards: 3, routingNumShards: 768 }, `doc-${i}`, null);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(900);
  });
});
