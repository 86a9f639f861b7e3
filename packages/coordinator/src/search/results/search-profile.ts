/**
 * `profile` of a search: what each shard tells of its part, and how the page was gathered from them.
 */
import { parseJson } from '@shoal/core';
import type { PagingWay } from '../../paging/paging-strategy.ts';

/** How the entries of a page came to the coordinator. */
export interface PagingReport {
  readonly way: PagingWay;
  /** Times that shards were asked one after the other, the fetch of documents not counted. */
  readonly rounds: number;
  /** Entries that shards sent, over all rounds. */
  readonly entriesMoved: number;
}

export interface SearchProfile {
  readonly shards: readonly {
    readonly nodeId: string;
    readonly index: string;
    readonly shard: number;
    /** JSON of an object: how the query and the aggregations ran there. */
    readonly search: Uint8Array;
  }[];
  readonly paging: PagingReport;
}

/** A value for `writeJson`. */
export function renderProfile({ shards, paging }: SearchProfile): Readonly<Record<string, unknown>> {
  return {
    shards: shards.map(({ nodeId, index, shard, search }) => ({
      id: `[${nodeId}][${index}][${shard}]`,
      node_id: nodeId,
      shard_id: shard,
      index,
      // Elasticsearch's name of the cluster that was asked: shards of no other are searched.
      cluster: '(local)',
      ...Object(parseJson(search)),
    })),
    paging: { way: paging.way, rounds: paging.rounds, entries_moved: paging.entriesMoved },
  };
}
