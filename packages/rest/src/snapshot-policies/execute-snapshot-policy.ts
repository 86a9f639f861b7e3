/**
 * Makes the snapshot of a policy now, and has the cluster state note what became of it.
 */

import type { SnapshotPolicy } from '@shoal/cluster-state';
import { type CoordinatorContext, resolveDateMathName } from '@shoal/coordinator';
import { asShoalError, isAssertionFailure, randomUuid } from '@shoal/core';
import { CREATE_SNAPSHOT, type CreateSnapshotMessage, RECORD_POLICY_SNAPSHOT } from '@shoal/protocol';
import { isJsonObject } from '../request/json-body.ts';
import { creationMessage, finishedSnapshot } from '../snapshots/create-snapshot.ts';
import { POLICY_KEY, policyParts } from './snapshot-policy.ts';

type PolicySnapshot = NonNullable<SnapshotPolicy['lastSuccess']>;

const TIMEOUTS = { masterTimeoutMs: 30_000, timeoutMs: 30_000 } as const;
const UUID_BYTES = 16;

/** @returns name of the snapshot, which is being made. @throws what the repository says against it, which is noted as a failure */
export async function executeSnapshotPolicy(context: CoordinatorContext, policy: SnapshotPolicy): Promise<string> {
  const { snapshotName, repository, config } = policyParts(policy);
  const startMs = context.runtime.clock.wallMs();
  const suffix = randomUuid(context.runtime.random.bytes(UUID_BYTES)).toLowerCase();
  const name = `${resolveDateMathName(snapshotName, startMs)}-${suffix}`;
  const given = isJsonObject(config.metadata) ? config.metadata : {};
  const body = { ...config, metadata: { ...given, [POLICY_KEY]: policy.name } };
  const record = (failure: string | null): Promise<void> => {
    const endMs = context.runtime.clock.wallMs();
    return note(context, policy.name, { snapshot: name, startMs, endMs, failure });
  };
  try {
    const target = { ...TIMEOUTS, repository, name };
    const message = creationMessage(context, context.cluster.state(), body, target);
    await context.cluster.admin.ask(CREATE_SNAPSHOT, message, message);
    context.runtime.sched.soon(() => void watch(context, message, record));
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    await record(asShoalError(error).message);
    throw error;
  }
  return name;
}

async function watch(
  context: CoordinatorContext,
  message: CreateSnapshotMessage,
  record: (failure: string | null) => Promise<void>,
): Promise<void> {
  try {
    const { state, reason, failures, totalShards } = await finishedSnapshot(context, message);
    const lost = `failed to create snapshot successfully, ${failures.length} out of ${totalShards} total shards failed`;
    await record(state === 'SUCCESS' ? null : (reason ?? lost));
  } catch (error) {
    // A broken invariant is not an outcome: it is left to whoever stops the process for it.
    if (isAssertionFailure(error)) throw error;
    await record(asShoalError(error).message);
  }
}

/** What cannot be noted is logged: the snapshot itself is made, or is not. */
async function note({ cluster, runtime }: CoordinatorContext, policy: string, snapshot: PolicySnapshot): Promise<void> {
  try {
    const message = { ...TIMEOUTS, policy, snapshot };
    await cluster.admin.ask(RECORD_POLICY_SNAPSHOT, message, message);
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    runtime.log.warn('the snapshot of a policy was not noted', { policy, reason: asShoalError(error).message });
  }
}
