import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { eventFromJson } from '@shoal/agent-event';
import type { Output, PluginContext, PluginDefinition } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import {
  codecBlock,
  makeOutput,
  type OptionsLiteral,
  removeFolders,
  temporaryFolder,
  testContext,
} from '../plugin-instance.test-support.ts';
import { emailOutput } from './email/email.ts';
import { httpOutput } from './http/http.ts';
import { pipeOutput } from './pipe/pipe.ts';
import { tcpOutput } from './tcp/tcp.ts';
import { udpOutput } from './udp/udp.ts';

const outputs: Output[] = [];
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const output of outputs.splice(0)) await output.stop?.();
  for (const end of ends.splice(0)) end();
  await removeFolders();
});
async function start(definition: PluginDefinition, options: OptionsLiteral, changes: Partial<PluginContext> = {}) {
  const context = testContext(changes);
  const output = makeOutput(definition, options, context);
  await output.start?.();
  outputs.push(output);
  return { output, context };
}
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const event = (fields: OptionsLiteral) => eventFromJson(fields);
const line = codecBlock('line', { format: '%{message}' });

describe('tcp', () => {
  test('writes to a server', async () => {
    let got = (_text: string): void => undefined;
    const text = new Promise<string>((resolve) => (got = resolve));
    const port = await listen(createServer((socket) => socket.once('data', (chunk) => got(chunk.toString()))));
    const { output } = await start(tcpOutput, { host: '127.0.0.1', port, codec: line });
    await output.receive([event({ message: 'a' }), event({ message: 'b' })]);
    expect(await text).toBe('a\nb\n');
  });
  test('as a server writes to whoever is connected', async () => {
    const { output, context } = await start(tcpOutput, { host: '127.0.0.1', port: 0, mode: 'server', codec: line });
    const socket: Socket = connect(Number(context.gauges.get('port')), '127.0.0.1');
    ends.push(() => socket.destroy());
    const data = once(socket, 'data');
    let isDone = false;
    void data.then(() => (isDone = true));
    // The server learns of its client a moment after the client does.
    while (!isDone) {
      await output.receive([event({ message: 'x' })]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(String((await data)[0])).toMatch(/^x\n/);
  });
});

test('udp: an event a datagram', async () => {
  const receiver = createSocket('udp4');
  await new Promise<void>((resolve) => receiver.bind(0, '127.0.0.1', resolve));
  const message = once(receiver, 'message');
  const { output } = await start(udpOutput, { host: '127.0.0.1', port: receiver.address().port });
  await output.receive([event({ a: 1 })]);
  expect(JSON.parse(String((await message)[0]))).toMatchObject({ a: 1 });
  receiver.close();
});

describe('http', () => {
  async function server(...statuses: number[]) {
    const seen: { method: string; url: string; type: string; body: string }[] = [];
    const port = await listen(
      createHttpServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += chunk));
        request.on('end', () => {
          seen.push({
            method: request.method ?? '',
            url: request.url ?? '',
            type: request.headers['content-type'] ?? '',
            body,
          });
          response.writeHead(statuses.shift() ?? 200, { connection: 'close' }).end();
        });
      }),
    );
    return { seen, url: `http://127.0.0.1:${port}` };
  }
  test('an event a request, at the address the event says', async () => {
    const { seen, url } = await server();
    const { output } = await start(httpOutput, {
      url: `${url}/%{kind}`,
      http_method: 'put',
      mapping: { k: '%{kind}', deep: { n: 1 } },
    });
    await output.receive([event({ kind: 'x' })]);
    expect(seen).toEqual([{ method: 'PUT', url: '/x', type: 'application/json', body: '{"k":"x","deep":{"n":1}}' }]);
  });
  test('a batch, a form, a message', async () => {
    const { seen, url } = await server();
    await (await start(httpOutput, { url, http_method: 'post', format: 'json_batch' })).output.receive([
      event({ n: 1 }),
      event({ n: 2 }),
    ]);
    await (
      await start(httpOutput, { url, http_method: 'post', format: 'form', mapping: { a: 'ü %{n}' } })
    ).output.receive([event({ n: 1 })]);
    await (await start(httpOutput, { url, http_method: 'post', format: 'message', message: 'm%{n}' })).output.receive([
      event({ n: 1 }),
    ]);
    expect(JSON.parse(seen[0]!.body)).toMatchObject([{ n: 1 }, { n: 2 }]);
    expect(seen.slice(1).map(({ body }) => body)).toEqual(['a=%C3%BC%201', 'm1']);
  });
  test('repeats what may succeed and drops what was refused', async () => {
    const { seen, url } = await server(503, 200, 400);
    const { output, context } = await start(httpOutput, { url, http_method: 'post' });
    await output.receive([event({})]);
    await output.receive([event({})]);
    expect(seen).toHaveLength(3);
    expect(Object.fromEntries(context.counts)).toEqual({ retries: 1, failures: 1 });
  });
});

test('pipe: lines to the standard input of a command', async () => {
  const path = join(await temporaryFolder(), 'out');
  const { output } = await start(pipeOutput, { command: `cat >> ${path}`, message_format: '%{message}' });
  await output.receive([event({ message: 'a' }), event({ message: 'b' })]);
  await output.stop?.();
  expect(await readFile(path, 'utf8')).toBe('a\nb\n');
});

test('email: sends over smtp what the event says', async () => {
  let mail = '';
  const smtp = createServer((socket) => {
    let inData = false;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (inData) {
        mail += text;
        if (!mail.endsWith('\r\n.\r\n')) return;
        inData = false;
        socket.write('250 ok\r\n');
      } else if (text.startsWith('DATA')) {
        inData = true;
        socket.write('354 go\r\n');
      } else socket.write(text.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  const port = await listen(smtp);
  const html = { htmlbody: '<b>%{what}</b>', contenttype: 'text/html; charset=ISO-8859-1' };
  const addressed = { to: '%{who}@example.org', subject: 'about %{what}', body: 'text', ...html };
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const { output, context } = await start(
    emailOutput,
    { ...addressed, address: '127.0.0.1', port, debug: true },
    { runtime },
  );
  await output.receive([event({ who: 'ann', what: 'x' })]);
  expect(context.counts.get('failures')).toBeUndefined();
  expect(mail).toContain('To: ann@example.org');
  expect(mail).toContain('Subject: about x');
  expect(mail).toContain('Content-Type: text/html; charset=ISO-8859-1');
  expect(mail).toContain('<b>x</b>');
  expect(log.lines.map((one) => one.fields.said).join('\n')).toContain('RCPT TO:<ann@example.org>');
});
