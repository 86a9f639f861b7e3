/**
 * Voting configuration exclusions: nodes that are to leave the voting configuration before they are taken away.
 */

import type { ClusterState, CoordinationMetadata } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';
import { clusterSettings } from '../reading/cluster-settings.ts';
import type { MetadataContext } from './metadata-context.ts';

/** Stands for the id or the name of a node that is not there (yet): it is excluded as soon as it joins. */
const ABSENT = '_absent_';
const EXCLUSIONS_DEFAULT = 10;

type Exclusion = CoordinationMetadata['votingConfigExclusions'][number];

export function addVotingExclusions(
  state: ClusterState,
  wanted: { readonly nodeIds: readonly string[]; readonly nodeNames: readonly string[] },
  { nodeSettings }: MetadataContext,
): ClusterState {
  const nodes = [...state.nodes.values()];
  const { votingConfigExclusions: present } = state.metadata.coordination;
  const added: Exclusion[] = [
    ...wanted.nodeIds.map((id) => ({ nodeId: id, nodeName: state.nodes.get(id)?.name ?? ABSENT })),
    ...wanted.nodeNames.map((name) => ({
      nodeId: nodes.find((node) => node.name === name)?.id ?? ABSENT,
      nodeName: name,
    })),
  ].filter((exclusion) => !present.some((known) => sameExclusion(known, exclusion)));
  if (added.length === 0) return state;
  const text = clusterSettings(state, nodeSettings)['cluster.max_voting_config_exclusions'];
  const max = text === undefined ? EXCLUSIONS_DEFAULT : Number.parseInt(text, 10);
  if (present.length + added.length > max) {
    const shown = added.map((exclusion) => `{${exclusion.nodeName}}{${exclusion.nodeId}}`).join(', ');
    throw illegalArgument(
      `add voting config exclusions request for [${[...wanted.nodeIds, ...wanted.nodeNames].join(', ')}] matched ${added.length} nodes [${shown}] and there are [${present.length}] existing exclusions, which would exceed the maximum of [${max}] set by [cluster.max_voting_config_exclusions]`,
    );
  }
  return withExclusions(state, [...present, ...added]);
}

export function clearVotingExclusions(state: ClusterState): ClusterState {
  return state.metadata.coordination.votingConfigExclusions.length === 0 ? state : withExclusions(state, []);
}

/** Exclusions by the name of an absent node take its id when it joins. */
export function resolveExclusions(state: ClusterState): ClusterState {
  const before = state.metadata.coordination.votingConfigExclusions;
  const after = before.map((exclusion): Exclusion => {
    if (exclusion.nodeId === ABSENT) {
      const node = [...state.nodes.values()].find((candidate) => candidate.name === exclusion.nodeName);
      return node === undefined ? exclusion : { nodeId: node.id, nodeName: node.name };
    }
    const node = exclusion.nodeName === ABSENT ? state.nodes.get(exclusion.nodeId) : undefined;
    return node === undefined ? exclusion : { nodeId: node.id, nodeName: node.name };
  });
  return after.every((exclusion, i) => exclusion === before[i]) ? state : withExclusions(state, after);
}

/** True when no excluded node votes any more. */
export function exclusionsInForce(state: ClusterState): boolean {
  const { votingConfigExclusions, lastAcceptedConfig, lastCommittedConfig } = state.metadata.coordination;
  return votingConfigExclusions.every(
    ({ nodeId }) => !lastAcceptedConfig.includes(nodeId) && !lastCommittedConfig.includes(nodeId),
  );
}

/** True when every excluded node is gone from the cluster. */
export function excludedNodesGone(state: ClusterState): boolean {
  return state.metadata.coordination.votingConfigExclusions.every(({ nodeId }) => !state.nodes.has(nodeId));
}

function withExclusions(state: ClusterState, votingConfigExclusions: readonly Exclusion[]): ClusterState {
  const coordination = { ...state.metadata.coordination, votingConfigExclusions };
  return { ...state, metadata: { ...state.metadata, coordination } };
}

function sameExclusion(a: Exclusion, b: Exclusion): boolean {
  return a.nodeId === b.nodeId && a.nodeName === b.nodeName;
}
