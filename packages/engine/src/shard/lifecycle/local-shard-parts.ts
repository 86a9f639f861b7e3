/**
 * What an open shard is made of: given by whoever opens it.
 */
import type { ShoalError } from '@shoal/core';
import type { Runtime, ThreadTurns } from '@shoal/runtime';
import type { FlatIndexSettings, Mapping } from '@shoal/schema';
import type { NameCounts, ShardId, ShardRecovery } from '@shoal/shard-api';
import type { ShardSearch } from '../../phases/shard-search.ts';
import type { RecentRun } from '../commit/request-runs.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { ShardIdentity } from '../commit/shard-identity.ts';
import type { ShardStore } from '../commit/shard-store.ts';
import type { ScrollCount } from '../contexts/scroll-count.ts';
import type { HistoryRetention } from '../history/history-retention.ts';
import type { RecoveryPace } from '../recovery/recovery-pace.ts';
import type { Translog } from '../translog/translog.ts';
import type { LogRecorder } from '../writing/log-recorder.ts';
import type { ShardRole } from '../writing/shard-role.ts';
import type { ShardWriter } from '../writing/shard-writer.ts';

export interface LocalShardParts {
  readonly runtime: Runtime;
  readonly id: ShardId;
  readonly recovery: ShardRecovery;
  readonly settings: FlatIndexSettings;
  readonly mapping: Mapping;
  readonly writer: ShardWriter;
  readonly recorder: LogRecorder;
  readonly role: ShardRole;
  readonly identity: ShardIdentity;
  readonly segments: SegmentSet;
  readonly store: ShardStore;
  readonly translog: Translog;
  readonly retention: HistoryRetention;
  readonly committedSeqNo: number;
  readonly keepRecentWrites: (writes: readonly RecentRun[]) => Promise<void>;
  readonly search: ShardSearch;
  /** Counts the scrolls of all shards of the node. */
  readonly scrolls: ScrollCount;
  /** Told of the aggregations of searches; null: nobody counts them. */
  readonly aggregationUsage: NameCounts | null;
  /** Every search shows what was written before it. */
  readonly refreshesBeforeSearch: boolean;
  /** Turns of the thread that owns the shard. */
  readonly turns: ThreadTurns;
  /** Pace at which files are sent to other copies; null: as fast as can be. */
  readonly recoveryPace: RecoveryPace | null;
  /** Folder of the shard. */
  readonly path: string;
  /** Called once, when the shard can go on no more. */
  readonly onFailed: (error: ShoalError) => void;
}
