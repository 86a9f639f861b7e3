/**
 * `disk`: whether the data nodes have space left, by the watermarks that allocation goes by, and no index is closed to writes for the lack of it.
 */
import { type DiskLevel, type DiskUsage, dataNodes, diskLevelOf, diskRules } from '@shoal/cluster';
import type { DiscoveryNode } from '@shoal/cluster-state';
import { numberAt, type StatsTree } from '../../bodies/stats-tree.ts';
import { counted, type HealthIndicator, isWell, type NodeName } from './health-indicator.ts';

const ID = 'elasticsearch:health:disk';
const BLOCK = 'index.blocks.read_only_allow_delete';

export const disk: HealthIndicator = {
  name: 'disk',
  look: ({ state, settings: inForce, nodeStats }) => {
    const data = dataNodes(state);
    const rules = diskRules(inForce);
    // Where disks are not looked at, none is too full.
    const levels = data.map(({ id }) => (rules === null ? 'fine' : diskLevelOf(rules, usageIn(nodeStats.get(id)))));
    const at = (...wanted: readonly DiskLevel[]): readonly NodeName[] =>
      data.filter((_, i) => wanted.includes(levels[i] ?? 'unknown')).map(nodeName);
    const [flood, high, unknown] = [at('flood'), at('high'), at('unknown')];
    const blocked = [...state.metadata.indices.values()]
      .filter(({ settings }) => settings[BLOCK] === 'true')
      .map(({ name }) => name);
    const details = {
      indices_with_readonly_block: blocked.length,
      nodes_with_enough_disk_space: at('fine', 'low').length,
      nodes_with_unknown_disk_status: unknown.length,
      nodes_over_high_watermark: high.length,
      nodes_over_flood_stage_watermark: flood.length,
    };
    const short = [...flood, ...high];
    if (short.length + unknown.length + blocked.length === 0) {
      return isWell('The cluster has enough available disk space.', details);
    }
    return {
      status: blocked.length + flood.length > 0 ? 'red' : high.length > 0 ? 'yellow' : 'unknown',
      symptom: symptomOf(blocked.length, short.length, unknown.length),
      details,
      impacts:
        blocked.length + short.length === 0
          ? []
          : [
              {
                id: `${ID}:impact:ingest_capability_unavailable`,
                severity: blocked.length + flood.length > 0 ? 1 : 2,
                description: 'Documents cannot be added or changed where no space is left.',
                areas: ['ingest'],
              },
            ],
      diagnoses: [
        ...(blocked.length === 0 ? [] : [{ ...BLOCKED, affected: { indices: blocked } }]),
        ...(short.length === 0 ? [] : [{ ...SHORT, affected: { nodes: short } }]),
      ],
    };
  },
};

const BLOCKED = {
  id: `${ID}:diagnosis:remove_read_only_block`,
  cause: `These indices have the block [${BLOCK}].`,
  action: 'Make space, and take the block from them.',
} as const;

const SHORT = {
  id: `${ID}:diagnosis:add_disk_capacity_data_nodes`,
  cause: 'The disks of these nodes are nearly full.',
  action: 'Give the nodes larger disks, or delete indices that nobody needs.',
} as const;

function symptomOf(blocked: number, short: number, unknown: number): string {
  const parts = [
    ...(blocked === 0 ? [] : [`${counted(blocked, 'index')} closed to writes`]),
    ...(short === 0 ? [] : [`${counted(short, 'node')} with too little disk space`]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'node')} of unknown disk space`]),
  ];
  return `The cluster has ${parts.join(', ')}.`;
}

/** null: the node does not tell. */
function usageIn(stats: StatsTree | undefined): DiskUsage | null {
  const totalBytes = stats === undefined ? null : numberAt(stats, 'fs.total.total_in_bytes');
  const freeBytes = stats === undefined ? null : numberAt(stats, 'fs.total.available_in_bytes');
  return totalBytes === null || freeBytes === null || totalBytes <= 0 ? null : { totalBytes, freeBytes };
}

function nodeName({ id, name }: DiscoveryNode): NodeName {
  return { nodeId: id, name };
}
