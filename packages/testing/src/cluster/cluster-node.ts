/**
 * A node of a simulated cluster as a test holds it: it can be asked, killed and started again.
 */
import { showHostPort } from '@shoal/core';
import {
  answerRequest,
  DEFAULT_CONTENT_BYTES_MAX,
  forwardingHandler,
  type HttpHandler,
  type HttpServer,
  openLoopbackServer,
  type RawHttpRequest,
  type RenderedResponse,
} from '@shoal/http';
import type { DataNode } from '@shoal/node';
import { createEmbeddedRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import type { SavedDisk, SimulatedWorld } from '@shoal/simulation';
import { ConnectionCut } from '../faults/fault.ts';
import { Faults } from '../faults/faults.ts';
import { faultyHandler } from '../faults/faulty-handler.ts';
import { fetchInProcess, type InProcessFetchInit } from '../fetch/in-process-fetch.ts';
import type { AskedRequest } from '../requests/asked-request.ts';
import { RequestLog } from '../requests/request-log.ts';
import type { WorldDriver } from './world-driver.ts';

export interface KillOptions {
  /** The machine is gone with its process, so that nobody is told: others notice by its silence. Default: false */
  readonly silent?: boolean;
}

/** A node of a cluster, to be asked. */
export interface ClusterNode {
  readonly name: string;
  readonly isAlive: boolean;
  /** Address for clients, which the first look at it opens on loopback. It stays when the node dies, and cuts who asks it then. */
  readonly url: string;
  /** Faults of the next requests that this node is asked, and of the shards that it holds. */
  readonly faults: Faults;
  /** What this node was asked, oldest first: of at most 10,000 requests and 64 MB. What other nodes ask it is not among it. */
  readonly requests: readonly AskedRequest[];
  /** Asks this node without a socket; the time of the cluster goes on until it has answered. */
  fetch(path: string | URL, init?: InProcessFetchInit): Promise<Response>;
}

/** The cluster that a node is part of. */
export interface NodeSurroundings {
  readonly world: SimulatedWorld;
  readonly driver: WorldDriver;
  /** Faults of whichever node is asked. */
  readonly faults: Faults;
  /** What all nodes were asked. */
  readonly log: RequestLog;
  /** Starts the program of a node, in the world's time. */
  readonly boot: (node: RunningNode, runtime: Runtime) => Promise<DataNode>;
}

/** A node with the program that runs on it. */
export class RunningNode implements ClusterNode {
  readonly name: string;
  readonly faults: Faults = new Faults();
  readonly #around: NodeSurroundings;
  readonly #log = new RequestLog();
  readonly #handler: HttpHandler;
  #node: DataNode | null = null;
  /** Rejects those who wait for an answer of a process that is dead. */
  #cut: () => void = () => undefined;
  #died: Promise<never> = new Promise(() => undefined);
  #server: HttpServer | null = null;

  constructor(name: string, around: NodeSurroundings) {
    this.name = name;
    this.#around = around;
    // A body comes in the time of the test: the world must not wait for it, since its time would run on.
    const program = forwardingHandler(async ({ readPieces: _, ...raw }) => {
      const body = await raw.readBody(DEFAULT_CONTENT_BYTES_MAX);
      return around.driver.settle(() => this.#answer({ ...raw, readBody: async () => body }));
    });
    const wait = (ms: number): Promise<void> => around.driver.advance(ms);
    const closed = (): Promise<never> => this.#died;
    const faulty = [this.faults, around.faults].reduce(
      (handler, faults) => faultyHandler({ handler, faults, wait, closed }),
      program,
    );
    this.#handler = this.#reached(around.log.noting(this.#log.noting(faulty)));
  }

  get requests(): readonly AskedRequest[] {
    return this.#log.requests;
  }

  clearRequests(): void {
    this.#log.clear();
  }

  get isAlive(): boolean {
    return this.#around.world.node(this.name).isAlive;
  }

  /** The program of the node; null while it starts, and when it is dead. */
  get program(): DataNode | null {
    return this.isAlive ? this.#node : null;
  }

  get url(): string {
    if (this.#server === null) {
      this.#server = openLoopbackServer(createEmbeddedRuntime({ log: createSilentLog() }).runtime, this.#handler);
      this.#node?.tellHttp(this.#server);
    }
    const { host, port } = this.#server.address;
    return `http://${showHostPort({ host, port })}`;
  }

  fetch(path: string | URL, init: InProcessFetchInit = {}): Promise<Response> {
    return fetchInProcess(this.#handler, path, init);
  }

  /** Starts the program on what the disk has kept, without waiting until it is up. */
  start(): void {
    const simulated = this.#around.world.node(this.name);
    this.#run(simulated.isAlive && this.#node === null ? simulated.runtime : simulated.restart());
  }

  /** What the program has on its disk, synced or not. */
  saveDisk(): SavedDisk {
    return this.#around.world.node(this.name).saveDisk();
  }

  /** Ends the program, and starts it on what its disk had when it was saved, without waiting until it is up. */
  startFrom(disk: SavedDisk): void {
    this.kill({});
    this.#run(this.#around.world.node(this.name).restart({ disk }));
  }

  #run(runtime: Runtime): void {
    this.#node = null;
    this.#died = new Promise((_, reject) => {
      this.#cut = () => reject(new ConnectionCut());
    });
    this.#died.catch(() => undefined); // Nobody may be waiting.
    // A process that is killed while it starts settles nothing.
    void this.#around.boot(this, runtime).then((node) => {
      this.#node = node;
      if (this.#server !== null) node.tellHttp(this.#server);
    });
  }

  kill(options: KillOptions): void {
    this.#around.world.node(this.name).crash({ silent: options.silent === true });
    this.#node = null;
    this.#cut();
  }

  async close(): Promise<void> {
    this.kill({});
    await this.#server?.close();
  }

  /** A request to a machine that is down reaches nothing: no fault is for it, and no log has it. */
  #reached(handler: HttpHandler): HttpHandler {
    return forwardingHandler((request) => {
      if (this.program === null) return Promise.reject(new ConnectionCut('ECONNREFUSED'));
      return answerRequest(handler, request);
    });
  }

  #answer(request: RawHttpRequest): Promise<RenderedResponse> {
    const { program } = this;
    if (program === null) return Promise.reject(new ConnectionCut('ECONNREFUSED'));
    return Promise.race([answerRequest(program.handler, request), this.#died]);
  }
}
