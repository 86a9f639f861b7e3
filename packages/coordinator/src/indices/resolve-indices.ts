/**
 * Index expressions: which concrete indices a comma list of names, aliases, wildcards, exclusions and date math means.
 *
 * Pure: a reading of one cluster state at one instant. Results are sorted by name, since their order is the tie-break of
 * equal hits and must not depend on how they were asked for.
 */

import { everyIndexOf, indicesOfComponent } from '@shoal/cluster';
import type { AliasMetadata, ClusterState, DataStream, IndexMetadata, StreamComponent } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound, ShoalError, simpleMatch } from '@shoal/core';
import { type SelectedName, splitSelector, withSelector } from './component-selector.ts';
import { resolveDateMathName } from './date-math-name.ts';
import type { IndicesOptions } from './indices-options.ts';

export interface ResolvedIndex {
  readonly index: IndexMetadata;
  /** Aliases through which alone it was reached; empty when it was also named itself or by wildcard. */
  readonly viaAliases: readonly AliasMetadata[];
}

/** Parts of an expression list; more are refused. */
const PARTS_MAX = 10_000;

/** @param expression null or empty: all indices */
export function resolveIndices(
  state: ClusterState,
  expression: string | null,
  options: IndicesOptions,
  nowMs: number,
): readonly ResolvedIndex[] {
  const parts = partsOf(expression, options, nowMs);
  const found = new Found(state);
  for (const part of parts) {
    if (part.isExclusion) found.exclude(part, options);
    else if (isAll(parts)) found.addMatching({ ...part, name: '*' }, options);
    else if (part.name.includes('*')) addWildcard(found, part, options);
    else addNamed(state, found, part, options);
  }
  const resolved = withoutClosed(found.sorted(), options);
  if (resolved.length === 0 && !options.allowNoIndices) throw indexNotFound(expression ?? '_all');
  return resolved;
}

/** The names alone, for those to whom aliases do not matter. */
export function resolveIndexNames(
  state: ClusterState,
  expression: string | null,
  options: IndicesOptions,
  nowMs: number,
): readonly string[] {
  return resolveIndices(state, expression, options, nowMs).map((resolved) => resolved.index.name);
}

/** One part of an expression list. */
export interface ExpressionPart extends SelectedName {
  /** It takes away what those before it found. */
  readonly isExclusion: boolean;
}

/** Parts of an expression with their selectors and without date math; all indices for none. */
export function partsOf(expression: string | null, options: IndicesOptions, nowMs: number): readonly ExpressionPart[] {
  const parts = splitExpression(expression);
  let sawWildcard = false;
  return (parts.length === 0 ? ['*'] : parts).map((part) => {
    const isExclusion: boolean = sawWildcard && part.startsWith('-') && part.length > 1;
    const { name: given, component } = splitSelector(isExclusion ? part.slice(1) : part, options);
    const name = resolveDateMathName(given, nowMs);
    sawWildcard ||= name.includes('*') || name === '_all';
    return { name, component, isExclusion };
  });
}

export function splitExpression(expression: string | null): readonly string[] {
  const parts = (expression ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > PARTS_MAX) {
    throw new ShoalError('illegal_argument_exception', 400, `index expression has more than [${PARTS_MAX}] parts`);
  }
  return parts;
}

/** Wildcards find closed indices when told to; whether they may be among the result is another question. */
function withoutClosed(resolved: readonly ResolvedIndex[], options: IndicesOptions): readonly ResolvedIndex[] {
  if (!options.forbidsClosed) return resolved;
  const closed = resolved.find(({ index }) => index.state === 'close');
  if (closed === undefined) return resolved;
  if (!options.ignoreUnavailable) {
    if (options.expandsToClosed && !options.expandsToOpen) throw closedNotAllowed();
    throw indexClosed(closed.index);
  }
  return resolved.filter(({ index }) => index.state !== 'close');
}

/** 400: closed indices alone are asked for where none may be. */
function closedNotAllowed(): ShoalError {
  return illegalArgument('To expand [CLOSE] wildcard, please set forbid_closed_indices to `false`');
}

function isAll([first, another]: readonly ExpressionPart[]): boolean {
  return another === undefined && (first?.name === '_all' || first?.name === '*');
}

function addWildcard(found: Found, pattern: SelectedName, options: IndicesOptions): void {
  const matches = found.addMatching(pattern, options);
  if (matches === 0 && !options.allowNoIndices && !options.ignoreUnavailable)
    throw indexNotFound(withSelector(pattern));
}

function addNamed(state: ClusterState, found: Found, named: SelectedName, options: IndicesOptions): void {
  const targets = namedTargets(state, named, options);
  if (targets === null) {
    checkNameMayExist(named.name);
    if (!options.ignoreUnavailable) throw indexNotFound(withSelector(named));
    return;
  }
  for (const target of targets) {
    if (target.index.state === 'close' && options.forbidsClosed) {
      if (!options.ignoreUnavailable) throw indexClosed(target.index);
    } else found.add(target.index, target.alias);
  }
}

/** null: nothing has the name, or what has it no such component. A data stream may be there and have no failure index. */
function namedTargets(
  state: ClusterState,
  { name, component }: SelectedName,
  options: IndicesOptions,
): readonly { readonly index: IndexMetadata; readonly alias: AliasMetadata | null }[] | null {
  const index = component === 'data' ? state.metadata.indices.get(name) : undefined;
  if (index !== undefined) return [{ index, alias: null }];
  const stream = options.includesDataStreams ? state.metadata.dataStreams.get(name) : undefined;
  if (stream !== undefined) {
    return indicesOfStream(state, stream, component, options).map((backing) => ({ index: backing, alias: null }));
  }
  const behind = component === 'data' ? indicesOfAlias(state, name) : [];
  return behind.length === 0 ? null : behind;
}

/** The indices that a data stream stands for, oldest first. */
function indicesOfStream(
  state: ClusterState,
  stream: DataStream,
  component: StreamComponent,
  { includesFailures }: IndicesOptions,
): readonly IndexMetadata[] {
  const names = includesFailures ? everyIndexOf(stream) : indicesOfComponent(stream, component);
  return names.flatMap((name) => state.metadata.indices.get(name) ?? []);
}

/** Indices behind an alias, with what the alias says of each; empty when there is no such alias. */
export function indicesOfAlias(
  state: ClusterState,
  name: string,
): readonly { readonly index: IndexMetadata; readonly alias: AliasMetadata }[] {
  const out: { readonly index: IndexMetadata; readonly alias: AliasMetadata }[] = [];
  for (const index of state.metadata.indices.values()) {
    const alias = index.aliases.get(name);
    if (alias !== undefined) out.push({ index, alias });
  }
  return out;
}

/** A name that no index can have is the user's slip, and says more than "not found". */
export function checkNameMayExist(name: string): void {
  if (!name.startsWith('_')) return;
  throw new ShoalError('invalid_index_name_exception', 400, `Invalid index name [${name}], must not start with '_'.`, {
    metadata: { index: name, index_uuid: '_na_' },
  });
}

function indexClosed(index: IndexMetadata): ShoalError {
  return new ShoalError('index_closed_exception', 400, 'closed', {
    metadata: { index_uuid: index.uuid, index: index.name },
  });
}

class Found {
  readonly #state: ClusterState;
  /** By index name; null: reached without an alias. */
  readonly #indices = new Map<string, AliasMetadata[] | null>();

  constructor(state: ClusterState) {
    this.#state = state;
  }

  add(index: IndexMetadata, alias: AliasMetadata | null): void {
    const known = this.#indices.get(index.name);
    if (alias === null || known === null) this.#indices.set(index.name, null);
    else if (known === undefined) this.#indices.set(index.name, [alias]);
    else if (!known.includes(alias)) known.push(alias);
  }

  /** @returns how many names matched */
  addMatching({ name: pattern, component }: SelectedName, options: IndicesOptions): number {
    const ofStreams = options.includesDataStreams ? this.#addMatchingStreams(pattern, component, options) : 0;
    // Indices and aliases have no failures.
    return ofStreams + (component === 'data' ? this.#addMatchingIndices(pattern, options) : 0);
  }

  #addMatchingIndices(pattern: string, options: IndicesOptions): number {
    let matches = 0;
    const isAny = pattern === '*';
    for (const index of this.#state.metadata.indices.values()) {
      if (!(index.state === 'close' ? options.expandsToClosed : options.expandsToOpen)) continue;
      if ((isAny || simpleMatch(pattern, index.name)) && isVisible(index, pattern, options)) {
        this.add(index, null);
        matches++;
      }
      // All indices are found without their aliases.
      if (isAny) continue;
      for (const alias of index.aliases.values()) {
        if (simpleMatch(pattern, alias.name) && isAliasVisible(alias, pattern, options)) {
          this.add(index, alias);
          matches++;
        }
      }
    }
    return matches;
  }

  #addMatchingStreams(pattern: string, component: StreamComponent, options: IndicesOptions): number {
    let matches = 0;
    for (const stream of this.#state.metadata.dataStreams.values()) {
      if (!simpleMatch(pattern, stream.name) || !isStreamVisible(stream, options)) continue;
      for (const index of indicesOfStream(this.#state, stream, component, options)) {
        if (!(index.state === 'close' ? options.expandsToClosed : options.expandsToOpen)) continue;
        this.add(index, null);
        matches++;
      }
    }
    return matches;
  }

  /** A wildcard takes away the indices of aliases that match, too; a name only the index that has it. */
  exclude({ name: pattern, component }: SelectedName, options: IndicesOptions): void {
    for (const stream of this.#state.metadata.dataStreams.values()) {
      if (!simpleMatch(pattern, stream.name)) continue;
      for (const { name } of indicesOfStream(this.#state, stream, component, options)) this.#indices.delete(name);
    }
    if (component === 'failures') return;
    if (!pattern.includes('*')) {
      this.#indices.delete(pattern);
      return;
    }
    for (const [name] of this.#indices) {
      const aliases = this.#state.metadata.indices.get(name)?.aliases;
      const isAliasExcluded = [...(aliases?.keys() ?? [])].some((alias) => simpleMatch(pattern, alias));
      if (simpleMatch(pattern, name) || isAliasExcluded) this.#indices.delete(name);
    }
  }

  sorted(): readonly ResolvedIndex[] {
    const names = [...this.#indices.keys()].sort();
    return names.flatMap((name) => {
      const index = this.#state.metadata.indices.get(name);
      return index === undefined ? [] : [{ index, viaAliases: this.#indices.get(name) ?? [] }];
    });
  }
}

/** Whether a wildcard that matches its name finds the index. */
export function isVisible(index: IndexMetadata, pattern: string, options: IndicesOptions): boolean {
  const isHidden = index.settings['index.hidden'] === 'true';
  return !isHidden || options.expandsToHidden || isDotPattern(pattern, index.name);
}

/** Whether a wildcard that matches its name finds the alias. */
export function isAliasVisible(alias: AliasMetadata, pattern: string, options: IndicesOptions): boolean {
  return alias.isHidden !== true || options.expandsToHidden || isDotPattern(pattern, alias.name);
}

/** Whether a wildcard that matches its name finds the data stream. */
export function isStreamVisible(stream: DataStream, options: IndicesOptions): boolean {
  return !stream.isHidden || options.expandsToHidden;
}

/** Hidden names that begin with a dot are found by wildcards that do, too. */
function isDotPattern(pattern: string, name: string): boolean {
  return pattern.startsWith('.') && name.startsWith('.');
}
