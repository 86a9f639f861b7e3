/** Information and statistics of a node about itself: `_nodes`, `_nodes/stats` and `_nodes/usage`. Any node → any node. Channel `reg`. */

import { readPlainObject } from '@shoal/cluster-state';
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

/** Request for all metrics: the coordinator picks the metrics that the user named. */
export type NodeInfoRequest = Readonly<Record<string, never>>;
export type NodeStatsRequest = Readonly<Record<string, never>>;
type NodeUsageRequest = Readonly<Record<string, never>>;

export interface NodeInfoResponse {
  /** The node's part of `_nodes`: settings, os, process, transport, http… in Elasticsearch's shape. */
  readonly info: Readonly<Record<string, unknown>>;
}

export interface NodeStatsResponse {
  /** The node's part of `_nodes/stats`: indices, os, process, jvm, fs, transport, http… in Elasticsearch's shape. */
  readonly stats: Readonly<Record<string, unknown>>;
}

interface NodeUsageResponse {
  /** The node's part of `_nodes/usage`: since when it counts, and what, in Elasticsearch's shape. */
  readonly usage: Readonly<Record<string, unknown>>;
}

export const NODE_INFO: ActionCodec<NodeInfoRequest, NodeInfoResponse> = {
  name: 'cluster:monitor/nodes/info[n]',
  writeRequest: () => ({ message: {} }),
  readRequest: () => ({}),
  writeResponse: (response) => ({ message: { info: response.info } }),
  readResponse: (body) => ({ info: readPlainObject(ValueReader.of(body.message).raw('info'), 'info') }),
};

export const NODE_STATS: ActionCodec<NodeStatsRequest, NodeStatsResponse> = {
  name: 'cluster:monitor/nodes/stats[n]',
  writeRequest: () => ({ message: {} }),
  readRequest: () => ({}),
  writeResponse: (response) => ({ message: { stats: response.stats } }),
  readResponse: (body) => ({ stats: readPlainObject(ValueReader.of(body.message).raw('stats'), 'stats') }),
};

export const NODE_USAGE: ActionCodec<NodeUsageRequest, NodeUsageResponse> = {
  name: 'cluster:monitor/nodes/usage[n]',
  writeRequest: () => ({ message: {} }),
  readRequest: () => ({}),
  writeResponse: (response) => ({ message: { usage: response.usage } }),
  readResponse: (body) => ({ usage: readPlainObject(ValueReader.of(body.message).raw('usage'), 'usage') }),
};
