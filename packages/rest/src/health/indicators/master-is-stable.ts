/**
 * `master_is_stable`: whether this node knows an elected cluster manager.
 */
import { type HealthIndicator, isWell } from './health-indicator.ts';

export const masterIsStable: HealthIndicator = {
  name: 'master_is_stable',
  look: ({ state }) => {
    const manager = state.clusterManagerId === null ? undefined : state.nodes.get(state.clusterManagerId);
    const current = { node_id: manager?.id ?? null, name: manager?.name ?? null };
    if (manager !== undefined) {
      const details = { current_master: current, recent_masters: [current] };
      return isWell('The cluster has an elected master node', details);
    }
    return {
      status: 'red',
      symptom: 'No master node has been discovered',
      details: { current_master: current, recent_masters: [] },
      impacts: [
        {
          id: 'elasticsearch:health:master_is_stable:impact:ingest_disabled',
          severity: 1,
          description: 'Indices cannot be created, deleted or changed, and writes that need it are refused.',
          areas: ['ingest'],
        },
        {
          id: 'elasticsearch:health:master_is_stable:impact:deployment_management_disabled',
          severity: 1,
          description: 'Settings, policies, templates and snapshots cannot be managed.',
          areas: ['deployment_management'],
        },
      ],
      diagnoses: [],
    };
  },
};
