/**
 * Mappings of requests that create an index: without the type that version 6 put around them.
 */
import { illegalArgument } from '@shoal/core';
import type { JsonObject } from '../../request/json-body.ts';
import { SINGLE_TYPE } from '../../request/single-type.ts';
import { withCheckedScripts } from './check-runtime-scripts.ts';

/** @throws ShoalError for a mapping under its type, and for a script of a runtime field that does not compile */
export function untypedMappings(mappings: JsonObject): JsonObject {
  const keys = Object.keys(mappings);
  if (keys.length !== 1 || keys[0] !== SINGLE_TYPE) return withCheckedScripts(mappings);
  throw illegalArgument(
    `The mapping definition cannot be nested under a type [${SINGLE_TYPE}] unless include_type_name is set to true.`,
  );
}
