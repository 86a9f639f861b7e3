/**
 * `script_fields` are not built: a search that asks for some is refused by every shard, first for their number.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';

const FIELDS_MAX_DEFAULT = 32;

/** null when there are none. */
export function scriptFieldsError(
  { scriptFieldCount }: SearchRequest,
  settings: Readonly<Record<string, string>>,
): ShoalError | null {
  if (scriptFieldCount === 0) return null;
  const max = Number(settings['index.max_script_fields'] ?? FIELDS_MAX_DEFAULT);
  if (scriptFieldCount <= max) return illegalArgument('[script_fields] is not supported by this server');
  return illegalArgument(
    `Trying to retrieve too many script_fields. Must be less than or equal to: [${max}] but was [${scriptFieldCount}]. This limit can be set by changing the [index.max_script_fields] index level setting.`,
  );
}
