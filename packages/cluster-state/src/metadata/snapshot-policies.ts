/**
 * Snapshot policies in the cluster state, on the wire and on disk: which snapshots are made by themselves, and what became of them.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { sortedMap } from './sorted-map.ts';

/** A snapshot that a policy made, or tried to make. */
export interface PolicySnapshot {
  readonly snapshot: string;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  /** Why it failed; null: it did not. */
  readonly failure: string | null;
}

export interface SnapshotPolicy {
  readonly name: string;
  /** Grows by one with each change. */
  readonly version: number;
  /** Wall clock of the last change, milliseconds since 1970. */
  readonly modifiedMs: number;
  /** JSON object as it is shown. */
  readonly policy: string;
  readonly lastSuccess: PolicySnapshot | null;
  readonly lastFailure: PolicySnapshot | null;
  /** Snapshots since the policy was put for the first time. */
  readonly taken: number;
  readonly failed: number;
  readonly deleted: number;
  readonly deletionFailures: number;
}

/** Runs that delete the snapshots that policies keep no longer. */
export interface SnapshotRetention {
  readonly runs: number;
  readonly failed: number;
  /** Time of all deletions, milliseconds. */
  readonly tookMs: number;
}

export interface SnapshotPolicies {
  /** No snapshot is made by itself until they are started again. */
  readonly isStopped: boolean;
  readonly policies: ReadonlyMap<string, SnapshotPolicy>;
  readonly retention: SnapshotRetention;
}

export const NO_SNAPSHOT_POLICIES: SnapshotPolicies = {
  isStopped: false,
  policies: new Map(),
  retention: { runs: 0, failed: 0, tookMs: 0 },
};
export const SNAPSHOT_POLICY_LIMITS: { readonly policiesMax: number; readonly charsMax: number } = {
  /** Most policies of a cluster. */
  policiesMax: 1_000,
  /** Characters of one policy: all policies are a part of every whole cluster state. */
  charsMax: 64 * 1024,
};

const COUNT_MAX = Number.MAX_SAFE_INTEGER;

export function writeSnapshotPolicies({ isStopped, policies, retention }: SnapshotPolicies): Record<string, unknown> {
  assert(
    policies.size <= SNAPSHOT_POLICY_LIMITS.policiesMax,
    `${policies.size} snapshot policies are more than can be read`,
  );
  const list = [...policies.values()].map((policy) => ({
    ...policy,
    lastSuccess: policy.lastSuccess && { ...policy.lastSuccess },
    lastFailure: policy.lastFailure && { ...policy.lastFailure },
  }));
  return { isStopped, policies: list, retention: { ...retention } };
}

export const readSnapshotPolicies: ItemReader<SnapshotPolicies> = (value, field) => {
  const r = ValueReader.of(value, field);
  const policies = r.list('policies', readPolicy, SNAPSHOT_POLICY_LIMITS.policiesMax);
  return {
    isStopped: r.boolean('isStopped'),
    policies: sortedMap(policies.map((policy) => [policy.name, policy])),
    retention: readRetention(r.raw('retention'), `${field}.retention`),
  };
};

export const readPolicySnapshot: ItemReader<PolicySnapshot> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    snapshot: r.string('snapshot'),
    startMs: r.integer('startMs', 0, COUNT_MAX),
    endMs: r.integer('endMs', 0, COUNT_MAX),
    failure: r.optionalString('failure'),
  };
};

const readPolicy: ItemReader<SnapshotPolicy> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    version: r.integer('version', 1, COUNT_MAX),
    modifiedMs: r.integer('modifiedMs', 0, COUNT_MAX),
    policy: r.string('policy'),
    lastSuccess: r.optional('lastSuccess', readPolicySnapshot),
    lastFailure: r.optional('lastFailure', readPolicySnapshot),
    taken: r.integer('taken', 0, COUNT_MAX),
    failed: r.integer('failed', 0, COUNT_MAX),
    deleted: r.integer('deleted', 0, COUNT_MAX),
    deletionFailures: r.integer('deletionFailures', 0, COUNT_MAX),
  };
};

const readRetention: ItemReader<SnapshotRetention> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    runs: r.integer('runs', 0, COUNT_MAX),
    failed: r.integer('failed', 0, COUNT_MAX),
    tookMs: r.integer('tookMs', 0, COUNT_MAX),
  };
};
