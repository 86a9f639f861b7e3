/**
 * Mapping types, which are gone: the parameter that asked for them is taken as false, so that clients of version 7 can go on sending it.
 */
import { illegalArgument } from '@shoal/core';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';

export const TYPE_NAME_PARAMETER: ParameterDeclarations = { include_type_name: 'boolean' };

/** @throws illegal_argument_exception for `include_type_name=true` */
export function refuseTypes(request: HttpRequest): void {
  if (request.params.boolean('include_type_name', false)) {
    throw illegalArgument('mapping types are gone: include_type_name must be false or absent');
  }
}
