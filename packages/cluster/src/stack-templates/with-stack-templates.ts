/**
 * Puts the templates of `stack.templates.enabled` into a state that lacks them, or has them of an older version. What users have under
 * their names stays, and so does what it would take the place of.
 */
import { type ClusterState, type IndexTemplate, type Templates, withEntries } from '@shoal/cluster-state';
import { parseBoolean } from '@shoal/schema';
import { type ClusterSettings, clusterSettings } from '../reading/cluster-settings.ts';
import { doOverlap } from '../templates/name-patterns.ts';
import { type StackTemplates, stackTemplates } from './stack-templates.ts';

type Json = Readonly<Record<string, unknown>>;

interface Versioned {
  readonly version: number | null;
  readonly meta: Json | null;
}

/** The state itself where it has all. */
export function withStackTemplates(
  state: ClusterState,
  { nodeSettings, nowMs }: { readonly nodeSettings: ClusterSettings; readonly nowMs: number },
): ClusterState {
  const enabled = clusterSettings(state, nodeSettings)['stack.templates.enabled'] ?? 'true';
  if (parseBoolean(enabled) !== true) return state;
  const { ingestPipelines, lifecycle } = state.metadata;
  const stack = stackTemplates();
  const templates = withTemplates(state.metadata.templates, stack);
  const pipelines = missing(stack.pipelines, ingestPipelines, (id, config) => ({ id, config }));
  const modified = { version: 1, modifiedMs: nowMs };
  const policies = missing(stack.policies, lifecycle.policies, (name, policy) => ({
    name,
    ...modified,
    policy,
  }));
  if (templates === state.metadata.templates && pipelines.length === 0 && policies.length === 0) return state;
  const metadata = {
    ...state.metadata,
    templates,
    ingestPipelines: withEntries(ingestPipelines, pipelines),
    lifecycle: { ...lifecycle, policies: withEntries(lifecycle.policies, policies) },
  };
  return { ...state, metadata };
}

function withTemplates(templates: Templates, stack: StackTemplates): Templates {
  const components = [...stack.component].filter(([name, ours]) => mayPut(templates.component.get(name), ours));
  const component = withEntries(templates.component, components);
  const isOurs = (name: string): boolean => component.get(name)?.meta?.managed === true;
  const index = [...stack.index].filter(([name, ours]) => {
    const needed = ours.composedOf.filter((part) => !(ours.ignoredMissing ?? []).includes(part));
    return mayPut(templates.index.get(name), ours) && needed.every(isOurs) && !isInTheWay(templates, ours);
  });
  if (components.length === 0 && index.length === 0) return templates;
  return { ...templates, component, index: withEntries(templates.index, index) };
}

function mayPut(there: Versioned | undefined, { version }: Versioned): boolean {
  return there === undefined || (there.meta?.managed === true && (there.version ?? 0) < (version ?? 0));
}

/** Two index templates of one priority may not fit one name. */
function isInTheWay(templates: Templates, ours: IndexTemplate): boolean {
  return [...templates.index.values()].some(
    (other) =>
      other.name !== ours.name &&
      (other.priority ?? 0) === ours.priority &&
      doOverlap(other.indexPatterns, ours.indexPatterns),
  );
}

function missing<T>(
  ours: ReadonlyMap<string, string>,
  there: ReadonlyMap<string, unknown>,
  made: (name: string, text: string) => T,
): readonly (readonly [string, T])[] {
  return [...ours].filter(([name]) => !there.has(name)).map(([name, text]) => [name, made(name, text)]);
}
