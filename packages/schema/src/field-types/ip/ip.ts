/**
 * Declaration of `ip`: addresses of IPv4 and IPv6.
 */
import { type DeclaredType, plainType } from '../contract/declared-type.ts';
import { SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

export const IP: DeclaredType = plainType(new Map(SCALAR_PARAMETERS), (value) => String(value));
