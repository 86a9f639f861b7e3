/**
 * Documents of a bulk that failed and are to be kept in the failure indices of their data streams, and what the failure store had to do
 * with those that are not.
 *
 * A document is taken over at the moment it fails: the piece of the body that it stands in is given back right behind.
 */
import { componentOf, dataStreamOf, findIndexTemplate, keepsFailures, layersOfIndexTemplate } from '@shoal/cluster';
import type { ClusterState, DataStream } from '@shoal/cluster-state';
import { isShoalError, type ShoalError } from '@shoal/core';
import type { FailureOrigin } from '@shoal/ingest';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { resolveDateMathName } from '../indices/date-math-name.ts';
import { type BulkItem, type BulkItems, DELETE_ACTION, NO_EXTRAS, UPDATE_ACTION } from './bulk-items.ts';
import { failureDocument } from './failure-document.ts';

/** What the failure store had to do with a document. */
export type FailureStoreStatus = 'used' | 'failed' | 'not_enabled';

/** A failed document on its way into a failure index. */
export interface RedirectedItem {
  /** Position of the item that failed. */
  readonly at: number;
  /** The write of what is kept of it. */
  readonly item: BulkItem;
}

/** Where failed documents of a name would go; null: to no data stream. */
type Candidate = { readonly stream: string; readonly isEnabled: boolean } | null;

/** Errors that ask the client to act: what they refused is not kept. */
const VERSION_CONFLICT = 'version_conflict_engine_exception';
const TOO_MANY_REQUESTS = 429;

export class FailureRedirects {
  readonly #context: CoordinatorContext;
  readonly #items: BulkItems;
  readonly #nowMs: number;
  /** By number of the target, for documents that failed in a pipeline and for others. */
  readonly #candidates = new Map<string, Candidate>();
  readonly #statuses = new Map<number, FailureStoreStatus>();
  readonly #queued: RedirectedItem[] = [];

  constructor(context: CoordinatorContext, items: BulkItems, nowMs: number) {
    this.#context = context;
    this.#items = items;
    this.#nowMs = nowMs;
  }

  get queued(): readonly RedirectedItem[] {
    return this.#queued;
  }

  /** Why documents that failed are not in a failure index, by position. */
  get statuses(): ReadonlyMap<number, FailureStoreStatus> {
    return this.#statuses;
  }

  /** A shard failed to index the item. */
  offer(at: number, error: ShoalError): void {
    this.#offer(at, error, null, this.#candidate(at, false));
  }

  /** The item failed in a pipeline, before anything was looked up or made for it. */
  offerIngested(at: number, error: ShoalError, origin: FailureOrigin | null): void {
    this.#offer(at, error, origin, this.#candidate(at, true));
  }

  #offer(at: number, error: ShoalError, origin: FailureOrigin | null, candidate: Candidate): void {
    const action = this.#items.action(at);
    if (candidate === null || action === DELETE_ACTION || action === UPDATE_ACTION) return;
    if (!candidate.isEnabled) {
      this.#statuses.set(at, 'not_enabled');
      return;
    }
    if (error.type === VERSION_CONFLICT || error.status === TOO_MANY_REQUESTS) return;
    const source = this.#kept(at, error, origin);
    if (source === null) this.#statuses.set(at, 'failed');
    else {
      const write = { action: 'create', index: candidate.stream, id: null, source } as const;
      this.#queued.push({ at, item: { ...NO_EXTRAS, ...write, requireDataStream: true } });
    }
  }

  /** null: the document is nothing that can be kept. */
  #kept(at: number, error: ShoalError, origin: FailureOrigin | null): Uint8Array | null {
    const items = this.#items;
    const { routing } = items.extras(at);
    const failed = { index: items.indexName(at), id: items.id(at), routing, source: items.source(at), error, origin };
    try {
      return failureDocument(failed, this.#nowMs);
    } catch (unreadable) {
      if (isShoalError(unreadable)) return null;
      throw unreadable;
    }
  }

  #candidate(at: number, isIngested: boolean): Candidate {
    const key = `${this.#items.target(at)}/${isIngested}`;
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const candidate = this.#candidateOf(this.#items.indexName(at), isIngested);
    this.#candidates.set(key, candidate);
    return candidate;
  }

  #candidateOf(name: string, isIngested: boolean): Candidate {
    const { cluster } = this.#context;
    const state = cluster.state();
    try {
      const concrete = resolveDateMathName(name, this.#nowMs);
      const stream = streamOf(state, concrete) ?? (isIngested ? streamToBe(state, concrete) : null);
      return stream === null ? null : { stream: stream.name, isEnabled: keepsFailures(stream, cluster.settings()) };
    } catch (error) {
      if (isShoalError(error)) return null;
      throw error;
    }
  }
}

type KeptStream = Pick<DataStream, 'name' | 'failureStore'>;

/** The data stream of the name, or the one that has the index among its backing indices. */
function streamOf(state: ClusterState, name: string): KeptStream | null {
  const named = state.metadata.dataStreams.get(name);
  if (named !== undefined) return named;
  const stream = dataStreamOf(state, name);
  return stream === null || componentOf(stream, name) === 'failures' ? null : stream;
}

/** The data stream that a write to a name would make; null: none, or there is an index. */
function streamToBe({ metadata }: ClusterState, name: string): KeptStream | null {
  if (metadata.indices.has(name)) return null;
  const template = findIndexTemplate(metadata.templates, name, false);
  if (template === null || template.dataStream === null) return null;
  return { name, failureStore: layersOfIndexTemplate(metadata.templates, template).failureStore };
}
