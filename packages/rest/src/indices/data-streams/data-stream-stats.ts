/**
 * `_data_stream/_stats`: how many indices each data stream has, failure indices too, how large they are, and the time of its newest
 * document.
 */

import { everyIndexOf } from '@shoal/cluster';
import type { ClusterState, DataStream } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  executeSearch,
  gatherStats,
  PLAIN_SEARCH,
  READ_INDICES_OPTIONS,
} from '@shoal/coordinator';
import { renderByteSize } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { sortValueForHit } from '@shoal/shard-api';
import type { RestApi } from '../../api/rest-api.ts';
import { sumShardStats } from '../../bodies/shard-stats-body.ts';
import { shardsHeaderBody } from '../index-stats-body.ts';
import { namedStreams } from './data-streams.ts';

type Json = Readonly<Record<string, unknown>>;

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
const NO_TIMESTAMP = 0;
/** Data streams whose newest documents are looked for at once. */
const SEARCHES_MAX = 4;

export const dataStreamStatsApi: RestApi = {
  usageName: 'data_stream_stats_action',
  methods: ['GET'],
  paths: ['/_data_stream/_stats', '/_data_stream/{name}/_stats'],
  privilege: 'indices:monitor/data_stream/stats',
  task: { action: 'indices:monitor/data_stream/stats', isCancellable: true },
  params: { expand_wildcards: 'list' },
  handler: dataStreamStats,
};

async function dataStreamStats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = context.cluster.state();
  const streams = namedStreams(state, request);
  const names = streams.flatMap(everyIndexOf);
  const { copies, header } = await gatherStats(context, state, names);
  const newest = await newestTimestamps(request, context, state, streams);
  const bytesOf = (indices: ReadonlySet<string>): number =>
    sumShardStats(copies.filter(({ index }) => indices.has(index)).map(({ stats }) => stats)).storeBytes ?? 0;
  const size = (name: string, bytes: number): Json => ({
    ...(request.human ? { [name]: renderByteSize(bytes) } : {}),
    [`${name}_bytes`]: bytes,
  });
  return valueResponse({
    _shards: shardsHeaderBody(header),
    data_stream_count: streams.length,
    backing_indices: names.length,
    ...size('total_store_size', bytesOf(new Set(names))),
    data_streams: streams.map((stream, i) => ({
      data_stream: stream.name,
      backing_indices: everyIndexOf(stream).length,
      ...size('store_size', bytesOf(new Set(everyIndexOf(stream)))),
      maximum_timestamp: newest[i] ?? NO_TIMESTAMP,
    })),
  });
}

/** Milliseconds since 1970 of the newest document of each data stream, in their order. */
async function newestTimestamps(
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
