/**
 * Finds the shard of each item of a bulk, and what keeps an item from having one.
 *
 * Names repeat from item to item, so each is resolved once, by one cluster state.
 */
import { dataStreamOf, findBlock, shardIdForRouting } from '@shoal/cluster';
import type { DataStream, IndexMetadata, StreamComponent } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound, isShoalError, murmur3Ascii, ShoalError, shardIdForHash } from '@shoal/core';
import { requiresRouting } from '@shoal/schema';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { resolveDateMathName } from '../indices/date-math-name.ts';
import {
  checkRoutingGiven,
  effectiveRouting,
  findFailureIndex,
  findWriteIndex,
  type SingleIndex,
} from '../indices/write-index.ts';
import { type BulkItems, CREATE_ACTION, DELETE_ACTION, UPDATE_ACTION } from './bulk-items.ts';
import { ShardGroup } from './shard-group.ts';
import { storedUpdateScripts } from './stored-update-scripts.ts';

/** An index as items name it. */
interface PlannedTarget {
  readonly single: SingleIndex;
  /** Why the index takes no writes; null: it does. */
  readonly refusal: ShoalError | null;
  readonly requiresRouting: boolean;
  /** By number of the shard. */
  readonly groups: (ShardGroup | undefined)[];
  /** Data stream that a named index belongs to; null: it is no backing index, or its stream was named. */
  readonly backs: DataStream | null;
}

/** Why an item has no shard. */
export interface UnplannedItem {
  readonly index: string;
  readonly error: ShoalError;
}

export interface PlannedNames {
  /** Why names have no index to write to that items would have created, or rolled over to first. */
  readonly notCreated: ReadonlyMap<string, ShoalError>;
  /** Instant that names with date math mean. */
  readonly nowMs: number;
  /** `failures`: the items go to the failure indices of the data streams that they name. */
  readonly component: StreamComponent;
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
  readonly #component: StreamComponent;

  constructor(context: CoordinatorContext, items: BulkItems, { notCreated, nowMs, component }: PlannedNames) {
    this.#context = context;
    this.#items = items;
    this.#notCreated = notCreated;
    this.#nowMs = nowMs;
    this.#component = component;
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
    if (extras?.requireDataStream === true && (isShoalError(target) || target.single.stream === null)) {
      return { index: items.indexName(at), error: dataStreamRequired(items.indexName(at)) };
    }
    if (isShoalError(target)) return { index: items.indexName(at), error: target };
    if (target.refusal !== null) return { index: items.indexName(at), error: target.refusal };
    const { index } = target.single;
    const refused = this.#refusedByStream(at, target);
    if (refused !== null) return { index: items.indexName(at), error: refused };
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

  /** Why an item may not be written to a data stream, or to a backing index past its stream; null: it may. */
  #refusedByStream(at: number, { single, backs }: PlannedTarget): ShoalError | null {
    const action = this.#items.action(at);
    if (single.stream !== null) {
      if (action === CREATE_ACTION) return null;
      return illegalArgument('only write ops with an op_type of create are allowed in data streams');
    }
    if (backs === null || action === DELETE_ACTION || action === UPDATE_ACTION) return null;
    const instead = `targeting backing indices is disallowed, target corresponding data stream [${backs.name}] instead`;
    if (action === CREATE_ACTION) return illegalArgument(`index request with op_type=create ${instead}`);
    if (this.#items.extras(at).conditions.ifSeqNo !== null) return null;
    return illegalArgument(`index request with op_type=index and no if_primary_term and if_seq_no set ${instead}`);
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
    const group = this.#groups.get(key) ?? new ShardGroup(shard, this.#items, storedUpdateScripts(this.#context));
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
    const notCreated = this.#notCreated.get(name);
    if (notCreated !== undefined) return notCreated;
    try {
      const isOfFailures = this.#component === 'failures';
      const found = isOfFailures ? findFailureIndex(state, name) : findWriteIndex(state, name, this.#nowMs);
      if (found === null) return indexNotFound(resolveDateMathName(name, this.#nowMs), 'index_expression');
      const { index, stream } = found;
      return {
        single: found,
        refusal: index.state === 'close' ? closed(index) : findBlock(state, 'write', [index.name]),
        requiresRouting: requiresRouting(index.mapping),
        groups: [],
        backs: stream === null ? dataStreamOf(state, index.name) : null,
      };
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

function closed({ name, uuid }: IndexMetadata): ShoalError {
  return new ShoalError('index_closed_exception', 400, 'closed', { metadata: { index_uuid: uuid, index: name } });
}

function dataStreamRequired(name: string): ShoalError {
  return notOfKind(name, 'require_data_stream', 'a data stream');
}

function aliasRequired(name: string): ShoalError {
  return notOfKind(name, 'require_alias', 'an alias');
}

function notOfKind(name: string, flag: string, what: string): ShoalError {
  const reason = `no such index [${name}] and [${flag}] request flag is [true] and [${name}] is not ${what}`;
  return new ShoalError('index_not_found_exception', 404, reason, {
    metadata: { index: name, 'resource.id': name, 'resource.type': 'index_or_alias', index_uuid: '_na_' },
  });
}
