/**
 * What a worker is told to open a copy.
 */
import type { ShardRestore } from '@shoal/engine';
import type { WorkerCalls } from '../calls/worker-calls.ts';
import type { LocalShard } from './local-shard.ts';
import { type Assignment, type Bootstrap, hasOthers } from './shard-plan.ts';

export interface OpenedFrom {
  readonly bootstrap: Bootstrap;
  /** Folder of the shard. */
  readonly path: string;
  /** null unless it comes from a snapshot. */
  readonly restore: ShardRestore | null;
}

export function openCall(
  shard: LocalShard,
  assignment: Assignment,
  { bootstrap, path, restore }: OpenedFrom,
): WorkerCalls['open']['args'] {
  const isTarget = bootstrap === 'peer';
  const isReplica = isTarget || !shard.isPrimary;
  return {
    key: shard.key,
    isTarget,
    options: {
      shard: { index: shard.index, indexUuid: shard.indexUuid, number: shard.shard },
      path,
      ...shard.claim,
      bootstrap: bootstrap === 'create' || bootstrap === 'copy' ? 'create' : 'existing',
      ...(isReplica ? { isReplica } : {}),
      ...(hasOthers(assignment) ? { othersInSync: true } : {}),
      ...(restore === null ? {} : { restore }),
      settings: shard.knownSettings,
      mapping: assignment.index.mapping,
    },
  };
}
