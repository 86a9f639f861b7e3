/**
 * `slm`: whether snapshot policies are executed, and make their snapshots.
 */
import { type HealthIndicator, isWell } from './health-indicator.ts';

const ID = 'elasticsearch:health:slm';

export const slm: HealthIndicator = {
  name: 'slm',
  look: ({ state: { metadata } }) => {
    const { isStopped, policies } = metadata.snapshotPolicies;
    const failing = [...policies.values()].filter(
      ({ lastSuccess, lastFailure }) => lastFailure !== null && lastFailure.endMs > (lastSuccess?.endMs ?? 0),
    );
    const details = { slm_status: isStopped ? 'STOPPED' : 'RUNNING', policies: policies.size };
    const isIdle = isStopped && policies.size > 0;
    if (!isIdle && failing.length === 0) {
      const symptom =
        policies.size === 0
          ? 'No Snapshot Lifecycle Management policies configured'
          : 'Snapshot Lifecycle Management is running';
      return isWell(symptom, details);
    }
    const names = failing.map(({ name, lastFailure }) => `[${name}] (${lastFailure?.failure ?? ''})`);
    return {
      status: 'yellow',
      symptom: isIdle
        ? 'Snapshot Lifecycle Management is not running'
        : `${failing.length === 1 ? '1 snapshot policy' : `${failing.length} snapshot policies`} failed after the last snapshot`,
      details: isIdle ? details : { ...details, unhealthy_policies: { count: failing.length } },
      impacts: [
        {
          id: `${ID}:impact:${isIdle ? 'automation_disabled' : 'stale_snapshots'}`,
          severity: isIdle ? 3 : 2,
          description: 'Snapshots are not made as planned: what is lost meanwhile cannot be restored.',
          areas: ['backup'],
        },
      ],
      diagnoses: [
        isIdle
          ? {
              id: `${ID}:diagnosis:slm_disabled`,
              cause: 'Snapshot Lifecycle Management has been stopped.',
              action: 'Start it with POST _slm/start.',
              affected: null,
            }
          : {
              id: `${ID}:diagnosis:check_recent_snapshot_failures`,
              cause: `These policies did not make their last snapshot: ${names.join(', ')}`,
              action: 'See GET _slm/policy for what their repositories say.',
              affected: null,
            },
      ],
    };
  },
};
