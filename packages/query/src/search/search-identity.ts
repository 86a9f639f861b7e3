/**
 * What makes two searches the same but for the page they show: the text by which a list of ranked matches is kept.
 */
import type { SearchRequest } from './search-request.ts';

/** Equal texts: the same matches in the same order in the same reader. */
export function searchIdentity(request: SearchRequest, nowMs: number): string {
  // Named one by one: what is left out changes neither the matches nor their order.
  const { query, postFilter, sort, tracksScores, minScore, terminateAfter, searchAfter } = request;
  const { slice, indicesBoost, collapse, rescore, runtimeMappings } = request;
  const group = collapse?.field ?? null;
  let hasDateMath = false;
  const text = JSON.stringify(
    [
      ...[query, postFilter, sort, tracksScores, minScore, terminateAfter, searchAfter, slice, indicesBoost, group],
      ...[rescore, runtimeMappings],
    ],
    (_, value: unknown) => {
      if (typeof value === 'string') hasDateMath ||= value.includes('now');
      if (typeof value === 'bigint') return `${value}n`;
      return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? String(value) : value;
    },
  );
  // Date math: another moment is another search.
  return hasDateMath ? `${text}@${nowMs}` : text;
}
