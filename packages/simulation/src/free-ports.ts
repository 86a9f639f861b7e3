/**
 * Ports for tests of real processes that must know each other's addresses before they listen.
 *
 * They lie below 32768, where Linux takes ports of outgoing connections from, so that no client of another test takes one
 * between the look and the use; and above 10080, the highest port that `fetch` refuses to call.
 */
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';

const HOST = '127.0.0.1';
const FIRST_PORT = 10_100;
const LANES = 10;
const PORTS_A_LANE = 2_200;
const TRIES_MAX = 1_000;

export class FreePorts {
  readonly #runtime: Pick<Runtime, 'net' | 'random'>;
  readonly #firstPort: number;
  /** Whoever got a port may not listen on it yet. */
  readonly #drawn = new Set<number>();

  /** @param lane number of the test process; two processes of different lanes (modulo 10) never draw the same port */
  constructor(runtime: Pick<Runtime, 'net' | 'random'>, lane: number) {
    this.#runtime = runtime;
    this.#firstPort = FIRST_PORT + (lane % LANES) * PORTS_A_LANE;
  }

  /** A port that nobody listens on, and that was not drawn here before. */
  async draw(): Promise<number> {
    const { net, random } = this.#runtime;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const port = this.#firstPort + random.below(PORTS_A_LANE);
      if (this.#drawn.has(port)) continue;
      this.#drawn.add(port);
      if (await isFree(net, port)) return port;
    }
    assert(false, `no free port in ${TRIES_MAX} draws`);
  }
}

async function isFree(net: Runtime['net'], port: number): Promise<boolean> {
  try {
    const listener = await net.listen({ host: HOST, port }, (socket) => socket.destroy());
    await listener.close();
    return true;
  } catch {
    // Taken by somebody else: the caller draws another.
    return false;
  }
}
