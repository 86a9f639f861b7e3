/**
 * Parts of a request that stand in documents of the cluster: fetched before any shard is asked, and put in their place.
 */
import { isObject } from '@shoal/core';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { IndicesOptions } from '../../indices/indices-options.ts';
import { resolveIndexNames } from '../../indices/resolve-indices.ts';
import { readContextId, targetsOfContexts } from '../targets/context-ids.ts';
import { withFetchedTerms } from './fetched-terms.ts';
import { withIndexedShapes } from './indexed-shapes.ts';
import { type SearchedIndices, withLikedDocuments } from './liked-documents.ts';
import { withPercolatedDocuments } from './percolated-documents.ts';
import { withAppliedRules } from './ruled-queries.ts';
import { withUnwrappedQueries } from './unwrapped-queries.ts';

/** What is searched. */
export interface FetchInput {
  /** Index expression, or how the body says it; null: all. */
  readonly expression: string | null | ((body: unknown) => string | null);
  readonly indicesOptions: IndicesOptions;
}

/** The body as it was when it has none of these. */
export async function withFetchedParts(
  context: CoordinatorContext,
  body: Uint8Array | null,
  input: FetchInput,
): Promise<Uint8Array | null> {
  const opened = withUnwrappedQueries(body);
  const ruled = await withAppliedRules(context, opened);
  const liked = await withLikedDocuments(context, ruled, searchedIndices(context, input));
  const withTerms = await withFetchedTerms(context, liked);
  return withIndexedShapes(context, await withPercolatedDocuments(context, withTerms));
}

function searchedIndices(context: CoordinatorContext, { expression, indicesOptions }: FetchInput): SearchedIndices {
  return (body) => {
    const state = context.cluster.state();
    const pointInTime = isObject(body) ? body['pit'] : null;
    if (isObject(pointInTime) && typeof pointInTime['id'] === 'string') {
      const { targets } = targetsOfContexts(state, readContextId('pit', pointInTime['id']));
      return [...new Set(targets.map(({ index }) => index.name))];
    }
    const named = typeof expression === 'function' ? expression(body) : expression;
    return resolveIndexNames(state, named, indicesOptions, context.runtime.clock.wallMs());
  };
}
