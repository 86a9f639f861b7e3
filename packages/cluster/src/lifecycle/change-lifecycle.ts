/**
 * Puts and deletes lifecycle policies, and starts and stops their execution. Whether a policy can be executed is checked by the
 * node that was asked: here it is text.
 */

import {
  type ClusterState,
  LIFECYCLE_POLICIES_MAX,
  LIFECYCLE_POLICY_CHARS_MAX,
  type LifecycleMetadata,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';

/** @throws illegal_argument_exception for what is too large, or one too many */
export function putLifecyclePolicy(
  state: ClusterState,
  { name, policy }: { readonly name: string; readonly policy: string },
  nowMs: number,
): ClusterState {
  const { policies } = state.metadata.lifecycle;
  const known = policies.get(name);
  if (known?.policy === policy) return state;
  if (policy.length > LIFECYCLE_POLICY_CHARS_MAX) {
    throw illegalArgument(`policy [${name}] is longer than [${LIFECYCLE_POLICY_CHARS_MAX}] characters`);
  }
  if (known === undefined && policies.size >= LIFECYCLE_POLICIES_MAX) {
    throw illegalArgument(`too many lifecycle policies: there may be [${LIFECYCLE_POLICIES_MAX}]`);
  }
  const version = (known?.version ?? 0) + 1;
  return withLifecycle(state, {
    policies: withEntries(policies, [[name, { name, version, modifiedMs: nowMs, policy }]]),
  });
}

/** @throws resource_not_found_exception (404), or illegal_argument_exception for a policy that indices have */
export function deleteLifecyclePolicy(state: ClusterState, name: string): ClusterState {
  const { policies } = state.metadata.lifecycle;
  const users = [...state.metadata.indices.values()].filter(
    ({ settings }) => settings['index.lifecycle.name'] === name,
  );
  if (users.length > 0) {
    const names = users.map((index) => index.name).join(', ');
    throw illegalArgument(`Cannot delete policy [${name}]. It is in use by one or more indices: [${names}]`);
  }
  if (!policies.has(name)) {
    throw new ShoalError('resource_not_found_exception', 404, `Lifecycle policy not found: ${name}`);
  }
  return withLifecycle(state, { policies: withEntries(policies, [[name, null]]) });
}

export function setLifecycleMode(state: ClusterState, isStopped: boolean): ClusterState {
  return state.metadata.lifecycle.isStopped === isStopped ? state : withLifecycle(state, { isStopped });
}

function withLifecycle(state: ClusterState, change: Partial<LifecycleMetadata>): ClusterState {
  return { ...state, metadata: { ...state.metadata, lifecycle: { ...state.metadata.lifecycle, ...change } } };
}
