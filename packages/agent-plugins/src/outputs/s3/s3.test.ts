import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { error, S3_KEYS, type S3Server, startS3 } from '../../aws/s3-server.test-support.ts';
import { makeOutput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { event, line, type RunningOutput, start } from '../output-under-test.test-support.ts';
import { s3Output } from './s3.ts';

const FOLDER = '11111111-2222-4333-8444-555555555555';
const NAME = 'ls.s3.312bc026-2f5d-49bc-ae9f-5940cf4ad9a6.2013-04-18T10.00.part0.txt';

interface Running extends RunningOutput {
  readonly folder: string;
}

async function run(server: S3Server, options: Record<string, unknown> = {}, folder?: string): Promise<Running> {
  const temporary_directory = folder ?? join(await temporaryFolder(), 'work');
  const literal = {
    bucket: 'logs',
    endpoint: server.endpoint,
    codec: line,
    temporary_directory,
    validate_credentials_on_root_bucket: false,
    retry_delay: 0,
    ...S3_KEYS,
    ...options,
  };
  return { ...(await start(s3Output, literal)), folder: temporary_directory };
}

const events = (...messages: readonly string[]) => messages.map((message) => event({ message, app: 'web' }));
const stored = (server: S3Server) =>
  [...server.bucket()].map(([key, { body }]): readonly [string, string] => [key, body.toString()]);
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.txt(\.gz)?$/.test(name));

test.each([
  [{ prefix: 'a`b' }, '[prefix] must not contain'],
  [{ size_file: 0 }, '[size_file] must be greater than 0'],
  [{ time_file: 0 }, '[time_file] must be greater than 0'],
  [{ upload_workers_count: 0 }, '[upload_workers_count]'],
  [{ additional_settings: { no_such_setting: true } }, 'no_such_setting'],
  [{ additional_settings: { force_path_style: 'perhaps' } }, 'force_path_style'],
])('%j is refused', (options, message) => {
  const make = () => makeOutput(s3Output, { bucket: 'logs', ...S3_KEYS, ...options }, testContext());
  expect(make).toThrow(message);
});

describe('a file becomes an object', () => {
  test('when it is as large as it may be, under a name of its own', async () => {
    const server = await startS3();
    const { output, folder } = await run(server, { size_file: 8, tags: ['x', 'y'], prefix: '/app/%{app}/' });
    await output.receive(events('one'));
    expect(files(folder)).toHaveLength(1);
    await output.receive(events('two', 'three'));
    await output.receive(events('rest'));
    await output.stop?.();
    const [first, second] = stored(server)
      .sort(([a], [b]) => a.localeCompare(b))
      .sort(([a], [b]) => (a.includes('part0') ? -1 : b.includes('part0') ? 1 : 0));
    expect(first?.[0]).toMatch(/^app\/web\/ls\.s3\.[0-9a-f-]{36}\.\d{4}-\d\d-\d\dT\d\d\.\d\d\.tag_x\.y\.part0\.txt$/);
    expect([first?.[1], second?.[1], second?.[0].includes('.part1.')]).toEqual(['one\ntwo\nthree\n', 'rest\n', true]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('with the headers that say how it is kept', async () => {
    const server = await startS3();
    const { output } = await run(server, {
      canned_acl: 'bucket-owner-read',
      server_side_encryption: true,
      server_side_encryption_algorithm: 'aws:kms',
      ssekms_key_id: 'key-1',
      storage_class: 'ONEZONE_IA',
      encoding: 'gzip',
    });
    await output.receive(events('one'));
    await output.receive(events('two'.repeat(100_000)));
    await output.stop?.();
    const [object] = [...server.bucket().values()];
    expect(gunzipSync(object?.body ?? '').toString()).toBe(`one\n${'two'.repeat(100_000)}\n`);
    expect(object?.headers).toMatchObject({
      'x-amz-acl': 'bucket-owner-read',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
      'x-amz-storage-class': 'ONEZONE_IA',
      'content-encoding': 'gzip',
    });
  });

  test('each prefix has its own, and none leads out of the folder', async () => {
    const server = await startS3();
    const { output, folder } = await run(server, { prefix: '%{app}' });
    const evil = ['../../out', 'a>b', 'x'.repeat(3000)].map((app) => event({ message: app.slice(0, 9), app }));
    await output.receive(evil);
    expect(files(folder)).toHaveLength(3);
    await output.stop?.();
    const prefixes = stored(server).map(([key]) => dirname(key));
    expect(prefixes.sort()).toEqual(['__/__/out', 'a_b', 'x'.repeat(255)]);
  });
});

describe('what S3 does not take', () => {
  test('is sent again until it does, and only then removed', async () => {
    const server = await startS3();
    let refusals = 6;
    server.instead = () => (refusals-- > 0 ? error(503, 'SlowDown') : null);
    const { output, folder, context } = await run(server, { size_file: 1, additional_settings: { retry_limit: 0 } });
    await output.receive(events('one'));
    expect(files(folder)).toHaveLength(1);
    await server.until(() => refusals < 0);
    await output.stop?.();
    expect([stored(server)[0]?.[1], context.counts.get('retries'), readdirSync(folder)]).toEqual(['one\n', 6, []]);
  });

  test('holds the pipeline when the queue is full', async () => {
    const server = await startS3();
    let isOpen = false;
    server.instead = () => (isOpen ? null : error(500, 'InternalError'));
    const { output } = await run(server, {
      size_file: 1,
      upload_workers_count: 1,
      upload_queue_size: 1,
      additional_settings: { retry_limit: 0 },
    });
    await output.receive(events('one'));
    await output.receive(events('two'));
    let isTaken = false;
    const third = output.receive(events('three')).then(() => (isTaken = true));
    const before = server.calls.length;
    await server.until(() => server.calls.length > before + 5);
    expect(isTaken).toBe(false);
    isOpen = true;
    await third;
    await output.stop?.();
    expect(stored(server)).toHaveLength(3);
  });

  test.each([
    ['when the output stops', {}],
    ['after so many tries', { retry_count: 1, size_file: 1 }],
  ])('stays on disk %s, for the next start', async (_when, options) => {
    const server = await startS3();
    server.instead = () => error(403, 'AccessDenied');
    const first = await run(server, options);
    await first.output.receive(events('one'));
    await first.output.stop?.();
    expect(files(first.folder)).toHaveLength(1);
    server.instead = null;
    const second = await run(server, {}, first.folder);
    await server.until(() => server.bucket().size === 1);
    await second.output.stop?.();
    expect([stored(server)[0]?.[1], readdirSync(first.folder)]).toEqual(['one\n', []]);
  });
});

describe('files that a crash left', () => {
  test('are uploaded at the start, to the object that their path names', async () => {
    const server = await startS3();
    const folder = await temporaryFolder();
    mkdirSync(join(folder, FOLDER, 'a/b'), { recursive: true });
    writeFileSync(join(folder, FOLDER, 'a/b', NAME), 'old\n');
    writeFileSync(join(folder, 'other.txt'), 'not ours');
    const { output } = await run(server, {}, folder);
    await server.until(() => server.bucket().size === 1);
    await output.stop?.();
    expect(stored(server)).toEqual([[`a/b/${NAME}`, 'old\n']]);
    expect(readdirSync(folder)).toEqual(['other.txt']);
  });

  test('stay where they are without [restore], and those of another bucket with it', async () => {
    const server = await startS3();
    const folder = await temporaryFolder();
    mkdirSync(join(folder, FOLDER));
    writeFileSync(join(folder, FOLDER, NAME), 'old\n');
    const off = await run(server, { restore: false }, folder);
    await off.output.stop?.();
    writeFileSync(join(folder, FOLDER, '.shoal'), JSON.stringify({ bucket: 'other', key: NAME, writer: null }));
    const on = await run(server, {}, folder);
    await on.output.stop?.();
    expect([server.calls, existsSync(join(folder, FOLDER, NAME))]).toEqual([[], true]);
  });

  test('are not taken from another output that is at work', async () => {
    const server = await startS3();
    const first = await run(server);
    await first.output.receive(events('one'));
    const second = await run(server, {}, first.folder);
    await second.output.stop?.();
    expect(server.calls).toEqual([]);
    await first.output.receive(events('two'));
    await first.output.stop?.();
    expect(stored(server)[0]?.[1]).toBe('one\ntwo\n');
  });

  test('a compressed one without its end is mended', async () => {
    const server = await startS3();
    const folder = await temporaryFolder();
    const cut = createGzip();
    const chunks: Buffer[] = [];
    cut.on('data', (chunk: Buffer) => chunks.push(chunk));
    cut.write('first\nsecond\n');
    await new Promise<void>((resolve) => cut.flush(constants.Z_SYNC_FLUSH, resolve));
    const whole = 'aaaaaaaa-2222-4333-8444-555555555555';
    for (const [name, bytes] of [
      [FOLDER, Buffer.concat(chunks)],
      [whole, gzipSync('whole\n')],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, `${NAME}.gz`), bytes);
    }
    const { output } = await run(server, { encoding: 'gzip' }, folder);
    await server.until(() => server.bucket().size === 2);
    await output.stop?.();
    const texts = [...server.bucket()].map(([key, { body }]) => [key, gunzipSync(body).toString()]);
    expect(Object.fromEntries(texts)).toEqual({
      [NAME.replace('.txt', '-recovered.txt.gz')]: 'first\nsecond\n',
      [`${NAME}.gz`]: 'whole\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a large file', () => {
  const large = 'x'.repeat(6 * 1024 * 1024);

  test('goes in parts', async () => {
    const server = await startS3();
    const { output } = await run(server, { upload_multipart_threshold: 1024 });
    await output.receive(events(large));
    await output.stop?.();
    expect(server.names().map((name) => name.replace(/logs\/\S+\.txt/, 'logs'))).toEqual([
      'POST logs?uploads',
      'PUT logs?partNumber&uploadId',
      'PUT logs?partNumber&uploadId',
      'POST logs?uploadId',
    ]);
    expect(stored(server)[0]?.[1]).toBe(`${large}\n`);
  });

  test('leaves no parts behind when one is refused', async () => {
    const server = await startS3();
    let refusals = 1;
    server.instead = ({ query }) =>
      query.get('partNumber') === '2' && refusals-- > 0 ? error(403, 'AccessDenied') : null;
    const { output } = await run(server, { upload_multipart_threshold: 1024, size_file: 1 });
    await output.receive(events(large));
    await server.until(() => server.bucket().size === 1);
    await output.stop?.();
    expect([server.openUploads.size, server.names().filter((name) => name.startsWith('DELETE')).length]).toEqual([
      0, 1,
    ]);
  });
});

test('a bucket that cannot be written to stops the start, unless that is not asked', async () => {
  const server = await startS3();
  const options = { validate_credentials_on_root_bucket: true };
  const { output } = await run(server, options);
  await output.stop?.();
  expect(server.names().map((name) => name.split('-', 1)[0])).toEqual(['PUT logs/logstash', 'DELETE logs/logstash']);
  await expect(run(server, { ...options, secret_access_key: 'wrong' })).rejects.toThrow('SignatureDoesNotMatch');
});

test('the file of a killed process is complete up to its last batch', async () => {
  const server = await startS3();
  const { output, folder } = await run(server, { encoding: 'gzip' });
  await output.receive(events('one'));
  await output.receive(events('two'));
  const [name = ''] = files(folder);
  const text = gunzipSync(readFileSync(join(folder, name)), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  expect(text).toBe('one\ntwo\n');
});
