/**
 * Finds the shard of each item of a bulk, and what keeps an item from having one.
 *
 * Names repeat from item to item, so each is resolved once, by one cluster state.
 */
import { findBlock, shardIdForHash, shardIdForRouting } from '@shoal/cluster';
import { illegalArgument, indexNotFound, isShoalError, murmur3Ascii, ShoalError } from '@shoal/core';
import { requiresRouting } from '@shoal/schema';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { checkRoutingGiven, effectiveRouting, findWriteIndex, type SingleIndex } from '../indices/write-index.ts';
import type { BulkItems } from './bulk-items.ts';
import { ShardGroup } from './shard-group.ts';

/** An index as items name it. */
interface PlannedTarget {
  readonly single: SingleIndex;
  readonly requiresRouting: boolean;
  /** By number of the shard. */
  readonly groups: (ShardGroup | undefined)[];
}

/** Why an item has no shard. */
export interface UnplannedItem {
  readonly index: string;
  readonly error: ShoalError;
}

export class BulkPlanner {
  readonly #context: CoordinatorContext;
  readonly #items: BulkItems;
  readonly #notCreated: ReadonlyMap<string, ShoalError>;
  /** By number of the target. */
  readonly #targets: (PlannedTarget | ShoalError | undefined)[] = [];
  /** By shard: two names may mean one index. */
  readonly #groups = new Map<string, ShardGroup>();
  readonly #nowMs: number;

  constructor(context: CoordinatorContext, items: BulkItems, notCreated: ReadonlyMap<string, ShoalError>) {
    this.#context = context;
    this.#items = items;
    this.#notCreated = notCreated;
    this.#nowMs = context.runtime.clock.wallMs();
  }

  groups(): readonly ShardGroup[] {
    return [...this.#groups.values()];
  }

  /** Puts the item into the group of its shard; says why when it has none. */
  plan(at: number): UnplannedItem | null {
    const items = this.#items;
    const target = this.#target(items.target(at));
    const extras = items.isPlain ? null : items.extras(at);
    if (extras?.requireAlias === true && (isShoalError(target) || target.single.alias === null)) {
      return { index: items.indexName(at), error: aliasRequired(items.indexName(at)) };
    }
    if (isShoalError(target)) return { index: items.indexName(at), error: target };
    const { index } = target.single;
    const tooLarge = this.#tooLarge(items.sourceBytes(at));
    if (tooLarge !== null) return { index: index.name, error: tooLarge };
    if (items.idBytes(at) === 0) {
      if (items.hasOwnId(at)) {
        return { index: index.name, error: illegalArgument('if _id is specified it must not be empty') };
      }
      items.makeId(at, this.#context.ids, this.#nowMs);
    }
    try {
      const routing = effectiveRouting(target.single, extras?.routing ?? null, items.indexName(at));
      if (target.requiresRouting) checkRoutingGiven(index, items.id(at) ?? '', routing);
      this.#groupOf(target, this.#shardNumber(target, at, routing)).add(at, routing);
      return null;
    } catch (error) {
      if (!isShoalError(error)) throw error;
      return { index: index.name, error };
    }
  }

  /** All routings lead to an only shard: its id needs no hash. */
  #shardNumber({ single }: PlannedTarget, at: number, routing: string | null): number {
    if (single.index.numberOfShards === 1) return 0;
    if (routing === null && this.#items.hasPlainId(at)) {
      const { bytes, start, end } = this.#items.idRange(at);
      return shardIdForHash(single.index, murmur3Ascii(bytes, start, end));
    }
    return shardIdForRouting(single.index, this.#items.id(at) ?? '', routing);
  }

  #groupOf(target: PlannedTarget, number: number): ShardGroup {
    const known = target.groups[number];
    if (known !== undefined) return known;
    const { name, uuid } = target.single.index;
    const key = `${number}/${uuid}`;
    const shard = { index: name, indexUuid: uuid, number };
    const group = this.#groups.get(key) ?? new ShardGroup(shard, this.#items);
    this.#groups.set(key, group);
    target.groups[number] = group;
    return group;
  }

  #target(number: number): PlannedTarget | ShoalError {
    const known = this.#targets[number];
    if (known !== undefined) return known;
    const target = this.#resolve(this.#items.targets[number]?.name ?? '');
    this.#targets[number] = target;
    return target;
  }

  #resolve(name: string): PlannedTarget | ShoalError {
    const state = this.#context.cluster.state();
    try {
      const found = findWriteIndex(state, name, this.#nowMs);
      if (found === null) return this.#notCreated.get(name) ?? indexNotFound(name, 'index_expression');
      if (found.index.state === 'close') {
        return new ShoalError('index_closed_exception', 400, 'closed', {
          metadata: { index_uuid: found.index.uuid, index: found.index.name },
        });
      }
      return (
        findBlock(state, 'write', [found.index.name]) ?? {
          single: found,
          requiresRouting: requiresRouting(found.index.mapping),
          groups: [],
        }
      );
    } catch (error) {
      if (isShoalError(error)) return error;
      throw error;
    }
  }

  #tooLarge(bytes: number): ShoalError | null {
    const limit = this.#context.settings.documentBytesMax;
    if (bytes <= limit) return null;
    return new ShoalError(
      'content_too_long_exception',
      413,
      `document of [${bytes}] bytes is larger than the limit of [${limit}] bytes`,
    );
  }
}

function aliasRequired(name: string): ShoalError {
  const reason = `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`;
  return new ShoalError('index_not_found_exception', 404, reason, {
    metadata: { index: name, 'resource.id': name, 'resource.type': 'index_or_alias', index_uuid: '_na_' },
  });
}
