/**
 * TLS of a connection to a database, as the properties of its connection string ask for it.
 */

import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { optionError } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';

export interface TlsWish {
  /** `try`: without TLS where the server has none. */
  readonly use: 'never' | 'try' | 'always';
  /** Options of `node:tls`. */
  readonly options: Readonly<Record<string, unknown>>;
}

const NEVER: TlsWish = { use: 'never', options: {} };
const UNCHECKED = { rejectUnauthorized: false };
/** The chain is checked, the name is not. */
const ANY_NAME = { rejectUnauthorized: true, checkServerIdentity: () => undefined };

type Properties = ReadonlyMap<string, string>;

export async function postgresTls(properties: Properties): Promise<TlsWish> {
  const isOn = properties.get('ssl') !== undefined && properties.get('ssl') !== 'false';
  const factory = properties.get('sslfactory');
  if (factory !== undefined && !/^org\.postgresql\.ssl\.(NonValidatingFactory|LibPQFactory)$/.test(factory))
    throw optionError(`the sslfactory ${factory} is a class of Java that cannot be loaded`);
  if (factory?.endsWith('NonValidatingFactory') === true) return { use: 'always', options: UNCHECKED };
  const mode = properties.get('sslmode') ?? (isOn ? 'verify-full' : 'prefer');
  const files = await postgresFiles(properties);
  switch (mode) {
    case 'disable':
      return NEVER;
    case 'allow':
    case 'prefer':
      return { use: 'try', options: { ...files, ...UNCHECKED } };
    case 'require':
      return { use: 'always', options: { ...files, ...UNCHECKED } };
    case 'verify-ca':
      return { use: 'always', options: { ...files, ...ANY_NAME } };
    case 'verify-full':
      return { use: 'always', options: { ...files, rejectUnauthorized: true } };
    default:
      throw optionError(`the sslmode [${mode}] is not known`);
  }
}

async function postgresFiles(properties: Properties): Promise<Readonly<Record<string, unknown>>> {
  const [ca, cert, key] = await Promise.all(
    ['sslrootcert', 'sslcert', 'sslkey'].map((name) => readProperty(properties, name)),
  );
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key: pemKey(key, properties.get('sslpassword')) }),
  };
}

/** The driver of Java has keys in DER. */
function pemKey(bytes: Buffer, passphrase: string | undefined): string | Buffer {
  const secret = passphrase === undefined ? {} : { passphrase };
  const isPem = bytes.includes('-----BEGIN');
  const key = isPem
    ? createPrivateKey({ key: bytes, ...secret })
    : createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8', ...secret });
  return key.export({ format: 'pem', type: 'pkcs8' });
}

export async function mysqlTls(properties: Properties): Promise<TlsWish> {
  const ca = await readProperty(properties, 'serversslcert');
  const files = ca === undefined ? {} : { ca };
  const mode = (properties.get('sslmode') ?? oldMysqlMode(properties)).toUpperCase().replaceAll('-', '_');
  switch (mode) {
    case 'DISABLED':
    case 'DISABLE':
      return NEVER;
    case 'PREFERRED':
      return { use: 'try', options: { ...files, ...UNCHECKED } };
    case 'REQUIRED':
    case 'TRUST':
      return { use: 'always', options: { ...files, ...UNCHECKED } };
    case 'VERIFY_CA':
      return { use: 'always', options: { ...files, ...ANY_NAME } };
    case 'VERIFY_IDENTITY':
    case 'VERIFY_FULL':
      return { use: 'always', options: { ...files, rejectUnauthorized: true, verifyIdentity: true } };
    default:
      throw optionError(`the sslMode [${mode}] is not known`);
  }
}

function oldMysqlMode(properties: Properties): string {
  const usesTls = properties.get('usessl');
  if (usesTls === 'false') return 'DISABLED';
  const isChecked =
    properties.get('verifyservercertificate') === 'true' && properties.get('trustservercertificate') !== 'true';
  if (isChecked) return 'VERIFY_CA';
  return properties.get('requiressl') === 'true' || properties.get('trustservercertificate') === 'true'
    ? 'REQUIRED'
    : 'PREFERRED';
}

async function readProperty(properties: Properties, name: string): Promise<Buffer | undefined> {
  const path = properties.get(name);
  if (path === undefined) return undefined;
  try {
    return await readFile(path.replace(/^file:(?:\/\/)?/, ''));
  } catch (error) {
    throw optionError(`the file of [${name}] cannot be read: ${messageOf(error)}`);
  }
}
