/** How the shards of one node were opened, or are being opened: any node → data node. Channel `reg`. */
import { type ItemReader, ValueReader } from '@shoal/core';
import { PEER_RECOVERY_STAGES, type PeerRecoveryStage, type ShardRecovery } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { SHARD_NUMBER_MAX } from '../documents/shard-target.ts';

export interface ShardRecoveriesRequest {
  /** Names of concrete indices. */
  readonly indices: readonly string[];
}

export interface ShardRecoveryEntry {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly isPrimary: boolean;
  /** Where its documents came from. */
  readonly source: RecoverySource;
  /** Wall clock, milliseconds since 1970. */
  readonly startMs: number;
  /** null while it is being opened. */
  readonly stopMs: number | null;
  readonly tookMs: number;
  /** null until the engine has read what is on disk. */
  readonly recovery: ShardRecovery | null;
  /** Stage of a copy that came from another one, and the node that it came from; null: it came from elsewhere. */
  readonly peer: { readonly stage: PeerRecoveryStage; readonly nodeId: string | null } | null;
}

const RECOVERY_SOURCES = ['EMPTY_STORE', 'EXISTING_STORE', 'LOCAL_SHARDS', 'SNAPSHOT', 'PEER'] as const;

export type RecoverySource = (typeof RECOVERY_SOURCES)[number];

export interface ShardRecoveriesResponse {
  readonly shards: readonly ShardRecoveryEntry[];
}

const INDICES_MAX = 100_000;
/** Most shards that one node holds. */
const SHARDS_MAX = 100_000;

const readRecovery: ItemReader<ShardRecovery> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    fileCount: r.integer('fileCount', 0, Number.MAX_SAFE_INTEGER),
    fileBytes: r.integer('fileBytes', 0, Number.MAX_SAFE_INTEGER),
    copiedFileCount: r.integer('copiedFileCount', 0, Number.MAX_SAFE_INTEGER),
    copiedFileBytes: r.integer('copiedFileBytes', 0, Number.MAX_SAFE_INTEGER),
    indexTimeMs: r.number('indexTimeMs'),
    translogOperations: r.integer('translogOperations', 0, Number.MAX_SAFE_INTEGER),
    translogTimeMs: r.number('translogTimeMs'),
  };
};

const readPeer: ItemReader<ShardRecoveryEntry['peer']> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { stage: r.oneOf('stage', PEER_RECOVERY_STAGES), nodeId: r.optionalString('nodeId') };
};

const readEntry: ItemReader<ShardRecoveryEntry> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    shard: r.integer('shard', 0, SHARD_NUMBER_MAX),
    allocationId: r.string('allocationId'),
    isPrimary: r.boolean('isPrimary'),
    source: r.oneOf('source', RECOVERY_SOURCES),
    startMs: r.number('startMs'),
    stopMs: r.optional('stopMs', ValueReader.asNumber),
    tookMs: r.number('tookMs'),
    recovery: r.optional('recovery', readRecovery),
    peer: r.optional('peer', readPeer),
  };
};

export const SHARD_RECOVERIES: ActionCodec<ShardRecoveriesRequest, ShardRecoveriesResponse> = {
  name: 'indices:monitor/recovery[n]',
  writeRequest: ({ indices }) => ({ message: { indices: [...indices] } }),
  readRequest: (body) => ({ indices: ValueReader.of(body.message).list('indices', ValueReader.asString, INDICES_MAX) }),
  writeResponse: ({ shards }) => ({
    message: {
      shards: shards.map((entry) => ({
        ...entry,
        recovery: entry.recovery === null ? null : { ...entry.recovery },
        peer: entry.peer === null ? null : { ...entry.peer },
      })),
    },
  }),
  readResponse: (body) => ({ shards: ValueReader.of(body.message).list('shards', readEntry, SHARDS_MAX) }),
};
