/**
 * Runs an asynchronous search to its end, and tells what it found so far to those who ask before.
 */
import {
  type AsyncContent,
  type AsyncSearch,
  type CoordinatorContext,
  executeSearch,
  renderShardCounts,
  type SearchInput,
  type SearchOutcome,
} from '@shoal/coordinator';
import { asShoalError, isAssertionFailure, renderCause, ShoalError, writeJson } from '@shoal/core';
import { renderSearch } from '../render-search.ts';

const OK = 200;

/** Never fails for what is wrong with the search: that is its answer. */
export async function runAsyncSearch(
  context: CoordinatorContext,
  search: AsyncSearch,
  input: SearchInput,
): Promise<void> {
  const shown = (outcome: SearchOutcome): Promise<AsyncContent> => contentOf(context, outcome, input.showsTypes);
  let snapshot: (() => Promise<SearchOutcome>) | null = null;
  const observer = {
    began: (take: () => Promise<SearchOutcome>) => {
      snapshot = take;
      search.watch(async () => shown(await take()));
    },
  };
  const { asyncSearches } = context;
  try {
    asyncSearches.finish(search, await shown(await executeSearch(context, input, observer)));
  } catch (error) {
    // A broken invariant is not an answer: it is left to whoever stops the process for it.
    if (isAssertionFailure(error)) throw error;
    const failure = asShoalError(error);
    const soFar = snapshot === null ? null : await search.content();
    asyncSearches.finish(search, failedContent(failure, soFar));
  }
}

/** What was found until the search failed, if it came so far, and why it did. */
function failedContent(failure: ShoalError, soFar: AsyncContent | null): AsyncContent {
  const error = new ShoalError('status_exception', failure.status, 'error while executing search', {
    causedBy: failure,
  });
  return {
    status: failure.status,
    response: soFar?.response ?? null,
    error: writeJson(renderCause(error)),
    shards: soFar?.shards ?? writeJson({ total: 0, successful: 0, skipped: 0, failed: 0 }),
  };
}

async function contentOf(
  { turns }: CoordinatorContext,
  outcome: SearchOutcome,
  withTypes: boolean,
): Promise<AsyncContent> {
  const bytesOf = async (typedKeys: boolean): Promise<Uint8Array> =>
    writeJson(await turns.run(renderSearch(outcome, { totalHitsAsInt: false, typedKeys, withTypes }), null));
  const plain = await bytesOf(false);
  const hasTypes = outcome.aggregations !== null || outcome.suggestions !== null;
  return {
    status: OK,
    response: { plain, typed: hasTypes ? await bytesOf(true) : plain },
    error: null,
    shards: writeJson(renderShardCounts(outcome.shards)),
  };
}
