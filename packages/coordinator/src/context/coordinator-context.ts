/**
 * What every action and route of the coordinator works with: the node's runtime, its view of the cluster, and its settings.
 */

import { IdGenerator } from '@shoal/core';
import { PipelineSet } from '@shoal/ingest';
import type { ClusterService } from '@shoal/membership';
import { SearchCodec } from '@shoal/protocol';
import { type Runtime, TimeSlices } from '@shoal/runtime';
import { NameCounts, RequestTokens } from '@shoal/shard-api';
import { AsyncSearches } from '../async-searches/async-searches.ts';
import { ANY_COPY, CopyOrder, type ReadPreference } from '../copies/copy-order.ts';
import { RankMemories } from '../paging/rank-memory.ts';
import { type Task, TaskRegistry } from '../tasks/task-registry.ts';
import { ContextReleases } from './context-releases.ts';
import { EnrichCache } from './enrich-cache.ts';
import { RepeatedSearches } from './repeated-searches.ts';
import { RequestTrees } from './request-trees.ts';

export interface CoordinatorSettings {
  /** `reindex.remote.whitelist`: patterns of `host:port` of clusters that documents may be copied from. */
  readonly remoteReindexHosts: readonly string[];
  /** Largest document: what fits into one transport frame with its head. */
  readonly documentBytesMax: number;
  /** What the entries of one search may take in this node's memory: (from + size) of every shard. */
  readonly searchBytesMax: number;
}

export interface CoordinatorContext {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  readonly settings: CoordinatorSettings;
  /** Ids of documents that come without one. */
  readonly ids: IdGenerator;
  /** Names of requests of writes, by which shards know one that is sent again. */
  readonly requestTokens: RequestTokens;
  /** What pages of points in time found out for the next ones. */
  readonly rankMemories: RankMemories;
  /** Packs the searches of this node for their shards. */
  readonly searches: SearchCodec;
  /** What runs on this node. */
  readonly tasks: TaskRegistry;
  /** Task of the request that is answered with this context; null for a request that is not listed. */
  readonly task: Task | null;
  /** Copies that the request wants to be read. */
  readonly reads: ReadPreference;
  /** Which copy of a shard is asked first. */
  readonly copies: CopyOrder;
  /** For work that would hold the thread for long. */
  readonly turns: TimeSlices;
  /** Ingest pipelines of this node, with what was counted for them. */
  readonly ingest: PipelineSet;
  /** Searches that nobody waits for, and what came of them. */
  readonly asyncSearches: AsyncSearches;
  /** What processors `enrich` of this node looked up before. */
  readonly enrichCache: EnrichCache;
  /** Requests of this node, counted by the name of their API. */
  readonly requestUsage: NameCounts;
  /** Reads the bodies of searches. */
  readonly trees: RequestTrees;
  /** Contexts of shards that searches leave behind. */
  readonly releases: ContextReleases;
  /** Searches whose bodies came before. */
  readonly repeated: RepeatedSearches;
}

/** What a node counts, and tells of itself. */
export type NodeCounters = Pick<CoordinatorContext, 'ingest' | 'requestUsage'>;

export function nodeCounters(runtime: Runtime): NodeCounters {
  return { ingest: new PipelineSet(runtime), requestUsage: new NameCounts() };
}

const MEBIBYTE = 1024 * 1024;
const ID_GENERATOR_BYTES = 9;
const REQUEST_TOKENS_BYTES = 8;

export const DEFAULT_COORDINATOR_SETTINGS: CoordinatorSettings = {
  remoteReindexHosts: [],
  documentBytesMax: 63 * MEBIBYTE,
  searchBytesMax: 512 * MEBIBYTE,
};

export function createCoordinatorContext(
  runtime: Runtime,
  cluster: ClusterService,
  settings: Partial<CoordinatorSettings> = {},
  { ingest, requestUsage }: NodeCounters = nodeCounters(runtime),
): CoordinatorContext {
  const turns = new TimeSlices(runtime.sched, runtime.clock);
  return {
    runtime,
    cluster,
    settings: { ...DEFAULT_COORDINATOR_SETTINGS, ...settings },
    ids: new IdGenerator(runtime.random.fork('document-ids').bytes(ID_GENERATOR_BYTES)),
    requestTokens: new RequestTokens(runtime.random.fork('request-tokens').bytes(REQUEST_TOKENS_BYTES)),
    rankMemories: new RankMemories(),
    searches: new SearchCodec(),
    tasks: new TaskRegistry(runtime.clock),
    task: null,
    reads: ANY_COPY,
    copies: new CopyOrder(runtime.clock),
    turns,
    ingest,
    asyncSearches: new AsyncSearches(runtime),
    enrichCache: new EnrichCache(),
    requestUsage,
    trees: new RequestTrees(turns, () => cluster.state().metadata.storedScripts),
    releases: new ContextReleases(runtime, cluster),
    repeated: new RepeatedSearches(),
  };
}
