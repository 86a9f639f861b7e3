/**
 * What must hold of all copies of a shard together, checked when an operation is executed, a checkpoint moves, a write is
 * acknowledged, and when everything is quiet.
 */

import { isLinearizable, type RegisterCall } from '@shoal/simulation';
import type { CopyState } from '../copy/copy-state.ts';
import type { AllocationId, ShardGroup } from '../group/shard-group.ts';
import type { SimOperation, SimulatedStore } from './simulated-store.test-support.ts';

export class ReplicationViolation extends Error {
  override readonly name = 'ReplicationViolation';
}

export class ReplicationChecker {
  private readonly primaryOfTerm = new Map<number, AllocationId>();
  /** What each (sequence number, term) is, wherever it is executed. */
  private readonly operations = new Map<string, string>();
  private readonly calls = new Map<string, RegisterCall[]>();
  /** Term of each acknowledged operation, by sequence number: nobody may ever have another there. */
  private readonly acknowledgedTerms = new Map<number, number>();
  /** Writes of older terms are lost with everybody's consent, also those that an old primary acknowledges afterwards. */
  private lossBelowTerm = 0;
  acknowledged = 0;

  stepped(before: CopyState<SimOperation>, after: CopyState<SimOperation>): void {
    require(after.globalCheckpoint >= before.globalCheckpoint || before.phase === 'recovering', () =>
      `global checkpoint of ${after.allocationId} goes back from ${before.globalCheckpoint} to ${after.globalCheckpoint}`);
    require(after.term >= before.term, () =>
      `term of ${after.allocationId} goes back from ${before.term} to ${after.term}`);
    if (after.phase !== 'promoting' && after.phase !== 'primary') return;
    const primary = this.primaryOfTerm.get(after.term) ?? after.allocationId;
    require(primary === after.allocationId, () =>
      `term ${after.term} has two primaries: ${primary}, ${after.allocationId}`);
    this.primaryOfTerm.set(after.term, primary);
  }

  executed(copy: AllocationId, operations: readonly SimOperation[]): void {
    for (const { seqNo, primaryTerm: term, document } of operations) {
      const name = `${seqNo}/${term}`;
      const content = document === null ? 'no-op' : `${document.id}=${document.value} v${document.version}`;
      const known = this.operations.get(name) ?? content;
      require(known === content, () => `operation ${name} is ${known}, and ${content} on ${copy}`);
      this.operations.set(name, known);
    }
  }

  /** `stores`: by allocation id, of all copies in sync whose disk there still is. */
  globalCheckpointMoved(
    primary: { readonly copy: AllocationId; readonly term: number },
    to: number,
    stores: ReadonlyMap<AllocationId, SimulatedStore>,
  ): void {
    if (primary.term < this.lossBelowTerm) return;
    const { copy } = primary;
    for (const [id, store] of stores) {
      const has = store.durableSet().checkpoint;
      require(has >= to, () => `${copy} has global checkpoint ${to}; ${id}, which is in sync, has ${has} on disk`);
    }
  }

  acknowledgedWrite(operations: readonly SimOperation[], stores: ReadonlyMap<AllocationId, SimulatedStore>): void {
    this.acknowledged += operations.length;
    if (operations.some(({ primaryTerm }) => primaryTerm < this.lossBelowTerm)) return;
    for (const { seqNo, primaryTerm: term } of operations) this.acknowledgedTerms.set(seqNo, term);
    for (const [id, store] of stores) {
      for (const { seqNo, primaryTerm: term } of operations) {
        const there = seqNo <= store.commit.through ? term : store.durable.get(seqNo)?.primaryTerm;
        require(there === term, () =>
          `${seqNo}/${term} is acknowledged; ${id}, which is in sync, has ${there} on disk`);
      }
    }
  }

  /** A copy opens as primary: everything that was ever acknowledged is in its history. */
  opened(primary: AllocationId, store: SimulatedStore): void {
    for (const [seqNo, term] of this.acknowledgedTerms) {
      const there = seqNo <= store.commit.through ? term : store.history.get(seqNo)?.primaryTerm;
      require(there === term, () => `${seqNo}/${term} was acknowledged; primary ${primary} opens with ${there} there`);
    }
  }

  /** A copy is in sync for the cluster manager from now on. */
  started(copy: AllocationId, store: SimulatedStore, globalCheckpoint: number): void {
    const has = store.durableSet().checkpoint;
    require(has >= globalCheckpoint, () =>
      `${copy} is in sync with ${has} on disk; the global checkpoint is ${globalCheckpoint}`);
  }

  /** Somebody has accepted the loss of what a copy lacks: from here on only the copies must agree with one another. */
  lossAccepted(term: number): void {
    this.acknowledgedTerms.clear();
    this.lossBelowTerm = term;
  }

  called(id: string, call: RegisterCall): void {
    const calls = this.calls.get(id) ?? [];
    calls.push(call);
    this.calls.set(id, calls);
  }

  linearizable(): void {
    if (this.lossBelowTerm > 0) return;
    for (const [id, calls] of this.calls) {
      require(isLinearizable(calls), () => `no order of the calls on ${id} explains them: ${JSON.stringify(calls)}`);
    }
  }

  /** After everything healed and all is quiet. */
  converged(
    group: ShardGroup,
    copies: ReadonlyMap<AllocationId, CopyState<SimOperation>>,
    stores: ReadonlyMap<AllocationId, SimulatedStore>,
  ): void {
    const primary = group.primary;
    require(primary !== null && copies.has(primary), () => 'no primary after everything healed');
    const first = stores.get(primary ?? '');
    for (const [id] of group.copies) {
      const [copy, store] = [copies.get(id), stores.get(id)];
      require(copy !== undefined && store !== undefined, () => `${id} is assigned and not there`);
      if (copy === undefined || store === undefined || first === undefined) return;
      const { processed, persisted, globalCheckpoint, unconfirmed } = copy;
      require(processed.above.length === 0, () => `${id} has gaps above ${processed.checkpoint}`);
      require(globalCheckpoint === processed.checkpoint && persisted.checkpoint === processed.checkpoint, () =>
        `${id} has ${processed.checkpoint}, durably ${persisted.checkpoint}, and global checkpoint ${globalCheckpoint}`);
      require(unconfirmed.length === 0, () => `${id} has operations that nobody has confirmed`);
      const [mine, theirs] = [documentsOf(store), documentsOf(first)];
      require(mine === theirs, () => `${id} differs from primary ${primary}: ${mine} and ${theirs}`);
      sameHistory(id, store, first);
    }
  }
}

/** Live documents alone: tombstones go when each copy sees fit. */
function documentsOf(store: SimulatedStore): string {
  const live = [...store.documents].filter(([, { value }]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  return live.map(([id, it]) => `${id}=${it.value} v${it.version} ${it.seqNo}/${it.term}`).join(', ');
}

function sameHistory(id: AllocationId, store: SimulatedStore, first: SimulatedStore): void {
  for (const [seqNo, { primaryTerm: term }] of store.history) {
    const there =
      seqNo <= first.commit.through && !first.history.has(seqNo) ? term : first.history.get(seqNo)?.primaryTerm;
    require(there === term, () => `${id} has operation ${seqNo}/${term}, its primary ${seqNo}/${there}`);
  }
}

function require(condition: boolean, message: () => string): void {
  if (!condition) throw new ReplicationViolation(message());
}
