/**
 * Declaration of `boolean`.
 */
import { type DeclaredType, plainType } from '../contract/declared-type.ts';
import { BOOLEAN_NULL_VALUE } from '../contract/null-value.ts';
import { SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

export const BOOLEAN: DeclaredType = plainType(
  new Map([...SCALAR_PARAMETERS, ['null_value', BOOLEAN_NULL_VALUE]]),
  (value) => value === true || value === 'true',
);
