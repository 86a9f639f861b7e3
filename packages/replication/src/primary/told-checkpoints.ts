/**
 * Copies hear of the global checkpoint with the operations that they are sent. When there are none, they are told it alone.
 */
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { replicationTargets } from '../tracker/replication-tracker.ts';
import { sendToCopy } from './copy-requests.ts';

/** Copies that do not know the global checkpoint or the leases are told when nothing else tells them. */
export function tellCheckpointAndLeases<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { term, globalCheckpoint, requests, leases } = turn.state;
  const { tracker, toldLeases } = turn.primary;
  const isNew = leases !== toldLeases;
  turn.patchPrimary({ toldLeases: leases });
  const asked = new Set([...requests.values()].map(({ to }) => to));
  for (const to of replicationTargets(tracker)) {
    const known = tracker.copies.get(to)?.globalCheckpoint ?? globalCheckpoint;
    if (!isNew && (known >= globalCheckpoint || asked.has(to))) continue;
    sendToCopy(
      turn,
      to,
      { kind: 'replicate', term, globalCheckpoint, operations: [], waitsForSync: true, trimAbove: null, leases },
      null,
    );
  }
}

/** Every copy that operations are sent to knows the global checkpoint of now. */
export function isCheckpointTold<O extends ShardOperation>({ state, primary }: CopyTurn<O>): boolean {
  const { tracker } = primary;
  return replicationTargets(tracker).every((id) => {
    return (tracker.copies.get(id)?.globalCheckpoint ?? 0) >= state.globalCheckpoint;
  });
}
