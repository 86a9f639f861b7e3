/**
 * `shards_capacity`: how many more shards `cluster.max_shards_per_node` leaves room for.
 */
import { shardCapacity } from '@shoal/cluster';
import { type HealthIndicator, isWell } from './health-indicator.ts';

const ID = 'elasticsearch:health:shards_capacity';
/** Shards for which there must be room. */
const ROOM_YELLOW = 10;
const ROOM_RED = 5;
/** No node takes frozen shards. */
const NO_FROZEN_TIER = { max_shards_in_cluster: 0 };

export const shardsCapacity: HealthIndicator = {
  name: 'shards_capacity',
  look: ({ state, settings }) => {
    const { open, max } = shardCapacity(state, settings);
    const room = max - open;
    // Without a data node there is nothing to fill.
    if (max === 0 || room >= ROOM_YELLOW) {
      const details = { data: { max_shards_in_cluster: max }, frozen: NO_FROZEN_TIER };
      return isWell('The cluster has enough room to add new shards.', details);
    }
    return {
      status: room < ROOM_RED ? 'red' : 'yellow',
      symptom: `Cluster is close to reaching the configured maximum number of shards for data nodes: ${open} of ${max}.`,
      details: { data: { max_shards_in_cluster: max, current_used_shards: open }, frozen: NO_FROZEN_TIER },
      impacts: [
        {
          id: `${ID}:impact:creation_of_new_indices_${room < ROOM_RED ? 'blocked' : 'at_risk'}`,
          severity: room < ROOM_RED ? 1 : 2,
          description: 'New indices are refused when the limit is reached, and with them documents that need one.',
          areas: ['ingest'],
        },
      ],
      diagnoses: [
        {
          id: `${ID}:diagnosis:increase_max_shards_per_node`,
          cause: 'There are nearly as many shards of open indices as [cluster.max_shards_per_node] allows.',
          action: 'Delete or close indices, add data nodes, or raise the setting.',
          affected: null,
        },
      ],
    };
  },
};
