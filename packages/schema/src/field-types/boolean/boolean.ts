/**
 * Declaration of `boolean`.
 */
import { type DeclaredType, plainType } from '../contract/declared-type.ts';
import { SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

export const BOOLEAN: DeclaredType = plainType(
  new Map(SCALAR_PARAMETERS),
  (value) => value === true || value === 'true',
);
