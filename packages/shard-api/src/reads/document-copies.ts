/**
 * Documents of a shard on their way to a shard of an index that is made of it: page by page, from one point in time.
 */
import type { RoutedShards } from '@shoal/core';

export interface CopyDocumentsRequest {
  /** Context that the page before left; null for the first page, which sees everything written so far. */
  readonly contextId: number | null;
  /** Ordinal of the first document to look at, over all segments of the context. */
  readonly fromDoc: number;
  /** Only documents that the new index routes to this shard are copied. */
  readonly to: RoutedShards & { readonly shard: number };
}

export interface CopiedDocuments {
  /** Operations that write the documents with their versions, in the form of `PackedOperations`. */
  readonly operations: Uint8Array;
  /** Documents that `operations` holds. */
  readonly count: number;
  /** Where the next page begins; null after the last one, which ends the context. */
  readonly next: { readonly contextId: number; readonly fromDoc: number } | null;
}
