/**
 * The document of a hit that is to be written again.
 */
import type { SourceHit } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';

/** @throws illegal_argument_exception when its index does not keep what was sent */
export function sourceOfHit({ index, id, source }: SourceHit): Uint8Array {
  if (source === null) throw illegalArgument(`[${index}][${id}] didn't store _source`);
  return source;
}
