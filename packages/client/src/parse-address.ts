/**
 * `host`, `host:port` or `[v6]:port` of a node's transport.
 */
import { illegalArgument } from '@shoal/core';
import type { Address } from '@shoal/runtime';

const DEFAULT_PORT = 9300;
const PORT_MAX = 65_535;

export function parseAddress(text: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? DEFAULT_PORT : Number(match[3]);
  if (host === undefined || port > PORT_MAX) throw illegalArgument(`[${text}] is no address: host or host:port wanted`);
  return { host, port };
}
