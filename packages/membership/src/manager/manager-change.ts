/**
 * One change of the cluster state on the elected cluster manager: its place in the queue, the blocks that refuse it, its time.
 */
import {
  checkActionBlocks,
  type GuardedAction,
  type GuardedRequest,
  type MetadataContext,
  type RoutingChanges,
  withStackTemplates,
} from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { Runtime } from '@shoal/runtime';
import type { StateApplier } from '../service/state-applier.ts';
import { type ManagerTaskQueue, notManager, type TaskPriority } from './manager-task-queue.ts';

export interface ManagerHandlersHost {
  readonly runtime: Runtime;
  readonly applier: StateApplier;
  readonly tasks: ManagerTaskQueue;
  readonly localNodeId: string;
  /** True while this node is elected and clients see it as the manager. */
  isManager(): boolean;
  context(): MetadataContext;
  /** Assigns what can be assigned; one function for all tasks, so that those of one state share it. */
  readonly reroute: (state: ClusterState) => ClusterState;
}

interface AnyChange {
  readonly source: string;
  readonly priority: TaskPriority;
  readonly timeouts: { readonly masterTimeoutMs: number; readonly timeoutMs: number };
  readonly settle?: (state: ClusterState) => ClusterState;
}

export interface Change extends AnyChange {
  /** Throws when a block of the state that it would change refuses the change. */
  readonly checkBlocks: (state: ClusterState) => void;
  readonly update: (state: ClusterState) => ClusterState;
}

/** What a node reports of a copy: a fact, which no block can refuse. */
export interface RoutingReport extends AnyChange {
  readonly route: (changes: RoutingChanges) => void;
}

export async function change(
  host: ManagerHandlersHost,
  wanted: Change | RoutingReport,
): Promise<{ readonly acknowledged: boolean }> {
  requireManager(host);
  const { masterTimeoutMs, timeoutMs } = wanted.timeouts;
  const { sched } = host.runtime;
  const { source, priority, settle } = wanted;
  return new Promise((resolve, reject) => {
    // Waiting for the slowest node ends here; whether it applied the change shows in a later state.
    const stopTimer = sched.after(masterTimeoutMs + timeoutMs, () => resolve({ acknowledged: false }));
    host.tasks
      .submit({
        source,
        priority,
        queueTimeoutMs: masterTimeoutMs,
        ...('route' in wanted ? { route: wanted.route } : { update: checked(wanted) }),
        ...(settle === undefined ? {} : { settle }),
      })
      .then(({ allApplied }) => resolve({ acknowledged: allApplied }), reject)
      .finally(stopTimer);
  });
}

function checked({ checkBlocks, update }: Change): (state: ClusterState) => ClusterState {
  return (state) => {
    checkBlocks(state);
    return update(state);
  };
}

/** What took something away, with which the stack's templates, pipelines and policies are put again, so that no state lacks them. */
export function keepingStack(
  host: ManagerHandlersHost,
  update: (state: ClusterState) => ClusterState,
): (state: ClusterState) => ClusterState {
  return (state) => withStackTemplates(update(state), host.context());
}

export function guarded<A extends GuardedAction>(action: A, request: GuardedRequest<A>): (state: ClusterState) => void {
  return (state) => checkActionBlocks(state, action, request);
}

export function requireManager(host: ManagerHandlersHost): void {
  if (!host.isManager()) throw notManager(`node [${host.localNodeId}] is not the elected cluster manager`);
}

export function shown(indices: readonly string[]): string {
  return `[${indices.slice(0, 5).join(', ')}${indices.length > 5 ? ', …' : ''}]`;
}
