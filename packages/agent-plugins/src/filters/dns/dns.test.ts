import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { dnsFilter } from './dns.ts';

const file = testFiles();

/** The question with one A record behind it. */
function answerOf(question: Buffer): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt16BE(0, 10);
  let end = 12;
  while ((head[end] ?? 0) !== 0) end += (head[end] ?? 0) + 1;
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 9, 8, 7]);
  return Buffer.concat([head.subarray(0, end + 5), record]);
}

describe('the dns filter', () => {
  test('asks the server given, and hosts files first', async () => {
    const server = createSocket('udp4');
    server.on('message', (question, from) => server.send(answerOf(question), from.port, from.address));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const options = { nameserver: [`127.0.0.1:${server.address().port}`], action: 'replace', timeout: 2 };
    expect((await runFilter(dnsFilter, { ...options, resolve: ['h'] }, { h: 'a.test' })).event).toEqual({
      h: '10.9.8.7',
    });
    server.close();
    const hostsfile = [file('hosts', '10.1.1.1 gate gate.test # c\n')];
    expect((await runFilter(dnsFilter, { hostsfile, reverse: ['h'] }, { h: '10.1.1.1' })).event).toEqual({
      h: ['10.1.1.1', 'gate'],
    });
  });
  test('a server that does not answer is tagged', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const options = {
      nameserver: [`127.0.0.1:${silent.address().port}`],
      resolve: ['h'],
      timeout: 0.05,
      max_retries: 0,
    };
    expect((await runFilter(dnsFilter, options, { h: 'a.test' })).event.tags).toEqual(['_dnstimeout']);
    silent.close();
  });
});
