/**
 * One run over all snapshot policies that deletes what they keep no longer, and has the cluster state note how many that were.
 */

import type { SnapshotPolicy } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { asShoalError, isAssertionFailure } from '@shoal/core';
import { DELETE_SNAPSHOTS, GET_SNAPSHOTS, RECORD_RETENTION, type RetainedPolicy } from '@shoal/protocol';
import { LONG_TIMEOUT_MS } from '../snapshots/snapshot-timeouts.ts';
import { expiredSnapshots } from './expired-snapshots.ts';
import { POLICY_KEY, policyParts } from './snapshot-policy.ts';

const TIMEOUTS = { masterTimeoutMs: 30_000, timeoutMs: 30_000 } as const;

export async function runRetention(context: CoordinatorContext): Promise<void> {
  const { cluster, runtime } = context;
  const startedMs = runtime.clock.monotonicMs();
  const policies: RetainedPolicy[] = [];
  for (const policy of cluster.state().metadata.snapshotPolicies.policies.values()) {
    policies.push(await retain(context, policy));
  }
  const tookMs = Math.round(runtime.clock.monotonicMs() - startedMs);
  const message = { ...TIMEOUTS, policies, tookMs };
  await cluster.admin.ask(RECORD_RETENTION, message, message);
}

/** A repository that cannot be read is a failure of its policy, and none of the others. */
async function retain(context: CoordinatorContext, policy: SnapshotPolicy): Promise<RetainedPolicy> {
  const { admin } = context.cluster;
  const { repository, retention } = policyParts(policy);
  const counts = { policy: policy.name, deleted: 0, failures: 0 };
  if (retention === null) return counts;
  const warn = (error: unknown): void => {
    if (isAssertionFailure(error)) throw error;
    const reason = asShoalError(error).message;
    context.runtime.log.warn('snapshots of a policy were not deleted', { policy: policy.name, reason });
    counts.failures++;
  };
  try {
    const asked = { ...TIMEOUTS, repository, names: [], ignoresUnavailable: true };
    const { snapshots } = await admin.ask(GET_SNAPSHOTS, asked, asked);
    const own = snapshots.filter(({ userMetadata }) => userMetadata?.[POLICY_KEY] === policy.name);
    for (const { name } of expiredSnapshots(own, retention, context.runtime.clock.wallMs())) {
      try {
        const message = { ...TIMEOUTS, repository, names: [name] };
        await admin.ask(DELETE_SNAPSHOTS, message, { ...message, timeoutMs: LONG_TIMEOUT_MS });
        counts.deleted++;
      } catch (error) {
        warn(error);
      }
    }
  } catch (error) {
    warn(error);
  }
  return counts;
}
