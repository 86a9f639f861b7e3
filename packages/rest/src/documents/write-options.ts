/**
 * Options of a write as text: the version type, of URI parameters and of bulk action lines alike.
 */
import { illegalArgument } from '@shoal/core';
import type { WriteConditions } from '@shoal/shard-api';

const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;

export function parseVersionType(text: string | null): WriteConditions['versionType'] {
  const found = VERSION_TYPES.find((name) => name === text);
  if (found === undefined) throw illegalArgument(`No version type match [${text}]`);
  return found;
}
