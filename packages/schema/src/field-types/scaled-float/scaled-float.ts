/**
 * Declaration of `scaled_float`: numbers kept as whole multiples of 1 / `scaling_factor`.
 */
import { DoubleNumber, illegalArgument } from '@shoal/core';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { FRACTION_NULL_VALUE } from '../contract/null-value.ts';
import { indexFlag, SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';
import { DOUBLE } from '../number/number.ts';
import { scaled } from './scaled.ts';

export const SCALED_FLOAT: DeclaredType = {
  parameters: new Map([
    ...SCALAR_PARAMETERS,
    ['coerce', indexFlag(true)],
    ['null_value', FRACTION_NULL_VALUE],
    ['scaling_factor', { kind: 'positive', otherwise: null, change: 'never' }],
  ]),
  check: (_name, { scaling_factor: factor }) => {
    if (factor !== undefined && factor !== null) return;
    throw illegalArgument('Field [scaling_factor] is required');
  },
  settings: (value) => ({ ...NO_SETTINGS, scalingFactor: Number(value('scaling_factor')) }),
  storedValue: (value, settings) => {
    const number = DOUBLE.storedValue(value, settings);
    return number instanceof DoubleNumber ? new DoubleNumber(scaled(number.value, settings.scalingFactor)) : number;
  },
};
