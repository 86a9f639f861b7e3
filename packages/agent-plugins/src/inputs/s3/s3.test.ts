import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { error, S3_KEYS, type S3Server, startS3 } from '../../aws/s3-server.test-support.ts';
import { CollectingSink, makeInput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { metadataOf, plainOf, type RunningInput, start } from '../input-under-test.test-support.ts';
import { s3Input } from './s3.ts';

const SECOND = 1_000_000_000_000;

async function run(
  server: S3Server,
  options: Record<string, unknown> = {},
): Promise<RunningInput & { folder: string }> {
  const folder = await temporaryFolder();
  const literal = {
    bucket: 'logs',
    endpoint: server.endpoint,
    temporary_directory: join(folder, 'work'),
    sincedb_path: join(folder, 'position'),
    watch_for_new_files: false,
    additional_settings: { retry_limit: 0 },
    ...S3_KEYS,
    ...options,
  };
  return { ...(await start(s3Input, literal)), folder };
}

/** Messages of all objects, once. */
async function readAll(server: S3Server, options: Record<string, unknown> = {}): Promise<unknown[]> {
  const { sink, input } = await run(server, options);
  await input.finished;
  return sink.messages();
}

const positionOf = (folder: string) => readFileSync(join(folder, 'position'), 'utf8');

describe('objects are read', () => {
  test('the oldest first, from every page of the list, each line an event', async () => {
    const server = await startS3();
    server.pageSize = 2;
    for (const [at, key] of ['e', 'd', 'c', 'b ä+&<', 'a'].entries())
      server.put(key, `${key}1\n${key}2`, SECOND + at * 1000);
    const { sink, input, folder } = await run(server);
    await input.finished;
    expect(sink.messages()).toEqual(['e', 'd', 'c', 'b ä+&<', 'a'].flatMap((key) => [`${key}1\n`, `${key}2`]));
    expect(metadataOf(sink, '[s3]', 9)).toEqual(new Map([['key', 'a']]));
    expect([positionOf(folder), readdirSync(join(folder, 'work'))]).toEqual(['2001-09-09 01:46:44 UTC', []]);
  });

  test('compressed ones by their name', async () => {
    const server = await startS3();
    server.put('a.gz', Buffer.concat([gzipSync('one\r\ntwo\n'), gzipSync('three')]), SECOND);
    server.put('b.gzip', gzipSync('four\n'), SECOND + 1000);
    server.put('c.bin', gzipSync('five\n'), SECOND + 2000);
    expect(await readAll(server, { exclude_pattern: 'bin$' })).toEqual(['one', 'two', 'three', 'four']);
    expect(await readAll(server, { gzip_pattern: '\\.bin$', exclude_pattern: '^[ab]' })).toEqual(['five']);
  });

  test.each([
    ['json', '{"message":"one"}\n{"message":"two"}', ['one', 'two']],
    ['line', 'one\ntwo', ['one', 'two']],
    ['json_lines', '{"message":"one"}\n{"message":"two"}\n', ['one', 'two']],
  ])('through the codec %s, compressed or not', async (codec, text, messages) => {
    const server = await startS3();
    server.put('a', text, SECOND);
    server.put('b.gz', gzipSync(text), SECOND + 1000);
    expect(await readAll(server, { codec })).toEqual([...messages, ...messages]);
  });

  test('without those that are excluded, empty, too new, folders, or below another prefix', async () => {
    const server = await startS3();
    server.put('x/', 'no');
    server.put('x/folder/', 'no');
    server.put('x/no.tmp', 'no');
    server.put('x/empty', '');
    server.put('y', 'no');
    server.put('x/new', 'no', Date.now() + 60_000);
    server.put('x/yes', 'yes');
    expect(await readAll(server, { prefix: 'x/', exclude_pattern: '\\.tmp$' })).toEqual(['yes']);
  });

  test('up to where one is broken', async () => {
    const server = await startS3();
    server.put('a.gz', 'no such format', SECOND);
    server.put('b', 'good', SECOND + 1000);
    expect(await readAll(server)).toEqual(['good']);
  });

  test('from the archive when they were brought back', async () => {
    const server = await startS3();
    for (const [key, until] of [
      ['gone', '"Fri, 21 Dec 2012 00:00:00 GMT"'],
      ['here', '"Fri, 21 Dec 2112 00:00:00 GMT"'],
    ] as const)
      Object.assign(server.put(key, key), {
        storageClass: 'GLACIER',
        restore: `ongoing-request="false", expiry-date=${until}`,
      });
    Object.assign(server.put('asked', 'asked'), { storageClass: 'DEEP_ARCHIVE' });
    expect(await readAll(server)).toEqual(['here']);
  });
});

describe('an event', () => {
  test('has the properties of its object when they are asked for', async () => {
    const server = await startS3();
    server.put('a', 'one', SECOND, { 'content-type': 'text/plain', 'x-amz-meta-team': 'web' });
    const { sink, input } = await run(server, { include_object_properties: true });
    await input.finished;
    const found = metadataOf(sink, '[s3]') as Map<string, unknown>;
    expect([found.get('key'), found.get('content_length'), found.get('content_type')]).toEqual(['a', 3, 'text/plain']);
    expect([String(found.get('last_modified')), found.get('metadata')]).toEqual([
      '2001-09-09T01:46:40.000Z',
      new Map([['team', 'web']]),
    ]);
  });

  test.each(['disabled', 'v8'] as const)('of CloudFront knows version and columns, under ECS %s', async (ecs) => {
    const server = await startS3();
    server.put('a.gz', gzipSync('#Version: 1.0\n#Fields: date time\n2020 12:00\n'));
    const folder = await temporaryFolder();
    const sink = new CollectingSink();
    const options = {
      bucket: 'logs',
      endpoint: server.endpoint,
      watch_for_new_files: false,
      temporary_directory: folder,
    };
    const input = makeInput(s3Input, { ...options, ...S3_KEYS }, testContext({ ecs }));
    await input.start(sink);
    await input.finished;
    const found = ecs === 'disabled' ? plainOf(sink) : metadataOf(sink, '[s3][cloudfront]');
    expect(found).toEqual(
      ecs === 'disabled'
        ? { message: '2020 12:00', cloudfront_version: '1.0', cloudfront_fields: 'date time' }
        : new Map([
            ['version', '1.0'],
            ['fields', 'date time'],
          ]),
    );
  });
});

describe('the position', () => {
  test('keeps what was read from being read again, also as Logstash wrote it', async () => {
    const server = await startS3();
    server.put('a', 'a', SECOND);
    server.put('b', 'b', SECOND + 1500);
    const path = join(await temporaryFolder(), 'sincedb');
    writeFileSync(path, '2001-09-09 03:46:40 +0200');
    expect(await readAll(server, { sincedb_path: path })).toEqual(['b']);
    expect(await readAll(server, { sincedb_path: path })).toEqual([]);
    writeFileSync(path, 'yesterday');
    await expect(run(server, { sincedb_path: path })).rejects.toThrow('tells no time');
  });

  test('moves when the pipeline confirms, and not within a second', async () => {
    const server = await startS3();
    server.put('a', 'a', SECOND);
    server.put('b', 'b', SECOND);
    let confirmations = 0;
    const folder = await temporaryFolder();
    const path = join(folder, 'position');
    const seen: boolean[] = [];
    const sink = Object.assign(new CollectingSink(), {
      confirmed: async () => {
        seen.push(existsSync(path));
        confirmations++;
      },
    });
    const options = {
      bucket: 'logs',
      endpoint: server.endpoint,
      watch_for_new_files: false,
      temporary_directory: folder,
    };
    const input = makeInput(s3Input, { ...options, ...S3_KEYS, sincedb_path: path }, testContext());
    await input.start(sink);
    await input.finished;
    expect([confirmations, seen, existsSync(path)]).toEqual([2, [false, false], true]);
  });

  test('does not pass an object that cannot be read now', async () => {
    const server = await startS3();
    for (const [at, key] of ['a', 'b', 'c'].entries()) server.put(key, key, SECOND + at * 1000);
    let refusals = 1;
    server.instead = ({ method, key }) =>
      method === 'GET' && key === 'b' && refusals-- > 0 ? error(503, 'SlowDown') : null;
    const { sink, input } = await run(server, { watch_for_new_files: true, interval: 0 });
    await sink.until(3);
    await input.stop();
    expect(sink.messages()).toEqual(['a', 'b', 'c']);
  });

  test('passes one that is refused for good', async () => {
    const server = await startS3();
    for (const [at, key] of ['a', 'b'].entries()) server.put(key, key, SECOND + at * 1000);
    server.instead = ({ method, key }) => (method === 'GET' && key === 'a' ? error(403, 'AccessDenied') : null);
    expect(await readAll(server)).toEqual(['b']);
  });

  test('stays before an object that changed while it was read', async () => {
    const server = await startS3();
    server.put('a', 'old', SECOND);
    server.instead = ({ method, key }) => {
      if (method === 'HEAD' && key === 'a') server.put('a', 'new', SECOND + 5000);
      return null;
    };
    const { sink, input } = await run(server, { watch_for_new_files: true, interval: 0 });
    await sink.until(2);
    await input.stop();
    expect(sink.messages().slice(0, 2)).toEqual(['old', 'new']);
  });
});

describe('what was read', () => {
  test('is copied and deleted as asked', async () => {
    const server = await startS3();
    server.put('x/a b', 'one');
    const folder = join(await temporaryFolder(), 'kept');
    const options = { backup_to_bucket: 'kept', backup_add_prefix: 'done/', backup_to_dir: folder, delete: true };
    expect(await readAll(server, options)).toEqual(['one']);
    expect([[...server.bucket().keys()], [...server.bucket('kept').keys()]]).toEqual([[], ['done/x/a b']]);
    expect(readFileSync(join(folder, 'a b'), 'utf8')).toBe('one');
  });

  test('is not read again from a copy in the same bucket', async () => {
    const server = await startS3();
    server.put('a', 'one');
    const options = { backup_to_bucket: 'logs', backup_add_prefix: 'done/' };
    expect(await readAll(server, options)).toEqual(['one']);
    expect(await readAll(server, { ...options, cutoff_second: 0 })).toEqual(['one']);
    expect([...server.bucket().keys()]).toEqual(['a', 'done/a']);
    await expect(async () => run(server, { backup_to_bucket: 'logs' })).rejects.toThrow('[backup_add_prefix]');
  });

  test('is not deleted before its backup is made', async () => {
    const server = await startS3();
    server.put('a', 'one');
    let refusals = 1;
    server.instead = ({ method, bucket }) =>
      method === 'PUT' && bucket === 'kept' && server.buckets.has('kept') && refusals-- > 0
        ? error(403, 'AccessDenied')
        : null;
    server.bucket('kept');
    expect(await readAll(server, { backup_to_bucket: 'kept', delete: true })).toEqual(['one']);
    expect(server.names().slice(-3)).toEqual(['PUT kept/a', 'PUT kept/a', 'DELETE logs/a']);
  });
});

test('a bucket that cannot be listed is tried again', async () => {
  const server = await startS3();
  server.put('a', 'one');
  let refusals = 2;
  server.instead = () => (refusals-- > 0 ? error(403, 'AccessDenied') : null);
  const { sink } = await run(server, { watch_for_new_files: true, interval: 0 });
  await sink.until(1);
  expect(server.calls.length).toBeGreaterThan(2);
});
