/**
 * The nodes of one run of tests, in the process of the runner. Each file that asks has one for itself, until it or its process ends; then
 * the node begins again with what `setup` wrote, for the next file. There are as many nodes as files ran at once.
 *
 * Neither the nodes nor the connections keep the process alive.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { assert } from '@shoal/core';
import { PreparedNode, type RunnerOptions } from './prepared-node.ts';
import { BEGIN_TEST, onLines, type RunAnswer } from './run-protocol.ts';

/** Files that can have a node at once: far more than a runner runs. */
const LEASES_MAX = 256;

export class NodeRun {
  readonly #options: RunnerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Nodes that no file has. */
  readonly #free: PreparedNode[] = [];
  readonly #nodes: PreparedNode[] = [];
  #isClosed = false;

  private constructor(options: RunnerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#lend(socket));
    this.#server.maxConnections = LEASES_MAX;
    this.#server.unref();
  }

  /** Starts a run with its first node, so that a `setup` that fails fails here. */
  static async start(options: RunnerOptions): Promise<NodeRun> {
    const run = new NodeRun(options);
    run.#free.push(await run.#startNode());
    await new Promise<void>((resolve, reject) => {
      run.#server.once('error', reject);
      run.#server.listen({ host: '127.0.0.1', port: 0 }, resolve);
    });
    return run;
  }

  /** Port of loopback at which files ask for a node. */
  get port(): number {
    const address = this.#server.address();
    assert(address !== null && typeof address === 'object', 'a run that takes no more files has no port');
    return address.port;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await Promise.all(this.#nodes.map((node) => node.close()));
  }

  #lend(socket: Socket): void {
    socket.unref();
    socket.on('error', () => undefined); // Told by `close`, which follows.
    this.#sockets.add(socket);
    let lent: PreparedNode | null = null;
    /** Ends when the last line was answered: a node is not lent on while something of its former file runs. */
    let work = this.#answer(socket, async () => {
      lent = await this.#take();
      return lent;
    });
    onLines(socket, (line) => {
      work = work.then(() => this.#answer(socket, () => nextTest(lent, line)));
    });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      void work.then(() => {
        if (lent !== null) this.#free.push(lent);
      });
    });
  }

  /** Never rejects: what fails is told to the file that asked. */
  async #answer(socket: Socket, next: () => Promise<PreparedNode>): Promise<void> {
    let answer: RunAnswer;
    try {
      answer = { url: (await next()).node.url };
    } catch (error) {
      answer = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`);
  }

  async #take(): Promise<PreparedNode> {
    const free = this.#free.pop();
    if (free === undefined) return this.#startNode();
    await free.beginFile();
    return free;
  }

  async #startNode(): Promise<PreparedNode> {
    const node = await PreparedNode.start(this.#options);
    this.#nodes.push(node);
    if (!this.#isClosed) return node;
    await node.close();
    throw new Error('the run has ended');
  }
}

async function nextTest(lent: PreparedNode | null, line: string): Promise<PreparedNode> {
  if (lent === null) throw new Error('this file has no node');
  if (line !== BEGIN_TEST) throw new Error(`not understood: [${line}]`);
  await lent.beginTest();
  return lent;
}
