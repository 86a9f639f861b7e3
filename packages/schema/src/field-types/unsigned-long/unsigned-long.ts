/**
 * Declaration of `unsigned_long`: whole numbers from 0 to 2^64 - 1. Texts are always read as numbers: it takes no `coerce`.
 */
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { wholeNullValue } from '../contract/null-value.ts';
import { SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';
import { storedInteger } from '../number/number.ts';

const MAX = 2n ** 64n - 1n;

export const UNSIGNED_LONG: DeclaredType = {
  parameters: new Map([...SCALAR_PARAMETERS, ['null_value', wholeNullValue('unsigned long', 0n, MAX)]]),
  check: () => {},
  settings: () => NO_SETTINGS,
  storedValue: storedInteger,
};
