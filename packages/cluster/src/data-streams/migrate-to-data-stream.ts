/**
 * Makes a data stream of an alias: its indices become the backing indices, the one that is written to the last of them. Documents and
 * names of indices stay; the name of the alias is that of the stream from then on.
 */
import {
  type AliasMetadata,
  type ClusterState,
  DATA_STREAMS_MAX,
  type IndexMetadata,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';
import { withIndices } from '../metadata/index-update.ts';
import { checkTimestampField } from '../templates/backing-layers.ts';
import { asBackingIndex } from './backing-index.ts';
import { checkDataStreamName, streamOfTemplate, withDataStream } from './data-streams.ts';

/** @throws illegal_argument_exception for what is no alias, or one that says more than which indices it stands for */
export function migrateToDataStream(state: ClusterState, name: string): ClusterState {
  checkDataStreamName(name);
  const { dataStreams, indices } = state.metadata;
  if (dataStreams.size >= DATA_STREAMS_MAX) {
    throw illegalArgument(`too many data streams: there may be [${DATA_STREAMS_MAX}]`);
  }
  const behind = [...indices.values()].filter((index) => index.aliases.has(name));
  if (behind.length === 0) throw illegalArgument(`alias [${name}] does not exist`);
  const writer = behind.find((index) => index.aliases.get(name)?.isWriteIndex === true) ?? onlyWriter(behind, name);
  if (writer === null) throw illegalArgument(`alias [${name}] must specify a write index`);
  for (const index of behind) checkMayMove(index, name);
  const moved = behind.map((index) => withoutAlias(asBackingIndex(index), name));
  const oldest = behind.filter((index) => index !== writer).sort(byAge);
  const names = [...oldest, writer].map((index) => index.name);
  return withDataStream(withIndices(state, moved), streamOfTemplate(state, name, names));
}

function onlyWriter([only, other]: readonly IndexMetadata[], alias: string): IndexMetadata | null {
  if (only === undefined || other !== undefined || only.aliases.get(alias)?.isWriteIndex === false) return null;
  return only;
}

function byAge(a: IndexMetadata, b: IndexMetadata): number {
  return a.creationDateMs - b.creationDateMs || (a.name < b.name ? -1 : 1);
}

function checkMayMove(index: IndexMetadata, alias: string): void {
  const found = index.aliases.get(alias);
  if (found !== undefined && saysMore(found)) {
    throw illegalArgument(`alias [${alias}] may not have custom filtering or routing applied`);
  }
  const others = [...index.aliases.keys()].filter((other) => other !== alias);
  if (others.length > 0) {
    throw illegalArgument(
      `other aliases referencing indices [${index.name}] must be removed before migrating to a data stream: [${others.join(', ')}]`,
    );
  }
  checkTimestampField(index.mapping);
}

function saysMore({ filter, indexRouting, searchRouting }: AliasMetadata): boolean {
  return filter !== null || indexRouting !== null || searchRouting !== null;
}

function withoutAlias(index: IndexMetadata, alias: string): IndexMetadata {
  return { ...index, aliases: withEntries(index.aliases, [[alias, null]]), aliasesVersion: index.aliasesVersion + 1 };
}
