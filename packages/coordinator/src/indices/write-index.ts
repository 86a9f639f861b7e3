/**
 * The one index that a write, or a get by id, means: a concrete index, or an alias that has one.
 */
import { writeIndexOf } from '@shoal/cluster';
import type { AliasMetadata, ClusterState, DataStream, IndexMetadata } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound, ShoalError } from '@shoal/core';
import { requiresRouting } from '@shoal/schema';
import { refuseSelector } from './component-selector.ts';
import { resolveDateMathName } from './date-math-name.ts';
import { indicesOfAlias } from './resolve-indices.ts';

export interface SingleIndex {
  readonly index: IndexMetadata;
  /** Through which it was named; null when by its own name. */
  readonly alias: AliasMetadata | null;
  /** Data stream that was named; null: an index or an alias. */
  readonly stream: DataStream | null;
}

/** null when there is neither an index nor an alias of that name. */
export function findWriteIndex(state: ClusterState, name: string, nowMs: number): SingleIndex | null {
  refuseSelector(name);
  const concrete = resolveDateMathName(name, nowMs);
  const index = state.metadata.indices.get(concrete);
  if (index !== undefined) return { index, alias: null, stream: null };
  const stream = state.metadata.dataStreams.get(concrete) ?? null;
  const writer = stream === null ? undefined : state.metadata.indices.get(writeIndexOf(stream));
  if (writer !== undefined) return { index: writer, alias: null, stream };
  const behind = indicesOfAlias(state, concrete);
  if (behind.length === 0) return null;
  const writable = behind.find((target) => target.alias.isWriteIndex === true);
  if (writable !== undefined) return { ...writable, stream: null };
  const [only] = behind;
  if (behind.length === 1 && only !== undefined && only.alias.isWriteIndex !== false) return { ...only, stream: null };
  throw illegalArgument(
    `no write index is defined for alias [${concrete}]. The write index may be explicitly disabled using` +
      ' is_write_index=false or the alias points to multiple indices without one being designated as a write index',
  );
}

/** The failure index that takes the failed documents of a data stream; null while there is none. */
export function findFailureIndex(state: ClusterState, name: string): SingleIndex | null {
  const stream = state.metadata.dataStreams.get(name) ?? null;
  const index = state.metadata.indices.get(stream?.failureIndices.at(-1) ?? '');
  return index === undefined ? null : { index, alias: null, stream };
}

/** Where a document is read by id: aliases with several indices are ambiguous. */
export function readIndexOf(state: ClusterState, name: string, nowMs: number): SingleIndex {
  refuseSelector(name);
  const concrete = resolveDateMathName(name, nowMs);
  const index = state.metadata.indices.get(concrete);
  if (index !== undefined) return { index, alias: null, stream: null };
  const behind = indicesOfAlias(state, concrete);
  const [only] = behind;
  if (only === undefined) throw indexNotFound(concrete, 'index_expression');
  if (behind.length > 1) {
    const names = behind.map((target) => target.index.name).sort();
    throw illegalArgument(
      `alias [${concrete}] has more than one index associated with it [${names.join(', ')}], can't execute a single index op`,
    );
  }
  return { ...only, stream: null };
}

/** The routing that applies: the request's, an empty one counting as none, or the alias's. Two that disagree are an error. */
export function effectiveRouting(single: SingleIndex, given: string | null, name: string): string | null {
  const ofAlias = single.alias?.indexRouting ?? null;
  const routing = given === '' ? null : given;
  if (ofAlias !== null && routing !== null && routing !== ofAlias) {
    throw illegalArgument(
      `Alias [${name}] has index routing associated with it [${ofAlias}], and was provided with routing value [${routing}], rejecting operation`,
    );
  }
  return routing ?? ofAlias;
}

/** @throws routing_missing_exception (400) when documents of the index are reached by a routing only, and none is given */
export function checkRoutingGiven(index: IndexMetadata, id: string, routing: string | null): void {
  if (routing === null && requiresRouting(index.mapping)) throw routingMissing(index.name, id);
}

function routingMissing(index: string, id: string): ShoalError {
  return new ShoalError('routing_missing_exception', 400, `routing is required for [${index}]/[${id}]`, {
    metadata: { index, index_uuid: '_na_' },
  });
}
