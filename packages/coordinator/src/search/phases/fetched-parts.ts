/**
 * Parts of a request that stand in documents of the cluster: fetched before any shard is asked, and put in their place.
 */
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { withFetchedTerms } from './fetched-terms.ts';
import { withPercolatedDocuments } from './percolated-documents.ts';

/** The body as it was when it has none of these. */
export async function withFetchedParts(
  context: CoordinatorContext,
  body: Uint8Array | null,
): Promise<Uint8Array | null> {
  return withPercolatedDocuments(context, await withFetchedTerms(context, body));
}
