/**
 * Finds the shard of each item of a bulk, and what keeps an item from having one.
 *
 * Names repeat from item to item, so each is resolved once, by one cluster state.
 */
import { findBlock, shardIdForRouting } from '@shoal/cluster';
import { illegalArgument, indexNotFound, isShoalError, ShoalError } from '@shoal/core';
import type { ShardId, WriteOperation } from '@shoal/query';
import type { CoordinatorContext } from '../coordinator-context.ts';
import { effectiveRouting, findWriteIndex, type SingleIndex } from '../indices/write-index.ts';
import type { BulkItem } from './parse-bulk.ts';
import { askingForSource } from './source-choice.ts';

export type PlannedItem =
  | { readonly kind: 'planned'; readonly shard: ShardId; readonly operation: WriteOperation }
  | { readonly kind: 'failed'; readonly index: string; readonly error: ShoalError };

export class BulkPlanner {
  readonly #context: CoordinatorContext;
  readonly #notCreated: ReadonlyMap<string, ShoalError>;
  readonly #byName = new Map<string, SingleIndex | ShoalError>();
  readonly #nowMs: number;

  constructor(context: CoordinatorContext, notCreated: ReadonlyMap<string, ShoalError>) {
    this.#context = context;
    this.#notCreated = notCreated;
    this.#nowMs = context.runtime.clock.wallMs();
  }

  plan(item: BulkItem): PlannedItem {
    const target = this.#target(item.index);
    if (item.requireAlias && (isShoalError(target) || target.alias === null)) {
      return { kind: 'failed', index: item.index, error: aliasRequired(item.index) };
    }
    if (isShoalError(target)) return { kind: 'failed', index: item.index, error: target };
    const { index } = target;
    const tooLarge = this.#tooLarge(item);
    if (tooLarge !== null) return { kind: 'failed', index: index.name, error: tooLarge };
    if (item.id === '') {
      const error = illegalArgument('if _id is specified it must not be empty');
      return { kind: 'failed', index: index.name, error };
    }
    try {
      const routing = effectiveRouting(target, item.routing, item.index);
      const operation = this.#operation(item, routing);
      const number = shardIdForRouting(index, operation.id, routing);
      return { kind: 'planned', shard: { index: index.name, indexUuid: index.uuid, number }, operation };
    } catch (error) {
      if (!isShoalError(error)) throw error;
      return { kind: 'failed', index: index.name, error };
    }
  }

  #target(name: string): SingleIndex | ShoalError {
    const known = this.#byName.get(name) ?? this.#resolve(name);
    this.#byName.set(name, known);
    return known;
  }

  #resolve(name: string): SingleIndex | ShoalError {
    const state = this.#context.cluster.state();
    try {
      const found = findWriteIndex(state, name, this.#nowMs);
      if (found === null) return this.#notCreated.get(name) ?? indexNotFound(name, 'index_expression');
      if (found.index.state === 'close') {
        return new ShoalError('index_closed_exception', 400, 'closed', {
          metadata: { index_uuid: found.index.uuid, index: found.index.name },
        });
      }
      return findBlock(state, 'write', [found.index.name]) ?? found;
    } catch (error) {
      if (isShoalError(error)) return error;
      throw error;
    }
  }

  #tooLarge(item: BulkItem): ShoalError | null {
    const bytes = item.source?.length ?? 0;
    const limit = this.#context.settings.documentBytesMax;
    if (bytes <= limit) return null;
    return new ShoalError(
      'content_too_long_exception',
      413,
      `document of [${bytes}] bytes is larger than the limit of [${limit}] bytes`,
    );
  }

  #operation(item: BulkItem, routing: string | null): WriteOperation {
    const { conditions } = item;
    const source = item.source ?? new Uint8Array(0);
    const id = item.id ?? this.#context.ids.next(this.#nowMs);
    if (item.action === 'delete') return { kind: 'delete', id, routing, conditions };
    if (item.action === 'update') {
      const body = item.sourceFilter?.enabled === true ? askingForSource(source) : source;
      return { kind: 'update', id, routing, body, conditions };
    }
    return {
      kind: 'index',
      opType: item.action,
      id,
      routing,
      isAutoId: item.id === null,
      source,
      conditions,
    };
  }
}

function aliasRequired(name: string): ShoalError {
  const reason = `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`;
  return new ShoalError('index_not_found_exception', 404, reason, {
    metadata: { index: name, 'resource.id': name, 'resource.type': 'index_or_alias', index_uuid: '_na_' },
  });
}
