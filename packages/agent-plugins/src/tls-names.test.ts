import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  clientTls,
  clientTlsOptions,
  type PluginDefinition,
  serverTls,
  serverTlsOptions,
} from '@shoal/agent-plugin-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { KEYSTORE_PASSWORD, keystoreBytes } from '../../pipeline-agent/src/api/server/test-identity.test-support.ts';
import { makeOptions, type OptionsLiteral, temporaryFolder, testContext } from './plugin-instance.test-support.ts';
import { pemFile } from './tls-plugin.test-support.ts';

let folder = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(join(folder, 'store.p12'), keystoreBytes());
  writeFileSync(join(folder, 'store.jks'), Buffer.from([0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2]));
});

function plugin(options: PluginDefinition['options']): PluginDefinition {
  return {
    kind: 'input',
    name: 'tested',
    version: '1',
    options,
    create: () => ({ finished: null, start: async () => {}, stop: async () => {} }),
  };
}
const server = (literal: OptionsLiteral) => serverTlsOptions(makeOptions(plugin(serverTls), literal, testContext()));
const client = (literal: OptionsLiteral) => clientTlsOptions(makeOptions(plugin(clientTls), literal, testContext()));
const pem = { ssl_certificate: pemFile('client.pem'), ssl_key: pemFile('client.key') };
const ca = pemFile('authority.pem');

describe('a server', () => {
  test('speaks TLS under each name of the switch', () => {
    for (const name of ['ssl_enabled', 'ssl', 'ssl_enable']) {
      expect(server({ [name]: true, ...pem })?.key).toEqual(readFileSync(pem.ssl_key));
      expect(server({ [name]: false, ...pem })).toBe(null);
    }
  });
  test.each([
    [{ ssl_verify_mode: 'none' }, false, false],
    [{ ssl_verify_mode: 'peer', ssl_certificate_authorities: [ca] }, true, false],
    [{ ssl_verify_mode: 'force_peer', ssl_certificate_authorities: [ca] }, true, true],
    [{ verify_mode: 'force_peer', ssl_certificate_authorities: [ca] }, true, true],
    [{ ssl_verify: true, cacert: ca }, true, true],
    [{ ssl_client_authentication: 'optional', ssl_certificate_authorities: ca }, true, false],
  ])('asks for certificates as %o says', (options, requestCert, rejectUnauthorized) => {
    expect(server({ ssl_enabled: true, ...pem, ...options })).toMatchObject({ requestCert, rejectUnauthorized });
  });
  test('has its certificate from a PKCS#12 store under either name', () => {
    const path = join(folder, 'store.p12');
    for (const given of [
      { keystore: path, keystore_password: KEYSTORE_PASSWORD },
      { ssl_keystore_path: path, ssl_keystore_password: KEYSTORE_PASSWORD, ssl_keystore_type: 'pkcs12' },
    ])
      expect(server({ ssl: true, ...given })).toMatchObject({
        pfx: Buffer.from(keystoreBytes()),
        passphrase: KEYSTORE_PASSWORD,
      });
  });
  test('sends the certificates between its own and the authority', () => {
    const cert = String(server({ ssl_enabled: true, ...pem, ssl_extra_chain_certs: [ca] })?.cert);
    expect(cert.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });
  test('takes the limits of versions, and lists with a gap', () => {
    expect(server({ ssl: true, ...pem, tls_min_version: 1.2, tls_max_version: 1.2 })).toMatchObject({
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.2',
    });
    expect(
      server({ ssl: true, ...pem, ssl_supported_protocols: ['TLSv1.1', 'TLSv1.3'] })?.secureOptions,
    ).toBeGreaterThan(0);
  });
  test.each([
    ['both [ssl]', { ssl: true, ssl_enabled: true, ...pem }, '[ssl] and [ssl_enabled] are the same'],
    [
      'two old names',
      { ssl_enabled: true, ...pem, ssl_verify_mode: 'peer', verify_mode: 'none' },
      'use only [ssl_client_authentication]',
    ],
    ['no key', { ssl_enabled: true, ssl_certificate: pem.ssl_certificate }, 'needs [ssl_certificate] and [ssl_key]'],
    [
      'authorities for nobody',
      { ssl_enabled: true, ...pem, ssl_certificate_authorities: [ca] },
      'needs [ssl_client_authentication]',
    ],
    [
      'nobody to trust',
      { ssl_enabled: true, ...pem, ssl_client_authentication: 'required' },
      'needs [ssl_certificate_authorities]',
    ],
    ['no such version', { ssl_enabled: true, ...pem, tls_max_version: 1.0, tls_min_version: 1.0 }, 'no version of TLS'],
    [
      'both versions',
      { ssl_enabled: true, ...pem, tls_max_version: 1.2, ssl_supported_protocols: ['TLSv1.2'] },
      'do not go with',
    ],
  ])('is refused with %s', (_name, options, text) => {
    expect(() => server(options)).toThrow(text);
  });
  test('is refused with a store of Java, whatever its name, and with both kinds of certificate', () => {
    const path = join(folder, 'store.jks');
    expect(() => server({ ssl: true, keystore: path })).toThrow('is a Java key store (JKS)');
    const store = join(folder, 'store.p12');
    expect(() => server({ ssl: true, keystore: store, keystore_type: 'JKS' })).toThrow('is a Java key store (JKS)');
    expect(() => server({ ssl: true, keystore: store, ...pem })).toThrow('not both');
  });
});

describe('a client', () => {
  test.each([
    [{}, true],
    [{ ssl_verification_mode: 'none' }, false],
    [{ ssl_certificate_verification: false }, false],
    [{ ssl_certificate_verification: true }, true],
    [{ ssl_verify: false }, false],
  ])('verifies as %o says', (options, rejectUnauthorized) => {
    expect(client(options).rejectUnauthorized).toBe(rejectUnauthorized);
  });
  test('may verify the certificate without the name', () => {
    const tls = client({ ssl_verification_mode: 'certificate' });
    expect(tls.rejectUnauthorized).toBe(true);
    expect(tls.checkServerIdentity?.()).toBe(undefined);
  });
  test('knows authorities and its own certificate by old names', () => {
    for (const name of ['cacert', 'ca_file', 'ssl_cacert'])
      expect(client({ [name]: ca }).ca).toEqual([readFileSync(ca)]);
    const tls = client({ client_cert: pem.ssl_certificate, client_key: pem.ssl_key });
    expect(tls.key).toEqual(readFileSync(pem.ssl_key));
    expect(() => client({ truststore: '/x' })).toThrow('trust stores are not read');
  });
});
