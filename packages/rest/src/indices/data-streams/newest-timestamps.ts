/**
 * The time of the newest document of each data stream.
 */
import type { ClusterState, DataStream } from '@shoal/cluster-state';
import { type CoordinatorContext, executeSearch, PLAIN_SEARCH, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import { sortValueForHit } from '@shoal/shard-api';

/** The newest document; `numeric_type` shows nanoseconds as milliseconds too. */
const NEWEST = new TextEncoder().encode(
  JSON.stringify({
    size: 1,
    _source: false,
    track_total_hits: false,
    sort: [{ '@timestamp': { order: 'desc', numeric_type: 'date', unmapped_type: 'date' } }],
  }),
);
/** `maximum_timestamp` of a data stream without a document. */
export const NO_TIMESTAMP = 0;
/** Data streams whose newest documents are looked for at once. */
const SEARCHES_MAX = 4;

/** Milliseconds since 1970 of the newest document of each data stream, in their order. */
export async function newestTimestamps(
  request: HttpRequest,
  context: CoordinatorContext,
  state: ClusterState,
  streams: readonly DataStream[],
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let from = 0; from < streams.length; from += SEARCHES_MAX) {
    const some = streams.slice(from, from + SEARCHES_MAX);
    found.push(...(await Promise.all(some.map((stream) => newestTimestamp(request, context, state, stream)))));
  }
  return found;
}

async function newestTimestamp(
  { signal }: HttpRequest,
  context: CoordinatorContext,
  { metadata }: ClusterState,
  { indices }: DataStream,
): Promise<number> {
  const open = indices.filter((name) => metadata.indices.get(name)?.state === 'open');
  if (open.length === 0) return NO_TIMESTAMP;
  const { hits } = await executeSearch(context, {
    ...PLAIN_SEARCH,
    expression: open.join(','),
    indicesOptions: { ...READ_INDICES_OPTIONS, ignoreUnavailable: true },
    body: NEWEST,
    allowPartialResults: true,
    signal,
  });
  const [hit] = hits;
  const column = hit?.result.columns[0];
  return hit === undefined || column === undefined ? NO_TIMESTAMP : Number(sortValueForHit(column, hit.position));
}
