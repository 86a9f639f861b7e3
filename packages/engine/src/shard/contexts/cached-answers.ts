/**
 * Which query phases are answered from the request cache, and which answers go into it.
 *
 * Kept out: what a moment, other shards or a pinned reader has a part in, what ended before its time, and what is remembered
 * beside the answer for a fetch.
 */
import type { QueryShardRequest } from '@shoal/shard-api';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { AnswerSlot, ShardAnswers } from '../../memory/request-cache.ts';
import type { ShardQueryOutcome } from '../../phases/context/shard-search-context.ts';

/** Place of the request's answer; null for a request that is never cached. `isEnabled`: `index.requests.cache.enable`. */
export function answerSlot(
  answers: ShardAnswers | null,
  request: QueryShardRequest,
  { generation }: Searcher,
  isEnabled: boolean,
): AnswerSlot | null {
  const { packed, topN, usesCache, search } = request;
  if (answers === null || packed === null) return null;
  if (!(usesCache ?? (isEnabled && topN === 0))) return null;
  if (request.reader !== null || request.isScroll || request.statistics !== null || search.request.isProfiled)
    return null;
  return answers.slot(generation, keyOf(request, packed.search, packed.aliasFilter));
}

/** Whether the same request will have the same answer for as long as nothing changes in the shard. */
export function isRepeatable({ timedOut, isSkipped, dependsOnNow, rescored }: ShardQueryOutcome): boolean {
  return !timedOut && !isSkipped && dependsOnNow !== true && rescored === undefined;
}

/** Sizes first: no two requests have one key. */
function keyOf(request: QueryShardRequest, search: Uint8Array, aliasFilter: Uint8Array | null): string {
  const { topN, shardIndex, indexBoost } = request;
  // Only the order of hits can depend on the position of the shard.
  const position = topN === 0 ? 0 : shardIndex;
  return `${topN} ${position} ${indexBoost} ${search.length} ${textOf(search)}${textOf(aliasFilter)}`;
}

function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
