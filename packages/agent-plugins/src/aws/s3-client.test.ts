import { StoppableWait } from '@shoal/agent-plugin-kit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { s3Output } from '../outputs/s3/s3.ts';
import { makeOptions, testContext } from '../plugin-instance.test-support.ts';
import { s3Address } from './s3-address.ts';
import { S3Client } from './s3-client.ts';
import { error, S3_KEYS, type S3Server, startS3 } from './s3-server.test-support.ts';

function client({ endpoint }: Pick<S3Server, 'endpoint'>, options: Record<string, unknown> = {}): S3Client {
  const context = testContext();
  const literal = { bucket: 'logs', endpoint, ...S3_KEYS, ...options };
  return new S3Client(makeOptions(s3Output, literal, context), context, new StoppableWait(context.runtime));
}

describe('the address of an object', () => {
  const target = (key: string) => ({ bucket: 'logs', key, query: {} });
  test.each([
    ['https://s3.eu-west-1.amazonaws.com', 'a/b c+d', false, 'https://logs.s3.eu-west-1.amazonaws.com/a/b%20c%2Bd'],
    ['https://s3.eu-west-1.amazonaws.com', "a'(1)*", true, 'https://s3.eu-west-1.amazonaws.com/logs/a%27%281%29%2A'],
    ['http://127.0.0.1:9000', 'ä', false, 'http://127.0.0.1:9000/logs/%C3%A4'],
    ['http://localhost:9000', 'a', false, 'http://localhost:9000/logs/a'],
    ['http://store:9000/below', 'a', true, 'http://store:9000/below/logs/a'],
    ['https://store', '', false, 'https://logs.store/'],
    ['https://store', '', true, 'https://store/logs'],
  ])('%s %s %s', (endpoint, key, isPathStyle, address) => {
    expect(s3Address(endpoint, target(key), isPathStyle).href).toBe(address);
  });

  test('has a bucket in the path that no certificate would cover', () => {
    expect(s3Address('https://store', { bucket: 'a.b', key: 'k', query: {} }, false).href).toBe('https://store/a.b/k');
    expect(s3Address('http://store', { bucket: 'a.b', key: 'k', query: {} }, false).href).toBe('http://a.b.store/k');
  });

  test.each(['..', 'a/../b', './a'])('of %s does not exist', (key) => {
    expect(() => s3Address('https://store', target(key), false)).toThrow('no address');
  });
});

describe('a call', () => {
  test('keeps every character of a key', async () => {
    const server = await startS3();
    const key = "a b/ü+%2F&=?#'()*!~$,;:@";
    await client(server).call({ method: 'PUT', bucket: 'logs', key, body: Buffer.from('x') });
    expect([...server.bucket().keys()]).toEqual([key]);
  });

  test('goes to the region of the bucket once an answer named it', async () => {
    const server = await startS3('eu-central-1');
    const s3 = client(server);
    for (const key of ['a', 'b']) await s3.call({ method: 'PUT', bucket: 'logs', key, body: Buffer.from('x') });
    expect(server.names()).toEqual(['PUT logs/a', 'PUT logs/a', 'PUT logs/b']);
  });

  test('follows a redirect, unless it must not', async () => {
    const [near, far] = [await startS3(), await startS3()];
    near.instead = ({ key }) => ({ status: 307, headers: { location: `${far.endpoint}/logs/${key}` } });
    const call = { method: 'PUT', bucket: 'logs', key: 'a', body: Buffer.from('x') } as const;
    await client(near).call(call);
    expect(far.bucket().size).toBe(1);
    const stubborn = client(near, { additional_settings: { follow_redirects: false } });
    await expect(stubborn.call(call)).rejects.toThrow('307');
  });

  test('is made again where the server could not answer, and not where it refused', async () => {
    const server = await startS3();
    let left = 2;
    server.instead = () => (left-- > 0 ? error(503, 'SlowDown') : null);
    await client(server).call({ method: 'PUT', bucket: 'logs', key: 'a', body: Buffer.from('x') });
    expect(server.calls).toHaveLength(3);
    const gone = client(server).call({ method: 'GET', bucket: 'logs', key: 'none' });
    await expect(gone).rejects.toThrow('GET logs/none with NoSuchKey: it is so');
    expect(server.calls).toHaveLength(4);
  });

  test('that fails behind a good status fails', async () => {
    const server = await startS3();
    server.instead = () => ({ ...error(200, 'EntityTooSmall') });
    const call = client(server).call({ method: 'POST', bucket: 'logs', key: 'a', body: Buffer.from('x') });
    await expect(call).rejects.toThrow('EntityTooSmall');
  });
});

test.each(['AWS', 'AMAZON'])('keys may stand in the environment, named %s', async (prefix) => {
  const server = await startS3();
  vi.stubEnv(`${prefix}_ACCESS_KEY_ID`, S3_KEYS.access_key_id);
  vi.stubEnv(`${prefix}_SECRET_ACCESS_KEY`, S3_KEYS.secret_access_key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const context = testContext();
  const options = makeOptions(s3Output, { bucket: 'logs', endpoint: server.endpoint }, context);
  const s3 = new S3Client(options, context, new StoppableWait(context.runtime));
  await s3.call({ method: 'PUT', bucket: 'logs', key: 'a', body: Buffer.from('x') });
  expect(server.bucket().size).toBe(1);
});
