/**
 * The items of a bulk that are for one shard, in order, and their way into requests to it.
 *
 * A request is packed when it is sent, and anew when it is sent again: what was sent belongs to the receiver.
 */
import {
  type ByteRange,
  KIND_CREATE,
  KIND_CREATE_AUTO_ID,
  KIND_DELETE,
  KIND_INDEX,
  KIND_INDEX_AUTO_ID,
  KIND_UPDATE,
  OperationPacker,
  type PackedOperations,
  type RequestToken,
  type ShardId,
  writeExtras,
} from '@shoal/shard-api';
import { askingForSource } from '../documents/source-choice.ts';
import { type BulkItems, CREATE_ACTION, DELETE_ACTION, UPDATE_ACTION } from './bulk-items.ts';

/** Sources of one shard request together. */
const REQUEST_BYTES_MAX = 8 * 1024 * 1024;
/** More would keep the main thread, which packs the request, and the shard's worker from everything else for too long. */
const REQUEST_ITEMS_MAX = 4_096;
const CAPACITY_MIN = 8;
const NO_BYTES: Uint8Array = new Uint8Array(0);

/** Body of an update with the stored scripts that it names written out; null where it names none. */
export type UpdateScripts = (body: Uint8Array) => Uint8Array | null;

export class ShardGroup {
  readonly shard: ShardId;
  readonly #items: BulkItems;
  readonly #withScripts: UpdateScripts | null;
  readonly #routings = new Map<number, string>();
  #positions: Uint32Array = new Uint32Array(CAPACITY_MIN);
  #length = 0;

  /** @param withScripts writes stored scripts out in the body of an update; null: none is stored */
  constructor(shard: ShardId, items: BulkItems, withScripts: UpdateScripts | null = null) {
    this.shard = shard;
    this.#items = items;
    this.#withScripts = withScripts;
  }

  /** @param routing that holds for the item, its own or that of the alias it names */
  add(at: number, routing: string | null): void {
    if (this.#length === this.#positions.length) {
      const next = new Uint32Array(this.#positions.length * 2);
      next.set(this.#positions);
      this.#positions = next;
    }
    this.#positions[this.#length++] = at;
    if (routing !== null) this.#routings.set(at, routing);
  }

  /** Positions of items, in order, so many that a request can hold them. */
  batches(): readonly Uint32Array[] {
    const batches: Uint32Array[] = [];
    let start = 0;
    let bytes = 0;
    for (let i = 0; i < this.#length; i++) {
      const size = this.#items.sourceBytes(this.#positions[i] as number);
      const isFull = bytes + size > REQUEST_BYTES_MAX || i - start >= REQUEST_ITEMS_MAX;
      if (isFull && i > start) {
        batches.push(this.#positions.subarray(start, i));
        start = i;
        bytes = 0;
      }
      bytes += size;
    }
    if (this.#length > start) batches.push(this.#positions.subarray(start, this.#length));
    return batches;
  }

  /**
   * @param token of the batch, the same for every attempt
   * @param isRetry an earlier attempt may have been executed
   */
  pack(batch: Uint32Array, token: RequestToken, isRetry: boolean): PackedOperations {
    const items = this.#items;
    const others = this.#unusual(batch);
    let idBytes = 0;
    let bodyBytes = 0;
    let extraBytes = 0;
    for (let i = 0; i < batch.length; i++) {
      const at = batch[i] as number;
      const other = others?.get(at);
      idBytes += items.idBytes(at);
      bodyBytes += other === undefined ? items.sourceBytes(at) : other.body.end - other.body.start;
      extraBytes += other?.extras.length ?? 0;
    }
    const packer = new OperationPacker({ count: batch.length, idBytes, extraBytes, bodyBytes, token });
    for (let i = 0; i < batch.length; i++) {
      const at = batch[i] as number;
      const other = others?.get(at);
      const body = other?.body ?? items.sourceRange(at);
      packer.put(kindOf(items, at, isRetry), items.idRange(at), body, other?.extras ?? NO_BYTES);
    }
    return packer.finish();
  }

  /** What is not plain about the items of a batch; null when all are. */
  #unusual(batch: Uint32Array): ReadonlyMap<number, Unusual> | null {
    const items = this.#items;
    if (items.isPlain && this.#routings.size === 0 && this.#withScripts === null) return null;
    const unusual = new Map<number, Unusual>();
    for (const at of batch) {
      const { conditions, sourceFilter, templates } = items.extras(at);
      const said = { routing: this.#routings.get(at) ?? null, conditions };
      const extras = writeExtras(templates === undefined ? said : { ...said, templates });
      const isUpdate = items.action(at) === UPDATE_ACTION;
      const written = isUpdate ? (this.#withScripts?.(items.source(at)) ?? null) : null;
      const asks = isUpdate && sourceFilter?.enabled === true;
      if (extras.length === 0 && !asks && written === null) continue;
      const source = asks ? askingForSource(written ?? items.source(at)) : written;
      const body = source === null ? items.sourceRange(at) : { bytes: source, start: 0, end: source.length };
      unusual.set(at, { extras, body });
    }
    return unusual;
  }
}

interface Unusual {
  readonly extras: Uint8Array;
  readonly body: ByteRange;
}

function kindOf(items: BulkItems, at: number, isRetry: boolean): number {
  const action = items.action(at);
  if (action === DELETE_ACTION) return KIND_DELETE;
  if (action === UPDATE_ACTION) return KIND_UPDATE;
  if (items.hasOwnId(at)) return action === CREATE_ACTION ? KIND_CREATE : KIND_INDEX;
  // An id that was made here may be there already when the first attempt got through: the shard has to look.
  if (isRetry) return KIND_INDEX;
  return action === CREATE_ACTION ? KIND_CREATE_AUTO_ID : KIND_INDEX_AUTO_ID;
}
