/**
 * Term-level queries to weights: term, terms, range, exists and ids. What a value means in a field is its type's to say.
 */
import { illegalArgument, simpleMatch } from '@shoal/core';
import type { ExistsQuery, QueryValue, RangeQuery } from '@shoal/query';
import { type FieldMapping, timeZone, typedIndexSettings } from '@shoal/schema';
import type { FieldMatch } from '../../field-types/contract/field-match.ts';
import { checkIndexed } from '../../field-types/contract/field-type.ts';
import { fieldType } from '../../field-types/field-types.ts';
import { FIELD_NAMES_FIELD, ID_FIELD } from '../../format/metadata-fields.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { overlapsColumn } from '../bits/column-range.ts';
import { ConstantScorer, constantScoreWeight, constantWeight } from '../bits/constant-weight.ts';
import { DocBitset } from '../bits/doc-bitset.ts';
import { docsOfAnyNumber } from '../bits/number-set.ts';
import { cachedFilterWeight, filterKey } from '../context/cached-filters.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../context/compile-context.ts';
import { refuseExpensive } from '../context/refuse-expensive.ts';
import { idsText } from '../metadata/id-text.ts';
import { checkRange, checkSearchable, indexNameWeight, metadataExists } from '../metadata/metadata-queries.ts';
import { docsWithRuntimeField } from '../runtime/runtime-overlay.ts';
import { listedTerms, manyTermsWeight, TERMS_AT_ONCE_MAX } from '../term-sets/many-terms.ts';
import { docsOfTerms, sortedTerms } from '../term-sets/multi-term-docs.ts';
import type { Scorer } from '../weight/scorer.ts';
import { NOTHING_WANTED, type Weight } from '../weight/weight.ts';
import { fieldMatchWeight } from './field-match-weight.ts';
import { normalizedValue } from './normalized-value.ts';
import { addressSetText, numberSetText } from './range-text.ts';

/** Documents with a value of one field, as its type reads the value: a term, a number, a day, a network. */
export function termLevelWeight(ctx: CompileContext, field: string, value: QueryValue, use: ClauseUse): Weight {
  if (field === '_id') return idsWeight(ctx, [String(value)], use);
  const byIndex = indexNameWeight(ctx, field, [String(value)], use);
  if (byIndex !== null) return byIndex;
  checkSearchable(ctx, field);
  const mapping = ctx.mapping.field(field);
  if (!mapping) return NOTHING_WANTED;
  return fieldMatchWeight(
    ctx,
    mapping.path,
    fieldType(mapping.kind).term(mapping, normalizedValue(ctx, mapping, value), ctx.clock),
    use,
  );
}

/** Documents with any of the values. */
export function termsWeight(ctx: CompileContext, field: string, values: readonly QueryValue[], use: ClauseUse): Weight {
  const { maxTermsCount } = typedIndexSettings(ctx.settings);
  if (values.length > maxTermsCount) {
    throw illegalArgument(
      `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${maxTermsCount}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
    );
  }
  if (field === '_id') return idsWeight(ctx, values.map(String), use);
  const byIndex = indexNameWeight(ctx, field, values.map(String), use);
  if (byIndex !== null) return byIndex;
  checkSearchable(ctx, field);
  const mapping = ctx.mapping.field(field);
  if (!mapping || values.length === 0) return NOTHING_WANTED;
  const { path } = mapping;
  const type = fieldType(mapping.kind);
  const isMany = values.length > TERMS_AT_ONCE_MAX;
  if (isMany && type.textQueries !== 'none') {
    checkIndexed(mapping);
    return manyTermsWeight(
      ctx,
      path,
      values.map((value) => String(normalizedValue(ctx, mapping, value))),
      use,
    );
  }
  return anyMatchWeight(
    ctx,
    mapping,
    { values, matches: values.map((value) => type.term(mapping, normalizedValue(ctx, mapping, value), ctx.clock)) },
    use,
  );
}

interface ValueMatches {
  readonly values: readonly QueryValue[];
  /** Match of each value; null: no document can have it. */
  readonly matches: readonly (FieldMatch | null)[];
}

function anyMatchWeight(
  ctx: CompileContext,
  mapping: FieldMapping,
  { values, matches }: ValueMatches,
  use: ClauseUse,
): Weight {
  const { path } = mapping;
  if (matches.every((match) => match?.kind === 'term')) {
    const terms = sortedTerms(matches.map(({ term }) => term));
    const text = `${path}:(${terms.map((term) => Buffer.from(term).toString('utf8')).join(' ')})`;
    const key = filterKey('terms', path, terms);
    return {
      ...cachedFilterWeight(ctx, key, (view) => docsOfTerms(view, path, terms), use, text),
      requiredTerms: () => terms.map((term) => ({ field: path, term })),
    };
  }
  if (matches.every(isNumberMatch)) {
    const bounds = matches.map((match) => match?.bounds ?? null);
    const isMany = values.length > TERMS_AT_ONCE_MAX;
    const parts = isMany ? [] : bounds.map((one) => (one === null ? '' : `${one.from} ${one.to}`));
    const key = isMany ? null : filterKey('numbers', path, parts);
    const text = isMany ? listedTerms(path, values) : numberSetText(mapping, bounds);
    return cachedFilterWeight(ctx, key, docsOfAnyNumber(path, bounds), use, text);
  }
  const weights = matches.map((match) => fieldMatchWeight(ctx, path, match, { boost: 1, isScored: false }));
  return constantScoreWeight(anyOf(weights), use.boost, addressesText(mapping, matches));
}

/** Text of a set of addresses; undefined where a network is among them, which is a range. */
function addressesText(mapping: FieldMapping, matches: readonly (FieldMatch | null)[]): string | undefined {
  if (mapping.kind !== 'ip') return undefined;
  const addresses = matches.flatMap((match) => (match?.kind === 'exactTerm' ? [match.term] : []));
  return addresses.length === matches.length ? addressSetText(mapping, addresses) : undefined;
}

/** True for a match in a column of numbers, and for a value that no document can have. */
function isNumberMatch(match: FieldMatch | null): match is Extract<FieldMatch, { kind: 'numberRange' }> | null {
  return match === null || match.kind === 'numberRange';
}

/** Matches of any of the weights, without scores. */
function anyOf(weights: readonly Weight[]): Weight {
  return { scorer: (view) => unionScorer(weights, view), count: () => -1 };
}

function unionScorer(weights: readonly Weight[], view: SegmentView): Scorer | null {
  const bits = new DocBitset(view.segment.docCount);
  let isEmpty = true;
  for (const weight of weights) {
    const scorer = weight.scorer(view);
    if (!scorer) continue;
    isEmpty = false;
    bits.addAll(scorer);
  }
  return isEmpty ? null : new ConstantScorer(bits.iterator(), 0);
}

export function idsWeight(ctx: CompileContext, ids: readonly string[], use: ClauseUse): Weight {
  if (ids.some((id) => id.length === 0)) throw illegalArgument("Ids can't be empty");
  if (ids.length > TERMS_AT_ONCE_MAX) return manyTermsWeight(ctx, ID_FIELD, ids, use, '_id');
  const terms = sortedTerms(ids.map(utf8Bytes));
  return constantWeight((view) => docsOfTerms(view, ID_FIELD, terms), use.boost, idsText(ids));
}

/** Documents with a value in a range. */
export function rangeWeight(ctx: CompileContext, query: RangeQuery, use: ClauseUse): Weight {
  checkRange(query.field);
  if (query.timeZone !== null) timeZone(query.timeZone);
  const mapping = ctx.mapping.field(query.field);
  if (!mapping) return NOTHING_WANTED;
  if (hasTextTerms(mapping)) refuseExpensive(ctx, 'range');
  // Open on both sides it asks for a value, whatever the relation.
  if (query.from === null && query.to === null) return existsWeight(ctx, { ...query, kind: 'exists' }, use);
  const from = normalizedValue(ctx, mapping, query.from);
  const range = { ...query, from, to: normalizedValue(ctx, mapping, query.to) };
  return fieldMatchWeight(ctx, mapping.path, fieldType(mapping.kind).range(mapping, range, ctx.clock), use);
}

/** Whether the terms of a field are texts, which ranges go through one by one. */
function hasTextTerms({ kind, constant }: FieldMapping): boolean {
  return constant === null && fieldType(kind).textQueries !== 'none';
}

/** False where no column of the shard has a value in the range, and where there is no such field. */
export function canHoldRange(ctx: CompileContext, query: RangeQuery): boolean {
  const mapping = ctx.mapping.field(query.field);
  if (!mapping) return query.field.startsWith('_');
  if (!mapping.isIndexed || mapping.runtime !== null) return true;
  const match = fieldType(mapping.kind).range(mapping, query, ctx.clock);
  if (match?.kind !== 'numberRange') return match !== null;
  return ctx.searcher.views.some((view) => overlapsColumn(view, mapping.path, match.bounds));
}

/** Documents with a value of the field, of any field below it, or of any that fits a pattern. */
export function existsWeight(ctx: CompileContext, query: ExistsQuery, use: ClauseUse): Weight {
  const { field } = query;
  const ofMetadata = metadataExists(ctx, field, use);
  if (ofMetadata !== null) return ofMetadata;
  const { mapping } = ctx;
  const below = `${field}.`;
  const isPattern = field.includes('*');
  const isAsked = (name: string): boolean => (isPattern ? simpleMatch(field, name) : name.startsWith(below));
  const single = mapping.field(field);
  const names = single
    ? [single.path]
    : [...mapping.named].flatMap(([name, { path }]) => (isAsked(name) ? [path] : []));
  // A pattern that an object fits asks for all fields below it.
  const objects = isPattern
    ? [...mapping.objects.keys()].filter((path) => path !== '' && simpleMatch(field, path))
    : [];
  for (const object of objects) {
    for (const [name, { path }] of mapping.named) if (name.startsWith(`${object}.`)) names.push(path);
  }
  const paths = [...new Set(names)];
  for (const path of paths) {
    const kind = mapping.field(path)?.kind;
    const refusal = kind === undefined ? undefined : fieldType(kind).refusesExists;
    if (refusal !== undefined) throw illegalArgument(refusal);
  }
  if (paths.length === 0) return NOTHING_WANTED;
  const isMade = (path: string): boolean => (mapping.field(path)?.runtime ?? null) !== null;
  const terms = sortedTerms(paths.filter((path) => !isMade(path)).map(utf8Bytes));
  const text = `ConstantScore(FieldExistsQuery [field=${field}])`;
  const key = filterKey('exists', field, terms);
  const indexed = cachedFilterWeight(ctx, key, (view) => docsOfTerms(view, FIELD_NAMES_FIELD, terms), use, text);
  const made = paths.filter(isMade);
  if (made.length === 0) return indexed;
  const weights = made.map((path) => constantWeight((view) => docsWithRuntimeField(view, path), 0));
  return constantScoreWeight(anyOf(terms.length === 0 ? weights : [indexed, ...weights]), use.boost);
}
