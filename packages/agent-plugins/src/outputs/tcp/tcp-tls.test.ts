import { once } from 'node:events';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import type { Output, PluginDefinition } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TestCertificate } from '../../../../agent-plugin-kit/src/tls/test-certificates.test-support.ts';
import { makeOutput, type OptionsLiteral, testContext } from '../../plugin-instance.test-support.ts';
import {
  asking,
  authority,
  client,
  eventually,
  misnamed,
  open,
  pemFile,
  server,
  serving,
  trusting,
} from '../../tls-plugin.test-support.ts';
import { event, line } from '../output-under-test.test-support.ts';
import { tcpOutput } from './tcp.ts';

function sender(definition: PluginDefinition, options: OptionsLiteral): { output: Output; log: readonly string[] } {
  const log = createRecordingLog();
  const output = makeOutput(definition, options, testContext({ runtime: createNodeRuntime({ log }) }));
  onTestFinished(async () => output.stop?.());
  return {
    output,
    get log() {
      return log.lines.map((one) => JSON.stringify(one));
    },
  };
}

/** What a TLS server got from each of its connections, with the subject of who sent it. */
async function receiver(as: TestCertificate, passphrase?: string) {
  const got: string[] = [];
  let wake = (): void => undefined;
  const made = createTlsServer(
    {
      cert: as.certificate,
      key: as.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
      ...(passphrase === undefined ? {} : { passphrase }),
    },
    (socket) => {
      const subject = socket.authorized ? socket.getPeerCertificate().subject?.CN : 'nobody';
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          got.push(`${String(subject)}: ${chunk.toString().trim()}`);
          wake();
        });
    },
  );
  const port = await open(made);
  return { port, got, next: () => new Promise<void>((resolve) => (wake = resolve)) };
}

describe('the tcp output over TLS', () => {
  test('writes to a server that it knows, and shows its own certificate', async () => {
    const { port, got, next } = await receiver(server, 'open');
    const own = { ssl_certificate: pemFile('client.pem'), ssl_key: pemFile('client.key') };
    const { output } = sender(tcpOutput, { host: '127.0.0.1', port, codec: line, ...trusting(own) });
    const came = next();
    await output.receive([event({ message: 'hello' })]);
    await came;
    expect(got).toEqual(['client: hello']);
  });

  test.each([
    ['an unknown authority', 'server', 'stranger.pem'],
    ['another name', 'misnamed', 'authority.pem'],
  ])('does not write to a server with %s unless told to', async (_why, name, trusted) => {
    const { port, got, next } = await receiver(name === 'server' ? server : misnamed, 'open');
    const options = { host: '127.0.0.1', port, codec: line, reconnect_interval: 0.005, ssl_enabled: true };
    const refused = sender(tcpOutput, { ...options, ssl_certificate_authorities: [pemFile(trusted)] });
    const delivery = refused.output.receive([event({ message: 'hello' })]).catch(() => 'given up');
    await eventually(() => refused.log.some((one) => one.includes('cannot write to a tcp server')));
    await refused.output.stop?.();
    expect(await delivery).toBe('given up');
    expect(got).toEqual([]);
    const careless = sender(tcpOutput, { ...options, ssl_verification_mode: 'none' });
    const came = next();
    await careless.output.receive([event({ message: 'hello' })]);
    await came;
    expect(got).toEqual(['nobody: hello']);
  });

  test('as a server writes to those whom it lets in', async () => {
    const context = testContext();
    const options = serving({ mode: 'server', codec: line, ...asking('required') });
    const output = makeOutput(tcpOutput, options, context);
    await output.start?.();
    onTestFinished(async () => output.stop?.());
    const port = Number(context.gauges.get('port'));
    const reader = connectTls({
      host: '127.0.0.1',
      port,
      ca: authority.certificate,
      cert: client.certificate,
      key: client.key,
    });
    onTestFinished(() => void reader.destroy());
    const data = once(reader, 'data');
    await once(reader, 'secureConnect');
    const sending = (async () => {
      for (;;) {
        await output.receive([event({ message: 'hello' })]);
        if (await Promise.race([data.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]))
          return;
      }
    })();
    expect(String((await data)[0])).toContain('hello\n');
    await sending;
  });
});
