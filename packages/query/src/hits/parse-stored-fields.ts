/**
 * `stored_fields` beside `_source`: whoever names stored fields gets the source only when it is among them, or asked for too.
 */
import { illegalArgument } from '@shoal/core';
import type { Mutable } from '../node/mutable.ts';
import { type HitOptions, WHOLE_SOURCE } from './hit-options.ts';

/** Entry of `stored_fields` that asks for nothing of the document, not even its id. */
const NO_FIELDS = '_none_';

/** To be called when all members were read. */
export function applyStoredFields(options: Mutable<Pick<HitOptions, 'storedFields' | 'source'>>): void {
  const { storedFields, source } = options;
  if (storedFields === null) return;
  const isNone = storedFields.includes(NO_FIELDS);
  if (isNone && storedFields.length > 1) throw illegalArgument(`cannot combine ${NO_FIELDS} with other fields`);
  if (source === WHOLE_SOURCE) options.source = { ...WHOLE_SOURCE, enabled: storedFields.includes('_source') };
  else if (isNone && source.enabled) {
    throw illegalArgument('[stored_fields] cannot be disabled if [_source] is requested');
  }
}
