/**
 * Requests on single documents, and their answers, as the API names their parts.
 */
import type { ShardCounts } from './hits.ts';
import type { RequestOptions } from './http-channel.ts';
import type { IndexSchema } from './index-schema.ts';
import type { QueryScript } from './query-options.ts';
import type { SourceFilter } from './search-parts.ts';

export interface WriteOptions extends RequestOptions {
  /** `true` makes the write visible to searches before it is answered, `wait_for` answers once it is. */
  readonly refresh?: boolean | 'wait_for';
  readonly routing?: string;
  readonly timeout?: string;
  readonly if_seq_no?: number;
  readonly if_primary_term?: number;
}

export interface IndexOptions extends WriteOptions {
  /** Left out: the cluster makes one. */
  readonly id?: string;
  /** `create` refuses an id that is there. */
  readonly op_type?: 'index' | 'create';
  readonly pipeline?: string;
}

export interface GetOptions extends RequestOptions {
  readonly routing?: string;
  readonly realtime?: boolean;
  readonly refresh?: boolean;
}

export interface WriteAnswer {
  readonly _index: string;
  readonly _id: string;
  readonly _version: number;
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _shards: ShardCounts;
}

export type GetAnswer<Document> =
  | { readonly found: false; readonly _index: string; readonly _id: string }
  | {
      readonly found: true;
      readonly _index: string;
      readonly _id: string;
      readonly _version: number;
      readonly _seq_no: number;
      readonly _primary_term: number;
      readonly _source: Document;
    };

/** Some fields of a document, in objects in it too; what a partial update may send. */
export type Partly<Document> = {
  readonly [Name in keyof Document]?: Document[Name];
};

export interface UpdateBody<Schema extends IndexSchema> {
  readonly doc?: Partly<Schema['document']>;
  readonly script?: QueryScript;
  readonly upsert?: Schema['document'];
  readonly doc_as_upsert?: boolean;
  readonly detect_noop?: boolean;
  readonly scripted_upsert?: boolean;
  readonly _source?: SourceFilter<Schema>;
}

export interface UpdateOptions extends WriteOptions {
  readonly retry_on_conflict?: number;
}

interface Target {
  readonly _id?: string;
  readonly routing?: string;
  readonly if_seq_no?: number;
  readonly if_primary_term?: number;
}

/** One operation of a bulk request, its document beside it. */
export type BulkOperation<Schema extends IndexSchema> =
  | { readonly index: Target & { readonly pipeline?: string }; readonly document: Schema['document'] }
  | { readonly create: Target & { readonly pipeline?: string }; readonly document: Schema['document'] }
  | {
      readonly update: Target & { readonly _id: string; readonly retry_on_conflict?: number };
      readonly body: UpdateBody<Schema>;
    }
  | { readonly delete: Target & { readonly _id: string } };

export interface BulkOptions extends RequestOptions {
  readonly refresh?: boolean | 'wait_for';
  readonly routing?: string;
  readonly pipeline?: string;
  readonly timeout?: string;
}

interface BulkResult {
  readonly _index: string;
  readonly _id: string | null;
  readonly status: number;
  readonly result?: WriteAnswer['result'];
  readonly _version?: number;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
  readonly error?: { readonly type: string; readonly reason: string | null };
}

export interface BulkAnswer {
  readonly took: number;
  /** True when an operation failed: its item says why. */
  readonly errors: boolean;
  readonly items: readonly Readonly<Partial<Record<'index' | 'create' | 'update' | 'delete', BulkResult>>>[];
}

/** Lines of a bulk request. */
export function bulkLines<Schema extends IndexSchema>(operations: readonly BulkOperation<Schema>[]): readonly object[] {
  return operations.flatMap((operation): readonly object[] => {
    if ('delete' in operation) return [operation];
    if ('update' in operation) return [{ update: operation.update }, operation.body];
    const { document, ...action } = operation;
    return [action, document];
  });
}
