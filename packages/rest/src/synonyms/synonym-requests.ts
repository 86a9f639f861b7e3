/**
 * Bodies of requests that put synonyms, and what follows a change: analyzers that use the set are made anew.
 */
import { checkSynonymRule } from '@shoal/analysis';
import { indicesWithSet } from '@shoal/cluster';
import type { SynonymRule } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import {
  illegalArgument,
  type JsonNode,
  type JsonObjectNode,
  parseJsonTree,
  randomUuid,
  ShoalError,
} from '@shoal/core';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import { reloadedAnalyzersBody } from '../indices/reload-search-analyzers.ts';
import { CHANGE_PARAMETERS } from '../request/manager-timeouts.ts';

const UUID_BYTES = 16;

/** Longest id of a set or rule. */
const ID_CHARS_MAX = 512;

/** A page of a list, as `from` and `size` say. */
export interface ListPage {
  readonly from: number;
  readonly size: number;
}

/** Entries that a list answers at most. */
const LISTED_MAX = 10_000;

/** @throws illegal_argument_exception for a page that is none */
export function listPage(request: HttpRequest): ListPage {
  const from = request.params.integer('from') ?? 0;
  const size = request.params.integer('size') ?? 10;
  for (const [name, value] of Object.entries({ from, size })) {
    if (value < 0) throw illegalArgument(`[${name}] must be a positive integer`);
  }
  if (from + size > LISTED_MAX) throw illegalArgument(`[from] + [size] must not be above [${LISTED_MAX}]`);
  return { from, size };
}

/** Rules of `{"synonyms_set": [...]}`; those without an id get one. */
export function rulesOfBody(request: HttpRequest, { runtime }: CoordinatorContext): readonly SynonymRule[] {
  const { synonyms_set: set } = membersOf(bodyOf(request), ['synonyms_set']);
  if (set === undefined) throw illegalArgument('Required [synonyms_set]');
  const items = set.kind === 'array' ? set.items : [set];
  return items.map((item) => {
    const { id, synonyms } = membersOf(objectOf(item), ['id', 'synonyms']);
    const given = id === undefined ? randomUuid(runtime.random.bytes(UUID_BYTES)) : textOf(id, 'id');
    return { id: checkedId(given), synonyms: synonymsOf(synonyms) };
  });
}

/** The rule of `{"synonyms": "..."}`. */
export function ruleOfBody(request: HttpRequest, id: string): SynonymRule {
  const { synonyms } = membersOf(bodyOf(request), ['synonyms']);
  return { id: checkedId(id), synonyms: synonymsOf(synonyms) };
}

/** @throws illegal_argument_exception for an id that is empty or too long */
export function checkedId(id: string): string {
  if (id !== '' && id.length <= ID_CHARS_MAX) return id;
  throw illegalArgument(`an id has 1 to [${ID_CHARS_MAX}] characters, this one has [${id.length}]`);
}

/** Parameters of requests that change synonyms. */
export const SYNONYM_CHANGE_PARAMETERS: ParameterDeclarations = { ...CHANGE_PARAMETERS, refresh: 'boolean' };

/**
 * Has analyzers take the rules of the set, unless the request says `refresh=false`.
 *
 * @returns what an answer says of it; nothing where none was to
 */
export async function reloadDetails(
  request: HttpRequest,
  context: CoordinatorContext,
  set: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (!request.params.boolean('refresh', true)) return {};
  const state = context.cluster.state();
  const open = indicesWithSet(state, set).filter((name) => state.metadata.indices.get(name)?.state === 'open');
  return { reload_analyzers_details: await reloadedAnalyzersBody(context, open) };
}

function bodyOf(request: HttpRequest): JsonObjectNode {
  if (request.body === null || request.body.length === 0) {
    throw new ShoalError('parse_exception', 400, 'request body is required');
  }
  return objectOf(parseJsonTree(request.body));
}

function objectOf(node: JsonNode | null): JsonObjectNode {
  if (node?.kind === 'object') return node;
  throw illegalArgument('synonyms are objects with [synonyms]');
}

/** @throws illegal_argument_exception for a member of another name */
function membersOf<N extends string>(
  node: JsonObjectNode,
  names: readonly N[],
): Readonly<Partial<Record<N, JsonNode>>> {
  for (const { name } of node.members) {
    if (!names.some((known) => known === name)) throw illegalArgument(`unknown field [${name}]`);
  }
  return Object.fromEntries(node.members.map(({ name, value }) => [name, value])) as Partial<Record<N, JsonNode>>;
}

function synonymsOf(node: JsonNode | undefined): string {
  if (node === undefined) throw illegalArgument('Required [synonyms]');
  const rule = textOf(node, 'synonyms');
  checkSynonymRule(rule);
  return rule;
}

function textOf(node: JsonNode, name: string): string {
  if (node.kind === 'string') return node.value;
  throw illegalArgument(`[${name}] must be a string`);
}
