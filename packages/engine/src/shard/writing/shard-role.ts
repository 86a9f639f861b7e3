/**
 * Who a copy is: its allocation, its primary term, and whether it leads the shard. Operations run under permits, so that the term
 * changes between two of them and never within one: a shard stays open while it does.
 */
import { assert } from '@shoal/core';
import { OperationPermits } from '@shoal/runtime';
import type { ShardId } from '@shoal/shard-api';
import { followsPrimary, leadsItself, otherPrimary, type PrimaryClaim, termTooOld } from '../contract/primary-claim.ts';

export class ShardRole {
  readonly allocationId: string;
  /** Term of the primary that this copy is or follows; never falls. */
  primaryTerm: number;
  isPrimary: boolean;
  private readonly shard: ShardId;
  private readonly permits = new OperationPermits();

  constructor(shard: ShardId, { allocationId, primaryTerm }: PrimaryClaim, isPrimary: boolean) {
    this.shard = shard;
    this.allocationId = allocationId;
    this.primaryTerm = primaryTerm;
    this.isPrimary = isPrimary;
  }

  /**
   * Runs what a client asked for.
   *
   * @param claim copy that was meant; null: whoever leads
   * @throws ShoalError on which the sender looks for the primary again
   */
  asPrimary<T>(claim: PrimaryClaim | null, operation: () => Promise<T>): Promise<T> {
    return this.permits.run(() => {
      if (claim !== null && (claim.allocationId !== this.allocationId || claim.primaryTerm !== this.primaryTerm)) {
        throw otherPrimary(this.shard, claim, this);
      }
      if (!this.isPrimary) throw followsPrimary(this.shard);
      return operation();
    });
  }

  /**
   * Runs what the primary of a term did, or had to send on.
   *
   * @throws ShoalError when the copy knows a newer term
   */
  asReplica<T>(primaryTerm: number, operation: () => Promise<T>): Promise<T> {
    return this.permits.run(() => {
      if (primaryTerm < this.primaryTerm) throw termTooOld(this.shard, primaryTerm, this.primaryTerm);
      assert(primaryTerm === this.primaryTerm, `operations of term ${primaryTerm} in term ${this.primaryTerm}`);
      if (this.isPrimary) throw leadsItself(this.shard, primaryTerm);
      return operation();
    });
  }

  /**
   * Follows from now on in the given term, and lets no client write until it leads. `persist` is called while nothing runs; where
   * it fails, the term stays as it was.
   *
   * @throws ShoalError when the copy knows a newer term
   */
  enterTerm(primaryTerm: number, persist: (primaryTerm: number) => Promise<void>): Promise<void> {
    return this.permits.alone(async () => {
      if (primaryTerm < this.primaryTerm) throw termTooOld(this.shard, primaryTerm, this.primaryTerm);
      await persist(primaryTerm);
      this.primaryTerm = primaryTerm;
      this.isPrimary = false;
    });
  }

  /** Runs `change` while nothing that was asked for or sent runs. */
  alone(change: () => Promise<void>): Promise<void> {
    return this.permits.alone(change);
  }

  /**
   * Leads from now on in the given term. `prepare` is called in it while nothing runs; where it fails, the term stays as it was.
   *
   * @throws ShoalError when the copy knows a newer term
   */
  lead(primaryTerm: number, prepare: (primaryTerm: number) => Promise<void>): Promise<void> {
    return this.permits.alone(async () => {
      if (primaryTerm < this.primaryTerm) throw termTooOld(this.shard, primaryTerm, this.primaryTerm);
      if (this.isPrimary && primaryTerm === this.primaryTerm) return;
      await prepare(primaryTerm);
      this.primaryTerm = primaryTerm;
      this.isPrimary = true;
    });
  }
}
