/**
 * Tells the cluster manager that a copy started or failed, again and again until the cluster state shows it.
 *
 * One report a copy waits for its answer at a time. It ends when the state no longer has the copy in the reported situation, so
 * that nothing is said about an assignment that is over; until then it survives any number of cluster managers.
 */

import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { asShoalError, isAssertionFailure } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import type { Runtime } from '@shoal/runtime';
import { Timers } from '../calls/timers.ts';
import type { Assignment } from './shard-plan.ts';

const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 10_000;

type Report = { readonly kind: 'started' } | { readonly kind: 'failed'; readonly reason: string };

export class ShardReports {
  readonly #runtime: Runtime;
  readonly #cluster: ClusterService;
  readonly #running = new Set<string>();
  readonly #waits: Timers;
  #isClosed = false;

  constructor(runtime: Runtime, cluster: ClusterService) {
    this.#runtime = runtime;
    this.#waits = new Timers(runtime.sched);
    this.#cluster = cluster;
  }

  started(assignment: Assignment): void {
    this.#begin(assignment, { kind: 'started' });
  }

  failed(assignment: Assignment, reason: string): void {
    this.#begin(assignment, { kind: 'failed', reason });
  }

  close(): void {
    this.#isClosed = true;
    this.#waits.close();
  }

  #begin(assignment: Assignment, report: Report): void {
    const name = `${report.kind} ${assignment.allocationId} ${assignment.primaryTerm}`;
    if (this.#running.has(name)) return;
    this.#running.add(name);
    this.#attempt(name, assignment, report, RETRY_FIRST_MS);
  }

  #attempt(name: string, assignment: Assignment, report: Report, retryMs: number): void {
    if (this.#isClosed || !isOutstanding(this.#cluster.state(), assignment, report)) {
      this.#running.delete(name);
      return;
    }
    this.#send(assignment, report).then(
      () => this.#later(name, assignment, report, retryMs),
      (error: unknown) => {
        if (isAssertionFailure(error)) throw error;
        this.#runtime.log.debug('shard report not accepted yet', {
          report: report.kind,
          index: assignment.index.name,
          shard: assignment.routing.shard,
          error: asShoalError(error).message,
        });
        this.#later(name, assignment, report, retryMs);
      },
    );
  }

  /** Looks again after a while: an accepted report ends there, a lost one is repeated. */
  #later(name: string, assignment: Assignment, report: Report, retryMs: number): void {
    if (this.#isClosed || !isOutstanding(this.#cluster.state(), assignment, report)) {
      this.#running.delete(name);
      return;
    }
    const nextMs = Math.min(retryMs * 2, RETRY_MAX_MS);
    this.#waits.after(retryMs, () => this.#attempt(name, assignment, report, nextMs));
  }

  #send(assignment: Assignment, report: Report): Promise<void> {
    const shard = {
      index: assignment.index.name,
      shard: assignment.routing.shard,
      allocationId: assignment.allocationId,
    };
    if (report.kind === 'started') {
      return this.#cluster.admin.shardStarted({ ...shard, primaryTerm: assignment.primaryTerm });
    }
    // Term 0: the copy speaks of itself, not as the primary of others. It stays in-sync: its data may be whole.
    return this.#cluster.admin.shardFailed({ ...shard, primaryTerm: 0, markStale: false, reason: report.reason });
  }
}

function isOutstanding(state: ClusterState, assignment: Assignment, report: Report): boolean {
  const routing = find(state, assignment);
  if (routing === null) return false;
  return report.kind === 'failed' || routing.state === 'INITIALIZING';
}

/** Null as well when a later term stands: the same store, given out again, has a report of its own. */
function find(state: ClusterState, { index, routing, allocationId, primaryTerm }: Assignment): ShardRouting | null {
  if (state.metadata.indices.get(index.name)?.primaryTerms[routing.shard] !== primaryTerm) return null;
  const copies = state.routing.indices.get(index.name)?.[routing.shard] ?? [];
  return copies.find((copy) => copy.allocationId === allocationId && copy.indexUuid === index.uuid) ?? null;
}
