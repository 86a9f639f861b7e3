/**
 * The PROXY protocol, version 1: a line before anything else that names the real peer behind a proxy.
 */

/** As the protocol says: no header is longer. */
const HEADER_BYTES_MAX = 107;

export interface ProxiedPeer {
  readonly address: string;
  readonly port: number;
  readonly proxyAddress: string;
  readonly proxyPort: number;
}

export type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid' }
  /** null: the proxy does not say. */
  | { readonly kind: 'found'; readonly peer: ProxiedPeer | null; readonly rest: Uint8Array };

export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  const text = Buffer.from(bytes.subarray(0, HEADER_BYTES_MAX)).toString('latin1');
  const end = text.indexOf('\r\n');
  if (end < 0) return { kind: bytes.length < HEADER_BYTES_MAX ? 'incomplete' : 'invalid' };
  const [signature, family, source, destination, sourcePort, destinationPort] = text.slice(0, end).split(' ');
  const rest = bytes.subarray(end + 2);
  if (signature !== 'PROXY') return { kind: 'invalid' };
  if (family === 'UNKNOWN') return { kind: 'found', peer: null, rest };
  if (source === undefined || destination === undefined || destinationPort === undefined) return { kind: 'invalid' };
  const peer = {
    address: source,
    port: Number(sourcePort),
    proxyAddress: destination,
    proxyPort: Number(destinationPort),
  };
  return { kind: 'found', peer, rest };
}
