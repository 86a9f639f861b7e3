/**
 * Snapshots that this node makes as cluster manager: exactly those that the applied state names, as long as it is the manager.
 */

import type { ClusterState, RunningSnapshot } from '@shoal/cluster-state';
import { isAssertionFailure } from '@shoal/core';
import type { Cancel } from '@shoal/runtime';
import { isManager, type SnapshotContext } from './snapshot-context.ts';
import { SnapshotRun } from './snapshot-run.ts';

/** Pause before a snapshot that ended and still stands in the state is begun again. */
const RETRY_MS = 1_000;

export class RunningSnapshots {
  readonly #context: SnapshotContext;
  readonly #runs = new Map<string, SnapshotRun>();
  #retry: Cancel | null = null;
  #isClosed = false;

  constructor(context: SnapshotContext) {
    this.#context = context;
    context.cluster.onApplied(({ state }) => this.#follow(state));
  }

  /** How far a snapshot is; null when it is not made here. */
  of(uuid: string): SnapshotRun | null {
    return this.#runs.get(uuid) ?? null;
  }

  /** The node ends. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.();
    for (const run of this.#runs.values()) run.leave('the node ends');
  }

  #follow(state: ClusterState): void {
    if (this.#isClosed) return;
    if (!isManager(this.#context, state)) {
      for (const run of this.#runs.values()) run.leave('another node is the cluster manager');
      return;
    }
    for (const snapshot of state.metadata.runningSnapshots) {
      const run = this.#runs.get(snapshot.uuid);
      if (run === undefined) this.#begin(snapshot);
      else if (snapshot.isAborted) run.abort();
    }
  }

  #begin(snapshot: RunningSnapshot): void {
    const run = new SnapshotRun(this.#context, snapshot);
    this.#runs.set(snapshot.uuid, run);
    run
      .run()
      .finally(() => {
        this.#runs.delete(snapshot.uuid);
        this.#lookAgain();
      })
      .catch((error: unknown) => {
        // A run owns every other failure.
        if (isAssertionFailure(error)) throw error;
      });
  }

  /** The end of a run may not have come into the state, or the node may have become the manager again meanwhile. */
  #lookAgain(): void {
    if (this.#isClosed) return;
    this.#retry ??= this.#context.runtime.sched.after(RETRY_MS, () => {
      this.#retry = null;
      this.#follow(this.#context.cluster.state());
    });
  }
}
