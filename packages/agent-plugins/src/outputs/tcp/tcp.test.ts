import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { event, line, listen, start } from '../output-under-test.test-support.ts';
import { tcpOutput } from './tcp.ts';

describe('the tcp output', () => {
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
    onTestFinished(() => void socket.destroy());
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
