/**
 * The uuid of an index as it comes from another node: it names a folder on disk, which a node makes and removes whole.
 */
import type { ValueReader } from '@shoal/core';

const INDEX_UUID = /^[A-Za-z0-9_-]{1,64}$/;

export function isIndexUuid(text: string): boolean {
  return INDEX_UUID.test(text);
}

/** Refuses whatever could lead out of the folder of the indices. */
export function readIndexUuid(r: ValueReader, field: string): string {
  const uuid = r.string(field);
  if (!isIndexUuid(uuid)) r.refuse(field, 'an index uuid');
  return uuid;
}
