/**
 * Options that exist elsewhere and not here: refused with a text that says so, never silently ignored.
 */
import type { OptionDeclarations } from '../contract/plugin-definition.ts';

const NOT_YET = 'this option is not supported yet; remove it';

export function refusedOptions(names: readonly string[], text: string = NOT_YET): OptionDeclarations {
  return Object.fromEntries(names.map((name) => [name, { type: 'string', obsolete: text }]));
}
