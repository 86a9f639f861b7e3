/**
 * Declaration of `histogram`: counted values, which each document has one list of.
 */
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { indexFlag, META } from '../contract/parameter-rule.ts';

export const HISTOGRAM: DeclaredType = {
  parameters: new Map([
    ['ignore_malformed', indexFlag(false)],
    ['meta', META],
  ]),
  implied: new Map<string, unknown>([
    ['index', false],
    ['doc_values', true],
  ]),
  isWhole: (value) => !Array.isArray(value),
  check: () => {},
  settings: () => NO_SETTINGS,
  storedValue: (value) => value,
};
