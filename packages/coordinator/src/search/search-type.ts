/**
 * `search_type`: how the phases of a search follow each other, of a request or of one search among several.
 */
import { illegalArgument } from '@shoal/core';

/** @throws illegal_argument_exception for a type that is none, or that is not built */
export function checkSearchType(type: string): void {
  if (type === 'query_then_fetch') return;
  if (type === 'dfs_query_then_fetch') throw illegalArgument(`[search_type] [${type}] is not supported by this server`);
  throw illegalArgument(`No search type for [${type}]`);
}
