/**
 * `host`, `host:port`, `[v6]` and `[v6]:port`: the one way in which addresses of nodes are written.
 */

const PORT_MAX = 65_535;

export interface HostPort {
  readonly host: string;
  /** null when none is named. */
  readonly port: number | null;
}

/** null: not an address, or a port beyond 65535. */
export function parseHostPort(text: string): HostPort | null {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? null : Number(match[3]);
  return host === undefined || (port !== null && port > PORT_MAX) ? null : { host, port };
}
