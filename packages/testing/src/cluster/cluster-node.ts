/**
 * A node of a simulated cluster as a test holds it: it can be asked, killed and started again.
 */
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
import type { SimulatedWorld } from '@shoal/simulation';
import { ConnectionCut } from '../faults/fault.ts';
import { fetchInProcess, type InProcessFetchInit } from '../fetch/in-process-fetch.ts';
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
  /** Asks this node without a socket; the time of the cluster goes on until it has answered. */
  fetch(path: string | URL, init?: InProcessFetchInit): Promise<Response>;
}

/** The cluster that a node is part of. */
export interface NodeSurroundings {
  readonly world: SimulatedWorld;
  readonly driver: WorldDriver;
  /** Starts the program of a node, in the world's time. */
  readonly boot: (name: string, runtime: Runtime) => Promise<DataNode>;
}

/** A node with the program that runs on it. */
export class RunningNode implements ClusterNode {
  readonly name: string;
  readonly #around: NodeSurroundings;
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
    this.#handler = forwardingHandler(async ({ readPieces: _, ...raw }) => {
      const body = await raw.readBody(DEFAULT_CONTENT_BYTES_MAX);
      return around.driver.settle(() => this.#answer({ ...raw, readBody: async () => body }));
    });
  }

  get isAlive(): boolean {
    return this.#around.world.node(this.name).isAlive;
  }

  /** The program of the node; null while it starts, and when it is dead. */
  get program(): DataNode | null {
    return this.isAlive ? this.#node : null;
  }

  get url(): string {
    this.#server ??= openLoopbackServer(createEmbeddedRuntime({ log: createSilentLog() }).runtime, this.#handler);
    const { host, port } = this.#server.address;
    return `http://${host}:${port}`;
  }

  fetch(path: string | URL, init: InProcessFetchInit = {}): Promise<Response> {
    return fetchInProcess(this.#handler, path, init);
  }

  /** Starts the program on what the disk has kept, without waiting until it is up. */
  start(): void {
    const simulated = this.#around.world.node(this.name);
    const runtime = simulated.isAlive && this.#node === null ? simulated.runtime : simulated.restart();
    this.#node = null;
    this.#died = new Promise((_, reject) => {
      this.#cut = () => reject(new ConnectionCut());
    });
    this.#died.catch(() => undefined); // Nobody may be waiting.
    // A process that is killed while it starts settles nothing.
    void this.#around.boot(this.name, runtime).then((node) => {
      this.#node = node;
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

  #answer(request: RawHttpRequest): Promise<RenderedResponse> {
    const { program } = this;
    if (program === null) return Promise.reject(new ConnectionCut('ECONNREFUSED'));
    return Promise.race([answerRequest(program.handler, request), this.#died]);
  }
}
