/**
 * What is known of a plugin that comes with the agent before its code is loaded: enough to list it, to suggest its name
 * and to load it. Must never import the plugin itself.
 */
import type { PluginDefinition, PluginKind } from './plugin-definition.ts';

export interface ListedPlugin {
  readonly kind: PluginKind;
  readonly name: string;
  /** Version, the same as in its definition. */
  readonly version: string;
  load(): Promise<PluginDefinition>;
}
