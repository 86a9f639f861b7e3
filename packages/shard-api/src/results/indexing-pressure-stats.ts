/** Indexing pressure of a node: what it answers for `_nodes/stats`. */

export interface IndexingPressureStats {
  /** Bytes of writes held at the moment. */
  readonly currentBytes: number;
  /** Bytes of all writes since the start. */
  readonly totalBytes: number;
  /** Writes refused since the start because the limit was reached. */
  readonly rejections: number;
  readonly limitBytes: number;
}
