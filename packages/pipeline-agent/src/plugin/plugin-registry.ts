/**
 * All plugins that a configuration may name: those that come with the agent, and those that users install by name.
 */
import { pipelineInput } from '../pipeline/pipeline-input.ts';
import { pipelineOutput } from '../pipeline/pipeline-output.ts';
import { codecPlugins } from '../plugins/codecs/codec-list.ts';
import { filterPlugins } from '../plugins/filters/filter-list.ts';
import { inputPlugins } from '../plugins/inputs/input-list.ts';
import { outputPlugins } from '../plugins/outputs/output-list.ts';
import { deadLetterInput } from '../queue/dead-letter-input.ts';
import type { PluginDefinition, PluginKind } from './plugin-definition.ts';

export class PluginRegistry {
  readonly #byKind = new Map<PluginKind, Map<string, PluginDefinition>>();

  constructor(more: readonly PluginDefinition[] = []) {
    const all = [
      ...inputPlugins,
      pipelineInput,
      deadLetterInput,
      ...filterPlugins,
      ...outputPlugins,
      pipelineOutput,
      ...codecPlugins,
      ...more,
    ];
    for (const definition of all) {
      const ofKind = this.#byKind.get(definition.kind) ?? new Map<string, PluginDefinition>();
      ofKind.set(definition.name, definition);
      this.#byKind.set(definition.kind, ofKind);
    }
  }

  find(kind: PluginKind, name: string): PluginDefinition | undefined {
    return this.#byKind.get(kind)?.get(name);
  }

  names(kind: PluginKind): readonly string[] {
    return [...(this.#byKind.get(kind)?.keys() ?? [])];
  }

  /** `logstash-<kind>-<name>` with versions, sorted, as monitoring tools list them. */
  listing(): readonly { readonly name: string; readonly version: string }[] {
    const all: { readonly name: string; readonly version: string }[] = [];
    for (const [kind, ofKind] of this.#byKind) {
      for (const { name, version } of ofKind.values()) all.push({ name: `logstash-${kind}-${name}`, version });
    }
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
