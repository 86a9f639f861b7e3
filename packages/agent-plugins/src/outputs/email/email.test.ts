import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { event, listen, start } from '../output-under-test.test-support.ts';
import { emailOutput } from './email.ts';

/** A server that takes every mail. Answers its port and, later, all that it was sent. */
async function mailServer(): Promise<{ readonly port: number; readonly said: () => string }> {
  let said = '';
  const smtp = createServer((socket) => {
    let data: string | null = null;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      said += text;
      if (data !== null) {
        data += text;
        if (!data.endsWith('\r\n.\r\n')) return;
        data = null;
        socket.write('250 ok\r\n');
      } else if (text.startsWith('DATA')) {
        data = '';
        socket.write('354 go\r\n');
      } else socket.write(text.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  return { port: await listen(smtp), said: () => said };
}

test('email: sends over smtp what the event says', async () => {
  const { port, said } = await mailServer();
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
  expect(said()).toContain('To: ann@example.org');
  expect(said()).toContain('Subject: about x');
  expect(said()).toContain('Content-Type: text/html; charset=ISO-8859-1');
  expect(said()).toContain('<b>x</b>');
  expect(log.lines.map((one) => one.fields.said).join('\n')).toContain('RCPT TO:<ann@example.org>');
});

test('email: two characters \\n in the body are a line break, and the greeting is of localhost', async () => {
  const { port, said } = await mailServer();
  const { output } = await start(emailOutput, { to: 'a@x, b@x', body: 'one\\ntwo', address: '127.0.0.1', port });
  await output.receive([event({})]);
  expect(said()).toContain('EHLO localhost\r\n');
  expect(said()).toContain('\r\none\r\ntwo\r\n');
  expect(said()).toContain('RCPT TO:<b@x>');
});

test('email: a template file is filled as Mustache fills it', async () => {
  const path = join(await temporaryFolder(), 'mail.mustache');
  await writeFile(path, '<p>{{message}} %{message}</p>{{#tags}}<i>{{.}}</i>{{/tags}}');
  const { port, said } = await mailServer();
  const { output } = await start(emailOutput, { to: 'a@x', template_file: path, address: '127.0.0.1', port });
  await output.receive([event({ message: 'a<b', tags: ['x', 'y'] })]);
  expect(said()).toContain('<p>a&lt;b %{message}</p><i>x</i><i>y</i>');
});
