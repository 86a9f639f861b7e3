/**
 * The PROXY protocol, version 1: a line before anything else that names the real peer behind a proxy.
 */

/** Longest header that the protocol allows. */
const HEADER_BYTES_MAX = 107;

export interface ProxiedPeer {
  readonly address: string;
  readonly port: number;
  readonly proxyAddress: string;
  readonly proxyPort: number;
}

type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid' }
  /** null: the proxy does not say. */
  | { readonly kind: 'found'; readonly peer: ProxiedPeer | null; readonly rest: Uint8Array };

function readProxyHeader(bytes: Uint8Array): ProxyHeader {
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

/** The start of a connection that may come through a proxy. */
export class ProxyHeaderReader {
  /** Peer that the header names, once it is read; null also when the proxy does not name one. */
  peer: ProxiedPeer | null = null;
  private head: Uint8Array | null;

  constructor(isExpected: boolean) {
    this.head = isExpected ? new Uint8Array(0) : null;
  }

  /** What `chunk` holds behind the header; null while that is not whole, and for good when there is none. */
  after(chunk: Uint8Array, onInvalid: () => void): Uint8Array | null {
    if (this.head === null) return chunk;
    const header = readProxyHeader((this.head = Buffer.concat([this.head, chunk])));
    if (header.kind === 'invalid') onInvalid();
    if (header.kind !== 'found') return null;
    this.head = null;
    this.peer = header.peer;
    return header.rest;
  }
}
