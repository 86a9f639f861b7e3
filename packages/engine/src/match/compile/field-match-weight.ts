/**
 * Weights of what a field type says that a value or range of a query means.
 */

import type { FieldMatch, NumberBounds, PairedTerms, TermBounds } from '../../field-types/contract/field-match.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { docsOfNumberRange } from '../bits/column-range.ts';
import { constantWeight } from '../bits/constant-weight.ts';
import { cachedFilterWeight, cachedTerm, filterKey } from '../context/cached-filters.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { FindInSteps } from '../context/prepared-docs.ts';
import { preparedWeight } from '../context/prepared-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import { docsOfPairedTerms, docsOfTermRange, docsOfTerms } from '../term-sets/multi-term-docs.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { exactTermText, numberColumnText, numberRangeText, termRangeText } from './range-text.ts';

/** Weight of a match in the field at `path`; null matches no document. */
export function fieldMatchWeight(ctx: CompileContext, path: string, match: FieldMatch | null, use: ClauseUse): Weight {
  if (match === null) return NONE_WEIGHT;
  switch (match.kind) {
    case 'term': {
      const { term } = match;
      const weight = termWeight(ctx.statistics, { field: path, term, ...use, docFreq: null });
      return use.isScored ? weight : cachedTerm(ctx, path, term, weight);
    }
    case 'exactTerm': {
      const { term } = match;
      const mapping = ctx.mapping.field(path);
      const text = mapping === null ? undefined : exactTermText(mapping, term);
      return constantWeight((view) => docsOfTerms(view, path, [term]), use.boost, text);
    }
    case 'termRange':
      return termRangeWeight(ctx, path, match.bounds, use);
    case 'numberRange':
      return numberRangeWeight(ctx, path, match.bounds, use);
    case 'pairedTerms':
      return pairedTermsWeight(ctx, path, match, use);
  }
}

function numberRangeWeight(ctx: CompileContext, field: string, bounds: NumberBounds, use: ClauseUse): Weight {
  const key = filterKey('range', field, [String(bounds.from), String(bounds.to)]);
  const mapping = ctx.mapping.field(field);
  const docs = (view: SegmentView) => docsOfNumberRange(view, field, bounds);
  if (mapping === null) return cachedFilterWeight(ctx, key, docs, use);
  const text = numberRangeText(mapping, bounds);
  if (bounds.from > bounds.to) return { ...NONE_WEIGHT, text };
  return cachedFilterWeight(ctx, key, docs, use, text, numberColumnText(mapping, bounds));
}

function termRangeWeight(ctx: CompileContext, field: string, bounds: TermBounds, use: ClauseUse): Weight {
  const { from, includesFrom, to, includesTo } = bounds;
  const ends = [
    from === null ? '*' : includesFrom ? '[' : '{',
    from ?? '',
    to === null ? '*' : includesTo ? ']' : '}',
    to ?? '',
  ];
  const mapping = ctx.mapping.field(field);
  const text = mapping === null ? undefined : termRangeText(mapping, bounds);
  const find: FindInSteps = (view) => docsOfTermRange(view, field, bounds);
  return preparedWeight(ctx, filterKey('termRange', field, ends), find, use, text);
}

function pairedTermsWeight(ctx: CompileContext, field: string, match: PairedTerms, use: ClauseUse): Weight {
  const { bounds, second } = match;
  const ends = [bounds.from, bounds.to, second.from, second.to].flatMap((end) => [end === null ? '*' : '[', end ?? '']);
  const key = filterKey('pairedTerms', field, ends);
  return preparedWeight(ctx, key, (view) => docsOfPairedTerms(view, field, match), use, `${field}:${match.text}`);
}
