/**
 * Operations that write to one shard, as the coordinator makes them and the engine applies them.
 */

import type { AssignedTemplates } from '@shoal/schema';
import type { RequestToken } from './request-token.ts';

/** Conditions of a write, as the API names them; null where not given. */
export interface WriteConditions {
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly version: number | null;
  readonly versionType: 'internal' | 'external' | 'external_gte';
}

export type WriteOperation =
  | {
      readonly kind: 'index';
      readonly opType: 'index' | 'create';
      readonly id: string;
      readonly routing: string | null;
      /** The id was made by the coordinator, so that no document can have it yet: no version look-up. */
      readonly isAutoId: boolean;
      readonly source: Uint8Array;
      readonly conditions: WriteConditions;
      /** Dynamic templates by the paths of the fields that they are for; left out where the write names none. */
      readonly templates?: AssignedTemplates;
    }
  | {
      readonly kind: 'delete';
      readonly id: string;
      readonly routing: string | null;
      readonly conditions: WriteConditions;
    }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly routing: string | null;
      /** The update body: `{doc, upsert, doc_as_upsert, detect_noop, script…}`. */
      readonly body: Uint8Array;
      readonly conditions: WriteConditions;
    };

/** Operations in order, each made when it is asked for: a list, or `PackedOperations`. */
export interface OperationList {
  readonly length: number;
  /** Request that they belong to; absent or null where nobody asks twice. */
  readonly token?: RequestToken | null;
  at(position: number): WriteOperation | undefined;
}
