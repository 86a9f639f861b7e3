import { describe, expect, test } from 'vitest';
import { shrunkenShards } from './shrunken-index.ts';

describe('the shards of a shrunken index', () => {
  test.each([
    [6, 100, 1_000, 1],
    [6, 0, 1_000, 1],
    [6, 1_001, 1_000, 2],
    [6, 3_500, 1_000, 6],
    [6, 60_000, 1_000, 6],
    [5, 2_000, 1_000, 5],
    [1, 9_000, 1_000, 1],
  ])('%i with %i bytes, of at most %i a shard, become %i', (shards, bytes, shardBytesMax, wanted) => {
    expect(shrunkenShards(shards, bytes, shardBytesMax)).toBe(wanted);
  });
});
