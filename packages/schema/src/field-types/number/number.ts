/**
 * Declaration of the number types, which all take the same parameters.
 */
import { type DeclaredType, plainType } from '../contract/declared-type.ts';
import { flag, SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

export const NUMBER: DeclaredType = plainType(new Map([...SCALAR_PARAMETERS, ['coerce', flag(true, 'always')]]));
