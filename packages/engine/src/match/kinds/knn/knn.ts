/**
 * knn on a shard: the documents whose vectors are nearest to that of the query, or those of them that all shards found together.
 */
import { illegalArgument, StepMeter, type Steps } from '@shoal/core';
import { defaultCandidates, type FoundNeighbour, type KnnQuery, RANKED_DOCUMENTS } from '@shoal/query';
import type { FieldMapping, VectorSimilarity } from '@shoal/schema';
import {
  checkBytes,
  checkFinite,
  checkMagnitude,
  scoreOfDistance,
  scoreOfSimilarity,
  vectorScore,
} from '../../../field-types/dense-vector/vector-similarity.ts';
import { ID_FIELD } from '../../../format/metadata-fields.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { utf8Bytes } from '../../context/compile-context.ts';
import { booleanWeight } from '../../scorers/boolean-weight.ts';
import { docsOfTerms, sortedTerms } from '../../term-sets/multi-term-docs.ts';
import { noneWeight, type Weight } from '../../weight/weight.ts';
import { toParentWeight } from '../nested/to-parent-weight.ts';
import { type CompileInner, markNothing, type QueryBehaviour, UNSCORED } from '../query-behaviour.ts';
import { type NearestDocs, type NearestWish, nearestDocs } from './nearest-docs.ts';
import { type ScoredDocs, scoredDocsWeight } from './scored-docs-weight.ts';

/** Default "size" of a request that is none of hits. */
const SIZE_DEFAULT = 10;
/** Microseconds that it takes to look up a document by its id, about. */
const ID_UNITS = 3;
const NO_DOCS: ScoredDocs = new Map();

export const knn: QueryBehaviour<KnnQuery> = {
  compile(ctx, query, use, compileInner) {
    const text = textOf(query);
    const { found } = query;
    if (found !== null && query.field === RANKED_DOCUMENTS.field) return foundWeight(ctx, found, { ...use, text });
    const field = ctx.mapping.field(query.field);
    if (field === null) return noneWeight(`unmapped field [${query.field}]`);
    if (field.vectors !== null && field.dims === 0) return noneWeight(`no vectors in [${query.field}]`);
    const path = ctx.mapping.nestedAround(field.path);
    const wish = { ...wishOf(ctx, field, query), filter: filterOf(ctx, query, compileInner), isNested: path !== '' };
    // A shard that could not look for the documents fails again, and is counted as failed.
    if (found !== null) return foundWeight(ctx, found, { ...use, text });
    const nearest = nearestWeight(ctx, wish, { boost: use.boost, text });
    if (path === '' || ctx.nestedPath === path) return nearest;
    return toParentWeight({ children: nearest, query: nearest, path: ctx.nestedPath ?? '', mode: 'max' });
  },
  describe: (query) => ({ type: 'DocAndScoreQuery', text: textOf(query) }),
  mark: markNothing,
};

function textOf({ field, perShard }: KnnQuery): string {
  return `KnnFloatVectorQuery:${field}[...][${perShard ?? ''}]`;
}

/** Those of the found documents that are of this shard. */
function foundWeight(
  ctx: CompileContext,
  found: readonly FoundNeighbour[],
  { boost, text }: { readonly boost: number; readonly text: string },
): Weight {
  const own = found.filter(({ index, shard }) => index === ctx.shard.index && shard === ctx.shard.number);
  return scoredDocsWeight(ctx, { find: (view) => docsById(view, own), boost, text });
}

function nearestWeight(
  ctx: CompileContext,
  wish: NearestWish,
  { boost, text }: { readonly boost: number; readonly text: string },
): Weight {
  // One walk finds the documents of all segments.
  let nearest: NearestDocs | null = null;
  const find = function* (view: SegmentView): Steps<ScoredDocs> {
    nearest ??= yield* nearestDocs(ctx.searcher.views, wish, new StepMeter());
    return nearest.get(view) ?? NO_DOCS;
  };
  return scoredDocsWeight(ctx, { find, boost, text });
}

/** @throws ShoalError where the field is not searched by its vectors, or the vector of the query is none of its kind */
function wishOf(ctx: CompileContext, field: FieldMapping, query: KnnQuery): Omit<NearestWish, 'filter' | 'isNested'> {
  const { path, dims, vectors } = field;
  if (vectors === null) throw illegalArgument('[knn] queries are only supported on [dense_vector] fields');
  const { similarity, isByte } = vectors;
  if (similarity === null) {
    throw illegalArgument(`to perform knn search on field [${path}], its mapping must have [index] set to [true]`);
  }
  const vector = queryVector(query.vector, similarity, { dims, isByte });
  const size = ctx.scope?.size ?? SIZE_DEFAULT;
  return {
    path,
    dims,
    score: vectorScore(similarity, vector, isByte),
    limit: query.perShard ?? Math.max(1, defaultCandidates(size)),
    minScore: leastScore(query, similarity, { dims, isByte }),
  };
}

function leastScore(
  { similarity: least, limit }: KnnQuery,
  similarity: VectorSimilarity,
  shape: { readonly dims: number; readonly isByte: boolean },
): number {
  if (least !== null) return scoreOfSimilarity(similarity, least, shape);
  if (limit === null) return 0;
  return Math.max(0, limit.kind === 'score' ? limit.value : scoreOfDistance(similarity, limit.value));
}

function queryVector(
  numbers: readonly number[],
  similarity: VectorSimilarity,
  { dims, isByte }: { readonly dims: number; readonly isByte: boolean },
): Float32Array {
  if (numbers.length !== dims) {
    throw illegalArgument(
      `the query vector has a different dimension [${numbers.length}] than the index vectors [${dims}]`,
    );
  }
  if (isByte) checkBytes(numbers, 'vectors');
  const vector = Float32Array.from(numbers);
  checkFinite(vector);
  checkMagnitude(similarity, vector, isByte);
  return vector;
}

/** Documents, nested in nothing, among which the nearest are: the filter of an alias narrows them too, or it would leave too few. */
function filterOf(ctx: CompileContext, { filter }: KnnQuery, compileInner: CompileInner): Weight | null {
  const { nestedPath: _nestedPath, ...outside } = ctx;
  const outer = ctx.scope?.aliasFilter ?? null;
  const all = outer === null ? filter : [...filter, outer];
  if (all.length === 0) return null;
  const filters = all.map((query) => compileInner(outside, query, UNSCORED));
  return booleanWeight({ must: [], filter: filters, should: [], mustNot: [], minimumShouldMatch: 0 });
}

function* docsById(view: SegmentView, found: readonly FoundNeighbour[]): Steps<ScoredDocs> {
  if (found.length === 0) return NO_DOCS;
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  const docs = docsOfTerms(view, ID_FIELD, sortedTerms([...scores.keys()].map(utf8Bytes)));
  const meter = new StepMeter();
  const own = new Map<number, number>();
  for (let doc = docs?.next() ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS; doc = docs?.next() ?? NO_MORE_DOCS) {
    own.set(doc, scores.get(view.segment.id(doc)) ?? 0);
    if (meter.isDue(ID_UNITS)) yield;
  }
  return own;
}
