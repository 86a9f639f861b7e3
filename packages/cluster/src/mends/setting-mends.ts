/**
 * Mends that take cluster settings back, wherever they are set: in the cluster state, or in the file of the cluster manager's node, over
 * which only another value in the state helps.
 */
import type { ClusterState } from '@shoal/cluster-state';
import type { AllocationContext } from '../allocation/rules/allocation-context.ts';
import type { Mend } from './mend.ts';

type ClusterSettingsMend = Extract<Mend, { readonly kind: 'clusterSettings' }>;

/** @param settings names, each with a value that asks for nothing */
export function resetSettings(
  { metadata }: ClusterState,
  { nodeSettings }: AllocationContext,
  settings: readonly (readonly [string, string])[],
): ClusterSettingsMend {
  const persistent: Record<string, string | null> = {};
  const transient: Record<string, string | null> = {};
  for (const [name, neutral] of settings) {
    if (name in metadata.transientSettings) transient[name] = null;
    if (name in nodeSettings) persistent[name] = neutral;
    else if (name in metadata.persistentSettings) persistent[name] = null;
  }
  return { kind: 'clusterSettings', persistent, transient };
}

export function resetSetting(
  state: ClusterState,
  context: AllocationContext,
  name: string,
  neutral: string,
): ClusterSettingsMend {
  return resetSettings(state, context, [[name, neutral]]);
}
