/**
 * Options of a write, of URI parameters and of bulk action lines alike: the version type as text, and versions that stand for a state.
 */
import type { BulkAction } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import type { WriteConditions } from '@shoal/shard-api';

const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;

/** Version that stands for any: the write asks for none. */
export const ANY_VERSION = -3;
/** Version that stands for a document that there is not. */
const MISSING_VERSION = -4;

/** Conditions of an action without a version that says no more than the action does. */
export function withoutStateVersion(action: BulkAction, conditions: WriteConditions): WriteConditions {
  const { version, versionType } = conditions;
  const isAsked = version === ANY_VERSION || (version === MISSING_VERSION && action === 'create');
  return isAsked && versionType === 'internal' ? { ...conditions, version: null } : conditions;
}

export function parseVersionType(text: string | null): WriteConditions['versionType'] {
  const found = VERSION_TYPES.find((name) => name === text);
  if (found === undefined) throw illegalArgument(`No version type match [${text}]`);
  return found;
}
