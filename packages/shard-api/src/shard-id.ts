/**
 * Name of a shard: its index by name and uuid, and its number.
 */

export interface ShardId {
  readonly index: string;
  readonly indexUuid: string;
  readonly number: number;
}
