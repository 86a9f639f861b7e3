/**
 * Closes indices to writes that have a copy on a disk that is nearly full, and opens them again when all their disks have space.
 */
import type { ClusterState } from '@shoal/cluster-state';
import type { AllocationContext } from '../allocation/rules/allocation-context.ts';
import { type DiskLevel, diskLevelOf, diskRules } from '../allocation/rules/disk-rules.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { clusterSettings } from '../reading/cluster-settings.ts';
import { dataNodes } from '../reading/data-nodes.ts';
import { updateIndexSettings } from './update-index-settings.ts';

const BLOCK = 'index.blocks.read_only_allow_delete';

/** Level of each data node, by id; empty where disks are not looked at. */
export function diskLevels(
  state: ClusterState,
  { nodeSettings, disks }: Pick<AllocationContext, 'nodeSettings' | 'disks'>,
): ReadonlyMap<string, DiskLevel> {
  const rules = diskRules(clusterSettings(state, nodeSettings));
  if (rules === null) return new Map();
  return new Map(dataNodes(state).map((node) => [node.id, diskLevelOf(rules, disks.of(node))]));
}

/** Some index is closed to writes until its disks have space: what its copies are on may change without any disk's level. */
export function hasFloodStageBlock({ metadata }: ClusterState): boolean {
  return [...metadata.indices.values()].some(({ settings }) => settings[BLOCK] === 'true');
}

/** The state with the blocks that the disks ask for; the same (===) when it has them. */
export function withFloodStageBlocks(state: ClusterState, context: MetadataContext): ClusterState {
  const levels = diskLevels(state, context);
  const closed: string[] = [];
  const opened: string[] = [];
  for (const { name, settings } of levels.size === 0 ? [] : state.metadata.indices.values()) {
    const copies = (state.routing.indices.get(name) ?? []).flat();
    const found = copies.flatMap(({ nodeId }) => (nodeId === null ? [] : [levels.get(nodeId) ?? 'unknown']));
    if (settings[BLOCK] !== 'true') {
      if (found.includes('flood')) closed.push(name);
    } else if (found.length > 0 && found.every((level) => level === 'fine' || level === 'low')) {
      opened.push(name);
    }
  }
  const set = (from: ClusterState, indices: readonly string[], value: true | null): ClusterState =>
    updateIndexSettings(from, { indices, settings: { [BLOCK]: value }, preserveExisting: false }, context);
  return set(set(state, closed, true), opened, null);
}
