/**
 * One step of a copy while it is made: the state so far, and the effects in their order.
 *
 * Lives for one step only and never leaves it: outside, a step is `(state, event) → (state, effects)`.
 */
import { assert } from '@shoal/core';
import type { NodeId } from '../group/shard-group.ts';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';
import type { CopyContext } from './copy-context.ts';
import type { CopyEffect, CopyEvent, ManagerRequest, ReplyOutcome } from './copy-events.ts';
import type { CopyState, Job, PrimaryState } from './copy-state.ts';
import type { RetentionLease } from './recovery-state.ts';

/** Events that a copy keeps while a new term waits for running jobs. */
const DEFERRED_MAX = 10_000;

export class CopyTurn<O extends ShardOperation> {
  readonly context: CopyContext;
  readonly effects: CopyEffect<O>[] = [];
  #state: CopyState<O>;

  constructor(state: CopyState<O>, context: CopyContext) {
    this.#state = state;
    this.context = context;
  }

  get rules(): ReplicationRules {
    return this.context.rules;
  }

  get state(): CopyState<O> {
    return this.#state;
  }

  /** Part of a primary; asserts that this copy is one. */
  get primary(): PrimaryState {
    const { primary, allocationId, phase } = this.#state;
    assert(primary !== null, `copy ${allocationId} is ${phase} and not primary`);
    return primary;
  }

  get isPrimary(): boolean {
    return this.#state.primary !== null;
  }

  patch(change: Partial<CopyState<O>>): void {
    this.#state = { ...this.#state, ...change };
  }

  patchPrimary(change: Partial<PrimaryState>): void {
    this.patch({ primary: { ...this.primary, ...change } });
  }

  emit(effect: CopyEffect<O>): void {
    this.effects.push(effect);
  }

  reply(ticket: string, outcome: ReplyOutcome): void {
    this.emit({ kind: 'reply', ticket, outcome });
  }

  keepLeases(leases: ReadonlyMap<NodeId, RetentionLease>): void {
    this.patch({ leases });
    this.emit({ kind: 'keepLeases', leases });
  }

  /** @returns the number of the job, which the effect that starts it carries */
  startJob(job: Job): number {
    const { nextJob, jobs } = this.#state;
    this.patch({ nextJob: nextJob + 1, jobs: new Map(jobs).set(nextJob, job) });
    return nextJob;
  }

  /** Takes a job that the engine has answered; null when it was dropped meanwhile. */
  endJob(job: number): Job | null {
    const ended = this.#state.jobs.get(job);
    if (ended === undefined) return null;
    this.patch({ jobs: withoutKey(this.#state.jobs, job) });
    return ended;
  }

  ask(request: ManagerRequest, ticket: string | null = null): void {
    const { nextAsk, asks } = this.#state;
    this.patch({ nextAsk: nextAsk + 1, asks: new Map(asks).set(nextAsk, { request, ticket }) });
    this.emit({ kind: 'askManager', ask: nextAsk, request });
  }

  /** Beyond the limit an event is dropped: a request is sent again when nothing answers it, a group comes with the next one. */
  defer(event: CopyEvent<O>): void {
    const { deferred } = this.#state;
    if (deferred.length < DEFERRED_MAX) this.patch({ deferred: [...deferred, event] });
  }
}
