/**
 * Writing through an alias whose index the cluster rolls over by a policy (index lifecycle management).
 *
 * With `ilm_enabled => auto` that depends on the cluster: one without such policies gets plain indices.
 */
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import type { ClusterResource } from './cluster-setup.ts';

const USUAL_POLICY = 'logstash-policy';
const USUAL_PHASES = { hot: { actions: { rollover: { max_size: '50gb', max_age: '30d' } } } };

export interface Lifecycle {
  readonly alias: string;
  readonly policy: string;
  /** Name of the first index behind the alias. */
  readonly pattern: string;
}

/** null: indices are named by the output, whatever the cluster can do. */
export function lifecycleOf(options: PluginOptions, context: PluginContext): Lifecycle | null {
  const hasAlias = options.has('ilm_rollover_alias');
  if (options.string('ilm_enabled') === 'false' || (options.has('index') && !hasAlias)) return null;
  return {
    alias: hasAlias ? options.string('ilm_rollover_alias') : usualName(context),
    policy: options.string('ilm_policy'),
    pattern: options.string('ilm_pattern'),
  };
}

export function usualName(context: PluginContext): string {
  return context.ecs === 'disabled' ? 'logstash' : 'ecs-logstash';
}

/** The policy, when it is the one that the output brings itself. */
export function policyResource({ policy }: Lifecycle): readonly ClusterResource[] {
  if (policy !== USUAL_POLICY) return [];
  const path = `/_ilm/policy/${policy}`;
  const body = bytesOf({ policy: { phases: USUAL_PHASES } });
  return [{ name: `policy ${policy}`, probe: { method: 'GET', path }, path, body }];
}

/** A template whose patterns are those of the alias, and whose indices have the policy; the rest stays as it is. */
export function withLifecycle(
  template: Readonly<Record<string, unknown>>,
  lifecycle: Lifecycle,
  isComposable: boolean,
): Record<string, unknown> {
  const index_patterns = [`${lifecycle.alias}-*`];
  const settings = (own: unknown): Record<string, unknown> => ({ ...record(own), ...settingsOf(lifecycle) });
  if (!isComposable) return { ...template, index_patterns, settings: settings(template.settings) };
  const inner = record(template.template);
  return { ...template, index_patterns, template: { ...inner, settings: settings(inner.settings) } };
}

/** The alias, with its first index. */
export function aliasResource({ alias, pattern }: Lifecycle): ClusterResource {
  const first = encodeURIComponent(`<${alias}-${pattern}>`);
  return {
    name: `rollover alias ${alias}`,
    probe: { method: 'HEAD', path: `/${encodeURIComponent(alias)}` },
    path: `/${first}`,
    body: bytesOf({ aliases: { [alias]: { is_write_index: true } } }),
  };
}

export function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function settingsOf({ alias, policy }: Lifecycle): Record<string, string> {
  return { 'index.lifecycle.name': policy, 'index.lifecycle.rollover_alias': alias };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
