/**
 * Certificates and TLS options for tests of plugins that speak TLS, and connections that end with the test.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, onTestFinished } from 'vitest';
import {
  makeCertificate,
  type TestCertificate,
} from '../../agent-plugin-kit/src/tls/test-certificates.test-support.ts';
import type { OptionsLiteral } from './plugin-instance.test-support.ts';

export const authority: TestCertificate = makeCertificate({ name: 'test authority', issuer: null });
const stranger = makeCertificate({ name: 'other authority', issuer: null });
export const server: TestCertificate = makeCertificate({
  name: 'server',
  issuer: authority,
  hosts: ['127.0.0.1'],
  passphrase: 'open',
});
/** Certificate of a trusted authority for another host. */
export const misnamed: TestCertificate = makeCertificate({
  name: 'misnamed',
  issuer: authority,
  hosts: ['other.example.com'],
});
export const client: TestCertificate = makeCertificate({ name: 'client', issuer: authority });
/** Client certificate of an authority that no server here trusts. */
export const unknown: TestCertificate = makeCertificate({ name: 'unknown', issuer: stranger });

const folder = mkdtempSync(join(tmpdir(), 'shoal-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [name, made] of Object.entries({ authority, stranger, server, client })) {
  writeFileSync(join(folder, `${name}.pem`), made.certificate);
  writeFileSync(join(folder, `${name}.key`), made.key);
}

/** Path of a PEM file: `authority.pem`, `stranger.pem`, `server.pem`, `client.pem`, and `.key` for their keys. */
export function pemFile(name: string): string {
  return join(folder, name);
}

/** Options of a plugin that listens with TLS. */
export function serving(more: OptionsLiteral = {}): OptionsLiteral {
  return {
    host: '127.0.0.1',
    port: 0,
    ssl_enabled: true,
    ssl_certificate: pemFile('server.pem'),
    ssl_key: pemFile('server.key'),
    ssl_key_passphrase: 'open',
    ...more,
  };
}

/** Options of a client that trusts the authority. */
export function trusting(more: OptionsLiteral = {}): OptionsLiteral {
  return { ssl_enabled: true, ssl_certificate_authorities: [pemFile('authority.pem')], ...more };
}

/** Options of a server that looks at the certificates of its clients. */
export function asking(mode: string): OptionsLiteral {
  return { ssl_client_authentication: mode, ssl_certificate_authorities: [pemFile('authority.pem')] };
}

/** Certificate and key of a server for `node:https` and `node:tls`. */
export function identityOf(certificate: TestCertificate): { cert: string; key: string; passphrase: string } {
  return { cert: certificate.certificate, key: certificate.key, passphrase: 'open' };
}

/** Starts a server on a free port until the test ends. Answers the port. */
export async function open(made: Server): Promise<number> {
  made.listen(0, '127.0.0.1');
  onTestFinished(() => void made.close());
  await once(made, 'listening');
  return (made.address() as AddressInfo).port;
}

/** Waits for what the other side of a connection does in its own time. */
export async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

export interface DialOptions {
  readonly as?: TestCertificate;
  readonly maxVersion?: SecureVersion;
}

/** Sends a line over TLS as a client that trusts the authority. Answers whether the server took the connection. */
export async function sendLine(port: number, line: string, { as, maxVersion }: DialOptions = {}): Promise<boolean> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    ...(as === undefined ? {} : { cert: as.certificate, key: as.key }),
    ...(maxVersion === undefined ? {} : { maxVersion }),
  });
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    socket.once('secureConnect', () => {
      socket.end(line);
      // A refused certificate shows as an error behind the handshake, an accepted line as an end of the other side.
      socket.resume().once('end', () => resolve(true));
    });
  });
}
