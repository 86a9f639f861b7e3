/**
 * Queries on the fields of every index that have no values in a column or postings of their own: `_index`, `_id`, `_source`.
 *
 * The name of the index is the same for all documents, so that a query on it is decided without a look at any: it matches
 * all or none.
 */
import { illegalArgument, ShoalError, simpleMatch } from '@shoal/core';
import type { PatternQuery } from '@shoal/query';
import { DOC_COUNT_FIELD } from '@shoal/schema';
import { FIELD_NAMES_FIELD, ID_FIELD, INDEX_FIELD, ROUTING_FIELD } from '../../format/metadata-fields.ts';
import { allDocsWeight } from '../bits/constant-weight.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { preparedWeight } from '../context/prepared-weight.ts';
import { docsOfPrefix } from '../term-sets/multi-term-docs.ts';
import { NOTHING_WANTED, type Weight } from '../weight/weight.ts';

const WITHOUT_RANGES: ReadonlySet<string> = new Set([
  INDEX_FIELD,
  ID_FIELD,
  DOC_COUNT_FIELD.path,
  '_version',
  '_source',
  FIELD_NAMES_FIELD,
]);
const NO_PREFIX = new Uint8Array(0);

/** Whether a text is the name of the index or one of its aliases, or a pattern that one of them fits. */
export function isNamedIndex({ shard, aliases = [] }: CompileContext, text: string): boolean {
  return [shard.index, ...aliases].some((name) => simpleMatch(text, name));
}

/** Documents of an index with one of the names; null where the field is another one. */
export function indexNameWeight(
  ctx: CompileContext,
  field: string,
  names: readonly string[],
  use: ClauseUse,
): Weight | null {
  if (field !== INDEX_FIELD) return null;
  return names.some((name) => isNamedIndex(ctx, name)) ? allDocsWeight(use.boost) : NOTHING_WANTED;
}

/** Pattern of the names of indices that a query on `_index` looks for. */
export function namePattern({
  kind,
  value,
  isCaseInsensitive,
}: Pick<PatternQuery, 'kind' | 'value' | 'isCaseInsensitive'>): string {
  // Names of indices have small letters only.
  const text = isCaseInsensitive ? value.toLowerCase() : value;
  return kind === 'prefix' ? `${text}*` : text;
}

/**
 * False where no document of the index can have any of the values: it has another name, no such field, or one with another value in
 * every document.
 *
 * @param values with `*` for any text
 */
export function canHoldAny(ctx: CompileContext, field: string, values: readonly string[]): boolean {
  if (field === INDEX_FIELD) return values.some((value) => isNamedIndex(ctx, value));
  const mapped = ctx.mapping.field(field);
  if (mapped === null) return field.startsWith('_');
  if (mapped.constant === null) return true;
  const constant = mapped.constant.toLowerCase();
  // A value that any letter stands in, or that escapes one, is left to the query itself.
  return values.some((value) => /[?\\]/.test(value) || simpleMatch(value.toLowerCase(), constant));
}

/** False where no document of the index can have a value of the field, or of one below it: there is none. */
export function canHoldField({ mapping }: CompileContext, field: string): boolean {
  if (field.startsWith('_') || field.includes('*') || mapping.field(field) !== null) return true;
  for (const name of mapping.named.keys()) if (name.startsWith(`${field}.`)) return true;
  return false;
}

/** @throws ShoalError for a field of every index that cannot be searched by value */
export function checkSearchable(ctx: CompileContext, field: string): void {
  if (field === DOC_COUNT_FIELD.path) {
    throw queryShardError(ctx.shard, `Field [${field}] of type [${field}] is not searchable`);
  }
  if (field === '_version' || field === '_source') {
    throw queryShardError(ctx.shard, `The ${field} field is not searchable`);
  }
}

/** A pattern on a field of every index; null where it is a declared one. */
export function metadataPattern(
  ctx: CompileContext,
  { field, kind, value, isCaseInsensitive }: PatternQuery,
  use: ClauseUse,
): Weight | null {
  if (field === INDEX_FIELD && kind !== 'regexp') {
    return indexNameWeight(ctx, field, [namePattern({ kind, value, isCaseInsensitive })], use);
  }
  if (field !== DOC_COUNT_FIELD.path) checkSearchable(ctx, field);
  if (![INDEX_FIELD, ID_FIELD, DOC_COUNT_FIELD.path].includes(field)) return null;
  const kinds = kind === 'regexp' ? 'keyword and text' : 'keyword, text and wildcard';
  throw queryShardError(
    ctx.shard,
    `Can only use ${kind} queries on ${kinds} fields - not on [${field}] which is of type [${field}]`,
  );
}

/** @throws ShoalError for a range on a field whose values have no order that users see */
export function checkRange(field: string): void {
  if (!WITHOUT_RANGES.has(field)) return;
  throw illegalArgument(`Field [${field}] of type [${field}] does not support range queries`);
}

/** @throws ShoalError for a fuzzy word on a field that has no words */
export function checkFuzzy(field: string): void {
  if (field === FIELD_NAMES_FIELD || !WITHOUT_RANGES.has(field)) return;
  throw illegalArgument(
    `Can only use fuzzy queries on keyword and text fields - not on [${field}] which is of type [${field}]`,
  );
}

/** Documents that have one of the fields of every index; null where it is a declared one. */
export function metadataExists(ctx: CompileContext, field: string, use: ClauseUse): Weight | null {
  switch (field) {
    case ID_FIELD:
    case INDEX_FIELD:
    case '_seq_no':
    case '_version':
      return allDocsWeight(use.boost);
    case ROUTING_FIELD:
      return preparedWeight(ctx, null, (view) => docsOfPrefix(view, ROUTING_FIELD, NO_PREFIX), use);
    case FIELD_NAMES_FIELD:
      throw new ShoalError('unsupported_operation_exception', 400, `Cannot run exists query on ${FIELD_NAMES_FIELD}`);
    case DOC_COUNT_FIELD.path:
      return null;
    default:
      checkSearchable(ctx, field);
      return null;
  }
}
