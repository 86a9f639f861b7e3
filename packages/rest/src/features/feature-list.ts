/**
 * Features that keep data of their own in the cluster, by the names that clients know: what each keeps, and how it is emptied.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext, TASKS_INDEX } from '@shoal/coordinator';
import { isShoalError, type ShoalError } from '@shoal/core';
import { FORGET_ASYNC_SEARCHES } from '@shoal/protocol';

/** Milliseconds that the deletion of an index may take. */
const DELETE_TIMEOUT_MS = 30_000;

export interface Feature {
  readonly name: string;
  readonly description: string;
  /** Names of the indices in which it keeps data; empty where it keeps it otherwise, or nothing yet. */
  readonly indices: (state: ClusterState) => readonly string[];
  /** Removes all that it keeps. @returns why it could not; null when it is done */
  readonly reset: (context: CoordinatorContext) => Promise<ShoalError | null>;
}

export const FEATURES: readonly Feature[] = [
  {
    name: 'async_search',
    description: 'Asynchronous searches and their results',
    indices: () => [],
    reset: forgetAsyncSearches,
  },
  {
    name: 'tasks',
    description: 'Results of tasks that ran without waiting for completion',
    indices: ({ metadata }) => (metadata.indices.has(TASKS_INDEX) ? [TASKS_INDEX] : []),
    reset: deleteTaskResults,
  },
];

async function forgetAsyncSearches(context: CoordinatorContext): Promise<ShoalError | null> {
  const nodes = [...context.cluster.state().nodes.values()];
  const { failures } = await askNodes(context, nodes, FORGET_ASYNC_SEARCHES, () => ({}));
  return failures[0]?.error ?? null;
}

async function deleteTaskResults(context: CoordinatorContext): Promise<ShoalError | null> {
  const { cluster } = context;
  if (!cluster.state().metadata.indices.has(TASKS_INDEX)) return null;
  try {
    const timeouts = { masterTimeoutMs: DELETE_TIMEOUT_MS, timeoutMs: DELETE_TIMEOUT_MS };
    await cluster.admin.deleteIndices({ ...timeouts, indices: [TASKS_INDEX] });
    return null;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    // Somebody else deleted it meanwhile: it is gone, as was asked.
    return error.type === 'index_not_found_exception' ? null : error;
  }
}
