/**
 * Declaration of `unsigned_long`: whole numbers from 0 to 2^64 - 1. Texts are always read as numbers: it takes no `coerce`.
 */
import { illegalArgument } from '@shoal/core';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';
import { storedInteger } from '../number/number.ts';

const MAX = 2n ** 64n - 1n;

export const UNSIGNED_LONG: DeclaredType = {
  parameters: new Map(SCALAR_PARAMETERS),
  check: (name, { null_value: value }) => {
    if (value === undefined || value === null) return;
    const text = String(value);
    if (/^\+?\d{1,40}$/.test(text) && BigInt(text.replace('+', '')) <= MAX) return;
    throw mapperParsing(
      `Error parsing [null_value] on field [${name}]: For input string: "${text}"`,
      illegalArgument(`For input string: "${text}"`),
    );
  },
  settings: () => NO_SETTINGS,
  storedValue: storedInteger,
};
