/**
 * The part of a document that a segment keeps as its source, as the mapping says. A source of no bytes is none: documents are objects.
 */
import type { Mapping } from '@shoal/schema';
import { filterSourceBytes } from '@shoal/shard-api';

const NO_SOURCE = new Uint8Array(0);

/** @param source a JSON object, which was parsed */
export function keptSource({ source: rule }: Mapping, source: Uint8Array): Uint8Array {
  if (!rule.isEnabled) return NO_SOURCE;
  return filterSourceBytes(source, { ...rule, enabled: true });
}

/** A copy of a source for its reader; null where none was kept. The bytes of a segment are a view that its next call overwrites. */
export function readSource(stored: Uint8Array): Uint8Array | null {
  return stored.length === 0 ? null : stored.slice();
}
