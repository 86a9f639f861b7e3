/**
 * Which of the snapshots found are shown, and in which order: the page that `GET _snapshot/{repository}/{snapshot}` asks for. Pure.
 */
import { illegalArgument, parseJson, ShoalError, simpleMatch, writeJson } from '@shoal/core';
import type { ParameterDeclarations, RequestParameters } from '@shoal/http';
import { SNAPSHOT_STATES, type SnapshotInfo } from '@shoal/protocol';
import { isJsonObject } from '../request/json-body.ts';

export interface RepositorySnapshot {
  readonly repository: string;
  readonly info: SnapshotInfo;
}

export interface SnapshotPage {
  readonly shown: readonly RepositorySnapshot[];
  /** Snapshots that were found, on this page or another. */
  readonly total: number;
  /** Snapshots behind this page. */
  readonly remaining: number;
  /** Token of the page behind this one; null: there is none. */
  readonly next: string | null;
}

type SortKey = string | number;

const SORTS: ReadonlyMap<string, (snapshot: RepositorySnapshot) => SortKey> = new Map([
  ['start_time', ({ info }): SortKey => info.startMs],
  ['duration', ({ info }): SortKey => Math.max(info.endMs - info.startMs, 0)],
  ['name', ({ info }): SortKey => info.name],
  ['repository', ({ repository }): SortKey => repository],
  ['index_count', ({ info }): SortKey => info.indices.length],
  ['shard_count', ({ info }): SortKey => info.totalShards],
  ['failed_shard_count', ({ info }): SortKey => info.failures.length],
]);
const ORDERS: readonly string[] = ['asc', 'desc'];
const NO_LIMIT = -1;
/** Pattern that finds the snapshots that no policy made. */
const NO_POLICY = '_none';

export const PAGE_PARAMETERS: ParameterDeclarations = {
  sort: 'string',
  order: 'string',
  size: 'integer',
  offset: 'integer',
  after: 'string',
  from_sort_value: 'string',
  slm_policy_filter: 'list',
  state: 'list',
};

/** @throws action_request_validation_exception and illegal_argument_exception for parameters that ask for no page */
export function pageOf(found: readonly RepositorySnapshot[], params: RequestParameters): SnapshotPage {
  checkPage(params);
  const sort = params.string('sort') ?? 'start_time';
  const keyOf = SORTS.get(sort);
  if (keyOf === undefined) throw illegalArgument(`unknown sort order [${sort}]`);
  const order = (params.string('order') ?? 'asc').toLowerCase();
  if (!ORDERS.includes(order)) {
    throw illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${order.toUpperCase()}`);
  }
  const sign = order === 'asc' ? 1 : -1;
  const compare = (a: readonly SortKey[], b: readonly SortKey[]): number => sign * compareKeys(a, b);
  const keysOf = (snapshot: RepositorySnapshot): readonly SortKey[] => [
    keyOf(snapshot),
    snapshot.info.name,
    snapshot.repository,
  ];
  const states = wantedStates(params.list('state'));
  const first = firstKey(params.string('from_sort_value'), sort);
  const wanted = found
    .filter(
      ({ info }) =>
        isOfPolicy(info, params.list('slm_policy_filter')) && (states.length === 0 || states.includes(info.state)),
    )
    .filter((snapshot) => first === null || compare([keyOf(snapshot)], [first]) >= 0)
    .sort((a, b) => compare(keysOf(a), keysOf(b)));
  const after = afterKeys(params.string('after'));
  const from = after === null ? wanted : wanted.filter((snapshot) => compare(keysOf(snapshot), after) > 0);
  const offset = params.integer('offset') ?? 0;
  const size = params.integer('size') ?? NO_LIMIT;
  const shown = from.slice(offset, size === NO_LIMIT ? from.length : offset + size);
  const remaining = Math.max(from.length - offset - shown.length, 0);
  const last = shown.at(-1);
  const next = remaining === 0 || last === undefined ? null : tokenOf(keysOf(last));
  return { shown, total: wanted.length, remaining, next };
}

function checkPage(params: RequestParameters): void {
  const problems: string[] = [];
  const size = params.integer('size') ?? NO_LIMIT;
  if (size === 0 || size < NO_LIMIT) problems.push(`size must be -1 for no limit, or positive, but was [${size}]`);
  const offset = params.integer('offset') ?? 0;
  if (offset < 0) problems.push(`offset must not be negative, but was [${offset}]`);
  if (params.has('after') && offset > 0) problems.push("can't use after and offset simultaneously");
  if (params.has('after') && params.has('from_sort_value')) {
    problems.push("can't use after and from_sort_value simultaneously");
  }
  if (!params.boolean('verbose', true)) {
    const unusable = ['sort', 'order', 'size', 'offset', 'after', 'from_sort_value', 'slm_policy_filter'];
    problems.push(...unusable.filter((name) => params.has(name)).map((name) => `can't use ${name} with verbose=false`));
  }
  if (problems.length === 0) return;
  const listed = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
  throw new ShoalError('action_request_validation_exception', 400, `Validation Failed: ${listed}`);
}

function compareKeys(a: readonly SortKey[], b: readonly SortKey[]): number {
  for (const [i, key] of a.entries()) {
    const other = b[i] ?? '';
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

/** Sort key of the first snapshot wanted; null: no snapshot is too early. Times are milliseconds or ISO dates. */
function firstKey(value: string | null, sort: string): SortKey | null {
  if (value === null || sort === 'name' || sort === 'repository') return value;
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : sort === 'start_time' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(number)) throw illegalArgument(`Failed to parse [from_sort_value] with value [${value}]`);
  return number;
}

function isOfPolicy({ userMetadata }: SnapshotInfo, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  const policy = userMetadata?.policy;
  if (typeof policy !== 'string') return patterns.includes(NO_POLICY);
  const excludes = patterns.filter((pattern) => pattern.startsWith('-')).map((pattern) => pattern.slice(1));
  if (excludes.some((pattern) => simpleMatch(pattern, policy))) return false;
  return patterns.some((pattern) => !pattern.startsWith('-') && simpleMatch(pattern, policy));
}

/** Names of states, in any case. */
function wantedStates(names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const state = SNAPSHOT_STATES.find((known) => known === name.toUpperCase());
    if (state !== undefined) return state;
    throw illegalArgument(`No enum constant org.elasticsearch.snapshots.SnapshotState.${name.toUpperCase()}`);
  });
}

function tokenOf([key, name, repository]: readonly SortKey[]): string {
  return Buffer.from(writeJson({ key, name, repository })).toString('base64url');
}

function afterKeys(token: string | null): readonly SortKey[] | null {
  if (token === null) return null;
  const value = parsedToken(token);
  if (isJsonObject(value)) {
    const { key, name, repository } = value;
    const isKey = typeof key === 'string' || typeof key === 'number';
    if (isKey && typeof name === 'string' && typeof repository === 'string') return [key, name, repository];
  }
  throw illegalArgument(`invalid [after] parameter [${token}]`);
}

function parsedToken(token: string): unknown {
  try {
    return parseJson(Buffer.from(token, 'base64url'));
  } catch {
    // Whatever is wrong with its JSON: a token is made here, and is right or wrong as a whole.
    return null;
  }
}
