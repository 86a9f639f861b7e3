/**
 * Who is at the other end of a TLS connection, as its certificate says.
 */
import type { TLSSocket } from 'node:tls';

export interface TlsPeer {
  /** `CN=…,O=…`, the most specific part first; empty without a certificate. */
  readonly subject: string;
  readonly protocol: string;
  readonly cipher: string;
}

/** null when nobody vouches for it, or it showed no certificate. */
export function verifiedPeer(socket: TLSSocket): TlsPeer | null {
  if (!socket.authorized) return null;
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined) return null;
  const parts = Object.entries(subject).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${String(one)}`),
  );
  return {
    subject: parts.reverse().join(','),
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().standardName,
  };
}
