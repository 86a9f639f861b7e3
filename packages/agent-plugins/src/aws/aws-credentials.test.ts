import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqsInput } from '../inputs/sqs/sqs.ts';
import { makeOptions, testContext } from '../plugin-instance.test-support.ts';
import { awsCredentials } from './aws-credentials.ts';
import type { CredentialSource } from './credential-source.ts';
import { type LendingServer, startLending } from './metadata-server.test-support.ts';
import { parseProfiles } from './shared-credentials.ts';

const directory = mkdtempSync(join(tmpdir(), 'shoal-aws-'));
afterAll(() => rmSync(directory, { recursive: true }));
function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
}

const KEYS = { access_key_id: 'AKID', secret_access_key: 'secret' };
const ROLE = 'arn:aws:iam::1:role/reader';
const START_MS = Date.UTC(2026, 0, 1);
const clock = { now: START_MS, wallMs: () => clock.now, monotonicMs: () => clock.now };

/** Nothing of the machine that runs the tests is found. */
beforeEach(() => {
  clock.now = START_MS;
  for (const name of Object.keys(process.env)) if (/^(?:AWS|AMAZON)_/.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(directory, 'none'));
});
afterEach(() => vi.unstubAllEnvs());

function source(options: Record<string, unknown> = {}, log = createRecordingLog()): CredentialSource {
  const context = testContext({ runtime: { ...createNodeRuntime({ log }), clock } });
  return awsCredentials(makeOptions(sqsInput, { queue: 'q', region: 'eu-west-1', ...options }, context), context);
}

function lends(server: LendingServer, action: string, minutes: number): void {
  server.answers.set('POST /', () => {
    const ends = new Date(clock.now + minutes * 60_000).toISOString();
    const key = `ASIA${server.calls.length}`;
    const lent = `<AccessKeyId>${key}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>`;
    const credentials = `<Credentials>${lent}<Expiration>${ends}</Expiration></Credentials>`;
    const result = `<${action}Result>${credentials}</${action}Result>`;
    return { status: 200, body: `<${action}Response xmlns="https://sts.amazonaws.com/">${result}</${action}Response>` };
  });
}

describe('a role', () => {
  test('is taken on with the keys of the options, and again before its credentials end', async () => {
    const sts = await startLending();
    vi.stubEnv('AWS_ENDPOINT_URL_STS', sts.endpoint);
    lends(sts, 'AssumeRole', 60);
    const role = source({ ...KEYS, role_arn: ROLE, role_session_name: 'shipper' });
    const [first, second] = await Promise.all([role.current(), role.current()]);
    expect(first).toEqual({ accessKeyId: 'ASIA1', secretAccessKey: 's', sessionToken: 't' });
    expect([second, sts.calls.length]).toEqual([first, 1]);
    const { headers, body } = sts.calls[0] ?? { headers: {}, body: '' };
    expect(headers.authorization).toMatch(/Credential=AKID\/20260101\/eu-west-1\/sts\/aws4_request/);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      Version: '2011-06-15',
      Action: 'AssumeRole',
      RoleArn: ROLE,
      RoleSessionName: 'shipper',
    });
    clock.now += 54 * 60_000;
    expect((await role.current()).accessKeyId).toBe('ASIA1');
    clock.now += 2 * 60_000;
    expect((await role.current()).accessKeyId).toBe('ASIA2');
    role.close();
  });

  test('serves to its end while the service is away, and no longer', async () => {
    const sts = await startLending();
    vi.stubEnv('AWS_ENDPOINT_URL_STS', sts.endpoint);
    lends(sts, 'AssumeRole', 60);
    const role = source({ ...KEYS, role_arn: ROLE });
    await role.current();
    sts.answers.set('POST /', () => ({ status: 503, body: '' }));
    clock.now += 58 * 60_000;
    expect((await role.current()).accessKeyId).toBe('ASIA1');
    clock.now += 3 * 60_000;
    await expect(role.current()).rejects.toThrow('AssumeRole with 503');
  });

  test('that may not be taken on is told with the reason', async () => {
    const sts = await startLending();
    vi.stubEnv('AWS_ENDPOINT_URL_STS', sts.endpoint);
    const error = '<Error><Code>AccessDenied</Code><Message>not yours</Message></Error>';
    sts.answers.set('POST /', () => ({ status: 403, body: `<ErrorResponse>${error}</ErrorResponse>` }));
    await expect(source({ ...KEYS, role_arn: ROLE }).current()).rejects.toThrow(
      'AssumeRole with AccessDenied: not yours',
    );
  });
});

describe('without keys in the options', () => {
  test('the variables are used, and one key alone is warned of', async () => {
    vi.stubEnv('AMAZON_ACCESS_KEY_ID', 'A');
    vi.stubEnv('AMAZON_SECRET_ACCESS_KEY', 'B');
    const log = createRecordingLog();
    expect(await source({ access_key_id: 'alone' }, log).current()).toMatchObject({ accessKeyId: 'A' });
    expect(log.lines.map(({ message }) => message)).toEqual([
      'one of [access_key_id] and [secret_access_key] is missing: neither is used',
    ]);
  });

  test('the token of a pod is exchanged for its role', async () => {
    const sts = await startLending();
    vi.stubEnv('AWS_ENDPOINT_URL_STS', sts.endpoint);
    vi.stubEnv('AWS_ROLE_ARN', ROLE);
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', file('token', 'ey.J\n'));
    lends(sts, 'AssumeRoleWithWebIdentity', 60);
    expect((await source().current()).accessKeyId).toBe('ASIA1');
    expect(sts.calls[0]?.body).toContain('WebIdentityToken=ey.J');
    expect(sts.calls[0]?.headers.authorization).toBeUndefined();
  });

  test('the profile of the shared file is used', async () => {
    const text = '[default]\naws_access_key_id = D\naws_secret_access_key = E\n[other]\naws_access_key_id=F\n';
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file('credentials', `${text}aws_secret_access_key=G=\n`));
    expect(await source().current()).toEqual({ accessKeyId: 'D', secretAccessKey: 'E', sessionToken: null });
    vi.stubEnv('AWS_PROFILE', 'other');
    expect(await source().current()).toMatchObject({ accessKeyId: 'F', secretAccessKey: 'G=' });
  });

  test('a profile that is named goes before the variables', async () => {
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file('named', '[p]\naws_access_key_id=A\naws_secret_access_key=B\n'));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'V');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'W');
    expect(await source({ additional_settings: { profile: 'p' } }).current()).toMatchObject({ accessKeyId: 'A' });
    expect(await source({ ...KEYS, additional_settings: { profile: 'p' } }).current()).toMatchObject({
      accessKeyId: 'AKID',
    });
    expect(() => source({ additional_settings: { profile: 'q' } })).toThrow('[profile => q]');
  });

  test('the container lends them', async () => {
    const agent = await startLending();
    const answer = { AccessKeyId: 'C', SecretAccessKey: 'S', Token: 'T', Expiration: '2026-01-01T06:00:00Z' };
    agent.answers.set('GET /role', () => ({ status: 200, body: JSON.stringify(answer) }));
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${agent.endpoint}/role`);
    vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN', 'proof');
    expect(await source().current()).toEqual({ accessKeyId: 'C', secretAccessKey: 'S', sessionToken: 'T' });
    expect(agent.calls[0]?.headers.authorization).toBe('proof');
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://elsewhere.test/role');
    expect(() => source()).toThrow('not on this machine');
  });

  test('the machine lends those of its role', async () => {
    const service = await startLending();
    const path = '/latest/meta-data/iam/security-credentials/';
    service.answers.set('PUT /latest/api/token', () => ({ status: 200, body: 'session' }));
    service.answers.set(`GET ${path}`, () => ({ status: 200, body: 'reader\n' }));
    const lent = { AccessKeyId: 'I', SecretAccessKey: 'S', Token: 'T', Expiration: '2026-01-01T06:00:00Z' };
    service.answers.set(`GET ${path}reader`, () => ({ status: 200, body: JSON.stringify(lent) }));
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', service.endpoint);
    expect(await source().current()).toMatchObject({ accessKeyId: 'I', sessionToken: 'T' });
    expect(service.calls.slice(1).map(({ headers }) => headers['x-aws-ec2-metadata-token'])).toEqual([
      'session',
      'session',
    ]);
    service.answers.clear();
    await expect(source().current()).rejects.toThrow('there are no credentials of AWS');
  });

  test('it is told at the start where the machine is not to be asked', () => {
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    expect(() => source()).toThrow('credentials of AWS are needed');
  });
});

test('profiles are read past comments and lines that are none', () => {
  const profiles = parseProfiles('x = 1\n# c\n[ a ]\r\nk = v w \r\n  nested = 1\nbroken\n[profile b]\nk=\n');
  expect([...profiles].map(([name, values]) => [name, [...values]])).toEqual([
    ['a', [['k', 'v w']]],
    ['b', [['k', '']]],
  ]);
});
