/**
 * `ilm`: whether lifecycle policies are executed, and can be for every index that has one.
 */
import { counted, type HealthIndicator, isWell } from './health-indicator.ts';

const ID = 'elasticsearch:health:ilm';
const POLICY = 'index.lifecycle.name';

export const ilm: HealthIndicator = {
  name: 'ilm',
  look: ({ state: { metadata } }) => {
    const { isStopped, policies } = metadata.lifecycle;
    const stagnating = [...metadata.indices.values()].filter(({ settings }) => {
      const policy = settings[POLICY] ?? '';
      return policy !== '' && !policies.has(policy);
    });
    const details = {
      policies: policies.size,
      ilm_status: isStopped ? 'STOPPED' : 'RUNNING',
      stagnating_indices: stagnating.length,
    };
    const isIdle = isStopped && policies.size > 0;
    if (!isIdle && stagnating.length === 0) {
      const symptom =
        policies.size === 0
          ? 'No Index Lifecycle Management policies configured'
          : 'Index Lifecycle Management is running';
      return isWell(symptom, details);
    }
    const indices = stagnating.map(({ name }) => name);
    return {
      status: 'yellow',
      symptom: isIdle
        ? 'Index Lifecycle Management is not running'
        : `${counted(indices.length, 'index')} cannot go on in the lifecycle policy`,
      details,
      impacts: [
        {
          id: `${ID}:impact:${isIdle ? 'automation_disabled' : 'stagnating_index'}`,
          severity: 3,
          description: 'Indices are not rolled over, moved or deleted as they age, and may fill the disks.',
          areas: ['deployment_management'],
        },
      ],
      diagnoses: isIdle
        ? [
            {
              id: `${ID}:diagnosis:ilm_disabled`,
              cause: 'Index Lifecycle Management has been stopped.',
              action: 'Start it with POST _ilm/start.',
              affected: null,
            },
          ]
        : [
            {
              id: `${ID}:diagnosis:stagnating_action:missing_policy`,
              cause: `These indices name a policy in [${POLICY}] that does not exist.`,
              action: 'Create the policy, or take it from the indices.',
              affected: { indices },
            },
          ],
    };
  },
};
