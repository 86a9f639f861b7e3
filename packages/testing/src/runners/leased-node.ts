/**
 * The node that a file of tests has of its run, seen from the process of the file. It does not keep that process alive, except while an
 * answer is awaited.
 */
import { createConnection, type Socket } from 'node:net';
import { BEGIN_TEST, onLines, RUN_VARIABLE, type RunAnswer } from './run-protocol.ts';

/** The node of a file, as its tests see it. */
export interface ShoalOfRun {
  /** Address for clients. The same for all tests of a file. */
  readonly url: string;
}

interface Awaited {
  readonly resolve: (answer: RunAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class LeasedNode implements ShoalOfRun {
  readonly #socket: Socket;
  readonly #awaited: Awaited[] = [];
  #url: string | null = null;

  private constructor(port: number) {
    this.#socket = createConnection({ host: '127.0.0.1', port });
    let failure: Error | null = null;
    this.#socket.on('error', (error) => {
      failure = error;
    });
    this.#socket.on('close', () => {
      const why = failure === null ? 'it has ended' : failure.message;
      for (const { reject } of this.#awaited.splice(0)) reject(new Error(`no node from the run of tests: ${why}`));
    });
    onLines(this.#socket, (line) => this.#awaited.shift()?.resolve(JSON.parse(line) as RunAnswer));
  }

  /** Waits for a node of the run that this process belongs to. */
  static async lease(): Promise<LeasedNode> {
    const port = Number(process.env[RUN_VARIABLE]);
    if (!Number.isInteger(port) || port === 0) {
      throw new Error(`no run of tests has nodes here: its global set-up starts none (${RUN_VARIABLE} is not set)`);
    }
    const leased = new LeasedNode(port);
    await leased.#answered();
    return leased;
  }

  get url(): string {
    if (this.#url === null) throw new Error('the node of the run is not there yet');
    return this.#url;
  }

  /** Brings the node to the state in which each test of the file begins. */
  async beginTest(): Promise<void> {
    if (this.#socket.destroyed) throw new Error('the run of tests has ended');
    this.#socket.write(`${BEGIN_TEST}\n`);
    await this.#answered();
  }

  release(): Promise<void> {
    if (this.#socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.ref();
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }

  async #answered(): Promise<void> {
    this.#socket.ref();
    try {
      const answer = await new Promise<RunAnswer>((resolve, reject) => this.#awaited.push({ resolve, reject }));
      if ('failure' in answer) throw new Error(`the run of tests has no node: ${answer.failure}`);
      this.#url = answer.url;
    } catch (error) {
      this.#socket.destroy();
      throw error;
    } finally {
      this.#socket.unref();
    }
  }
}
