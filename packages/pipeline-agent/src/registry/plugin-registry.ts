/**
 * All plugins that a configuration may name: those that come with the agent, and those that users install by name.
 *
 * Inputs, filters and outputs of the agent are loaded when they are asked for with `load`; only then `find` has them.
 * Codecs are there from the start: any default of an option may name one, and together they are small.
 */

import type { ListedPlugin, PluginDefinition, PluginKind } from '@shoal/agent-plugin-kit';
import { codecPlugins, filterPlugins, inputPlugins, outputPlugins } from '@shoal/agent-plugins';

/** Second names of plugins, by kind and name. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['input elastic_agent', 'beats'],
  ['filter java_uuid', 'uuid'],
  ['output sink', 'null'],
  ['codec java_line', 'line'],
  ['codec java_plain', 'plain'],
  ['codec jdots', 'dots'],
]);

export class PluginRegistry {
  readonly #listed = new Map<string, ListedPlugin>();
  readonly #loaded = new Map<string, PluginDefinition>();

  constructor() {
    for (const listed of [...inputPlugins, ...filterPlugins, ...outputPlugins]) {
      this.#listed.set(keyOf(listed.kind, listed.name), listed);
    }
    for (const definition of codecPlugins) this.add(definition);
  }

  /** A plugin that does not come with the agent. */
  add(definition: PluginDefinition): void {
    this.#loaded.set(keyOf(definition.kind, definition.name), definition);
  }

  /** undefined for one that the agent does not have. */
  async load(kind: PluginKind, name: string): Promise<PluginDefinition | undefined> {
    const known = this.find(kind, name);
    if (known !== undefined) return known;
    const alias = ALIASES.get(keyOf(kind, name));
    const target = alias === undefined ? undefined : await this.load(kind, alias);
    const definition = target === undefined ? await this.#listed.get(keyOf(kind, name))?.load() : { ...target, name };
    if (definition !== undefined) this.add(definition);
    return definition;
  }

  /** Among those that are loaded. */
  find(kind: PluginKind, name: string): PluginDefinition | undefined {
    return this.#loaded.get(keyOf(kind, name));
  }

  /** Loaded or not. */
  names(kind: PluginKind): readonly string[] {
    return this.#known()
      .filter((plugin) => plugin.kind === kind)
      .map(({ name }) => name);
  }

  /** `logstash-<kind>-<name>` with versions, sorted, as monitoring tools list them. */
  listing(): readonly { readonly name: string; readonly version: string }[] {
    return this.#known()
      .map(({ kind, name, version }) => ({ name: `logstash-${kind}-${name}`, version }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #known(): readonly Pick<ListedPlugin, 'kind' | 'name' | 'version'>[] {
    return [
      ...new Map<string, Pick<ListedPlugin, 'kind' | 'name' | 'version'>>([...this.#listed, ...this.#loaded]).values(),
    ];
  }
}

function keyOf(kind: PluginKind, name: string): string {
  return `${kind} ${name}`;
}
