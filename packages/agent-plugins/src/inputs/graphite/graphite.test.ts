import { Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { dial, local, start } from '../input-under-test.test-support.ts';
import { graphiteInput } from './graphite.ts';

async function received(text: string, count: number) {
  const { sink, port } = await start(graphiteInput, { ...local, dns_reverse_lookup_enabled: false });
  (await dial(port)).write(text);
  await sink.until(count);
  return sink.events;
}

describe('the graphite input', () => {
  test('makes a field of each metric, beside its line and where it came from', async () => {
    const [event] = await received('a.b.c 10.5 1500000000\n', 1);
    expect(event?.fields.get('a.b.c')).toBe(10.5);
    expect(event?.fields.get('message')).toBe('a.b.c 10.5 1500000000');
    expect(event?.fields.get('host')).toBe('127.0.0.1');
    expect(event?.timestamp).toEqual(new Timestamp(1_500_000_000_000));
  });

  test('takes the time of arrival for N, and where there is none', async () => {
    const events = await received('a 10 N\nb 2\n', 2);
    // The sink stamps what has no time.
    expect(events.map(({ timestamp }) => timestamp)).toEqual([new Timestamp(0), new Timestamp(0)]);
    expect(events.map(({ fields }) => fields.get('a') ?? fields.get('b'))).toEqual([
      new DoubleNumber(10),
      new DoubleNumber(2),
    ]);
  });
});
