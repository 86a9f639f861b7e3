/**
 * TLS as plugins declare it: PEM files, or a PKCS#12 key store for certificate and key.
 *
 * Old names of options are read too (see `old-tls-names`). Java's own format of key stores is refused, and so are trust
 * stores: Node.js reads neither.
 */
import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import type { OptionDeclarations, PluginOptions } from '../contract/plugin-definition.ts';
import { optionError } from '../options/option-error.ts';
import { refusedOptions } from '../options/refused-options.ts';
import { opensslCiphers } from './cipher-suites.ts';
import { givenTls, oldClientTls, oldServerTls, oldTls } from './old-tls-names.ts';

const TRUST_STORES = 'trust stores are not read: name PEM files in [ssl_certificate_authorities]';
/** First bytes of the JKS and JCEKS formats. */
const JAVA_STORES: readonly number[] = [0xfeedfeed, 0xcececece];

const sharedTls: OptionDeclarations = {
  ssl_enabled: { type: 'boolean' },
  ssl_certificate: { type: 'path' },
  ssl_key: { type: 'path' },
  ssl_key_passphrase: { type: 'password' },
  ssl_certificate_authorities: { type: 'array' },
  ssl_keystore_path: { type: 'path' },
  ssl_keystore_password: { type: 'password' },
  ssl_keystore_type: { type: ['pkcs12', 'jks'] },
  ssl_supported_protocols: { type: 'array' },
  ssl_cipher_suites: { type: 'array' },
  ...refusedOptions(
    [
      'ssl_truststore_path',
      'ssl_truststore_password',
      'ssl_truststore_type',
      'truststore',
      'truststore_password',
      'truststore_type',
    ],
    TRUST_STORES,
  ),
  ...oldTls,
};

/** Options of a plugin that connects. `full` also compares the name of the host. */
export const clientTls: OptionDeclarations = {
  ...sharedTls,
  ssl_verification_mode: { type: ['full', 'certificate', 'none'] },
  ...oldClientTls,
};

/** Options of a plugin that listens. Clients are not asked for certificates unless the plugin says so. */
export const serverTls: OptionDeclarations = {
  ...sharedTls,
  ssl_client_authentication: { type: ['none', 'optional', 'required'] },
  ...oldServerTls,
};

export interface ClientTls extends SecureContextOptions {
  readonly rejectUnauthorized: boolean;
  /** Accepts any name, where only the chain is verified. */
  readonly checkServerIdentity?: () => undefined;
}

/** Whether the plugin speaks TLS at all, under whichever name that was asked for. */
export function isTlsEnabled(options: PluginOptions): boolean {
  return givenTls(options, 'ssl_enabled') === true;
}

export function clientTlsOptions(options: PluginOptions): ClientTls {
  const mode = givenTls(options, 'ssl_verification_mode') ?? 'full';
  return {
    ...secureContext(options),
    rejectUnauthorized: mode !== 'none',
    ...(mode === 'certificate' ? { checkServerIdentity: () => undefined } : {}),
  };
}

export interface ServerTlsDefaults {
  readonly clientAuthentication: 'none' | 'required';
}

/** null when the plugin is to speak without TLS. Whoever listens watches over what is optional: see `Listener`. */
export function serverTlsOptions(
  options: PluginOptions,
  defaults: ServerTlsDefaults = { clientAuthentication: 'none' },
): TlsOptions | null {
  if (!isTlsEnabled(options)) return null;
  const hasPem = givenTls(options, 'ssl_certificate') !== undefined && givenTls(options, 'ssl_key') !== undefined;
  if (!hasPem && givenTls(options, 'ssl_keystore_path') === undefined)
    throw optionError('[ssl_enabled] needs [ssl_certificate] and [ssl_key], or [ssl_keystore_path]');
  const authentication = givenTls(options, 'ssl_client_authentication') ?? defaults.clientAuthentication;
  const hasAuthorities = authorityPaths(options).length > 0;
  // Without a word of the user the authorities that Node.js knows are those of the clients.
  if (options.has('ssl_client_authentication') && authentication !== 'none' && !hasAuthorities)
    throw optionError(`[ssl_client_authentication => ${String(authentication)}] needs [ssl_certificate_authorities]`);
  if (authentication === 'none' && hasAuthorities)
    throw optionError('[ssl_certificate_authorities] needs [ssl_client_authentication] to be optional or required');
  return {
    ...secureContext(options),
    requestCert: authentication !== 'none',
    rejectUnauthorized: authentication === 'required',
  };
}

function secureContext(options: PluginOptions): SecureContextOptions {
  const authorities = authorityPaths(options).map((path) => readFileSync(path));
  const protocols = texts(givenTls(options, 'ssl_supported_protocols'));
  const ciphers = texts(givenTls(options, 'ssl_cipher_suites'));
  return {
    ...identity(options),
    ...(authorities.length > 0 ? { ca: authorities } : {}),
    ...(ciphers.length > 0 ? { ciphers: opensslCiphers(ciphers) } : {}),
    ...(protocols.length > 0 ? protocolRange(protocols) : {}),
  };
}

/** Certificate and key, of files or of one key store. */
function identity(options: PluginOptions): SecureContextOptions {
  const certificate = givenTls(options, 'ssl_certificate');
  const key = givenTls(options, 'ssl_key');
  const store = givenTls(options, 'ssl_keystore_path');
  if (typeof store === 'string') {
    if (certificate !== undefined || key !== undefined)
      throw optionError('give either [ssl_certificate] and [ssl_key], or [ssl_keystore_path], not both');
    return keyStore(store, options);
  }
  if ((certificate === undefined) !== (key === undefined))
    throw optionError('[ssl_certificate] and [ssl_key] need each other');
  if (typeof certificate !== 'string' || typeof key !== 'string') return {};
  const chain = texts(givenTls(options, 'ssl_extra_chain_certs'));
  return {
    cert: Buffer.concat([certificate, ...chain].map((path) => Buffer.concat([readFileSync(path), Buffer.from('\n')]))),
    key: readFileSync(key),
    ...(options.has('ssl_key_passphrase') ? { passphrase: options.string('ssl_key_passphrase') } : {}),
  };
}

function keyStore(path: string, options: PluginOptions): SecureContextOptions {
  const pfx = readFileSync(path);
  // The name of the file says nothing: Java writes PKCS#12 under any.
  const isJava = pfx.length >= 4 && JAVA_STORES.includes(pfx.readUInt32BE(0));
  if (isJava || givenTls(options, 'ssl_keystore_type') === 'jks')
    throw optionError(
      `[${path}] is a Java key store (JKS), PKCS#12 is needed: ` +
        'keytool -importkeystore -srckeystore FILE -destkeystore FILE.p12 -deststoretype PKCS12',
    );
  const password = givenTls(options, 'ssl_keystore_password');
  return { pfx, ...(typeof password === 'string' ? { passphrase: password } : {}) };
}

function authorityPaths(options: PluginOptions): readonly string[] {
  return texts(givenTls(options, 'ssl_certificate_authorities'));
}

function texts(value: unknown): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function protocolRange(names: readonly string[]): SecureContextOptions {
  const known = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
  const chosen = known.filter((name) => names.includes(name));
  const [first] = chosen;
  const last = chosen[chosen.length - 1];
  if (first === undefined || last === undefined || chosen.length !== new Set(names).size)
    throw optionError(`[ssl_supported_protocols] may hold ${known.join(', ')}`);
  const leavesOut = first === 'TLSv1.1' && last === 'TLSv1.3' && !chosen.includes('TLSv1.2');
  return {
    minVersion: first,
    maxVersion: last,
    ...(leavesOut ? { secureOptions: constants.SSL_OP_NO_TLSv1_2 } : {}),
  };
}
