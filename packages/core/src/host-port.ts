/**
 * Addresses of nodes: `host`, `host:port`, `[v6]` and `[v6]:port` are the one way in which they are written.
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

/** What `parseHostPort` reads: an IPv6 address is in brackets. */
export function showHostPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether `host` is this machine alone, whatever names are resolved to: a name that only begins like such an address is not. */
export function isLoopback(host: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(host) || host === '::1' || host === 'localhost';
}
