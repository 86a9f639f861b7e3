/**
 * What the APIs on documents by query have in common: parameters of pace, slices and conflicts, and what is wrong with them.
 */
import { type ByQueryRequest, type CoordinatorContext, DEFAULT_WRITE_TIMEOUT_MS } from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { ParameterDeclarations, RequestParameters } from '@shoal/http';
import type { SearchRequest } from '@shoal/query';
import { validationFailed } from '../documents/write-problems.ts';
import { parseActiveShards } from '../request/active-shards.ts';
import { DETACHING_PARAMETERS } from '../tasks/detached-task.ts';

export const BY_QUERY_PARAMETERS: ParameterDeclarations = {
  ...DETACHING_PARAMETERS,
  refresh: 'boolean',
  timeout: 'time',
  wait_for_active_shards: 'string',
  requests_per_second: 'string',
  slices: 'string',
  scroll: 'string',
  max_docs: 'integer',
};

export const SCROLL_SIZE_DEFAULT = 1_000;
/** How long the hits of a search are kept for the next page. */
export const KEEP_ALIVE_DEFAULT = '5m';

/** Most slices of one request: each is a search and a task of its own. */
const SLICES_MAX = 1_024;
/** Most slices where the server chooses. */
const AUTO_SLICES_MAX = 20;
const NO_LIMIT = -1;
/** Slowest pace, in documents a second. */
const REQUESTS_PER_SECOND_MIN = 1e-6;
const NUMBER = /^[+-]?\d{1,20}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?$/;
const WHOLE = /^[+-]?\d{1,9}$/;

export type SharedOptions = Pick<ByQueryRequest, 'refreshes' | 'requestsPerSecond' | 'bulk'>;

/** Options of a request whose route declares `BY_QUERY_PARAMETERS`. */
export function sharedOptionsOf(params: RequestParameters): SharedOptions {
  return {
    refreshes: params.boolean('refresh', false),
    requestsPerSecond: requestsPerSecondOf(params) ?? Number.POSITIVE_INFINITY,
    bulk: {
      timeoutMs: params.timeMs('timeout') ?? DEFAULT_WRITE_TIMEOUT_MS,
      waitForActiveShards: parseActiveShards(params.string('wait_for_active_shards')),
    },
  };
}

/** Infinity for none; null when not given. @throws illegal_argument_exception for zero, or anything below but -1 */
export function requestsPerSecondOf(params: RequestParameters): number | null {
  const text = params.string('requests_per_second');
  if (text === null) return null;
  const wanted = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (wanted === NO_LIMIT) return Number.POSITIVE_INFINITY;
  if (wanted >= REQUESTS_PER_SECOND_MIN && wanted < Number.POSITIVE_INFINITY) return wanted;
  const wrong = '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.';
  if (!Number.isNaN(wanted)) throw illegalArgument(wrong);
  const causedBy = new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
  throw illegalArgument(wrong, { causedBy });
}

/** `slices`; null for `auto`. */
export function slicesOf(params: RequestParameters): number | null {
  const text = params.string('slices');
  if (text === null) return 1;
  if (text === 'auto') return null;
  const wrong = `[slices] must be a positive integer or the string "auto", but was [${text}]`;
  if (!WHOLE.test(text)) {
    const causedBy = new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
    throw illegalArgument(wrong, { causedBy });
  }
  const slices = Number(text);
  if (slices < 1) throw illegalArgument(wrong);
  if (slices > SLICES_MAX) throw illegalArgument(`[slices] must be at most [${SLICES_MAX}], but was [${text}]`);
  return slices;
}

/** Slices of a request that leaves them to the server: as many as the smallest of its indices has shards. */
export function autoSlices(context: CoordinatorContext, indices: readonly string[]): number {
  const { metadata } = context.cluster.state();
  const shards = indices.map((index) => metadata.indices.get(index)?.numberOfShards ?? 1);
  return indices.length === 0 ? 1 : Math.min(AUTO_SLICES_MAX, ...shards);
}

/** True for `proceed`. */
export function passesConflicts(text: string): boolean {
  if (text === 'proceed') return true;
  if (text === 'abort') return false;
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${text}]`);
}

/** A number of `max_docs`. @throws illegal_argument_exception */
export function notNegative(documentsMax: number): number {
  if (documentsMax >= 0) return documentsMax;
  throw illegalArgument(`[max_docs] parameter cannot be negative, found [${documentsMax}]`);
}

/** `max_docs` of the body and of the URI, each null when not given. */
export function documentsMaxOf(inBody: number | null, inParams: number | null): number | null {
  if (inParams !== null) notNegative(inParams);
  if (inBody !== null && inParams !== null && inBody !== inParams) {
    throw illegalArgument(`[max_docs] set to two different values [${inBody}] and [${inParams}]`);
  }
  return inParams ?? inBody;
}

/** @throws illegal_argument_exception when there are slices to which no document is left */
export function checkDocumentsMax(documentsMax: number | null, slices: number): void {
  if (documentsMax !== null && documentsMax < slices) throw illegalArgument('[max_docs] should be >= [slices]');
}

/** What the search of documents by query may not have. */
export function searchProblems(request: SearchRequest, slices: number | null): readonly string[] {
  const problems: string[] = [];
  if (request.from > 0) {
    problems.push('using [from] is not allowed in a scroll context', 'from is not supported in this context');
  }
  if (request.storedFields !== null) problems.push('stored_fields is not supported in this context');
  if (request.searchAfter !== null) problems.push('`search_after` cannot be used in a scroll context.');
  if (request.collapse !== null) problems.push('cannot use `collapse` in a scroll context');
  if (request.rescore.length > 0) problems.push('using [rescore] is not allowed in a scroll context');
  if (request.pointInTime !== null) problems.push('using [point in time] is not allowed in a scroll context');
  if (request.size === 0) problems.push('[size] cannot be [0] in a scroll context');
  if (request.slice !== null && slices !== 1) {
    problems.push("can't specify both manual and automatic slicing at the same time");
  }
  return problems;
}

/** @throws action_request_validation_exception with all of them */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw validationFailed(problems);
}
