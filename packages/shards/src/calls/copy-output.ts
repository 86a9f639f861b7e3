/**
 * What a copy asks of the main thread of its node, which has the sockets and the way to the cluster manager.
 */
import type { WireError } from '@shoal/core';
import type { ManagerRequest } from '@shoal/replication';
import type { PackedBody } from './packed-body.ts';

/** `files`: pieces of files, which wait behind the operations of everybody else. */
export type CopyTraffic = 'operations' | 'files';

export type CopyOutput =
  | {
      readonly kind: 'send';
      readonly requestId: number;
      /** Allocation id of the copy that is asked. */
      readonly to: string;
      readonly traffic: CopyTraffic;
      /** Made by `writeCopyCall`. */
      readonly call: PackedBody;
    }
  | { readonly kind: 'askManager'; readonly ask: number; readonly request: ManagerRequest }
  /** The copy does nothing any more; `error`: its engine or disk failed. */
  | { readonly kind: 'closed'; readonly reason: string; readonly error: WireError | null };
