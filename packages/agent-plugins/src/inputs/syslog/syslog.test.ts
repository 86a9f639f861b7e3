import { createSocket } from 'node:dgram';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { dial, local, start } from '../input-under-test.test-support.ts';
import { syslogInput } from './syslog.ts';

describe('the syslog input', () => {
  test('reads priority, time, host, program and pid over tcp', async () => {
    const { sink, port } = await start(syslogInput, { ...local, timezone: 'UTC' });
    (await dial(port)).write('<34>Oct 11 22:14:15 mymachine su[230]: failed for lonvick\n');
    await sink.until(1);
    expect(Object.fromEntries(sink.events[0]!.fields)).toMatchObject({
      message: 'failed for lonvick\n',
      priority: 34,
      facility: 4,
      severity: 2,
      facility_label: 'security/authorization',
      severity_label: 'Critical',
      program: 'su',
      pid: '230',
      logsource: 'mymachine',
      timestamp: 'Oct 11 22:14:15',
      host: '127.0.0.1',
    });
    expect(sink.events[0]?.timestamp?.toString()).toMatch(/^\d{4}-10-11T22:14:15.000Z$/);
  });
  test('under ECS the parts have its names, also those of an own pattern', async () => {
    const plain = await start(syslogInput, { ...local, timezone: 'UTC' }, { ecs: 'v8' });
    (await dial(plain.port)).write('<34>Oct 11 22:14:15 mymachine su[230]: failed\n');
    await plain.sink.until(1);
    const fields = new Map(plain.sink.events[0]?.fields);
    expect(fields.get('process')).toEqual(
      new Map<string, unknown>([
        ['name', 'su'],
        ['pid', 230],
      ]),
    );
    expect(fields.get('host')).toEqual(
      new Map([
        ['ip', '127.0.0.1'],
        ['hostname', 'mymachine'],
      ]),
    );
    expect(fields.get('event')).toEqual(new Map([['original', '<34>Oct 11 22:14:15 mymachine su[230]: failed\n']]));
    expect(fields.has('timestamp')).toBe(false);
    expect(fields.get('service')).toEqual(new Map([['type', 'system']]));
    const own = { grok_pattern: '<%{POSINT:[log][syslog][priority]:int}>%{GREEDYDATA:message}' };
    const { sink, port } = await start(syslogInput, { ...local, ...own }, { ecs: 'v8' });
    (await dial(port)).write('<34>text\n');
    await sink.until(1);
    const log = sink.events[0]?.fields.get('log');
    const syslog = log instanceof Map ? log.get('syslog') : undefined;
    expect(syslog instanceof Map && syslog.get('priority')).toBe(34);
    expect(sink.messages()).toEqual(['text\n']);
  });
  test('keeps the end of a line, and takes what is left at the end of a connection without one', async () => {
    const { sink, port } = await start(syslogInput, local);
    const socket = await dial(port);
    socket.write('<34>Oct 11 22:14:15 h su: a\r\n<34>Oct 11 22:14:15 h su: b');
    socket.end();
    await sink.until(2);
    expect(sink.messages()).toEqual(['a\r\n', 'b']);
    expect(sink.events.map((event) => event.fields.get('program'))).toEqual(['su', 'su']);
  });
  test('reads the months of another language', async () => {
    const own = { grok_pattern: '<%{POSINT:priority}>(?<timestamp>\\S+ +\\S+ \\S+) %{GREEDYDATA:message}' };
    const { sink, port } = await start(syslogInput, { ...local, ...own, timezone: 'UTC', locale: 'de_DE' });
    (await dial(port)).write('<34>Dez 11 22:14:15 a\n<34>Mai. 11 22:14:15 b\n<34>Oct 11 22:14:15 c\n');
    await sink.until(3);
    expect(sink.events.map((event) => event.timestamp?.toString().slice(4, 10))).toEqual([
      '-12-11',
      '-05-11',
      '-10-11',
    ]);
  });
  test('takes the year that the date filter would, and tags a time that is none', async () => {
    const runtime = { ...createNodeRuntime({ log: createSilentLog() }) };
    const clock = { ...runtime.clock, wallMs: () => Date.UTC(2027, 0, 3) };
    const { sink, port } = await start(
      syslogInput,
      { ...local, timezone: '-05:00' },
      { runtime: { ...runtime, clock } },
    );
    const times = ['Dec 31 23:00:00', 'Oct 26 15:19:25', 'Feb 30 00:00:00', '2026-02-03T04:05:06Z'];
    (await dial(port)).write(times.map((time) => `<34>${time} h su: a\n`).join(''));
    await sink.until(4);
    expect(sink.events.map((event) => event.timestamp?.toString())).toMatchObject({
      0: '2027-01-01T04:00:00.000Z',
      1: '2027-10-26T20:19:25.000Z',
      3: '2026-02-03T04:05:06.000Z',
    });
    expect(sink.events.map((event) => event.hasTag('_dateparsefailure'))).toEqual([false, false, true, false]);
    expect(sink.events.map((event) => event.fields.get('timestamp'))).toEqual(times);
  });
  test('over udp too, and tags what is no syslog', async () => {
    const { sink, port } = await start(syslogInput, local);
    const socket = createSocket('udp4');
    socket.send('no syslog', port, '127.0.0.1', () => socket.close());
    await sink.until(1);
    expect(sink.events[0]?.hasTag('_grokparsefailure_sysloginput')).toBe(true);
    expect(Object.fromEntries(sink.events[0]!.fields)).toMatchObject({
      priority: 13,
      severity_label: 'Notice',
      message: 'no syslog',
    });
  });
});
