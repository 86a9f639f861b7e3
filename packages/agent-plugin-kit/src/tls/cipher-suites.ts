/**
 * Names of cipher suites: configurations have those of Java and the standards, TLS here wants those of OpenSSL.
 */
import { getCiphers } from 'node:tls';
import { ShoalError } from '@shoal/core';

/** @throws ShoalError for a name that is no cipher suite here */
export function opensslCiphers(names: readonly string[]): string {
  const known = new Set(getCiphers().map((name) => name.toUpperCase()));
  return names
    .map((name) => {
      const found = [name, opensslName(name)].find((one) => known.has(one.toUpperCase()));
      if (found !== undefined) return found;
      throw new ShoalError(
        'illegal_argument_exception',
        400,
        `[ssl_cipher_suites] holds [${name}], which is not known`,
      );
    })
    .join(':');
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` -> `ECDHE-RSA-AES128-GCM-SHA256`. Those of TLS 1.3 are called the same. */
function opensslName(name: string): string {
  const [, exchange = '', cipher = ''] = /^TLS_(\w+)_WITH_(\w+)$/.exec(name) ?? [];
  const short = cipher
    .replace(/^AES_(\d+)_CBC_/, 'AES$1-')
    .replace(/^AES_(\d+)_/, 'AES$1-')
    .replace(/^CHACHA20_POLY1305_SHA256$/, 'CHACHA20-POLY1305')
    .replaceAll('_', '-');
  return exchange === 'RSA' ? short : `${exchange.replaceAll('_', '-')}-${short}`;
}
