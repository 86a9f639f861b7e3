/**
 * What a batch of operations needs from the mapping: all new fields of all remaining operations at once, so that a bulk
 * of new documents costs one mapping update and not one a document.
 */
import { isShoalError, parseJson, type ShoalError, writeJson } from '@shoal/core';
import {
  checkFieldCount,
  type Mapping,
  type MappingJson,
  type MappingLimits,
  mergeMapping,
  parseMapping,
} from '@shoal/schema';
import type { OperationList, WriteOperation } from '@shoal/shard-api';
import type { DocumentLimits } from '../../document/document-limits.ts';
import { DocumentParser } from '../../document/document-parser.ts';

/** Operations of which one waits for new fields. */
interface Remaining {
  readonly operations: OperationList;
  /** The one that waits. */
  readonly waiting: number;
  /** The fields it needs, which the mapping can take: those of a script are known only by executing it. */
  readonly needed: MappingJson;
}

/**
 * Update with the new fields of the one that waits and of those after it. Those from the one on that would pass a limit are not looked at:
 * their turn comes when the update is made.
 */
export function collectMappingUpdate(
  current: Mapping,
  { operations, waiting, needed: first }: Remaining,
  limits: MappingLimits & DocumentLimits,
): MappingJson {
  let needed = first;
  let parser = new DocumentParser(parseMapping(mergeMapping(current.json, first), current.fieldDefaults), limits);
  for (let at = waiting + 1; at < operations.length; at++) {
    const operation = operations.at(at);
    if (operation === undefined) break;
    for (const source of sourcesOf(operation)) {
      try {
        const update = parser.parse(
          operation.id,
          source,
          operation.kind === 'delete' ? null : operation.routing,
          operation.kind === 'index' ? (operation.templates ?? null) : null,
        ).mappingUpdate;
        if (update === null) continue;
        if (isBeyondLimits(parser.mapping, update, limits)) return needed;
        const merged = mergeMapping(parser.mapping.json, update);
        parser = new DocumentParser(parseMapping(merged, current.fieldDefaults), limits);
        needed = mergeMapping(needed, update);
      } catch (error) {
        // This document fails alone when its turn comes.
        if (!isShoalError(error)) throw error;
      }
    }
  }
  return needed;
}

function isBeyondLimits(mapping: Mapping, update: MappingJson, limits: MappingLimits): boolean {
  try {
    checkFieldCount(mapping, newFieldCount(update), limits);
    return false;
  } catch (error) {
    if (isShoalError(error)) return true;
    throw error;
  }
}

/** Fields of an update that a document made: each is new, and named by its path, below nested and flat objects by the rest of it. */
function newFieldCount({ properties, runtime }: MappingJson): number {
  const runtimeCount = typeof runtime === 'object' && runtime !== null ? Object.keys(runtime).length : 0;
  if (typeof properties !== 'object' || properties === null) return runtimeCount;
  const declared: readonly MappingJson[] = Object.values(properties);
  const count = (field: MappingJson): number =>
    field.properties === undefined ? 1 : Math.max(1, newFieldCount(field));
  return declared.reduce((sum, field) => sum + count(field), runtimeCount);
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

/** Why the mapping cannot take these fields: then the document fails, and nobody is asked. null when it can. */
export function refusedUpdate(mapping: Mapping, update: MappingJson, limits: MappingLimits): ShoalError | null {
  try {
    checkFieldCount(mapping, newFieldCount(update), limits);
    mergeMapping(mapping.json, update, limits);
    return null;
  } catch (error) {
    if (isShoalError(error)) return error;
    throw error;
  }
}
