import { renderErrorBody } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { BasicCredentials } from './basic-credentials.ts';

const credentials = new BasicCredentials('elastic', 'chängeme:1');
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a server with a password', () => {
  test.each([basic('elastic:chängeme:1'), basic('elastic:chängeme:1').replace('Basic', 'bAsIc ')])(
    'lets in %s',
    (header) => {
      expect(credentials.refusal(header, '/')).toBeNull();
    },
  );

  test.each([
    ...['elastic:', 'elastic:chängeme', 'elastic:chängeme:12', 'kibana:chängeme:1', ':', 'elastic:CHÄNGEME:1'],
  ])('refuses %s by the name of its user', (text) => {
    const reason = `unable to authenticate user [${text.split(':')[0]}] for REST request [/books]`;
    expect(credentials.refusal(basic(text), '/books')).toMatchObject({ status: 401, reason });
  });

  test.each([undefined, '', 'Basic', 'Basic !', basic('elastic'), 'Bearer abc', `Basic ${'a'.repeat(10_000)}`])(
    'takes %s for no credentials',
    (header) => {
      expect(credentials.refusal(header, '/?pretty')?.reason).toBe(
        'missing authentication credentials for REST request [/?pretty]',
      );
    },
  );

  test('says so as Elasticsearch does', () => {
    const error = credentials.refusal(undefined, '/');
    const inner = {
      type: 'security_exception',
      reason: 'missing authentication credentials for REST request [/]',
      header: { 'WWW-Authenticate': 'Basic realm="security" charset="UTF-8"' },
    };
    expect(error === null ? null : renderErrorBody(error)).toEqual({
      error: { root_cause: [inner], ...inner },
      status: 401,
    });
  });
});
