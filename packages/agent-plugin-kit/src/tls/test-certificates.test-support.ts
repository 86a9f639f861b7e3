/**
 * Certificates for tests, made on the spot: X.509 in DER, signed with keys of P-256. No file in the tree ever expires, and no
 * other program has to be there.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface TestCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

export interface CertificateWish {
  readonly name: string;
  /** null: signed by itself, an authority. */
  readonly issuer: TestCertificate | null;
  /** Names and addresses that it is good for. */
  readonly hosts?: readonly string[];
  /** The key is written encrypted. */
  readonly passphrase?: string;
}

export function makeCertificate({ name, issuer, hosts = [], passphrase }: CertificateWish): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const toBeSigned = sequence(
    tagged(0xa0, integer(2)),
    integer(serial(name)),
    ECDSA_WITH_SHA256,
    commonName(issuer?.name ?? name),
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(issuer === null, hosts))),
  );
  const signature = sign('sha256', toBeSigned, issuer?.privateKey ?? privateKey);
  const der = sequence(toBeSigned, ECDSA_WITH_SHA256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  const body = (der.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString(),
    name,
    privateKey,
  };
}

function extensions(isAuthority: boolean, hosts: readonly string[]): Buffer[] {
  const names = hosts.map((host) =>
    isIP(host) === 0 ? tagged(0x82, Buffer.from(host)) : tagged(0x87, Buffer.from(host.split('.').map(Number))),
  );
  return [
    // Basic constraints, critical: whether it may sign others.
    sequence(oid([0x55, 0x1d, 0x13]), TRUE, tagged(0x04, isAuthority ? sequence(TRUE) : sequence())),
    ...(names.length === 0 ? [] : [sequence(oid([0x55, 0x1d, 0x11]), tagged(0x04, sequence(...names)))]),
  ];
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function oid(bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(value, 1);
  const start = bytes.findIndex((byte) => byte !== 0);
  // A leading bit would make it negative.
  const from = start < 0 ? 4 : (bytes[start] ?? 0) >= 0x80 ? start - 1 : start;
  return tagged(0x02, bytes.subarray(from));
}

function time(text: string): Buffer {
  return tagged(0x18, Buffer.from(text));
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(name)))));
}

/** One authority must not give two certificates the same. */
function serial(name: string): number {
  return [...name].reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 0x7fff_ffff, 7) + 1;
}

const TRUE = Buffer.from([0x01, 0x01, 0xff]);
const ECDSA_WITH_SHA256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
