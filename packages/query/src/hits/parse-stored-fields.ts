/**
 * `stored_fields` and `script_fields` beside `_source`: whoever names stored fields gets the source only when it is among them, or
 * asked for too; whoever names scripts only when it is asked for.
 */
import { illegalArgument } from '@shoal/core';
import type { Mutable } from '../node/mutable.ts';
import { type HitOptions, WHOLE_SOURCE } from './hit-options.ts';

/** Entry of `stored_fields` that asks for nothing of the document, not even its id. */
const NO_FIELDS = '_none_';

/** To be called when all members were read. */
export function applyStoredFields(
  options: Mutable<Pick<HitOptions, 'storedFields' | 'scriptFields' | 'fields' | 'source'>>,
): void {
  const { storedFields, source, scriptFields, fields } = options;
  if (storedFields === null) {
    if (scriptFields.length > 0 && source === WHOLE_SOURCE) options.source = { ...WHOLE_SOURCE, enabled: false };
    return;
  }
  const isNone = storedFields.includes(NO_FIELDS);
  if (isNone && storedFields.length > 1) throw illegalArgument(`cannot combine ${NO_FIELDS} with other fields`);
  if (isNone && fields.length > 0)
    throw illegalArgument('[stored_fields] cannot be disabled when using the [fields] option');
  // Named among stored fields it is shown, even where it was switched off.
  if (storedFields.includes('_source')) options.source = { ...source, enabled: true };
  else if (source === WHOLE_SOURCE) options.source = { ...WHOLE_SOURCE, enabled: false };
  else if (isNone && source.enabled) {
    throw illegalArgument('[stored_fields] cannot be disabled if [_source] is requested');
  }
}
