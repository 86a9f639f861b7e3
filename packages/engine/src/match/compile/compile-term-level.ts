/**
 * Term-level queries to weights: term, terms, range, exists and ids.
 */
import { illegalArgument } from '@shoal/core';
import type { ExistsQuery, QueryValue, RangeQuery } from '@shoal/query';
import { dateFormatter, type FieldMapping, isNumericKind, typedIndexSettings } from '@shoal/schema';
import ipaddr from 'ipaddr.js';
import { addressValue } from '../../document/field-value.ts';
import { FIELD_NAMES_FIELD, ID_FIELD } from '../../format/metadata-fields.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { docsOfNumberRange, type NumberBounds } from '../bits/column-range.ts';
import { allDocsWeight, ConstantScorer, constantScoreWeight, constantWeight } from '../bits/constant-weight.ts';
import { DocBitset } from '../bits/doc-bitset.ts';
import { docsOfAnyNumber } from '../bits/number-set.ts';
import { filterKey, keptTerm, keptWeight } from '../context/cached-filters.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, latin1Bytes, utf8Bytes } from '../context/compile-context.ts';
import { heavyWeight } from '../context/prepared-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import { listedTerms, manyTermsWeight, TERMS_AT_ONCE_MAX } from '../term-sets/many-terms.ts';
import { docsOfTermRange, docsOfTerms, sortedTerms, type TermBounds } from '../term-sets/multi-term-docs.ts';
import type { Scorer } from '../weight/scorer.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { parseDateMath } from './date-math.ts';
import { boundsOfRange, boundsOfValue, type RangeEnds } from './number-bounds.ts';

/** A whole value of one field: a term for strings, a number for numbers, a day for dates. */
export function termLevelWeight(ctx: CompileContext, field: string, value: QueryValue, use: ClauseUse): Weight {
  if (field === '_id') return idsWeight(ctx, [String(value)], use);
  if (field === '_index') return value === ctx.shard.index ? allDocsWeight(use.boost) : NONE_WEIGHT;
  const mapping = ctx.mapping.field(field);
  if (!mapping) return NONE_WEIGHT;
  switch (mapping.kind) {
    case 'text':
    case 'keyword':
    case 'boolean': {
      checkIndexed(mapping);
      const term = stringTerm(mapping, value);
      const weight = termWeight(ctx.statistics, { field, term, ...use, docFreq: null });
      return use.isScored ? weight : keptTerm(ctx, field, term, weight);
    }
    case 'ip':
      return addressWeight(ctx, mapping, String(value), use);
    case 'date':
      return rangeOfField(ctx, mapping, { ...exactly(value), format: null, timeZone: null }, use);
    default: {
      const bounds = boundsOfValue(mapping.kind, value);
      if (!bounds) return NONE_WEIGHT;
      return numberRangeWeight(ctx, field, bounds, use);
    }
  }
}

function exactly(value: QueryValue): RangeEnds {
  return { from: value, includesFrom: true, to: value, includesTo: true };
}

function checkIndexed(mapping: FieldMapping): void {
  if (mapping.isIndexed) return;
  throw illegalArgument(`Cannot search on field [${mapping.path}] since it is not indexed.`);
}

/** The indexed bytes of a text, keyword or boolean value. */
function stringTerm(mapping: FieldMapping, value: QueryValue): Uint8Array {
  if (mapping.kind !== 'boolean') return utf8Bytes(String(value));
  if (value === true || value === 'true') return utf8Bytes('T');
  if (value === false || value === 'false' || value === '') return utf8Bytes('F');
  throw illegalArgument(`Can't parse boolean value [${String(value)}], expected [true] or [false]`);
}

/** One address, or all of a network (`10.0.0.0/8`). */
function addressWeight(ctx: CompileContext, mapping: FieldMapping, text: string, use: ClauseUse): Weight {
  const { path } = mapping;
  if (!text.includes('/')) {
    const term = latin1Bytes(addressValue(text));
    return constantWeight((view) => docsOfTerms(view, path, [term]), use.boost);
  }
  const { from, to } = networkBounds(text);
  return termRangeWeight(ctx, path, { from, includesFrom: true, to, includesTo: true }, use);
}

function networkBounds(text: string): { from: Uint8Array; to: Uint8Array } {
  if (!ipaddr.isValidCIDR(text)) throw illegalArgument(`'${text}' is not an IP string literal.`);
  const [address, prefix] = ipaddr.parseCIDR(text);
  const bits = address.kind() === 'ipv4' ? prefix + 96 : prefix;
  const from = latin1Bytes(addressValue(address.toString()));
  const to = from.slice();
  for (let bit = bits; bit < 128; bit++) {
    const mask = 0x80 >> (bit & 7);
    from[bit >> 3] = (from[bit >> 3] as number) & ~mask;
    to[bit >> 3] = (to[bit >> 3] as number) | mask;
  }
  return { from, to };
}

export function termsWeight(ctx: CompileContext, field: string, values: readonly QueryValue[], use: ClauseUse): Weight {
  const { maxTermsCount } = typedIndexSettings(ctx.settings);
  if (values.length > maxTermsCount) {
    throw illegalArgument(
      `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${maxTermsCount}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
    );
  }
  if (field === '_id') return idsWeight(ctx, values.map(String), use);
  const mapping = ctx.mapping.field(field);
  if (!mapping || values.length === 0) return NONE_WEIGHT;
  if (mapping.kind === 'text' || mapping.kind === 'keyword' || mapping.kind === 'boolean') {
    checkIndexed(mapping);
    const isMany = values.length > TERMS_AT_ONCE_MAX && mapping.kind !== 'boolean';
    if (isMany) return manyTermsWeight(ctx, field, values.map(String), use);
    const terms = sortedTerms(values.map((value) => stringTerm(mapping, value)));
    const text = `${field}:(${terms.map((term) => Buffer.from(term).toString('utf8')).join(' ')})`;
    const key = filterKey('terms', field, terms);
    return keptWeight(ctx, key, (view) => docsOfTerms(view, field, terms), use, text);
  }
  if (mapping.kind !== 'ip') {
    const bounds = values.map((value) => numberBounds(ctx, mapping, value));
    const isMany = values.length > TERMS_AT_ONCE_MAX;
    const parts = isMany ? [] : bounds.map((one) => (one === null ? '' : `${one.from} ${one.to}`));
    const key = isMany ? null : filterKey('numbers', field, parts);
    return keptWeight(ctx, key, docsOfAnyNumber(field, bounds), use, listedTerms(field, values));
  }
  const unscored = { boost: 1, isScored: false };
  const weights = values.map((value) => termLevelWeight(ctx, field, value, unscored));
  return constantScoreWeight(anyOf(weights), use.boost);
}

/** What one value of a number or date field means; null: no document can have it. */
function numberBounds(ctx: CompileContext, mapping: FieldMapping, value: QueryValue): NumberBounds | null {
  if (mapping.kind === 'date') return dateBounds(ctx, mapping, { ...exactly(value), format: null, timeZone: null });
  return isNumericKind(mapping.kind) ? boundsOfValue(mapping.kind, value) : null;
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
  if (ids.length > TERMS_AT_ONCE_MAX) return manyTermsWeight(ctx, ID_FIELD, ids, use, '_id');
  const terms = sortedTerms(ids.map(utf8Bytes));
  return constantWeight((view) => docsOfTerms(view, ID_FIELD, terms), use.boost, `_id:(${ids.join(' ')})`);
}

export function rangeWeight(ctx: CompileContext, query: RangeQuery, use: ClauseUse): Weight {
  const mapping = ctx.mapping.field(query.field);
  return mapping ? rangeOfField(ctx, mapping, query, use) : NONE_WEIGHT;
}

type RangeSpec = RangeEnds & { readonly format: string | null; readonly timeZone: string | null };

function rangeOfField(ctx: CompileContext, mapping: FieldMapping, range: RangeSpec, use: ClauseUse): Weight {
  const { path, kind } = mapping;
  if (kind === 'date') {
    const bounds = dateBounds(ctx, mapping, range);
    return numberRangeWeight(ctx, path, bounds, use);
  }
  if (kind === 'text' || kind === 'keyword' || kind === 'boolean' || kind === 'ip') {
    checkIndexed(mapping);
    const term = (value: QueryValue) => {
      if (value === null) return null;
      return kind === 'ip' ? latin1Bytes(addressValue(String(value))) : stringTerm(mapping, value);
    };
    const { includesFrom, includesTo } = range;
    const bounds = { from: term(range.from), includesFrom, to: term(range.to), includesTo };
    return termRangeWeight(ctx, path, bounds, use);
  }
  const bounds = boundsOfRange(kind, range);
  return numberRangeWeight(ctx, path, bounds, use);
}

function numberRangeWeight(ctx: CompileContext, field: string, bounds: NumberBounds, use: ClauseUse): Weight {
  const key = filterKey('range', field, [String(bounds.from), String(bounds.to)]);
  return keptWeight(ctx, key, (view) => docsOfNumberRange(view, field, bounds), use, textOfRange(field, bounds));
}

function termRangeWeight(ctx: CompileContext, field: string, bounds: TermBounds, use: ClauseUse): Weight {
  const { from, includesFrom, to, includesTo } = bounds;
  const ends = [
    from === null ? '*' : includesFrom ? '[' : '{',
    from ?? '',
    to === null ? '*' : includesTo ? ']' : '}',
    to ?? '',
  ];
  return heavyWeight(ctx, filterKey('termRange', field, ends), (view) => docsOfTermRange(view, field, bounds), use);
}

/** `n:[1 TO 9]`. */
function textOfRange(field: string, { from, to }: NumberBounds): string {
  return `${field}:[${from} TO ${to}]`;
}

/** Rounding takes in what `gte` and `lte` name and leaves out what `gt` and `lt` name. */
function dateBounds(ctx: CompileContext, mapping: FieldMapping, range: RangeSpec): { from: number; to: number } {
  const formatter = dateFormatter(range.format ?? mapping.format);
  const read = (value: QueryValue, roundUp: boolean) =>
    parseDateMath(typeof value === 'number' ? value : String(value), {
      formatter,
      nowMs: ctx.nowMs,
      roundUp,
      timeZone: range.timeZone,
    });
  const { includesFrom, includesTo } = range;
  return {
    from: range.from === null ? Number.NEGATIVE_INFINITY : read(range.from, !includesFrom) + (includesFrom ? 0 : 1),
    to: range.to === null ? Number.POSITIVE_INFINITY : read(range.to, includesTo) - (includesTo ? 0 : 1),
  };
}

/** Documents that have a value of the field, or of any field below it. */
export function existsWeight(ctx: CompileContext, query: ExistsQuery, use: ClauseUse): Weight {
  const { field } = query;
  if (field === '_id' || field === '_index' || field === '_source') return allDocsWeight(use.boost);
  const below = `${field}.`;
  const names = ctx.mapping.field(field)
    ? [field]
    : [...ctx.mapping.fields.keys()].filter((path) => path.startsWith(below));
  const terms = sortedTerms(names.map(utf8Bytes));
  const text = `ConstantScore(FieldExistsQuery [field=${field}])`;
  const key = filterKey('exists', field, terms);
  return keptWeight(ctx, key, (view) => docsOfTerms(view, FIELD_NAMES_FIELD, terms), use, text);
}
