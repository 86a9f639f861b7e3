import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeInput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { listen, metadataOf, start } from '../input-under-test.test-support.ts';
import { couchdbChangesInput } from './couchdb-changes.ts';

/** A database whose answers the test writes: each request waits in `requests` until it is answered. */
async function database() {
  const requests: IncomingMessage[] = [];
  const answers: ServerResponse[] = [];
  const waiters: (() => void)[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answers.push(response);
    for (const wake of waiters.splice(0)) wake();
  });
  const port = await listen(server);
  const asked = async (count: number): Promise<ServerResponse> => {
    while (answers.length < count) await new Promise<void>((resolve) => waiters.push(resolve));
    const answer = answers[count - 1];
    if (answer === undefined) throw new Error('no request came');
    return answer;
  };
  const sincedb_path = join(await temporaryFolder(), 'seq');
  return { requests, asked, options: { host: '127.0.0.1', port, db: 'my/db', sincedb_path, reconnect_delay: 0 } };
}

const change = (seq: unknown, doc: object): string => `${JSON.stringify({ seq, id: 'x', changes: [], doc })}\n`;

describe('the couchdb_changes input', () => {
  test('gives each change its document, and says in the metadata what became of it', async () => {
    const { requests, asked, options } = await database();
    const { sink } = await start(couchdbChangesInput, { ...options, username: 'u', password: 'p' });
    const answer = await asked(1);
    const text =
      change('1-a', { _id: 'a', _rev: '1-x', _attachments: {}, n: 1 }) + change('2-b', { _id: 'b', _deleted: true });
    answer.write(`\n${text.slice(0, 20)}`);
    answer.write(`${text.slice(20)}\n`);
    await sink.until(2);
    expect(sink.events.map((event) => event.fields.get('doc'))).toEqual([new Map([['n', 1]]), undefined]);
    const metadata = (at: number) => ['_id', 'action', 'seq'].map((name) => metadataOf(sink, `[${name}]`, at));
    expect([metadata(0), metadata(1)]).toEqual([
      ['a', 'update', '1-a'],
      ['b', 'delete', '2-b'],
    ]);
    expect(requests[0]?.url).toBe('/my%2Fdb/_changes?feed=continuous&include_docs=true&heartbeat=1000&since=0');
    expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });

  test('goes on where it was when the answer ends, and after a start', async () => {
    const { requests, asked, options } = await database();
    const { sink, input } = await start(couchdbChangesInput, options);
    (await asked(1)).end(`${change(7, { _id: 'a' })}{"last_seq":7,"pending":0}\nnot json\n`);
    await asked(2);
    await input.stop();
    expect(readFileSync(options.sincedb_path, 'utf8')).toBe('7');
    const again = await start(couchdbChangesInput, { ...options, timeout: 500 });
    await asked(3);
    await again.input.stop();
    expect(requests.slice(1).map(({ url }) => url?.replace(/.*&include_docs=true&/, ''))).toEqual([
      'heartbeat=1000&since=7',
      'timeout=500&since=7',
    ]);
    expect(sink.events).toHaveLength(1);
  });

  test('begins where it is told to, whatever the file says, and keeps what it is told to keep', async () => {
    const { requests, asked, options } = await database();
    writeFileSync(options.sincedb_path, '9\n');
    const keeping = { keep_id: true, keep_revision: true, ignore_attachments: false, initial_sequence: 3 };
    const { sink } = await start(couchdbChangesInput, { ...options, ...keeping });
    (await asked(1)).write(change(4, { _id: 'a', _rev: '1', _attachments: { f: 1 } }));
    await sink.until(1);
    expect(requests[0]?.url).toContain('since=3');
    const doc = sink.events[0]?.fields.get('doc');
    expect(doc instanceof Map && [...doc.keys()]).toEqual(['_id', '_rev', '_attachments']);
  });

  test('tells what is wrong, and tries again; without always_reconnect it ends', async () => {
    const { asked, options } = await database();
    const { input } = await start(couchdbChangesInput, options);
    (await asked(1)).writeHead(404).end();
    await asked(2);
    await input.stop();
    const once = await start(couchdbChangesInput, { ...options, always_reconnect: false });
    (await asked(3)).writeHead(500).end();
    await once.input.finished;
  });

  test('keeps its place only once the outputs have the event, where that is asked for', async () => {
    const { asked, options } = await database();
    const context = testContext();
    const input = makeInput(couchdbChangesInput, options, context);
    let confirm = (): void => undefined;
    const confirming = new Promise<void>((resolve) => (confirm = resolve));
    let pushed = (): void => undefined;
    const isPushed = new Promise<void>((resolve) => (pushed = resolve));
    await input.start({
      push: async () => pushed(),
      confirmed: () => confirming,
    });
    (await asked(1)).write(change(1, { _id: 'a' }));
    await isPushed;
    expect(() => readFileSync(options.sincedb_path)).toThrow('ENOENT');
    confirm();
    await input.stop();
    expect(readFileSync(options.sincedb_path, 'utf8')).toBe('1');
  });

  test.each([
    [{ username: 'u' }, 'need each other'],
    [{ ca_file: import.meta.filename }, 'needs [secure => true]'],
  ])('refuses %j', (more, message) => {
    expect(() => makeInput(couchdbChangesInput, { db: 'd', ...more }, testContext())).toThrow(message);
  });
});
