/**
 * Queries of Elasticsearch that this server does not have: an answer without them would be wrong, so they are refused by name.
 */
export const UNSUPPORTED_QUERIES: readonly string[] = ['shape'];
