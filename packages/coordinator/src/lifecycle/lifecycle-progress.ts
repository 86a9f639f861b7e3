/**
 * How far an index has come in its lifecycle policy: computed from the index and the policy alone, so that a new cluster manager
 * goes on where the old one was.
 */

import type { ClusterState, IndexMetadata, LifecyclePolicy } from '@shoal/cluster-state';
import { parseJson } from '@shoal/core';
import { jsonPart } from './json-part.ts';
import { type LifecycleAction, type LifecyclePhase, parseLifecyclePolicy } from './lifecycle-policy.ts';
import { isShrunken } from './shrunken-index.ts';

export interface LifecycleProgress {
  readonly policy: LifecyclePolicy;
  /** When the age of the index began: its rollover, its `index.lifecycle.origination_date`, or its creation. */
  readonly originMs: number;
  /** null: it is too young for any phase. */
  readonly phase: LifecyclePhase | null;
  /** First action of the phase that is not done yet, as far as the cluster state tells; null: all are. */
  readonly action: LifecycleAction | null;
}

export type Explained =
  | { readonly kind: 'unmanaged' }
  | { readonly kind: 'noPolicy'; readonly name: string }
  | { readonly kind: 'managed'; readonly progress: LifecycleProgress };

/** Work on an index of which the state of the cluster tells nothing. */
export type UntoldWork = 'forcemerge' | 'shrink';

/** @param isKnownDone whether that work is known to be done, or not needed */
export function explainLifecycle(
  state: ClusterState,
  index: IndexMetadata,
  nowMs: number,
  isKnownDone: (index: IndexMetadata, work: UntoldWork) => boolean = () => false,
): Explained {
  const name = index.settings['index.lifecycle.name'] ?? '';
  if (name === '') return { kind: 'unmanaged' };
  const policy = state.metadata.lifecycle.policies.get(name);
  if (policy === undefined) return { kind: 'noPolicy', name };
  const phases = phasesOf(policy);
  const originMs = lifecycleOrigin(index);
  const phase = currentPhase(index, phases, nowMs - originMs);
  const begunMs = originMs + (phase?.minAgeMs ?? 0);
  const isDone = (candidate: LifecycleAction): boolean =>
    candidate.kind === 'wait_for_snapshot'
      ? isSnapshotTaken(state, candidate.policy, begunMs)
      : isActionDone(index, candidate, isKnownDone);
  const action = phase?.actions.find((candidate) => !isDone(candidate)) ?? null;
  return { kind: 'managed', progress: { policy, originMs, phase, action } };
}

const parsed = new WeakMap<LifecyclePolicy, readonly LifecyclePhase[]>();

/** A policy of the state is read once: it was checked before it was put there. */
function phasesOf(policy: LifecyclePolicy): readonly LifecyclePhase[] {
  let phases = parsed.get(policy);
  if (phases === undefined) {
    phases = parseLifecyclePolicy(jsonPart(parseJson(Buffer.from(policy.policy))) ?? {});
    parsed.set(policy, phases);
  }
  return phases;
}

/** When the age of an index began, in milliseconds since 1970. */
export function lifecycleOrigin({ settings, rolledOverMs, creationDateMs }: IndexMetadata): number {
  const given = Number(settings['index.lifecycle.origination_date'] ?? -1);
  return rolledOverMs ?? (given >= 0 ? given : creationDateMs);
}

/** An index stays in the phase of its rollover until it is rolled over. */
function currentPhase(index: IndexMetadata, phases: readonly LifecyclePhase[], ageMs: number): LifecyclePhase | null {
  const rolling = phases.find(({ actions }) => actions.some(({ kind }) => kind === 'rollover'));
  if (rolling !== undefined && !isRolledOver(index)) return rolling;
  return phases.findLast(({ minAgeMs }) => minAgeMs <= ageMs) ?? null;
}

function isRolledOver({ settings, rolledOverMs }: IndexMetadata): boolean {
  return rolledOverMs !== undefined || settings['index.lifecycle.indexing_complete'] === 'true';
}

/** Whether the policy has made a snapshot that was begun after `sinceMs`. */
function isSnapshotTaken({ metadata }: ClusterState, policy: string, sinceMs: number): boolean {
  const taken = metadata.snapshotPolicies.policies.get(policy)?.lastSuccess ?? null;
  return taken !== null && taken.startMs >= sinceMs;
}

function isActionDone(
  index: IndexMetadata,
  action: Exclude<LifecycleAction, { kind: 'wait_for_snapshot' }>,
  isKnownDone: (index: IndexMetadata, work: UntoldWork) => boolean,
): boolean {
  const { settings } = index;
  switch (action.kind) {
    case 'rollover':
      return isRolledOver(index);
    case 'set_priority':
      return (settings['index.priority'] ?? null) === (action.priority === null ? null : String(action.priority));
    case 'readonly':
      return settings['index.blocks.write'] === 'true';
    case 'allocate':
      return Object.entries(action.settings).every(([key, value]) => settings[key] === value);
    case 'shrink':
      if ('shards' in action.to && index.numberOfShards === action.to.shards) return true;
      return isShrunken(index) || isKnownDone(index, 'shrink');
    case 'forcemerge':
      return isKnownDone(index, 'forcemerge');
    case 'delete':
      return false;
  }
}
