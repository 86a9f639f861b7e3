/**
 * Takes the first free port of a range.
 */
import type { PortRange } from '@shoal/core';
import { NetworkError } from '@shoal/runtime';

/** @throws the last `addressInUse` when all are taken, any other failure at once */
export async function firstFreePort<T>(range: PortRange, listen: (port: number) => Promise<T>): Promise<T> {
  for (let port = range.first; ; port++) {
    try {
      return await listen(port);
    } catch (error) {
      const isTaken = error instanceof NetworkError && error.kind === 'addressInUse';
      if (!isTaken || port >= range.last) throw error;
    }
  }
}
