import { HttpClient } from '@shoal/agent-plugin-kit';
import { expect, onTestFinished, test } from 'vitest';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { authority, serving } from '../../tls-plugin.test-support.ts';
import { local, plainOf, start } from '../input-under-test.test-support.ts';
import { elasticServerlessForwarderInput as forwarder } from './elastic-serverless-forwarder.ts';

test('the elastic_serverless_forwarder input has events of lines of JSON, over TLS and with credentials', async () => {
  const { sink, port } = await start(forwarder, {
    ...serving(),
    auth_basic_username: 'u',
    auth_basic_password: 'p',
  });
  const client = new HttpClient({ tls: { rejectUnauthorized: true, ca: authority.certificate } });
  onTestFinished(() => void client.close());
  const call = async (headers: Record<string, string>): Promise<number> => {
    const body = Buffer.from('{"message":"m","aws":{"s3":1}}\n{"message":"n"}\n');
    const url = `https://127.0.0.1:${port}/`;
    return (await client.call({ method: 'POST', url, headers, body, timeoutMs: 5_000 })).status;
  };
  expect(await call({})).toBe(401);
  expect(await call({ authorization: `Basic ${Buffer.from('u:p').toString('base64')}` })).toBe(200);
  expect(sink.messages()).toEqual(['m', 'n']);
  expect(plainOf(sink)).toEqual({ message: 'm', aws: { s3: 1 } });
});

test('the elastic_serverless_forwarder input refuses a user without a password', () => {
  const options = { ...local, ssl_enabled: false, auth_basic_username: 'u' };
  expect(() => makeInput(forwarder, options, testContext())).toThrow('need each other');
});
