/** Attributes of nodes over whose values the copies of a shard are spread. */
import type { ClusterSettings } from '../../reading/cluster-settings.ts';

export interface AwarenessRules {
  readonly attributes: readonly string[];
  /** By attribute: values that count also while no node has them. */
  readonly forced: ReadonlyMap<string, readonly string[]>;
}

const ATTRIBUTES = 'cluster.routing.allocation.awareness.attributes';
const FORCED = 'cluster.routing.allocation.awareness.force';
const FORCED_KEY = /^([^.]+)\.values$/;

export function awarenessRules(settings: ClusterSettings): AwarenessRules {
  const forced = new Map<string, readonly string[]>();
  for (const [key, text] of Object.entries(settings)) {
    const attribute = key.startsWith(`${FORCED}.`) ? FORCED_KEY.exec(key.slice(FORCED.length + 1))?.[1] : undefined;
    if (attribute !== undefined) forced.set(attribute, listed(text));
  }
  return { attributes: listed(settings[ATTRIBUTES] ?? ''), forced };
}

/** Whether the name below `cluster.routing.allocation.awareness.force.` is one that is read. */
export function isForcedAwareness(name: string): boolean {
  return FORCED_KEY.test(name.slice(FORCED.length + 1));
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
