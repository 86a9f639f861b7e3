/**
 * Messages between the copies of a shard: each request with the response that answers it.
 *
 * They are sent to an allocation id, not to a node: a node that holds another copy by now, or none, answers `notHere`.
 */
import type { ShardOperation } from '../sequence/shard-operation.ts';

export type CopyRequest<D> =
  /**
   * → `copied` once all operations are durable here. Operations that are written now, and those that a new primary sends
   * again; no operations: the global checkpoint alone.
   */
  {
    readonly kind: 'replicate';
    /** Term of the primary that sends this; operations may be of older ones. */
    readonly term: number;
    readonly globalCheckpoint: number;
    /** By ascending sequence number. */
    readonly operations: readonly ShardOperation<D>[];
    /** End of a resync: operations above this of a term below `term` are dropped. Null in all other requests. */
    readonly trimAbove: number | null;
  };

export type CopyResponse =
  | {
      readonly kind: 'copied';
      /** Everything up to here is durable on this copy. */
      readonly localCheckpoint: number;
      readonly globalCheckpoint: number;
    }
  | { readonly kind: 'refused'; readonly reason: 'termTooOld' | 'notHere'; readonly term: number };
