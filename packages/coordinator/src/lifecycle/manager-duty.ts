/**
 * Work that the elected cluster manager does when its time has come, and no other node.
 */

import type { ClusterState } from '@shoal/cluster-state';
import type { ClusterService } from '@shoal/membership';
import type { Cancel, Runtime } from '@shoal/runtime';

export interface Duty<Plan> {
  /** What there is to do while this state holds; null: nothing. Another value, by identity, sets the time anew. */
  planOf(state: ClusterState): Plan | null;
  /** ms until the next look. */
  waitMs(plan: Plan): number;
  /** There is something to do from now on, after there was nothing. */
  begin?(): void;
  look(): Promise<void>;
}

/** Looks one after the other: the wait for the next begins when one has ended. */
export class ManagerDuty<Plan> {
  readonly #cluster: Pick<ClusterService, 'localNode' | 'onApplied' | 'state'>;
  readonly #runtime: Pick<Runtime, 'sched'>;
  readonly #duty: Duty<Plan>;
  readonly #stopListening: Cancel;
  #plan: Plan | null = null;
  #timer: Cancel | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(
    cluster: Pick<ClusterService, 'localNode' | 'onApplied' | 'state'>,
    runtime: Pick<Runtime, 'sched'>,
    duty: Duty<Plan>,
  ) {
    this.#cluster = cluster;
    this.#runtime = runtime;
    this.#duty = duty;
    this.#stopListening = cluster.onApplied(({ state }) => this.#follow(state));
    this.#follow(cluster.state());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Waits for a look that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#timer?.();
    await this.#running;
  }

  #follow(state: ClusterState): void {
    const isManager = state.clusterManagerId === this.#cluster.localNode.id;
    const plan = isManager ? this.#duty.planOf(state) : null;
    if (plan === this.#plan) return;
    const isFirst = this.#plan === null;
    this.#plan = plan;
    if (isFirst) this.#duty.begin?.();
    this.#await();
  }

  #await(): void {
    this.#timer?.();
    this.#timer = null;
    if (this.#plan === null || this.#isClosed || this.#running !== null) return;
    this.#timer = this.#runtime.sched.after(this.#duty.waitMs(this.#plan), () => this.#look());
  }

  #look(): void {
    this.#running = this.#duty.look().finally(() => {
      this.#running = null;
      this.#await();
    });
  }
}
