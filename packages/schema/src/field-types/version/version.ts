/**
 * Declaration of `version`: versions of software in the order of Semantic Versioning.
 */
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { IMPLIED_INDEX, META } from '../contract/parameter-rule.ts';

export const VERSION: DeclaredType = {
  parameters: new Map([['meta', META]]),
  implied: IMPLIED_INDEX,
  check: () => {},
  settings: () => NO_SETTINGS,
  storedValue: (value) => String(value),
};
