/**
 * A node as a test holds it: its API with and without a socket, its clock, and its end.
 */
import { assert, showHostPort } from '@shoal/core';
import { type HttpHandler, type HttpServer, openLoopbackServer } from '@shoal/http';
import type { DataNode, SavedState, SavedStates } from '@shoal/node';
import type { EmbeddedRuntime } from '@shoal/runtime';
import { ConnectionCut } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { faultyHandler } from '../faults/faulty-handler.ts';
import { fetchInProcess, type InProcessFetchInit } from '../fetch/in-process-fetch.ts';
import { type LoadResult, type LoadSource, load } from '../load/load.ts';
import type { LoadOptions } from '../load/load-entries.ts';
import type { Finding, ReportOptions } from '../report/report.ts';
import type { AskedRequest } from '../requests/asked-request.ts';
import { RequestLog } from '../requests/request-log.ts';
import type { ShoalClock } from '../values/shoal-clock.ts';
import type { Snapshot } from '../values/snapshot.ts';
import { instantOf, millisOf } from '../values/time-span.ts';

export class ShoalNode {
  readonly clock: ShoalClock;
  /** Faults of the next requests: refusals, lost answers, conflicts, failing shards, delays. */
  readonly faults: Faults;
  readonly #embedded: EmbeddedRuntime;
  readonly #node: DataNode;
  readonly #states: SavedStates;
  /** What each snapshot of this node holds. */
  readonly #snapshots = new WeakMap<Snapshot, SavedState>();
  /** Ends when the last call of `snapshot` or `restore` has. */
  #stateWork: Promise<unknown> = Promise.resolve();
  readonly #log = new RequestLog();
  readonly #handler: HttpHandler;
  /** Lets those go who wait for an answer that never comes. */
  #cutAll: () => void = () => undefined;
  #server: HttpServer | null = null;
  #closing: Promise<void> | null = null;

  constructor(embedded: EmbeddedRuntime, node: DataNode, faults: Faults) {
    this.#embedded = embedded;
    this.#node = node;
    assert(node.savedStates !== null, 'a node in a test has its disk in memory');
    this.#states = node.savedStates;
    this.faults = faults;
    const { time } = embedded;
    const closed = new Promise<never>((_, reject) => {
      this.#cutAll = () => reject(new ConnectionCut());
    });
    closed.catch(() => undefined); // Nobody may be waiting.
    const { sched } = embedded.runtime;
    const wait = (ms: number): Promise<void> => new Promise((resolve) => sched.after(ms, resolve));
    this.#handler = this.#log.noting(faultyHandler({ handler: node.handler, faults, wait, closed: () => closed }));
    this.clock = {
      now: () => time.clock.wallMs(),
      advance: (by) => time.advance(millisOf(by)),
      set: (to) => time.setWall(instantOf(to)),
    };
  }

  /**
   * Address for clients, such as `http://127.0.0.1:45123`. The first look at it opens a port of loopback; a node whose address nobody
   * asks for has none.
   */
  get url(): string {
    if (this.#closing !== null) throw new Error('the node is closed');
    if (this.#server === null) {
      this.#server = openLoopbackServer(this.#embedded.runtime, this.#handler);
      this.#node.tellHttp(this.#server);
    }
    const { host, port } = this.#server.address;
    return `http://${showHostPort({ host, port })}`;
  }

  /** What the node was asked, oldest first, with or without a socket: a list that grows, of at most 10,000 requests and 64 MB. */
  get requests(): readonly AskedRequest[] {
    return this.#log.requests;
  }

  /** Forgets what the node was asked. */
  clearRequests(): void {
    this.#log.clear();
  }

  /**
   * What is odd about `requests`: fields that no mapping has, nothing found, what an older or newer Elasticsearch refuses. By the mappings
   * that there are now.
   */
  report(options: ReportOptions = {}): Promise<readonly Finding[]> {
    // Past the log of requests, which it is no part of.
    const ask = async (path: string, body?: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const init = body === undefined ? {} : { method: 'POST', body };
      return (await fetchInProcess(this.#node.handler, path, init)).json();
    };
    return this.#held(async () => {
      const { reportOf } = await import('../report/report.ts');
      return reportOf([...this.requests], options, ask);
    });
  }

  /** Asks the API without a socket. */
  async fetch(path: string | URL, init: InProcessFetchInit = {}): Promise<Response> {
    if (this.#closing !== null) throw new Error('the node is closed');
    return this.#held(() => fetchInProcess(this.#handler, path, init));
  }

  /**
   * Writes documents: from a path or URL of a file (`.ndjson`, `.json`, packed or not), from lines, from objects. Lines may be those of
   * `_bulk`. Rejects with the line or document that is broken or that the node refuses.
   */
  load(source: LoadSource, options: LoadOptions = {}): Promise<LoadResult> {
    const ask = async (path: string, body: string): Promise<unknown> =>
      (await this.fetch(path, { method: 'POST', body })).json();
    return this.#held(() => load(ask, source, options));
  }

  /**
   * Keeps all state of the node: indices, documents, mappings, settings, aliases, templates, data streams, pipelines, stored scripts,
   * cluster settings, and the files of snapshot repositories. What was written is in it, whether it was refreshed or not.
   */
  snapshot(): Promise<Snapshot> {
    return this.#alone(async () => {
      const saved = await this.#states.save();
      const snapshot: Snapshot = {
        takenAt: this.clock.now(),
        indices: [...saved.cluster.metadata.indices.keys()].sort(),
      };
      this.#snapshots.set(snapshot, saved);
      return snapshot;
    });
  }

  /**
   * Returns to a state that was kept, as often as wanted. Only indices that changed since are opened again; one that was deleted, closed, opened,
   * or got other settings has a new `uuid` then. Scrolls, points in time and asynchronous searches end. The clock goes on as it is. Await what was asked before: a request that
   * runs meanwhile may find its index gone.
   */
  async restore(snapshot: Snapshot): Promise<void> {
    const saved = this.#snapshots.get(snapshot);
    if (saved === undefined) throw new Error('the snapshot is one of another node');
    await this.#alone(() => this.#states.returnTo(saved));
  }

  /** Ends the node and all that it holds. Closing twice is fine. */
  close(): Promise<void> {
    this.#closing ??= this.#held(async () => {
      this.#cutAll();
      await this.#server?.close();
      await this.#node.close();
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new Error('the node is closed'));
    const done = this.#stateWork.then(() => this.#held(work));
    // Its caller has the failure; the next one begins whatever became of it.
    this.#stateWork = done.catch(() => undefined);
    return done;
  }

  /** The process lives until what was asked for is there. */
  async #held<T>(work: () => Promise<T>): Promise<T> {
    const release = this.#embedded.time.hold();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
