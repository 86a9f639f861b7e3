/**
 * The option `unicode_set_filter`: characters outside of the set stay as they are.
 */
import type { ComponentOptions } from '../tokens/component-options.ts';
import { characterRuns } from './character-set.ts';

/** The second is its name of older versions. */
export const SET_OPTIONS: readonly string[] = ['unicode_set_filter', 'unicodeSetFilter'];

/** @throws ShoalError illegal_argument_exception for a set that cannot be read */
export function inCharacterSet(map: (text: string) => string, options: ComponentOptions): (text: string) => string {
  const pattern = options.unicodeSetFilter ?? options.unicode_set_filter;
  if (pattern === undefined) return map;
  const runs = characterRuns(pattern);
  return (text) => text.replace(runs, map);
}
