/**
 * Blocks: what the cluster or an index refuses though its copies are all there. A block that somebody set on purpose is told and counts
 * as green; one that a full disk left behind, and those that refuse what mends the rest, do not.
 */
import type { ClusterState } from '@shoal/cluster-state';
import type { AllocationContext } from '../allocation/rules/allocation-context.ts';
import { type Finding, named } from '../mends/finding.ts';
import { resetSetting } from '../mends/setting-mends.ts';
import { BLOCK_ID } from '../reading/cluster-blocks.ts';

/** Blocks of the cluster by the setting that makes them. */
const OF_CLUSTER: ReadonlyMap<number, string> = new Map([
  [BLOCK_ID.clusterReadOnly, 'cluster.blocks.read_only'],
  [BLOCK_ID.clusterReadOnlyAllowDelete, 'cluster.blocks.read_only_allow_delete'],
]);
const OF_INDEX: ReadonlyMap<number, string> = new Map([
  [BLOCK_ID.indexReadOnlyAllowDelete, 'index.blocks.read_only_allow_delete'],
  [BLOCK_ID.indexReadOnly, 'index.blocks.read_only'],
  [BLOCK_ID.indexRead, 'index.blocks.read'],
  [BLOCK_ID.indexWrite, 'index.blocks.write'],
  [BLOCK_ID.indexMetadata, 'index.blocks.metadata'],
]);

export function blockFindings(
  state: ClusterState,
  context: AllocationContext,
  indices: readonly string[] | null,
): readonly Finding[] {
  const ofCluster = state.blocks.global.flatMap((block): readonly Finding[] => {
    const setting = OF_CLUSTER.get(block.id);
    if (setting === undefined) return [];
    return [
      {
        cause: 'cluster_block',
        status: 'red',
        indices: [],
        copies: 0,
        reason: `The cluster setting [${setting}] is [true]`,
        effect: 'every write and every change of settings and mappings is refused, those that mend other findings too',
        mends: [resetSetting(state, context, setting, 'false')],
      },
    ];
  });
  return [...ofCluster, ...[...state.blocks.indices].flatMap(([index]) => ofIndex(state, index, indices))];
}

function ofIndex(state: ClusterState, index: string, asked: readonly string[] | null): readonly Finding[] {
  if (asked !== null && !asked.includes(index)) return [];
  return (state.blocks.indices.get(index) ?? []).flatMap((block): readonly Finding[] => {
    const setting = OF_INDEX.get(block.id);
    if (setting === undefined) return [];
    const isOfDisk = block.id === BLOCK_ID.indexReadOnlyAllowDelete;
    return [
      {
        cause: isOfDisk ? 'full_disk_block' : 'index_block',
        status: isOfDisk ? 'red' : 'green',
        indices: [index],
        copies: 0,
        reason: `The setting [${setting}] of [${index}] is [true]`,
        effect: `requests of the kind ${named(block.levels)} to it are refused`,
        mends: [{ kind: 'indexSettings', index, settings: { [setting]: null } }],
      },
    ];
  });
}
