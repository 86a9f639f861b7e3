/** What a node says of itself: `_nodes` and `_nodes/stats`. Any node → any node. Channel `reg`. */

export interface NodeInfoResponse {
  /** The node's part of `_nodes`: settings, os, process, transport, http… in Elasticsearch's shape. */
  readonly info: Readonly<Record<string, unknown>>;
}

export interface NodeStatsResponse {
  /** The node's part of `_nodes/stats`: indices, os, process, jvm, fs, transport, http… in Elasticsearch's shape. */
  readonly stats: Readonly<Record<string, unknown>>;
}
