/**
 * Checks the options of a plugin against its declarations: unknown names, missing, wrong and obsolete ones. All problems of
 * a plugin are found before anything is reported.
 */

import type { OptionDeclaration, OptionDeclarations, PluginDefinition, PluginKind } from '@shoal/agent-plugin-kit';
import { assert, nearestNames } from '@shoal/core';
import type { Position } from '../source/position.ts';
import { CheckedOptions, type OptionValue, type PlannedCodec } from './checked-options.ts';
import { type CoercionContext, coerceOption } from './coerce-option.ts';
import { declaredOptions } from './common-options.ts';
import { missingPluginText } from './known-plugins.ts';
import { type GivenOption, PluginBlock, type RawValue, rawKind } from './option-value.ts';

export interface PluginLookup {
  find(kind: PluginKind, name: string): PluginDefinition | undefined;
  /** All of a kind, to suggest one. */
  names(kind: PluginKind): readonly string[];
}

export interface CheckContext extends CoercionContext {
  readonly plugins: PluginLookup;
  /** Id of a codec that was given none. */
  readonly codecId: (name: string, position: Position) => string;
  /** Called for every problem and every warning, in the order in which they stand. */
  readonly report: (finding: Finding) => void;
}

export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly position: Position;
  readonly message: string;
}

export interface PluginToCheck {
  readonly options: readonly GivenOption[];
  /** Position of the plugin's name, where a missing option is reported. */
  readonly position: Position;
}

/** The values of what is right; what is wrong was reported. */
export function checkPlugin(
  plugin: PluginToCheck,
  definition: PluginDefinition,
  context: CheckContext,
): CheckedOptions {
  const declarations = declaredOptions(definition.kind, definition.options);
  const values = new Map<string, OptionValue>();
  const given = new Set<string>();
  for (const option of plugin.options) {
    given.add(option.name);
    const declaration = own(declarations, option.name);
    if (declaration === undefined) reportUnknown(option, declarations, definition, context);
    else checkOption(option, declaration, definition, values, context);
  }
  for (const [name, declaration] of Object.entries(declarations)) {
    if (given.has(name)) continue;
    if (declaration.isRequired === true) {
      error(context, plugin.position, `Missing a required setting '${name}' for ${definition.name}`);
    } else if (declaration.default !== undefined) {
      const value = rawFromLiteral(declaration.default);
      const coerced = coerce({ name, value, position: plugin.position }, declaration, context);
      assert(coerced !== null, `the default of ${definition.name}.${name} is refused: ${rawKind(value)}`);
      values.set(name, coerced);
    }
  }
  return new CheckedOptions(values);
}

/** The definition of a name; reports the nearest known one when there is none. */
export function findPlugin(
  kind: PluginKind,
  name: string,
  position: Position,
  context: Pick<CheckContext, 'plugins' | 'report'>,
): PluginDefinition | undefined {
  const definition = context.plugins.find(kind, name);
  if (definition === undefined) {
    const [nearest] = nearestNames(name, context.plugins.names(kind));
    const suggestion = nearest === undefined ? '' : `, did you mean '${nearest}'?`;
    error(context, position, missingPluginText(kind, name) ?? `Unknown ${kind} plugin '${name}'${suggestion}`);
  }
  return definition;
}

/** A plain JavaScript value as the language has it: objects are hashes. For defaults, and for tests of plugins. */
export function rawFromLiteral(value: unknown): RawValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(rawFromLiteral);
  if (value instanceof PluginBlock) return value;
  assert(typeof value === 'object' && value !== null, `a ${typeof value} is no value of an option`);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(entries.map(([name, item]) => [String(name), rawFromLiteral(item)]));
}

function checkOption(
  option: GivenOption,
  declaration: OptionDeclaration,
  definition: PluginDefinition,
  values: Map<string, OptionValue>,
  context: CheckContext,
): void {
  const { name, position } = option;
  if (declaration.obsolete !== undefined) {
    error(context, position, `Setting '${name}' for ${definition.name} is obsolete: ${declaration.obsolete}`);
    return;
  }
  if (declaration.deprecated !== undefined) {
    const message = `Setting '${name}' for ${definition.name} is deprecated: ${declaration.deprecated}`;
    context.report({ severity: 'warning', position, message });
  }
  const coerced = coerce(option, declaration, context, definition.name);
  if (coerced !== null) values.set(name, coerced);
}

/** null when the value was refused and reported. */
function coerce(
  option: GivenOption,
  declaration: OptionDeclaration,
  context: CheckContext,
  plugin = 'its default',
): OptionValue | null {
  if (declaration.type === 'codec') return coerceCodec(option, plugin, context);
  const coerced = coerceOption(declaration.type, option.value, context);
  if ('kind' in coerced) return coerced;
  const misfit = declaration.type === 'password' ? 'must be a text' : coerced.misfit;
  error(context, option.position, `Setting '${option.name}' for ${plugin} ${misfit}`);
  return null;
}

function coerceCodec(option: GivenOption, plugin: string, context: CheckContext): OptionValue | null {
  const { value, position } = option;
  const block = typeof value === 'string' ? new PluginBlock(value, [], position, value) : value;
  if (!(block instanceof PluginBlock)) {
    error(context, position, `Setting '${option.name}' for ${plugin} must be one codec, but is ${rawKind(value)}`);
    return null;
  }
  const definition = findPlugin('codec', block.name, block.position, context);
  if (definition === undefined || definition.kind !== 'codec') return null;
  const options = checkPlugin(block, definition, context);
  const id = options.values.get('id');
  const codec: PlannedCodec = {
    name: block.name,
    id: id?.kind === 'string' ? id.string : context.codecId(block.name, block.position),
    hasExplicitId: id !== undefined,
    position: block.position,
    definition,
    options,
  };
  return { kind: 'codec', codec, value: block.name };
}

function reportUnknown(
  option: GivenOption,
  declarations: OptionDeclarations,
  definition: PluginDefinition,
  context: CheckContext,
): void {
  const [nearest] = nearestNames(option.name, Object.keys(declarations));
  const suggestion = nearest === undefined ? '' : `, did you mean '${nearest}'?`;
  error(context, option.position, `Unknown setting '${option.name}' for ${definition.name}${suggestion}`);
}

function own(declarations: OptionDeclarations, name: string): OptionDeclaration | undefined {
  return Object.hasOwn(declarations, name) ? declarations[name] : undefined;
}

function error(context: Pick<CheckContext, 'report'>, position: Position, message: string): void {
  context.report({ severity: 'error', position, message });
}
