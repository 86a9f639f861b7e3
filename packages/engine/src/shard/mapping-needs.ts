/**
 * What a batch of operations needs from the mapping: all new fields of all remaining operations at once, so that a bulk
 * of new documents costs one mapping update and not one a document.
 */
import { isShoalError, parseJson, writeJson } from '@shoal/core';
import type { WriteOperation } from '@shoal/query';
import { type MappingJson, mergeMapping, parseMapping } from '@shoal/schema';
import { DocumentParser } from '../document/document-parser.ts';

/** Update with the new fields of `operations`; the first of them is known to need some. */
export function collectMappingUpdate(current: MappingJson, operations: readonly WriteOperation[]): MappingJson {
  let needed: MappingJson = {};
  let parser = new DocumentParser(parseMapping(current));
  for (const operation of operations) {
    for (const source of sourcesOf(operation)) {
      try {
        const update = parser.parse(operation.id, source).mappingUpdate;
        if (update === null) continue;
        parser = new DocumentParser(parseMapping(mergeMapping(parser.mapping.json, update)));
        needed = mergeMapping(needed, update);
      } catch (error) {
        // This document fails alone when its turn comes.
        if (!isShoalError(error)) throw error;
      }
    }
  }
  return needed;
}

/** Documents, or parts of them, that the operation may index. */
function sourcesOf(operation: WriteOperation): readonly Uint8Array[] {
  if (operation.kind === 'delete') return [];
  if (operation.kind === 'index') return [operation.source];
  try {
    const body = parseJson(operation.body);
    if (typeof body !== 'object' || body === null) return [];
    return [Reflect.get(body, 'doc'), Reflect.get(body, 'upsert')]
      .filter((part) => typeof part === 'object' && part !== null)
      .map((part) => writeJson(part));
  } catch (error) {
    if (isShoalError(error)) return [];
    throw error;
  }
}
