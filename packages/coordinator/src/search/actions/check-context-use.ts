/**
 * What a search with a scroll or a point in time may not have beside it.
 */
import { keepAliveMsMax } from '@shoal/cluster';
import { illegalArgument, parseTimeValue, ShoalError } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { SearchInput } from '../targets/search-input.ts';

/** @throws ShoalError 400 that lists everything at once, as Elasticsearch does */
export function checkContextUse(input: SearchInput, request: SearchRequest): void {
  const problems = [
    ...(input.scrollKeepAliveMs === null ? [] : scrollProblems(input, request)),
    ...(request.pointInTime === null ? [] : pointInTimeProblems(input)),
  ];
  if (request.slice !== null && input.scrollKeepAliveMs === null && request.pointInTime === null) {
    problems.push('[slice] can only be used with [scroll] or [point-in-time] requests');
  }
  if (problems.length > 0) throw validationError(problems);
}

/** 400 of a shard whose index does not allow so many slices; null when it does. */
export function slicesError(
  { slice, pointInTime }: SearchRequest,
  settings: Readonly<Record<string, string>>,
): ShoalError | null {
  const setting = pointInTime === null ? 'index.max_slices_per_scroll' : 'index.max_slices_per_pit';
  const limit = Number(settings[setting] ?? SLICES_MAX_DEFAULT);
  if (slice === null || slice.max <= limit) return null;
  return illegalArgument(
    `The number of slices [${slice.max}] is too large. It must be less than [${limit}]. This limit can be set by changing the [${setting}] index level setting.`,
  );
}

const SLICES_MAX_DEFAULT = 1024;
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration in the largest unit of which it has a whole number. */
function durationText(ms: number): string {
  const unit = UNITS.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}

/** A time to live of the request, within what the cluster allows. */
export function keepAliveMs(context: CoordinatorContext, text: string, name: string): number {
  const ms = parseTimeValue(text, name);
  checkKeepAlive(context, ms, text);
  if (ms <= 0) throw illegalArgument(`[${name}] must be greater than 0, got [${text}]`);
  return ms;
}

/** @throws ShoalError illegal_argument_exception for a time to live above `search.max_keep_alive` */
export function checkKeepAlive({ cluster }: CoordinatorContext, ms: number, text: string | null): void {
  const limitMs = keepAliveMsMax(cluster.settings());
  if (ms <= limitMs) return;
  throw illegalArgument(
    `Keep alive for request (${text ?? durationText(ms)}) is too large. It must be less than (${durationText(limitMs)}). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
  );
}

export function validationError(problems: readonly string[]): ShoalError {
  const listed = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: ${listed}`);
}

function scrollProblems(input: SearchInput, request: SearchRequest): readonly string[] {
  const problems: string[] = [];
  if (request.trackTotalHits !== Number.POSITIVE_INFINITY) {
    problems.push('disabling [track_total_hits] is not allowed in a scroll context');
  }
  if (request.from > 0) problems.push('using [from] is not allowed in a scroll context');
  if (request.size === 0) problems.push('[size] cannot be [0] in a scroll context');
  if (request.searchAfter !== null) problems.push('`search_after` cannot be used in a scroll context.');
  if (request.collapse !== null) problems.push('cannot use `collapse` in a scroll context');
  if (request.rescore.length > 0) problems.push('using [rescore] is not allowed in a scroll context');
  if (input.usesRequestCache === true) problems.push('[request_cache] cannot be used in a scroll context');
  if (request.pointInTime !== null) problems.push('using [point in time] is not allowed in a scroll context');
  return problems;
}

function pointInTimeProblems({ expression, routings }: SearchInput): readonly string[] {
  const problems: string[] = [];
  if (expression !== null) {
    problems.push('[indices] cannot be used with point in time. Do not specify any index with point in time.');
  }
  if (routings.length > 0) {
    problems.push('[routing] cannot be used with point in time. Do not specify any routing with point in time.');
  }
  return problems;
}
