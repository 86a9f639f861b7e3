/**
 * `PUT _cluster/settings`: flattens, checks, sets and removes; the cluster's own blocks follow.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ClusterBlock, ClusterState } from '@shoal/cluster-state';
import { simpleMatch } from '@shoal/core';
import { expandReplicas } from '../allocation/expand-replicas.ts';
import { reroute } from '../allocation/reroute.ts';
import { checkAllocationSettings } from '../allocation/rules/check-allocation-settings.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { BLOCK_ID } from '../reading/cluster-blocks.ts';
import { clusterSettings } from '../reading/cluster-settings.ts';
import { flatClusterSettings } from '../reading/flat-cluster-settings.ts';
import { withStackTemplates } from '../stack-templates/with-stack-templates.ts';
import { checkClusterSetting, isKnownClusterSetting, unknownClusterSetting } from './cluster-setting-registry.ts';

export interface ClusterSettingsUpdate {
  readonly persistent: Readonly<Record<string, unknown>>;
  readonly transient: Readonly<Record<string, unknown>>;
}

type Kind = 'persistent' | 'transient';
type Flat = Readonly<Record<string, string>>;

export function updateClusterSettings(
  state: ClusterState,
  update: ClusterSettingsUpdate,
  context: MetadataContext,
): ClusterState {
  const { metadata } = state;
  const persistentSettings = applied(metadata.persistentSettings, update.persistent, 'persistent');
  const transientSettings = applied(metadata.transientSettings, update.transient, 'transient');
  if (persistentSettings === metadata.persistentSettings && transientSettings === metadata.transientSettings)
    return state;
  const next = { ...state, metadata: { ...metadata, persistentSettings, transientSettings } };
  checkAllocationSettings(clusterSettings(next, context.nodeSettings));
  // Filters may have changed, and with them the nodes that an index may have copies on.
  return withStackTemplates(reroute(expandReplicas(withClusterBlocks(next), context), context), context);
}

/** Settings that a request set, as its answer shows them: flat, without those it removed. */
export function acceptedSettings(json: Readonly<Record<string, unknown>>): Flat {
  return Object.fromEntries(
    [...flatClusterSettings(json)].filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function applied(current: Flat, json: Readonly<Record<string, unknown>>, kind: Kind): Flat {
  const next = new Map(Object.entries(current));
  for (const [name, value] of flatClusterSettings(json)) {
    if (value === null) {
      remove(next, name, kind);
      continue;
    }
    if (!isKnownClusterSetting(name)) throw unknownClusterSetting(kind, name);
    checkClusterSetting(name, value);
    next.set(name, value);
  }
  const settings = Object.fromEntries(next);
  return isDeepStrictEqual(settings, { ...current }) ? current : settings;
}

function remove(settings: Map<string, string>, name: string, kind: Kind): void {
  if (name.includes('*')) {
    for (const key of [...settings.keys()]) if (simpleMatch(name, key)) settings.delete(key);
    return;
  }
  // A setting that an earlier version knew may be removed even though it can no longer be set.
  if (!settings.delete(name) && !isKnownClusterSetting(name)) throw unknownClusterSetting(kind, name);
}

function withClusterBlocks(state: ClusterState): ClusterState {
  const settings = clusterSettings(state, {});
  const others = state.blocks.global.filter(
    (b) => b.id !== BLOCK_ID.clusterReadOnly && b.id !== BLOCK_ID.clusterReadOnlyAllowDelete,
  );
  const own: ClusterBlock[] = [];
  if (settings['cluster.blocks.read_only'] === 'true') {
    own.push({
      id: BLOCK_ID.clusterReadOnly,
      description: 'cluster read-only (api)',
      status: 403,
      levels: ['write', 'metadata_write'],
    });
  }
  if (settings['cluster.blocks.read_only_allow_delete'] === 'true') {
    own.push({
      id: BLOCK_ID.clusterReadOnlyAllowDelete,
      description: 'cluster read-only / allow delete (api)',
      status: 403,
      levels: ['write', 'metadata_write'],
    });
  }
  const global = [...others, ...own];
  return isDeepStrictEqual(global, state.blocks.global) ? state : { ...state, blocks: { ...state.blocks, global } };
}
