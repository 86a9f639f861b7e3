/**
 * Puts and deletes snapshot policies, starts and stops them, and notes what became of their snapshots. Whether a policy can be executed is
 * checked by the node that was asked: here it is text.
 */

import { type ClusterState, SNAPSHOT_POLICY_LIMITS, type SnapshotPolicy, withEntries } from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { RetainedPolicy } from '@shoal/protocol';

type PolicySnapshot = NonNullable<SnapshotPolicy['lastSuccess']>;

type SnapshotPolicies = ClusterState['metadata']['snapshotPolicies'];

const { charsMax, policiesMax } = SNAPSHOT_POLICY_LIMITS;
const NEW_POLICY = { lastSuccess: null, lastFailure: null, taken: 0, failed: 0, deleted: 0, deletionFailures: 0 };

/** @throws illegal_argument_exception for what is too large, or one too many */
export function putSnapshotPolicy(
  state: ClusterState,
  { name, policy }: { readonly name: string; readonly policy: string },
  nowMs: number,
): ClusterState {
  const { policies } = state.metadata.snapshotPolicies;
  const known = policies.get(name);
  if (policy.length > charsMax) {
    throw illegalArgument(`policy [${name}] is longer than [${charsMax}] characters`);
  }
  if (known === undefined && policies.size >= policiesMax) {
    throw illegalArgument(`too many snapshot policies: there may be [${policiesMax}]`);
  }
  const version = (known?.version ?? 0) + 1;
  return withPolicy(state, { ...(known ?? NEW_POLICY), name, version, modifiedMs: nowMs, policy });
}

/** @throws resource_not_found_exception (404) for no policy of the name */
export function deleteSnapshotPolicy(state: ClusterState, name: string): ClusterState {
  const { policies } = state.metadata.snapshotPolicies;
  if (!policies.has(name)) {
    throw new ShoalError('resource_not_found_exception', 404, `snapshot lifecycle policy not found: ${name}`);
  }
  return withPolicies(state, { policies: withEntries(policies, [[name, null]]) });
}

export function setSnapshotPolicyMode(state: ClusterState, isStopped: boolean): ClusterState {
  return state.metadata.snapshotPolicies.isStopped === isStopped ? state : withPolicies(state, { isStopped });
}

/** A policy that was deleted meanwhile has nothing to note. */
export function recordPolicySnapshot(state: ClusterState, name: string, made: PolicySnapshot): ClusterState {
  const policy = state.metadata.snapshotPolicies.policies.get(name);
  if (policy === undefined) return state;
  const { snapshot, startMs, endMs, failure } = made;
  const kept = { snapshot, startMs, endMs, failure };
  return failure === null
    ? withPolicy(state, { ...policy, lastSuccess: kept, taken: policy.taken + 1 })
    : withPolicy(state, { ...policy, lastFailure: kept, failed: policy.failed + 1 });
}

/** One run over all policies. */
export function recordRetention(
  state: ClusterState,
  { policies, tookMs }: { readonly policies: readonly RetainedPolicy[]; readonly tookMs: number },
): ClusterState {
  const { retention } = state.metadata.snapshotPolicies;
  const counted = policies.reduce((changed, { policy: name, deleted, failures }) => {
    const policy = changed.metadata.snapshotPolicies.policies.get(name);
    if (policy === undefined) return changed;
    const deletionFailures = policy.deletionFailures + failures;
    return withPolicy(changed, { ...policy, deleted: policy.deleted + deleted, deletionFailures });
  }, state);
  const hasFailed = policies.some(({ failures }) => failures > 0);
  return withPolicies(counted, {
    retention: {
      runs: retention.runs + 1,
      failed: retention.failed + (hasFailed ? 1 : 0),
      tookMs: retention.tookMs + tookMs,
    },
  });
}

function withPolicy(state: ClusterState, policy: SnapshotPolicy): ClusterState {
  const { policies } = state.metadata.snapshotPolicies;
  return withPolicies(state, { policies: withEntries(policies, [[policy.name, policy]]) });
}

function withPolicies(state: ClusterState, change: Partial<SnapshotPolicies>): ClusterState {
  const { metadata } = state;
  return { ...state, metadata: { ...metadata, snapshotPolicies: { ...metadata.snapshotPolicies, ...change } } };
}
