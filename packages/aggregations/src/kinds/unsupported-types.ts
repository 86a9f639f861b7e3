/**
 * Types of aggregations that Elasticsearch has and this server has not: refused by name.
 */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set([
  'bucket_count_ks_test',
  'bucket_correlation',
  'categorize_text',
  'change_point',
  'frequent_item_sets',
  'geo_line',
  'geohex_grid',
  'inference',
  'time_series',
]);
