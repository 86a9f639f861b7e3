/**
 * End of a copy: from here on it answers nobody. Whoever waits for a write is told that its outcome is unknown; reads, and writes
 * that were not begun, may be asked of the next primary.
 */

import type { ShardOperation } from '../sequence/shard-operation.ts';
import type { CopyTurn } from './copy-turn.ts';

/** Closes a copy that was removed, replaced, or deposed by a newer primary. */
export function closeCopy<O extends ShardOperation>(turn: CopyTurn<O>, reason: string): void {
  const { primary, deferred, jobs } = turn.state;
  for (const job of jobs.values()) if (job.kind === 'write') turn.reply(job.ticket, { kind: 'unknown' });
  for (const ticket of primary?.writes.keys() ?? []) turn.reply(ticket, { kind: 'unknown' });
  for (const { ticket } of primary?.handOff?.waiting ?? []) turn.reply(ticket, { kind: 'notPrimary' });
  for (const ticket of primary?.reads.keys() ?? []) turn.reply(ticket, { kind: 'notPrimary' });
  for (const { ticket } of turn.state.asks.values()) if (ticket !== null) turn.reply(ticket, { kind: 'notPrimary' });
  const term = turn.state.knownTerm;
  for (const event of deferred) {
    if (event.kind !== 'request') continue;
    turn.emit({ kind: 'answer', replyTo: event.replyTo, response: { kind: 'refused', reason: 'notHere', term } });
  }
  turn.patch({
    phase: 'closed',
    primary: null,
    target: null,
    jobs: new Map(),
    unsynced: [],
    awaitingSync: [],
    deferred: [],
    requests: new Map(),
    asks: new Map(),
  });
  turn.emit({ kind: 'closed', reason });
}

/** Closes a copy whose engine or disk failed, and tells the cluster manager until it knows. */
export function failItself<O extends ShardOperation>(turn: CopyTurn<O>, reason: string): void {
  const { allocationId } = turn.state;
  closeCopy(turn, reason);
  // It stays in sync as long as no later write marks it stale: its disk may be the last that has everything.
  turn.ask({ kind: 'copyFailed', allocationId, primaryTerm: 0, markStale: false });
}
