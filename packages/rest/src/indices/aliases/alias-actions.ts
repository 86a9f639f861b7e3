/**
 * Bodies of the alias APIs as actions on concrete indices and aliases.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type IndicesOptions, METADATA_INDICES_OPTIONS } from '@shoal/coordinator';
import { didYouMean, illegalArgument, ShoalError } from '@shoal/core';
import type { AliasChange } from '@shoal/protocol';
import { concreteIndices } from '../../request/concrete-indices.ts';
import { flagAt, isJsonObject, type JsonObject, textAt, textsAt, unknownKey } from '../../request/json-body.ts';
import { matchingAliases } from './alias-body.ts';
import { aliasFilter } from './alias-filter.ts';

type AddAction = Extract<AliasChange, { kind: 'add' }>;

const OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };
const ACTIONS_MAX = 10_000;
const INDEX_MEMBERS = ['index', 'indices'];
const ALIAS_MEMBERS = [...INDEX_MEMBERS, 'alias', 'aliases'];
/** Each has older spellings. */
const INDEX_ROUTING = ['index_routing', 'indexRouting', 'index-routing'];
const SEARCH_ROUTING = ['search_routing', 'searchRouting', 'search-routing'];
/** Members of each kind of action. */
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['add', [...ALIAS_MEMBERS, 'filter', 'routing', ...INDEX_ROUTING, ...SEARCH_ROUTING, 'is_write_index', 'is_hidden']],
  ['remove', [...ALIAS_MEMBERS, 'must_exist']],
  ['remove_index', INDEX_MEMBERS],
]);

/** Changes that one action stands for. */
interface ParsedAction {
  readonly changes: readonly AliasChange[];
  /** Names of a removal that no alias has; empty for every other action, and with `must_exist: false`. */
  readonly missing: readonly string[];
}

/**
 * Actions of `POST /_aliases`, in order, wildcards taken apart. A removal of what is not there is passed over beside an action
 * that does something, unless it says `must_exist: true`.
 *
 * @throws aliases_not_found_exception when every action is such a removal
 */
export function parseAliasActions(body: JsonObject, state: ClusterState, nowMs: number): readonly AliasChange[] {
  const list = body.actions;
  if (!Array.isArray(list) || list.length === 0) {
    throw new ShoalError(
      'action_request_validation_exception',
      400,
      'Validation Failed: 1: Must specify at least one alias action;',
    );
  }
  const parsed = list.map((item: unknown) => parseAction(item, state, nowMs));
  if (parsed.every(({ missing }) => missing.length > 0))
    throw aliasesNotFound(parsed.flatMap(({ missing }) => missing));
  const actions = parsed.flatMap(({ changes }) => changes);
  if (actions.length > ACTIONS_MAX) throw illegalArgument(`more than [${ACTIONS_MAX}] alias actions`);
  // An alias may take the name of an index that the same request removes.
  const removals = actions.filter((action) => action.kind === 'remove_index');
  return [...removals, ...actions.filter((action) => action.kind !== 'remove_index')];
}

function parseAction(item: unknown, state: ClusterState, nowMs: number): ParsedAction {
  const entry = isJsonObject(item) ? Object.entries(item) : [];
  const [kind, body] = entry[0] ?? [];
  if (entry.length !== 1 || !isJsonObject(body))
    throw illegalArgument('an alias action must be an object with one key');
  refuseUnknown(kind ?? '', body);
  const indices = (): readonly string[] => {
    const names = [...textsAt(body, 'index'), ...textsAt(body, 'indices')];
    if (names.length === 0) throw illegalArgument('One of [index] or [indices] is required');
    return concreteIndices(state, names.join(','), OPTIONS, nowMs);
  };
  switch (kind) {
    case 'add':
      return certain(addActions(indices(), aliasNames(body), body));
    case 'remove':
      return parseRemoval(state, indices(), aliasNames(body), flagAt(body, 'must_exist'));
    case 'remove_index':
      return certain(indices().map((index) => ({ kind: 'remove_index', index })));
    default:
      throw illegalArgument(`[aliases] unknown field [${String(kind)}]`);
  }
}

/** What an action does not know would change nothing: it is refused. */
function refuseUnknown(kind: string, body: JsonObject): void {
  const known = MEMBERS.get(kind);
  if (known === undefined) return;
  const unknown = unknownKey(body, known);
  if (unknown === undefined) return;
  const reason = `[${kind}] unknown field [${unknown}]${didYouMean(unknown, known)}`;
  throw new ShoalError('x_content_parse_exception', 400, reason);
}

function certain(changes: readonly AliasChange[]): ParsedAction {
  return { changes, missing: [] };
}

/** @param mustExist null when the action does not say */
function parseRemoval(
  state: ClusterState,
  indices: readonly string[],
  names: readonly string[],
  mustExist: boolean | null,
): ParsedAction {
  const changes = removals(state, indices, names);
  if (changes.length > 0 || mustExist === false) return certain(changes);
  if (mustExist === true) throw aliasesNotFound(names);
  return { changes, missing: names };
}

function aliasNames(body: JsonObject): readonly string[] {
  const names = [...textsAt(body, 'alias'), ...textsAt(body, 'aliases')].flatMap((name) => name.split(','));
  if (names.length === 0) throw illegalArgument('One of [alias] or [aliases] is required');
  return names;
}

/** Each alias for each index, by the keys of one body, whose filter is checked once. */
export function addActions(
  indices: readonly string[],
  aliases: readonly string[],
  body: JsonObject,
): readonly AddAction[] {
  const routing = textAt(body, 'routing');
  const said = {
    filter: aliasFilter(aliases[0] ?? '', body),
    indexRouting: firstTextAt(body, INDEX_ROUTING) ?? routing,
    searchRouting: firstTextAt(body, SEARCH_ROUTING) ?? routing,
    isWriteIndex: flagAt(body, 'is_write_index'),
    isHidden: flagAt(body, 'is_hidden'),
  };
  return indices.flatMap((index) => aliases.map((alias): AddAction => ({ kind: 'add', index, alias, ...said })));
}

function firstTextAt(body: JsonObject, names: readonly string[]): string | null {
  return names.map((name) => textAt(body, name)).find((text) => text !== null) ?? null;
}

/**
 * Removals of what the names mean on each index.
 *
 * @throws aliases_not_found_exception when none of the names means anything
 */
export function removeActions(
  state: ClusterState,
  indices: readonly string[],
  names: readonly string[],
): readonly AliasChange[] {
  const actions = removals(state, indices, names);
  if (actions.length === 0) throw aliasesNotFound(names);
  return actions;
}

function removals(state: ClusterState, indices: readonly string[], names: readonly string[]): readonly AliasChange[] {
  return indices.flatMap((index) => {
    const metadata = state.metadata.indices.get(index);
    const aliases = metadata === undefined ? [] : matchingAliases(metadata, names);
    return aliases.map(({ name }): AliasChange => ({ kind: 'remove', index, alias: name, mustExist: false }));
  });
}

/** 404: none of the names means an alias. One name is shown as itself, several as a list. */
function aliasesNotFound(names: readonly string[]): ShoalError {
  return new ShoalError('aliases_not_found_exception', 404, `aliases [${names.join(', ')}] missing`, {
    metadata: { 'resource.type': 'aliases', 'resource.id': names.length > 1 ? names : names.join() },
  });
}
