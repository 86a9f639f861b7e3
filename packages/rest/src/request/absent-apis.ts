/**
 * First words of Elasticsearch's APIs that do not exist here: no route may read them as the name of an index.
 */
export const ABSENT_APIS: readonly string[] = [
  ...['_application', '_autoscaling', '_ccr', '_component_template', '_connector', '_dangling', '_data_stream'],
  ...['_enrich', '_eql', '_esql', '_features', '_fleet', '_forcemerge', '_health_report', '_ilm', '_index_template'],
  ...['_inference', '_internal', '_knn_search', '_license', '_migration', '_ml', '_monitoring', '_profiling'],
  ...['_query', '_query_rules', '_recovery', '_reindex', '_remote', '_rollup', '_script_context'],
  ...['_script_language', '_scripts', '_searchable_snapshots', '_security', '_segments', '_shard_stores', '_slm'],
  ...['_snapshot', '_sql', '_ssl', '_template', '_transform', '_upgrade', '_watcher', '_xpack'],
];
