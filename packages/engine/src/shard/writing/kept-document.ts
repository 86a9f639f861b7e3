/**
 * The part of a document that a segment keeps, as the mapping says: its source, and beside it the values of stored fields that the
 * source leaves out. A source of no bytes is none: documents are objects.
 */
import type { Mapping } from '@shoal/schema';
import { filterSourceBytes } from '@shoal/shard-api';
import { joinStoredApart } from '../../format/stored/stored-apart.ts';
import { valuesAt } from './values-at.ts';

const NO_SOURCE = new Uint8Array(0);

/** @param source a JSON object, which was parsed */
export function keptDocument({ source: rule, storedApart }: Mapping, source: Uint8Array): Uint8Array {
  const kept = rule.isEnabled ? filterSourceBytes(source, { ...rule, enabled: true }) : NO_SOURCE;
  const values = storedApart === null ? null : valuesAt(source, storedApart.valuePaths);
  return values === null ? kept : joinStoredApart(kept, values);
}
