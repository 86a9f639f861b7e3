/**
 * TLS as plugins declare it: certificates as PEM files. Java key stores are refused: convert them to PEM once.
 */
import { readFileSync } from 'node:fs';
import type { SecureContextOptions, TlsOptions } from 'node:tls';
import { ShoalError } from '@shoal/core';
import type { OptionDeclarations, PluginOptions } from '../contract/plugin-definition.ts';
import { refusedOptions } from '../options/refused-options.ts';
import { opensslCiphers } from './cipher-suites.ts';

const KEY_STORES =
  'Java key stores are not read: use PEM files with [ssl_certificate], [ssl_key] and [ssl_certificate_authorities]';
const RENAMED = 'use [ssl_enabled], [ssl_certificate], [ssl_key] and [ssl_certificate_authorities]';

const sharedTls: OptionDeclarations = {
  ssl_enabled: { type: 'boolean' },
  ssl_certificate: { type: 'path' },
  ssl_key: { type: 'path' },
  ssl_key_passphrase: { type: 'password' },
  ssl_certificate_authorities: { type: 'array', default: [] },
  ssl_supported_protocols: { type: 'array', default: [] },
  ssl_cipher_suites: { type: 'array', default: [] },
  ...refusedOptions(
    [
      'ssl_keystore_path',
      'ssl_keystore_password',
      'ssl_keystore_type',
      'ssl_truststore_path',
      'ssl_truststore_password',
      'ssl_truststore_type',
    ],
    KEY_STORES,
  ),
  ...refusedOptions(
    ['ssl', 'cacert', 'keystore', 'keystore_password', 'truststore', 'truststore_password', 'ssl_cert', 'ssl_cacert'],
    RENAMED,
  ),
};

export const clientTls: OptionDeclarations = {
  ...sharedTls,
  ssl_verification_mode: { type: ['full', 'none'], default: 'full' },
};

export const serverTls: OptionDeclarations = {
  ...sharedTls,
  ssl_client_authentication: { type: ['none', 'optional', 'required'], default: 'none' },
};

export interface ClientTls extends SecureContextOptions {
  readonly rejectUnauthorized: boolean;
}

export function clientTlsOptions(options: PluginOptions): ClientTls {
  return { ...secureContext(options), rejectUnauthorized: options.string('ssl_verification_mode') === 'full' };
}

/** null when the plugin is to speak without TLS. Whoever listens watches over what is optional: see `Listener`. */
export function serverTlsOptions(options: PluginOptions): TlsOptions | null {
  if (!options.has('ssl_enabled') || !options.boolean('ssl_enabled')) return null;
  if (!options.has('ssl_certificate') || !options.has('ssl_key'))
    throw new ShoalError('illegal_argument_exception', 400, '[ssl_enabled] needs [ssl_certificate] and [ssl_key]');
  const authentication = options.string('ssl_client_authentication');
  return {
    ...secureContext(options),
    requestCert: authentication !== 'none',
    rejectUnauthorized: authentication === 'required',
  };
}

function secureContext(options: PluginOptions): SecureContextOptions {
  const authorities = options.strings('ssl_certificate_authorities').map((path) => readFileSync(path));
  const protocols = options.strings('ssl_supported_protocols');
  const ciphers = options.strings('ssl_cipher_suites');
  return {
    ...(options.has('ssl_certificate') ? { cert: readFileSync(options.string('ssl_certificate')) } : {}),
    ...(options.has('ssl_key') ? { key: readFileSync(options.string('ssl_key')) } : {}),
    ...(options.has('ssl_key_passphrase') ? { passphrase: options.string('ssl_key_passphrase') } : {}),
    ...(authorities.length > 0 ? { ca: authorities } : {}),
    ...(ciphers.length > 0 ? { ciphers: opensslCiphers(ciphers) } : {}),
    ...(protocols.length > 0 ? protocolRange(protocols) : {}),
  };
}

function protocolRange(names: readonly string[]): SecureContextOptions {
  const known = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
  const chosen = known.filter((name) => names.includes(name));
  const [first] = chosen;
  const last = chosen[chosen.length - 1];
  if (first === undefined || last === undefined || chosen.length !== names.length)
    throw new ShoalError('illegal_argument_exception', 400, `[ssl_supported_protocols] may hold ${known.join(', ')}`);
  return { minVersion: first, maxVersion: last };
}
