/**
 * What a certificate says of the sender, in the metadata of its events.
 */
import type { LogEvent } from '@shoal/agent-event';
import { putMetadata, type verifiedPeer } from '@shoal/agent-plugin-kit';

/** @param peer null for a sender without a certificate that somebody known has signed */
export function putPeer(event: LogEvent, peer: ReturnType<typeof verifiedPeer>, isLegacy: boolean): void {
  const top = isLegacy ? ['tls_peer'] : ['input', 'beats', 'tls'];
  putMetadata(event, ['tls_peer', 'status'], peer === null ? 'unverified' : 'verified');
  if (peer === null) return;
  putMetadata(event, [...top, isLegacy ? 'protocol' : 'version_protocol'], peer.protocol);
  putMetadata(event, [...top, ...(isLegacy ? ['subject'] : ['client', 'subject'])], peer.subject);
  putMetadata(event, [...top, isLegacy ? 'cipher_suite' : 'cipher'], peer.cipher);
}
