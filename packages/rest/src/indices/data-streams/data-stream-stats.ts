/**
 * `_data_stream/_stats`: how many indices each data stream has, failure indices too, how large they are, and the time of its newest
 * document.
 */

import { everyIndexOf } from '@shoal/cluster';
import { type CoordinatorContext, gatherStats } from '@shoal/coordinator';
import { renderByteSize } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { sumShardStats } from '../../bodies/shard-stats-body.ts';
import { shardsHeaderBody } from '../index-stats-body.ts';
import { namedStreams } from './named-streams.ts';
import { NO_TIMESTAMP, newestTimestamps } from './newest-timestamps.ts';

type Json = Readonly<Record<string, unknown>>;

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
