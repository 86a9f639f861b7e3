/**
 * Mapping JSON to a resolved `Mapping`, its merge with an update, and its printed form.
 */
import { illegalArgument } from '@shoal/core';
import { failedToParseMapping, mapperParsing } from '../declaration/mapping-error.ts';
import type { FieldDefaults, Mapping, MappingJson } from './mapping.ts';
import { mergeRoot } from './mapping-merge.ts';
import { normaliseMapping } from './object-declaration.ts';
import { refuseUnsupported } from './refuse-unsupported.ts';
import { USUAL_DEFAULTS } from './resolve-field.ts';
import { resolveMapping } from './resolve-mapping.ts';
import type { Similarities } from './similarity.ts';

/** Limits of an index on its mapping. */
export interface MappingLimits {
  /** Fields, multi-fields and objects together. */
  readonly totalFieldsLimit: number;
  readonly depthLimit: number;
  readonly fieldNameLengthLimit: number;
  /** Nested objects of the mapping. */
  readonly nestedFieldsLimit: number;
}

/** Throws `mapper_parsing_exception` when the JSON is no mapping. */
export function parseMapping(json: unknown, defaults: FieldDefaults = USUAL_DEFAULTS): Mapping {
  return resolveMapping(normaliseMapping(json), defaults);
}

/**
 * Mapping after an update. Throws `illegal_argument_exception` when the update conflicts with the current mapping, or a
 * limit of the index is passed.
 */
export function mergeMapping(current: unknown, update: unknown, limits?: MappingLimits): MappingJson {
  const before = normaliseMapping(current);
  const added = normaliseMapping(update);
  refuseUnsupported(added);
  const merged = mergeRoot(before, added);
  if (limits !== undefined) {
    const mapping = resolveMapping(merged, USUAL_DEFAULTS);
    checkLimits(mapping, limits);
    checkCopies(mapping);
    checkJoins(mapping);
  }
  return merged;
}

/** Mapping as `GET _mapping` prints it: what was set, names in order. */
export function renderMapping(mapping: Mapping): MappingJson {
  return mapping.json;
}

/** Throws when an analyzer or normalizer that the mapping names is neither built in nor declared by the index. */
export function checkAnalyzers(
  mapping: Mapping,
  isKnown: (name: string, kind: 'analyzer' | 'normalizer') => boolean,
): void {
  for (const field of mapping.fields.values()) {
    for (const name of [field.analyzer, field.searchAnalyzer, field.searchQuoteAnalyzer]) {
      if (name === '' || isKnown(name, 'analyzer')) continue;
      throw failedToParseMapping(mapperParsing(`analyzer [${name}] has not been configured in mappings`));
    }
    const { normalizer, path } = field;
    if (normalizer === '' || isKnown(normalizer, 'normalizer')) continue;
    const name = path.slice(path.lastIndexOf('.') + 1);
    throw failedToParseMapping(mapperParsing(`normalizer [${normalizer}] not found for field [${name}]`));
  }
}

/** Throws when a similarity that the mapping names is neither built in nor declared by the index. */
export function checkSimilarities(mapping: Mapping, similarities: Similarities): void {
  for (const { path, similarityName } of mapping.fields.values()) {
    if (similarityName === null || similarities.has(similarityName)) continue;
    const field = path.slice(path.lastIndexOf('.') + 1);
    throw failedToParseMapping(mapperParsing(`Unknown Similarity type [${similarityName}] for field [${field}]`));
  }
}

/** Fields, multi-fields and objects of a mapping together, as `index.mapping.total_fields.limit` counts them. */
export function fieldCount(mapping: Mapping): number {
  return mapping.named.size + mapping.objects.size - 1;
}

/** Throws when the mapping may not have `added` more fields; far cheaper than a merge. */
export function checkFieldCount(mapping: Mapping, added: number, limits: MappingLimits): void {
  if (fieldCount(mapping) + added > limits.totalFieldsLimit) {
    throw illegalArgument(`Limit of total fields [${limits.totalFieldsLimit}] has been exceeded`);
  }
}

/** A copy stays in the document of its field, or goes to one around it. */
function checkCopies(mapping: Mapping): void {
  if (mapping.nestedPaths.length === 0) return;
  for (const { path, copyTo } of mapping.fields.values()) {
    for (const target of copyTo) {
      const [from, to] = [mapping.nestedAround(path), mapping.nestedAround(target)];
      if (to === '' || from === to || from.startsWith(`${to}.`)) continue;
      throw illegalArgument(
        `Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current nested document or any of its parents, however one [copy_to] directive is trying to copy data from nested object [${from === '' ? 'null' : from}] to [${to}]`,
      );
    }
  }
}

/** One join field, at the top: what it joins are whole documents. */
function checkJoins(mapping: Mapping): void {
  const joins = [...mapping.fields.values()].filter(({ kind }) => kind === 'join');
  for (const { path } of joins) {
    if (!path.includes('.')) continue;
    throw illegalArgument(`join field [${path}] cannot be added inside an object or in a multi-field`);
  }
  if (joins.length > 1) throw mapperParsing('Field [_parent_join] is defined more than once');
}

function checkLimits(mapping: Mapping, limits: MappingLimits): void {
  checkFieldCount(mapping, 0, limits);
  if (mapping.nestedPaths.length > limits.nestedFieldsLimit) {
    throw illegalArgument(`Limit of nested fields [${limits.nestedFieldsLimit}] has been exceeded`);
  }
  for (const path of mapping.objects.keys()) {
    const depth = path === '' ? 1 : path.split('.').length + 1;
    if (depth > limits.depthLimit) {
      throw illegalArgument(
        `Limit of mapping depth [${limits.depthLimit}] has been exceeded due to object field [${path}]`,
      );
    }
  }
  for (const path of mapping.named.keys()) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (name.length > limits.fieldNameLengthLimit) {
      throw illegalArgument(
        `Field name [${name}] is longer than the limit of [${limits.fieldNameLengthLimit}] characters`,
      );
    }
  }
}
