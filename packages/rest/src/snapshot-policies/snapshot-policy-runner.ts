/**
 * Executes snapshot policies on the elected cluster manager when their schedules say so, and deletes what they keep no longer at the times of
 * `slm.retention_schedule`.
 *
 * A time that passes while there is no cluster manager is not made up for: the snapshot of the next time holds the same.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { asShoalError, isAssertionFailure } from '@shoal/core';
import type { ClusterState } from '@shoal/protocol';
import type { Cancel } from '@shoal/runtime';
import { parseSchedule } from '@shoal/schema';
import { executeSnapshotPolicy } from './execute-snapshot-policy.ts';
import { runRetention } from './run-retention.ts';
import { policyParts } from './snapshot-policy.ts';

/** Longest wait for the next time: clocks may be set meanwhile. */
const WAIT_MS_MAX = 15 * 60_000;
const RETENTION_SCHEDULE_DEFAULT = '0 30 1 * * ?';

export class SnapshotPolicyRunner {
  readonly #context: CoordinatorContext;
  readonly #stopListening: Cancel;
  /** Policies that the timer was set for; null while nothing is executed. */
  #planned: ClusterState['metadata']['snapshotPolicies'] | null = null;
  /** Times up to this one were seen to, wall clock. */
  #doneMs: number;
  #timer: Cancel | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(context: CoordinatorContext) {
    this.#context = context;
    this.#doneMs = context.runtime.clock.wallMs();
    this.#stopListening = context.cluster.onApplied(({ state }) => this.#follow(state));
    this.#follow(context.cluster.state());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#timer?.();
    await this.#running;
  }

  /** Everything whose time has come since the last look. */
  async runOnce(): Promise<void> {
    const fromMs = this.#doneMs;
    const nowMs = this.#context.runtime.clock.wallMs();
    this.#doneMs = nowMs;
    const { policies } = this.#context.cluster.state().metadata.snapshotPolicies;
    for (const policy of policies.values()) {
      const dueMs = policyParts(policy).schedule(Math.max(fromMs, policy.modifiedMs), policy.modifiedMs);
      if (this.#isClosed) return;
      if (dueMs === null || dueMs > nowMs) continue;
      await this.#attempt('snapshot policy failed', policy.name, () => executeSnapshotPolicy(this.#context, policy));
    }
    const retentionMs = this.#retentionMs(fromMs);
    if (this.#isClosed || retentionMs === null || retentionMs > nowMs) return;
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

  /** Only the elected manager executes policies, and only while there is one. */
  #follow(state: ClusterState): void {
    const { cluster, runtime } = this.#context;
    const { snapshotPolicies } = state.metadata;
    const isManager = !this.#isClosed && state.clusterManagerId === cluster.localNode.id;
    const isWanted = isManager && !snapshotPolicies.isStopped && snapshotPolicies.policies.size > 0;
    const planned = isWanted ? snapshotPolicies : null;
    if (planned === this.#planned) return;
    // Times that passed while nothing was executed do not count.
    if (this.#planned === null) this.#doneMs = runtime.clock.wallMs();
    this.#planned = planned;
    this.#plan();
  }

  #plan(): void {
    this.#timer?.();
    this.#timer = null;
    if (this.#planned === null || this.#isClosed) return;
    const { sched, clock } = this.#context.runtime;
    const times = [...this.#planned.policies.values()].map((policy) =>
      policyParts(policy).schedule(Math.max(this.#doneMs, policy.modifiedMs), policy.modifiedMs),
    );
    const nextMs = Math.min(...[...times, this.#retentionMs(this.#doneMs)].map((ms) => ms ?? Number.POSITIVE_INFINITY));
    const waitMs = Math.min(Math.max(nextMs - clock.wallMs(), 0), WAIT_MS_MAX);
    this.#timer = sched.after(waitMs, () => this.#look());
  }

  #look(): void {
    this.#running = this.runOnce().finally(() => this.#plan());
  }

  /** First time of the retention after `fromMs`; null: it is switched off. */
  #retentionMs(fromMs: number): number | null {
    const text = this.#context.cluster.settings()['slm.retention_schedule'] ?? RETENTION_SCHEDULE_DEFAULT;
    return text === '' ? null : parseSchedule(text)(fromMs, 0);
  }
}
