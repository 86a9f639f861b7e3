/** Statistics phase: coordinator → data node, before the query phase of `dfs_query_then_fetch`. Channel `reg`. */

import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { type PackedShardQuery, readShardQuery, writeShardQuery } from './query-phase.ts';

export interface StatisticsPhaseRequest {
  readonly target: ShardTarget;
  readonly query: PackedShardQuery;
}

export interface StatisticsPhaseResponse {
  /** Statistics of the query's terms, as `TermStatisticsTable` writes them. */
  readonly statistics: Uint8Array;
}

export const STATISTICS_PHASE: ActionCodec<StatisticsPhaseRequest, StatisticsPhaseResponse> = {
  name: 'indices:data/read/search[phase/dfs]',
  writeRequest: ({ target, query }) => ({
    message: { target: writeShardTarget(target), query: writeShardQuery(query) },
  }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return { target: readShardTarget(r.raw('target'), 'target'), query: readShardQuery(r.object('query')) };
  },
  writeResponse: ({ statistics }) => ({ message: { statistics } }),
  readResponse: (body) => ({ statistics: ValueReader.of(body.message).bytes('statistics') }),
};
