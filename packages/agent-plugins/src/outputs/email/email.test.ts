import { createServer } from 'node:net';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { event, listen, start } from '../output-under-test.test-support.ts';
import { emailOutput } from './email.ts';

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
