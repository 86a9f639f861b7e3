/**
 * A point-in-time view of a shard as another thread of the node is handed it: segments never change, so that both may read them.
 */
import type { FlatIndexSettings } from '@shoal/schema';
import type { ShardId } from '@shoal/shard-api';

/** A segment for another thread to read. Both of its files stay until every guest has answered. */
export interface LentSegment {
  /** Tells it from all other segments that the node ever had. */
  readonly id: string;
  /** Where the files are; null: the segment is only in memory, and `bytes` has it. */
  readonly files: { readonly segment: string; readonly stored: string } | null;
  readonly bytes: { readonly segment: Uint8Array; readonly stored: Uint8Array } | null;
  /** See `SegmentView`. */
  readonly liveDocs: Uint8Array | null;
  readonly liveCount: number;
}

/** A point-in-time view of a shard, and how its fields are read. */
export interface LentSearcher {
  readonly shard: ShardId;
  /** In the order of the searcher. */
  readonly segments: readonly LentSegment[];
  /** Mapping as JSON text. */
  readonly mapping: string;
  readonly settings: FlatIndexSettings;
  readonly aliases: readonly string[];
}
