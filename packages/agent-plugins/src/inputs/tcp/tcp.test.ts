import { createServer as createTcpServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { dial, listen, local, start } from '../input-under-test.test-support.ts';
import { tcpInput } from './tcp.ts';

describe('the tcp input', () => {
  test('lines of each connection become events with host and port; the rest comes at its end', async () => {
    const { sink, port } = await start(tcpInput, { ...local, dns_reverse_lookup_enabled: false });
    const socket = await dial(port);
    socket.write('one\ntw');
    await sink.until(1);
    socket.end('o');
    await sink.until(2);
    expect(sink.messages()).toEqual(['one', 'two']);
    expect(sink.events[0]?.fields.get('host')).toBe('127.0.0.1');
    expect(sink.events[0]?.fields.get('port')).toBeTypeOf('number');
  });
  test('json on a stream is cut at line ends', async () => {
    const { sink, port } = await start(tcpInput, { ...local, codec: 'json', dns_reverse_lookup_enabled: false });
    (await dial(port)).write('{"a":1}\n{"a":2}\n');
    await sink.until(2);
    expect(sink.events.map((event) => event.fields.get('a'))).toEqual([1, 2]);
  });
  test('a full queue stops the sender', async () => {
    const { sink, port } = await start(tcpInput, { ...local, dns_reverse_lookup_enabled: false });
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const socket = await dial(port);
    // More than the kernel's buffers of both ends hold.
    const line = `${'x'.repeat(65_535)}\n`;
    let sent = 0;
    while (sent < 400 && socket.write(line)) sent++;
    for (; sent < 400; sent++) socket.write(line);
    expect(socket.writableLength).toBeGreaterThan(0);
    sink.gate = null;
    open();
    await sink.until(400);
    expect(sink.events).toHaveLength(400);
  });
  test('the header of a proxy names the peer', async () => {
    const { sink, port } = await start(tcpInput, { ...local, proxy_protocol: true });
    (await dial(port)).write('PROXY TCP4 192.0.2.7 192.0.2.8 5000 80\r\nhello\n');
    await sink.until(1);
    expect(sink.events[0]?.fields.get('host')).toBe('192.0.2.7');
    expect(sink.events[0]?.fields.get('port')).toBe('5000');
    expect(sink.events[0]?.fields.get('proxy_host')).toBe('192.0.2.8');
    expect(sink.events[0]?.fields.get('proxy_port')).toBe('80');
  });
  test('as a client it reads what a server sends', async () => {
    const port = await listen(createTcpServer((socket) => socket.end('from server\n')));
    const { sink } = await start(tcpInput, {
      host: '127.0.0.1',
      port,
      mode: 'client',
    });
    await sink.until(1);
    expect(sink.messages()).toEqual(['from server']);
  });
});
