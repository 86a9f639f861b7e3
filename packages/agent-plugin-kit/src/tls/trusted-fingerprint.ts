/**
 * Trust in one certificate by its fingerprint: a server is accepted when its chain holds that certificate, although no
 * authority is named. Signatures, dates and the name of the host are verified as ever.
 */
import { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import { ShoalError } from '@shoal/core';

/** A longer chain is none that a server needs. */
const CHAIN_MAX = 20;

/** SHA-256 in hexadecimal digits, with or without colons. @throws ShoalError for anything else */
export function parseFingerprint(text: string): string {
  const digits = text.replaceAll(':', '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(digits))
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `[ca_trusted_fingerprint] is a SHA-256 fingerprint of 64 hexadecimal digits, not [${text}]`,
    );
  return digits;
}

export interface FingerprintTrust {
  /** Fingerprints of certificates, one of which must stand in the chain. */
  readonly fingerprints: readonly string[];
  /** The certificate must be for the name of the host. */
  readonly comparesNames: boolean;
  /** Wall clock. */
  nowMs(): number;
}

/** Why the server on the other side is not trusted; null when it is. */
export function fingerprintProblem(socket: TLSSocket, trust: FingerprintTrust, host: string): string | null {
  const nowMs = trust.nowMs();
  const chain = chainOf(socket);
  const trusted = chain.findIndex(({ fingerprint256 }) =>
    trust.fingerprints.includes(fingerprint256.replaceAll(':', '')),
  );
  if (trusted < 0) return 'no certificate of the server has the fingerprint of [ca_trusted_fingerprint]';
  for (const [index, certificate] of chain.slice(0, trusted + 1).entries()) {
    const issuer = chain[index + 1];
    if (index < trusted && (issuer === undefined || !certificate.verify(issuer.publicKey) || !issuer.ca))
      return 'the chain of certificates is not signed by the trusted one';
    const isValid = Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo);
    if (!isValid) return `the certificate of [${certificate.subject}] is not valid at this time`;
  }
  if (!trust.comparesNames) return null;
  return checkServerIdentity(host, socket.getPeerCertificate(true))?.message ?? null;
}

/** The certificate of the server, then that of who signed it, and so on. */
function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  let current = socket.getPeerCertificate(true);
  while (chain.length < CHAIN_MAX && current?.raw !== undefined) {
    chain.push(new X509Certificate(current.raw));
    const { issuerCertificate } = current;
    // A root is its own issuer.
    if (issuerCertificate === undefined || issuerCertificate.fingerprint256 === current.fingerprint256) break;
    current = issuerCertificate;
  }
  return chain;
}
