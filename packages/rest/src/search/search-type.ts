/**
 * `search_type`: how the phases of a search follow each other, of a request or of one search among several.
 */
import { illegalArgument } from '@shoal/core';

/** True when statistics are gathered first. @throws illegal_argument_exception for an unknown type */
export function sharesStatistics(type: string): boolean {
  if (type === 'dfs_query_then_fetch') return true;
  if (type === 'query_then_fetch') return false;
  throw illegalArgument(`No search type for [${type}]`);
}
