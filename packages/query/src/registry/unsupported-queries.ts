/**
 * Queries of Elasticsearch that this server does not have: an answer without them would be wrong, so they are refused by name.
 */
export const UNSUPPORTED_QUERIES: readonly string[] = [
  'geo_shape',
  'has_child',
  'has_parent',
  'more_like_this',
  'parent_id',
  'percolate',
  'pinned',
  'script',
  'script_score',
  'shape',
];
