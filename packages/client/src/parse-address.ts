/**
 * `host`, `host:port` or `[v6]:port` of a node's transport.
 */
import { illegalArgument, parseHostPort } from '@shoal/core';
import type { Address } from '@shoal/runtime';

const DEFAULT_PORT = 9300;

export function parseAddress(text: string): Address {
  const address = parseHostPort(text);
  if (address === null) throw illegalArgument(`[${text}] is no address: host or host:port wanted`);
  return { host: address.host, port: address.port ?? DEFAULT_PORT };
}
