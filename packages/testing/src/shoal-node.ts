/**
 * A node as a test holds it: its API with and without a socket, its clock, and its end.
 */
import { parseTimeValue } from '@shoal/core';
import { type HttpServer, openLoopbackServer } from '@shoal/http';
import type { DataNode } from '@shoal/node';
import type { EmbeddedRuntime } from '@shoal/runtime';
import { fetchInProcess, type InProcessFetchInit } from './in-process-fetch.ts';

/** Clock of one node. It goes on by itself, and by what it is told. */
export interface ShoalClock {
  /** Present time of the node, in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /**
   * Moves the node's time on: by milliseconds, or by a time such as `1d` or `90s`. What falls due on the way happens in the order of its
   * time.
   */
  advance(by: number | string): Promise<void>;
  /** Sets the node's time. Forward is as `advance`; backward nothing that happened is undone, and timers go on as before. */
  set(to: Date | number | string): Promise<void>;
}

export class ShoalNode {
  readonly clock: ShoalClock;
  readonly #embedded: EmbeddedRuntime;
  readonly #node: DataNode;
  #server: HttpServer | null = null;
  #closing: Promise<void> | null = null;

  constructor(embedded: EmbeddedRuntime, node: DataNode) {
    this.#embedded = embedded;
    this.#node = node;
    const { time } = embedded;
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
    this.#server ??= openLoopbackServer(this.#embedded.runtime, this.#node.handler);
    const { host, port } = this.#server.address;
    return `http://${host}:${port}`;
  }

  /** Asks the API without a socket. */
  async fetch(path: string | URL, init: InProcessFetchInit = {}): Promise<Response> {
    if (this.#closing !== null) throw new Error('the node is closed');
    return this.#held(() => fetchInProcess(this.#node.handler, path, init));
  }

  /** Ends the node and all that it holds. Closing twice is fine. */
  close(): Promise<void> {
    this.#closing ??= this.#held(async () => {
      await this.#server?.close();
      await this.#node.close();
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
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

function millisOf(by: number | string): number {
  const ms = typeof by === 'number' ? by : parseTimeValue(by, 'advance');
  if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`time goes forward, and this is [${by}]`);
  return ms;
}

function instantOf(to: Date | number | string): number {
  const ms = typeof to === 'number' ? to : (to instanceof Date ? to : new Date(to)).getTime();
  if (!Number.isFinite(ms)) throw new RangeError(`no time: [${String(to)}]`);
  return ms;
}
