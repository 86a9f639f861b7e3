/**
 * A pipeline as its configuration says it: checked and compiled, nothing of it running yet.
 *
 * The same text gives the same plan in every thread: workers compile it for themselves, since closures do not cross.
 */
import type { LogEvent } from '@shoal/agent-event';
import type { PluginDefinition, PluginKind } from '@shoal/agent-plugin-kit';
import type { InputDecoration, MatchDecoration } from '../decorations/decorations.ts';
import type { CheckedOptions } from '../options/checked-options.ts';
import type { Position } from '../source/position.ts';

export interface PipelinePlan {
  readonly inputs: readonly PlannedInput[];
  readonly filters: readonly Step<PlannedFilter>[];
  readonly outputs: readonly Step<PlannedOutput>[];
  /** Deprecated options and the like: to be logged at start, each with its position. */
  readonly warnings: readonly string[];
}

export type Step<Plugin extends PlannedPlugin> =
  | { readonly kind: 'plugin'; readonly plugin: Plugin }
  | {
      readonly kind: 'branch';
      readonly condition: Condition;
      readonly then: readonly Step<Plugin>[];
      /** Empty without `else`; `else if` is a branch in it. */
      readonly else: readonly Step<Plugin>[];
    };

export interface Condition {
  /** Text of the condition in the configuration. */
  readonly source: string;
  readonly position: Position;
  /** @throws ConditionError when the values cannot be compared */
  readonly test: (event: LogEvent) => boolean;
}

export interface PlannedPlugin {
  readonly kind: PluginKind;
  readonly name: string;
  /** The `id` of the configuration, or 64 hex digits of section, position and text. Unique in the plan. */
  readonly id: string;
  readonly hasExplicitId: boolean;
  readonly position: Position;
  /** The plugin's block as it is written; `${…}` not replaced. */
  readonly source: string;
  readonly definition: PluginDefinition;
  /** `options.bind(make)` gives what the definition's `create` wants: it makes the codecs. */
  readonly options: CheckedOptions;
  /** `enable_metric`. */
  readonly hasMetrics: boolean;
  /** `ecs_compatibility` of the plugin; null: as the pipeline has it. */
  readonly ecs: 'disabled' | 'v1' | 'v8' | null;
}

type DefinitionOf<Kind extends PluginKind> = Extract<PluginDefinition, { readonly kind: Kind }>;

export interface PlannedInput extends PlannedPlugin {
  readonly kind: 'input';
  readonly definition: DefinitionOf<'input'>;
  /** `type`, `tags`, `add_field`: for every event of the input. */
  readonly decorate: InputDecoration;
  /** `decorate` does the same to every event. */
  readonly isDecorationConstant: boolean;
}

export interface PlannedFilter extends PlannedPlugin {
  readonly kind: 'filter';
  readonly definition: DefinitionOf<'filter'>;
  /** `add_field`, `remove_field`, `add_tag`, `remove_tag`: for events that matched. null without any. */
  readonly decorate: MatchDecoration | null;
}

export interface PlannedOutput extends PlannedPlugin {
  readonly kind: 'output';
  readonly definition: DefinitionOf<'output'>;
}
