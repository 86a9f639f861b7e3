/**
 * Rolls an alias or a data stream over to a new index, which takes the writes from then on: the index and the change of the name
 * are one step, so that no write finds the name without an index.
 */

import {
  type AliasMetadata,
  type ClusterState,
  type DataStream,
  type IndexMetadata,
  type StreamComponent,
  sortedMap,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, matchesAny } from '@shoal/core';
import { createBackingIndex, createFailureIndex, createIndex } from '../metadata/create-index.ts';
import { requireIndex, withIndices } from '../metadata/index-update.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import {
  indicesOfComponent,
  streamIndexName,
  withIndicesOfComponent,
  writeIndexOf,
} from '../reading/data-stream-indices.ts';
import { layersFor } from '../templates/template-layers.ts';
import { dataStreamTemplate, withDataStream } from './data-streams.ts';

type Json = Readonly<Record<string, unknown>>;

export interface RolloverBody {
  /** Alias or data stream. */
  readonly target: string;
  /** The list of indices that is rolled over, of a data stream. */
  readonly component: StreamComponent;
  /** Write index when the conditions were looked at; null: the data stream has no failure index. */
  readonly source: string | null;
  /** Name of the new index. */
  readonly newIndex: string;
  /** Expression with date math that the name came from; the name itself without. */
  readonly providedName: string;
  readonly settings: Json;
  readonly mappings: Json;
  readonly aliases: Json;
  readonly waitForActiveShards: number | 'all' | null;
}

export interface RolloverNames {
  /** Alias or data stream. */
  readonly target: string;
  /** The list of indices that is rolled over, of a data stream. */
  readonly component: StreamComponent;
  /** Name that the request gives the new index, also with date math; null: the next number. */
  readonly newIndex: string | null;
  readonly nowMs: number;
  /** The name that an expression with date math stands for. */
  readonly resolveName: (name: string) => string;
}

/** What a name rolls over from and to. */
export interface RolloverPlan {
  /** null: the data stream has no failure index. */
  readonly source: IndexMetadata | null;
  readonly newIndex: string;
  /** Expression that the name came from; the name itself without date math. */
  readonly providedName: string;
}

/** Shown for the index that was written to, where there was none. */
export const NO_SOURCE = '_none_';
const NUMBERED = /^(.*-)(\d+)$/;
const NUMBER_DIGITS = 6;

/**
 * @throws illegal_argument_exception when the target cannot be rolled over
 */
export function planRollover(
  state: ClusterState,
  { target, component, newIndex, nowMs, resolveName }: RolloverNames,
): RolloverPlan {
  const stream = state.metadata.dataStreams.get(target) ?? null;
  if (stream !== null) {
    if (newIndex !== null) {
      throw illegalArgument('new index name may not be specified when rolling over a data stream');
    }
    const name = streamIndexName(target, stream.generation + 1, nowMs, component);
    const writer = writerOf(stream, component);
    return { source: writer === null ? null : requireIndex(state, writer), newIndex: name, providedName: name };
  }
  refuseFailuresOfAlias(component);
  const source = writeIndexOfAlias(state, target);
  const providedName = newIndex ?? nextName(source);
  return { source, newIndex: resolveName(providedName), providedName };
}

export function rollover(state: ClusterState, body: RolloverBody, context: MetadataContext): ClusterState {
  const { target, source, component } = body;
  const stream = state.metadata.dataStreams.get(target) ?? null;
  if (stream === null) refuseFailuresOfAlias(component);
  const writer = stream === null ? writeIndexOfAlias(state, target).name : writerOf(stream, component);
  // Somebody else was faster: the conditions held for another index.
  if (writer !== source) {
    throw illegalArgument(
      `rollover target [${target}] moved from [${source ?? NO_SOURCE}] to [${writer ?? NO_SOURCE}]`,
    );
  }
  return stream === null ? rolledAlias(state, body, context) : rolledStream(state, stream, body, context);
}

/** Has the next write roll the stream over: a stream that nobody writes to gets no empty index. */
export function rolloverOnWrite(state: ClusterState, name: string, component: StreamComponent): ClusterState {
  const stream = state.metadata.dataStreams.get(name);
  if (stream === undefined) throw illegalArgument(`rollover target [${name}] does not exist`);
  if (component === 'failures') return withDataStream(state, { ...stream, failuresRollOverOnWrite: true });
  return stream.rollsOverOnWrite ? state : withDataStream(state, { ...stream, rollsOverOnWrite: true });
}

/** Whether the next write to one of the lists of a stream rolls it over first. The first failure index is made that way. */
export function rollsOverBeforeWrite(stream: DataStream, component: StreamComponent): boolean {
  if (component === 'data') return stream.rollsOverOnWrite;
  return stream.failuresRollOverOnWrite || stream.failureIndices.length === 0;
}

function writerOf(stream: DataStream, component: StreamComponent): string | null {
  return component === 'data' ? writeIndexOf(stream) : (indicesOfComponent(stream, component).at(-1) ?? null);
}

function refuseFailuresOfAlias(component: StreamComponent): void {
  if (component === 'data') return;
  throw illegalArgument('Rolling over failure indices is only possible on a data stream.');
}

function rolledStream(
  state: ClusterState,
  stream: DataStream,
  { component, newIndex, settings, mappings, aliases, waitForActiveShards }: RolloverBody,
  context: MetadataContext,
): ClusterState {
  if ([settings, mappings, aliases].some((part) => Object.keys(part).length > 0)) {
    throw illegalArgument('aliases, mappings, and index settings may not be specified when rolling over a data stream');
  }
  const body = { index: newIndex, settings, mappings, aliases, waitForActiveShards };
  const template = dataStreamTemplate(state, stream.name);
  const created =
    component === 'failures'
      ? createFailureIndex(state, body, template, context)
      : createBackingIndex(state, body, { stream: stream.name, template }, context);
  const writer = writerOf(stream, component);
  const before = writer === null ? [] : [{ ...requireIndex(created, writer), rolledOverMs: context.nowMs }];
  const isDone = component === 'failures' ? { failuresRollOverOnWrite: false } : { rollsOverOnWrite: false };
  const next = { ...stream, ...isDone, generation: stream.generation + 1 };
  const withNewest = [...indicesOfComponent(stream, component), newIndex];
  return withDataStream(withIndices(created, before), withIndicesOfComponent(next, component, withNewest));
}

function rolledAlias(state: ClusterState, body: RolloverBody, context: MetadataContext): ClusterState {
  const { target, newIndex } = body;
  const source = writeIndexOfAlias(state, target);
  refuseDuplicate(state, target, newIndex);
  const created = createIndex(state, { ...body, index: newIndex }, context);
  const index = requireIndex(created, newIndex);
  const ofSource = source.aliases.get(target) ?? null;
  const isExplicit = ofSource?.isWriteIndex === true;
  const alias: AliasMetadata = index.aliases.get(target) ?? {
    ...plainAlias(target),
    isHidden: ofSource?.isHidden ?? null,
  };
  const next: IndexMetadata = {
    ...index,
    aliases: sortedMap([...index.aliases, [target, { ...alias, isWriteIndex: isExplicit ? true : null }]]),
    aliasesVersion: index.aliasesVersion + 1,
  };
  const before: IndexMetadata = {
    ...requireIndex(created, source.name),
    aliases: withEntries(source.aliases, [
      [target, isExplicit && ofSource !== null ? { ...ofSource, isWriteIndex: false } : null],
    ]),
    aliasesVersion: source.aliasesVersion + 1,
    rolledOverMs: context.nowMs,
  };
  return withIndices(created, [next, before]);
}

function plainAlias(name: string): AliasMetadata {
  return { name, filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null };
}

function writeIndexOfAlias(state: ClusterState, target: string): IndexMetadata {
  const behind = [...state.metadata.indices.values()].filter((index) => index.aliases.has(target));
  if (behind.length === 0) {
    const what = state.metadata.indices.has(target) ? 'concrete index' : null;
    if (what === null) throw illegalArgument(`rollover target [${target}] does not exist`);
    throw illegalArgument(`rollover target is a [${what}] but one of [alias,data_stream] was expected`);
  }
  const writer = behind.find((index) => index.aliases.get(target)?.isWriteIndex === true);
  const [only] = behind;
  if (writer !== undefined) return writer;
  if (behind.length === 1 && only !== undefined && only.aliases.get(target)?.isWriteIndex !== false) return only;
  throw illegalArgument(`rollover target [${target}] does not point to a write index`);
}

/** The name of the source with the next number, its date math kept. */
function nextName(source: IndexMetadata): string {
  const provided = source.settings['index.provided_name'] ?? source.name;
  const isExpression = provided.startsWith('<') && provided.endsWith('>');
  const match = NUMBERED.exec(isExpression ? provided.slice(1, -1) : provided);
  const resolved = NUMBERED.exec(source.name);
  if (match === null || resolved === null) {
    throw illegalArgument(`index name [${provided}] does not match pattern '^.*-\\d+$'`);
  }
  const number = String(Number(match[2]) + 1).padStart(NUMBER_DIGITS, '0');
  return isExpression ? `<${match[1]}${number}>` : `${match[1]}${number}`;
}

/** A template that gives the new index the alias would leave the name with two indices. */
function refuseDuplicate(state: ClusterState, alias: string, newIndex: string): void {
  const { templates } = state.metadata;
  const { template, aliases } = layersFor(templates, newIndex, null);
  if (!aliases.has(alias)) return;
  const legacy = [...templates.legacy.values()].find(
    ({ indexPatterns, content }) => matchesAny(indexPatterns, newIndex) && content.aliases?.has(alias) === true,
  );
  throw illegalArgument(
    `Rollover alias [${alias}] can point to multiple indices, found duplicated alias [[${[...aliases.keys()].join(', ')}]] in index template [${template?.name ?? legacy?.name}]`,
  );
}
