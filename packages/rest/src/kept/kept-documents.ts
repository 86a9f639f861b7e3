/**
 * Configuration that the cluster keeps as documents of a hidden index: one a thing, under its id, made by the first that is put.
 */
import {
  type BulkAction,
  BulkItems,
  type CoordinatorContext,
  DEFAULT_WRITE_TIMEOUT_MS,
  executeBulk,
  executeSearch,
  NO_EXTRAS,
  PLAIN_SEARCH,
  READ_INDICES_OPTIONS,
  type SearchInput,
  type SearchOutcome,
} from '@shoal/coordinator';
import { illegalArgument, isShoalError, parseJson, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { WriteConditions } from '@shoal/shard-api';

export interface HiddenIndex {
  readonly name: string;
  /** Another name under which programs look for it. Default: none. */
  readonly alias?: string;
  readonly mappings: Readonly<Record<string, unknown>>;
}

export interface KeptWrite {
  readonly action: BulkAction;
  readonly index: string;
  readonly id: string;
  /** null for a delete. */
  readonly source: Uint8Array | null;
  /** Left out: whatever is there is replaced. */
  readonly conditions?: WriteConditions;
}

const TIMEOUT_MS = 30_000;
/** The last document that a page of a list may reach. */
const LISTED_MAX = 10_000;

export function hasIndex({ cluster }: CoordinatorContext, name: string): boolean {
  return cluster.state().metadata.indices.has(name);
}

/** Does nothing where it is there. */
export async function createHiddenIndex(
  context: CoordinatorContext,
  { name, mappings, alias }: HiddenIndex,
): Promise<void> {
  if (hasIndex(context, name)) return;
  const { cluster } = context;
  try {
    await cluster.admin.createIndex({
      index: name,
      settings: {
        'index.number_of_shards': '1',
        'index.auto_expand_replicas': '0-1',
        'index.hidden': 'true',
        'index.codec': 'best_compression',
      },
      mappings,
      aliases: alias === undefined ? {} : { [alias]: { is_hidden: true } },
      waitForActiveShards: 1,
      masterTimeoutMs: TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    // Another node was asked for the first document at the same time.
    if (!isShoalError(error) || error.type !== 'resource_already_exists_exception') throw error;
  }
  // The cluster manager applied it; this node may be a moment behind.
  await cluster.waitForState((state) => state.metadata.indices.has(name), TIMEOUT_MS);
}

/** What became of the document. @throws ShoalError what refused it, version_conflict_engine_exception for a condition not met */
export async function writeKept(context: CoordinatorContext, write: KeptWrite): Promise<string> {
  const { conditions = NO_EXTRAS.conditions, ...rest } = write;
  // They are listed by a search: what was put is to be found by the next one. They are few, and so is what a refresh costs.
  const options = { refresh: 'immediate', timeoutMs: DEFAULT_WRITE_TIMEOUT_MS, waitForActiveShards: null } as const;
  const outcome = (await executeBulk(context, BulkItems.of({ ...NO_EXTRAS, ...rest, conditions }), options)).at(0);
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.done.result;
}

/** The documents that a body asks for; the index must be there. */
export function searchKept(
  context: CoordinatorContext,
  index: string,
  body: Readonly<Record<string, unknown>>,
  signal: SearchInput['signal'],
): Promise<SearchOutcome> {
  return executeSearch(context, {
    ...PLAIN_SEARCH,
    expression: index,
    indicesOptions: READ_INDICES_OPTIONS,
    body: writeJson(body),
    allowPartialResults: false,
    signal,
  });
}

export interface KeptList {
  readonly index: string;
  /** Field by which they are listed. */
  readonly sort: string;
  /** How many a page shows when the request does not say. */
  readonly pageSize: number;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Answers a list by the parameters `from` and `size`; an empty one where nothing was ever put.
 *
 * @param shown what is shown of a document, by its id
 * @throws illegal_argument_exception for a page that is none, or that reaches too far
 */
export async function listKept(
  { params, signal }: HttpRequest,
  context: CoordinatorContext,
  { index, sort, pageSize, query }: KeptList,
  shown: (id: string, body: unknown) => unknown,
): Promise<HttpResponse> {
  const from = params.integer('from') ?? 0;
  const size = params.integer('size') ?? pageSize;
  for (const [name, value] of Object.entries({ from, size })) {
    if (value < 0) throw illegalArgument(`[${name}] parameter cannot be negative but was [${value}]`);
  }
  if (from + size > LISTED_MAX) throw illegalArgument(`[from] + [size] must not be above [${LISTED_MAX}]`);
  if (!hasIndex(context, index)) return valueResponse({ count: 0, results: [] });
  const page = { from, size, sort: [sort], track_total_hits: true, query };
  const { hits, total } = await searchKept(context, index, page, signal);
  const results = hits.flatMap(({ hit: { id, source } }) => (source === null ? [] : [shown(id, parseJson(source))]));
  return valueResponse({ count: total?.value ?? results.length, results });
}
