import { expect, test } from 'vitest';
import { opensslCiphers } from './cipher-suites.ts';

test('cipher suites are named as the standards or as OpenSSL names them', () => {
  expect(
    opensslCiphers([
      'TLS_AES_256_GCM_SHA384',
      'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
      'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
      'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384',
      'TLS_RSA_WITH_AES_128_CBC_SHA',
      'ECDHE-RSA-AES128-SHA256',
    ]),
  ).toBe(
    'TLS_AES_256_GCM_SHA384:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-SHA384:AES128-SHA:ECDHE-RSA-AES128-SHA256',
  );
});

test('an unknown cipher suite is refused by name', () => {
  expect(() => opensslCiphers(['TLS_NULL'])).toThrow('holds [TLS_NULL]');
});
