import { createServer as createHttpsServer } from 'node:https';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { eventually, identityOf, open, pemFile, server, trusting } from '../../tls-plugin.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { httpOutput } from './http.ts';

/** Bodies of the requests to a server with the certificate that the authority vouches for. */
async function site() {
  const bodies: string[] = [];
  const port = await open(
    createHttpsServer(identityOf(server), (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString('utf8'));
        response.end(JSON.stringify({ errors: false, items: [{ index: { status: 201 } }] }));
      });
    }),
  );
  return { bodies, url: `https://127.0.0.1:${port}` };
}

test('the http output delivers to a server that it trusts, and to no other', async () => {
  const { bodies, url } = await site();
  const options = { url, http_method: 'post' };
  const log = createRecordingLog();
  const changes = { runtime: createNodeRuntime({ log }) };
  const { output } = await start(httpOutput, { ...options, ...trusting() }, changes);
  await output.receive([event({ message: 'hello' })]);
  expect(bodies.map((body) => body.includes('hello'))).toEqual([true]);
  const stranger = { ssl_enabled: true, ssl_certificate_authorities: [pemFile('stranger.pem')] };
  const refused = makeOutput(httpOutput, { ...options, ...stranger }, testContext(changes));
  const delivery = refused.receive([event({ message: 'hello' })]).catch(() => undefined);
  await eventually(() => log.lines.some((one) => /self.signed|certificate/i.test(JSON.stringify(one))));
  await refused.stop?.();
  await delivery;
  expect(bodies).toHaveLength(1);
});

test('the http output says which options of TLS have no effect with ssl_enabled => false', () => {
  const log = createRecordingLog();
  const options = { url: 'https://localhost/', http_method: 'post', ssl_enabled: false, ssl_verification_mode: 'none' };
  makeOutput(httpOutput, options, testContext({ runtime: createNodeRuntime({ log }) }));
  expect(log.lines.map((one) => one.fields.options)).toEqual(['ssl_verification_mode']);
});
