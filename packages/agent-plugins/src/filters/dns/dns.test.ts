import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { dnsFilter } from './dns.ts';

const file = testFiles();

/** The question, read: its name and where it ends. */
function read(question: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let end = 12;
  for (let length = question[end] ?? 0; length > 0; length = question[end] ?? 0) {
    labels.push(question.toString('latin1', end + 1, end + 1 + length));
    end += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: end + 5 };
}

/** The question with one A record behind it, or that there is no such name. */
function answerOf(question: Buffer, { isKnown, end }: { readonly isKnown: boolean; readonly end: number }): Buffer {
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(isKnown ? 1 : 0, 6);
  head.writeUInt16BE(0, 10);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 9, 8, 7]);
  return isKnown ? Buffer.concat([head, record]) : head;
}

/** Starts a server that knows the addresses of `names` until the test ends; without names it never answers. */
async function dnsServer(names: readonly string[] | null): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createSocket('udp4');
  server.on('message', (question, from) => {
    const { name, end } = read(question);
    asked.push(name);
    if (names === null) return;
    server.send(answerOf(question, { isKnown: names.includes(name), end }), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, asked };
}

describe('the dns filter', () => {
  test('asks the server given, and takes the field as it is, a list of one too', async () => {
    const { address } = await dnsServer(['a.test']);
    const options = { nameserver: [address], action: 'replace', timeout: 2 };
    const found = async (h: unknown) =>
      (await runFilter(dnsFilter, { ...options, resolve: ['missing', 'h'] }, { h: h as string })).event.h;
    expect(await found('a.test')).toBe('10.9.8.7');
    expect(await found(['a.test'])).toEqual(['10.9.8.7']);
    expect(await found('b.test')).toBe('b.test');
  });
  test('completes names with the search domains of the server', async () => {
    const { address, asked } = await dnsServer(['gate.two.test']);
    const nameserver = { address: [address], search: ['one.test', 'two.test'] };
    const options = { nameserver, resolve: ['h'], timeout: 2 };
    expect((await runFilter(dnsFilter, options, { h: 'gate' })).event.h).toEqual(['gate', '10.9.8.7']);
    expect(asked).toEqual(['gate.one.test', 'gate.two.test']);
  });
  test('looks into the hosts files given and that of the system before it asks', async () => {
    const { address, asked } = await dnsServer(['gate.test']);
    const hostsfile = [file('first', '10.1.1.1 gate.test # c\n'), file('second', '10.2.2.2 gate.test other.test\n')];
    const options = { nameserver: address, hostsfile, resolve: ['h'], action: 'replace', timeout: 2 };
    const found = async (h: string) => (await runFilter(dnsFilter, options, { h })).event.h;
    expect([await found('gate.test'), await found('other.test')]).toEqual(['10.1.1.1', '10.2.2.2']);
    expect(['127.0.0.1', '::1']).toContain(await found('localhost'));
    expect(asked).toEqual([]);
  });
  test('asks nobody when only hosts files are given', async () => {
    const hostsfile = file('hosts', '10.1.1.1 gate gate.test\n');
    expect((await runFilter(dnsFilter, { hostsfile, reverse: ['h'] }, { h: '10.1.1.1' })).event).toEqual({
      h: ['10.1.1.1', 'gate'],
    });
    expect((await runFilter(dnsFilter, { hostsfile, resolve: ['h'] }, { h: 'b.test' })).outcome).toBe('unmatched');
  });
  test('sends names beyond ASCII as servers know them', async () => {
    const { address } = await dnsServer(['xn--bcher-kva.test']);
    const options = { nameserver: address, resolve: ['h'], action: 'replace', timeout: 2 };
    expect((await runFilter(dnsFilter, options, { h: 'bücher.test' })).event.h).toBe('10.9.8.7');
  });
  test('refuses servers without an address', async () => {
    await expect(runFilter(dnsFilter, { nameserver: 'name.test', resolve: ['h'] }, {})).rejects.toThrow(
      '[nameserver] wants addresses, not [name.test]',
    );
  });
  test('a server that does not answer is tagged', async () => {
    const { address } = await dnsServer(null);
    const options = { nameserver: [address], resolve: ['h'], timeout: 0.05, max_retries: 0 };
    expect((await runFilter(dnsFilter, options, { h: 'a.test' })).event.tags).toEqual(['_dnstimeout']);
  });
});
