/**
 * Executes snapshot policies on the elected cluster manager when their schedules say so, and deletes what they keep no longer at the times of
 * `slm.retention_schedule`.
 *
 * A time that passes while there is no cluster manager is not made up for: the snapshot of the next time holds the same.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, ManagerDuty } from '@shoal/coordinator';
import { asShoalError, isAssertionFailure } from '@shoal/core';
import { parseSchedule } from '@shoal/schema';
import { executeSnapshotPolicy } from './execute-snapshot-policy.ts';
import { runRetention } from './run-retention.ts';
import { policyParts } from './snapshot-policy.ts';

/** Longest wait for the next time: clocks may be set meanwhile. */
const WAIT_MS_MAX = 15 * 60_000;
const RETENTION_SCHEDULE_DEFAULT = '0 30 1 * * ?';

type Policies = ClusterState['metadata']['snapshotPolicies'];

export class SnapshotPolicyRunner {
  readonly #context: CoordinatorContext;
  readonly #duty: ManagerDuty<Policies>;
  /** Times up to this one were seen to, wall clock. */
  #doneMs: number;

  constructor(context: CoordinatorContext) {
    this.#context = context;
    const { clock } = context.runtime;
    this.#doneMs = clock.wallMs();
    this.#duty = new ManagerDuty(context.cluster, context.runtime, {
      planOf: ({ metadata: { snapshotPolicies } }) =>
        snapshotPolicies.isStopped || snapshotPolicies.policies.size === 0 ? null : snapshotPolicies,
      waitMs: (planned) => this.#waitMs(planned),
      // Times that passed while nothing was executed do not count.
      begin: () => {
        this.#doneMs = clock.wallMs();
      },
      look: () => this.runOnce(),
    });
  }

  close(): Promise<void> {
    return this.#duty.close();
  }

  /** Everything whose time has come since the last look. */
  async runOnce(): Promise<void> {
    const fromMs = this.#doneMs;
    const nowMs = this.#context.runtime.clock.wallMs();
    this.#doneMs = nowMs;
    const { policies } = this.#context.cluster.state().metadata.snapshotPolicies;
    for (const policy of policies.values()) {
      const dueMs = policyParts(policy).schedule(Math.max(fromMs, policy.modifiedMs), policy.modifiedMs);
      if (this.#duty.isClosed) return;
      if (dueMs === null || dueMs > nowMs) continue;
      await this.#attempt('snapshot policy failed', policy.name, () => executeSnapshotPolicy(this.#context, policy));
    }
    const retentionMs = this.#retentionMs(fromMs);
    if (this.#duty.isClosed || retentionMs === null || retentionMs > nowMs) return;
    await this.#attempt('retention of snapshots failed', null, () => runRetention(this.#context));
  }

  /** What fails is noted and logged, and tried again at its next time. */
  async #attempt(what: string, policy: string | null, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      this.#context.runtime.log.warn(what, { policy, reason: asShoalError(error).message });
    }
  }

  #waitMs({ policies }: Policies): number {
    const times = [...policies.values()].map((policy) =>
      policyParts(policy).schedule(Math.max(this.#doneMs, policy.modifiedMs), policy.modifiedMs),
    );
    const nextMs = Math.min(...[...times, this.#retentionMs(this.#doneMs)].map((ms) => ms ?? Number.POSITIVE_INFINITY));
    return Math.min(Math.max(nextMs - this.#context.runtime.clock.wallMs(), 0), WAIT_MS_MAX);
  }

  /** First time of the retention after `fromMs`; null: it is switched off. */
  #retentionMs(fromMs: number): number | null {
    const text = this.#context.cluster.settings()['slm.retention_schedule'] ?? RETENTION_SCHEDULE_DEFAULT;
    return text === '' ? null : parseSchedule(text)(fromMs, 0);
  }
}
