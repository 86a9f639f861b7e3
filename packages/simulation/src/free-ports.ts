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

/**
 * Draws `count` different ports that nobody listens on.
 *
 * @param lane number of the test process; two processes of different lanes (modulo 10) never draw the same port
 */
export async function drawFreePorts(
  { net, random }: Pick<Runtime, 'net' | 'random'>,
  count: number,
  lane: number,
): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    assert(tries < TRIES_MAX, `no ${count} free ports in ${TRIES_MAX} draws`);
    const port = FIRST_PORT + (lane % LANES) * PORTS_A_LANE + random.below(PORTS_A_LANE);
    if (await isFree(net, port)) ports.add(port);
  }
  return [...ports];
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
