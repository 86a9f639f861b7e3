import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import { dial, local, type RunningInput, start } from './input-under-test.test-support.ts';
import { syslogInput } from './syslog/syslog.ts';
import { tcpInput } from './tcp/tcp.ts';
import { udpInput } from './udp/udp.ts';

/** Resolves when a push came, which is refused. */
function refusing({ sink }: RunningInput): Promise<void> {
  return new Promise((resolve) => {
    sink.push = async () => {
      resolve();
      throw new Error('the queue can no longer be written');
    };
  });
}

async function sendDatagram(port: number): Promise<void> {
  const socket = createSocket('udp4');
  socket.send('<34>Oct 11 22:14:15 mymachine su: hello', port, '127.0.0.1', () => socket.close());
  await once(socket, 'close');
}

// A rejection that nobody takes would fail the run of these tests, as it ends a process.
describe('a push that the queue refuses ends nothing but itself', () => {
  const cases: readonly (readonly [string, PluginDefinition, 'tcp' | 'udp'])[] = [
    ['tcp', tcpInput, 'tcp'],
    ['udp', udpInput, 'udp'],
    ['syslog over tcp', syslogInput, 'tcp'],
    ['syslog over udp', syslogInput, 'udp'],
  ];
  test.each(cases)('%s', async (_name, definition, way) => {
    const running = await start(definition, local);
    const refused = refusing(running);
    if (way === 'udp') await sendDatagram(running.port);
    else (await dial(running.port)).end('<34>Oct 11 22:14:15 mymachine su: one\nrest');
    await refused;
    expect(running.sink.events).toEqual([]);
  });
});
