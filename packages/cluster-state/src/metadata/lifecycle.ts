/**
 * Lifecycle policies in the cluster state, on the wire and on disk: what is to become of indices as they age.
 */
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import { sortedMap } from './sorted-map.ts';

export interface LifecyclePolicy {
  readonly name: string;
  /** Grows by one with each change. */
  readonly version: number;
  /** Wall clock of the last change, milliseconds since 1970. */
  readonly modifiedMs: number;
  /** JSON object as it is shown: phases, with their defaults. */
  readonly policy: string;
}

export interface LifecycleMetadata {
  /** Nothing is done to any index until it is started again. */
  readonly isStopped: boolean;
  readonly policies: ReadonlyMap<string, LifecyclePolicy>;
}

export const NO_LIFECYCLE: LifecycleMetadata = { isStopped: false, policies: new Map() };
/** Most policies of a cluster. */
export const LIFECYCLE_POLICIES_MAX = 2_000;
/** Characters of one policy: all policies are a part of every whole cluster state. */
export const LIFECYCLE_POLICY_CHARS_MAX: number = 256 * 1024;

export function writeLifecycle({ isStopped, policies }: LifecycleMetadata): Record<string, unknown> {
  assert(policies.size <= LIFECYCLE_POLICIES_MAX, `${policies.size} lifecycle policies are more than can be read`);
  return { isStopped, policies: [...policies.values()].map((policy) => ({ ...policy })) };
}

export const readLifecycle: ItemReader<LifecycleMetadata> = (value, field) => {
  const r = ValueReader.of(value, field);
  const policies = r.list('policies', readPolicy, LIFECYCLE_POLICIES_MAX);
  return {
    isStopped: r.boolean('isStopped'),
    policies: sortedMap(policies.map((policy) => [policy.name, policy])),
  };
};

const readPolicy: ItemReader<LifecyclePolicy> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    version: r.integer('version', 1, Number.MAX_SAFE_INTEGER),
    modifiedMs: r.integer('modifiedMs', 0, Number.MAX_SAFE_INTEGER),
    policy: r.string('policy'),
  };
};
