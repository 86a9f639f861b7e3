/**
 * Declaration of `percolator`: a query, kept in the source, that documents are checked against.
 */
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { META } from '../contract/parameter-rule.ts';

export const PERCOLATOR: DeclaredType = {
  parameters: new Map([['meta', META]]),
  implied: new Map<string, unknown>([['index', true]]),
  isWhole: (value) => !Array.isArray(value),
  check: () => {},
  settings: () => NO_SETTINGS,
  storedValue: () => null,
};
