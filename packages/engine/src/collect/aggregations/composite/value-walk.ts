/**
 * Where `composite` finds the keys of its first source by their values instead of by document, as the API has it: each value with
 * the set of its documents, so that a document with a value twice counts once, and within the range that the query asks for.
 *
 * It does so over all documents, or a range of the same field, in ascending order, without a bucket for documents that have none.
 */
import type { CompositeSource } from '@shoal/aggregations';
import type { BoolQuery, ConstantScoreQuery, QueryNode, RangeQuery } from '@shoal/query';
import type { FieldKind } from '@shoal/schema';
import { fieldType } from '../../../field-types/field-types.ts';
import { compileQuery } from '../../../match/registry/compile-query.ts';
import type { CollectorContext } from '../collector/collector-kind.ts';
import type { ResolvedSource } from '../values/field-values.ts';

/** Values that are walked, both ends included. */
export interface ValueWalk {
  readonly least: number;
  readonly most: number;
}

const ALL_VALUES: ValueWalk = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };

/** Fields whose values are indexed as whole numbers. */
const WALKED_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'long',
  'integer',
  'short',
  'byte',
  'date',
  'date_nanos',
]);
/** Share of live documents below which values of deleted ones would be in the way. */
const LIVE_SHARE_MIN = 0.5;

/** null: keys are found by document. */
export function valueWalk(
  { compile, isTop, query }: Pick<CollectorContext, 'compile' | 'isTop' | 'query'>,
  declared: CompositeSource,
  { field, kind, scripted }: ResolvedSource,
): ValueWalk | null {
  const mapping = compile.mapping.field(field);
  if (!isTop || query === null || mapping === null || kind === null || scripted !== undefined) return null;
  const isWalked = declared.kind === 'terms' || declared.kind === 'dateHistogram';
  if (!isWalked || declared.hasMissingBucket || !declared.isAscending) return null;
  if (!WALKED_KINDS.has(kind) || !mapping.isIndexed) return null;
  const { liveCount, maxDoc } = compile.searcher;
  if (liveCount < maxDoc * LIVE_SHARE_MIN) return null;
  const asked = unwrapped(query);
  if (asked.kind === 'matchAll') return ALL_VALUES;
  if (isRange(asked) && compile.mapping.field(asked.field)?.path === field) {
    const match = fieldType(kind).range(mapping, asked, compile.clock);
    return match.kind === 'numberRange' ? { least: Number(match.bounds.from), most: Number(match.bounds.to) } : null;
  }
  // What every document has is no condition.
  const isCondition = !isRange(asked) && asked.kind !== 'exists';
  if (isCondition) return null;
  const weight = compileQuery(compile, asked, { boost: 1, isScored: false });
  const matchesAll = compile.searcher.views.every((view) => weight.count(view) === view.segment.docCount);
  return matchesAll ? ALL_VALUES : null;
}

/** The one condition of a query that has no other. */
function unwrapped(query: QueryNode): QueryNode {
  if (query.kind === 'constantScore') return unwrapped((query as ConstantScoreQuery).filter);
  if (query.kind !== 'bool') return query;
  const { must, filter, should, mustNot } = query as BoolQuery;
  const [only, ...others] = [...must, ...filter];
  return only === undefined || others.length + should.length + mustNot.length > 0 ? query : unwrapped(only);
}

function isRange(query: QueryNode): query is RangeQuery {
  return query.kind === 'range';
}
