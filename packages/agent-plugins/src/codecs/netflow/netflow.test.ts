import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventToJsonText, type LogEvent } from '@shoal/agent-event';
import type { Codec } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCodec, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { IANA_FIELDS } from './ipfix-fields.ts';
import { NETFLOW_FIELDS } from './netflow-fields.ts';
import { TemplateStore } from './template-store.ts';

const PEER = { host: '10.0.0.1', port: 2055 };
const bytes = (...parts: readonly (number | string | readonly [value: number, size: number])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part.replaceAll(' ', ''), 'hex');
      const [value, size] = typeof part === 'number' ? [part, 2] : part;
      const buffer = Buffer.alloc(size);
      buffer.writeUIntBE(value, 0, size);
      return buffer;
    }),
  );
const set = (id: number, body: Buffer): Buffer => Buffer.concat([bytes(id, body.length + 4), body]);
const SECONDS = 1_500_000_000;
const v9 = (...sets: readonly Buffer[]): Buffer =>
  Buffer.concat([bytes(9, sets.length, [10_000, 4], [SECONDS, 4], [7, 4], [1, 4]), ...sets]);
const ipfix = (...sets: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(sets);
  return Buffer.concat([bytes(10, body.length + 16, [SECONDS, 4], [7, 4], [1, 4]), body]);
};
const read = (codec: Codec, packet: Buffer, peer = PEER): LogEvent[] => [...codec.decoder(peer).decode(packet)];
const flows = (events: readonly LogEvent[]): Record<string, unknown>[] =>
  events.map((event) => JSON.parse(eventToJsonText(event)).netflow);

const V9_TEMPLATE = set(0, bytes(256, 4, 8, 4, 1, 3, 21, 4, 82, 4));
const V9_DATA = set(256, bytes('0a000001 000102 00002328 65746800', 'c0a80001 000003 00002710 6c6f0000', '0000'));

describe('NetFlow 5', () => {
  const packet = bytes(5, 1, [100_000, 4], [SECONDS, 4], [280_328_000, 4], [3, 4], [1, 1], [2, 1], 0x4005);
  const record = bytes(
    '0a000202 0a00020f 00000000',
    1,
    2,
    [5, 4],
    [230, 4],
    [98_900, 4],
    [99_999, 4],
    54_435,
    22,
    '00 10 06 00',
    64_512,
    64_513,
    '18 10 0000',
  );
  test('is read without templates', () => {
    const [event] = read(makeCodec('netflow'), Buffer.concat([packet, record]));
    expect(event?.timestamp?.toString()).toBe('2017-07-14T02:40:00.280328Z');
    expect(flows(event === undefined ? [] : [event])[0]).toEqual({
      version: 5,
      flow_seq_num: 3,
      engine_type: 1,
      engine_id: 2,
      sampling_algorithm: 1,
      sampling_interval: 5,
      flow_records: 1,
      ipv4_src_addr: '10.0.2.2',
      ipv4_dst_addr: '10.0.2.15',
      ipv4_next_hop: '0.0.0.0',
      input_snmp: 1,
      output_snmp: 2,
      in_pkts: 5,
      in_bytes: 230,
      first_switched: '2017-07-14T02:39:59.180328Z',
      last_switched: '2017-07-14T02:40:00.279328Z',
      l4_src_port: 54_435,
      l4_dst_port: 22,
      tcp_flags: 16,
      protocol: 6,
      src_tos: 0,
      src_as: 64_512,
      dst_as: 64_513,
      src_mask: 24,
      dst_mask: 16,
    });
  });
  test.each([Buffer.concat([packet, record.subarray(1)]), packet, packet.subarray(0, 10), bytes(5, 31)])(
    'that is cut off gives nothing',
    (cut) => {
      expect(read(makeCodec('netflow'), cut)).toEqual([]);
    },
  );
});

describe('NetFlow 9', () => {
  test('is read by its template, also in a later datagram', () => {
    const codec = makeCodec('netflow');
    expect(read(codec, v9(V9_DATA))).toEqual([]);
    expect(read(codec, v9(V9_TEMPLATE))).toEqual([]);
    const head = { version: 9, flow_seq_num: 7, flowset_id: 256 };
    const expected = [
      { ...head, ipv4_src_addr: '10.0.0.1', in_bytes: 258, last_switched: '2017-07-14T02:40:00.000Z', if_name: 'eth' },
      { ...head, ipv4_src_addr: '192.168.0.1', in_bytes: 3, last_switched: '2017-07-14T02:40:01.000Z', if_name: 'lo' },
    ];
    expect(flows(read(codec, v9(V9_DATA)))).toEqual(expected);
    expect(flows(read(makeCodec('netflow'), v9(V9_TEMPLATE, V9_DATA)))).toEqual(expected);
  });

  test('of one sender is not read by the templates of another', () => {
    const codec = makeCodec('netflow');
    read(codec, v9(V9_TEMPLATE));
    expect(read(codec, v9(V9_DATA), { ...PEER, host: '10.0.0.2' })).toEqual([]);
    expect(read(codec, v9(V9_DATA))).toHaveLength(2);
  });

  test('has options with a scope', () => {
    const template = set(1, bytes(257, 4, 8, 1, 4, 34, 4, 35, 1, 0));
    const data = set(257, bytes('0a000001 00000064 02'));
    expect(flows(read(makeCodec('netflow'), v9(template, data)))[0]).toMatchObject({
      scope_system: 0x0a000001,
      sampling_interval: 100,
      sampling_algorithm: 2,
    });
  });

  test.each([
    ['application_id', 95, '0d000035', '13..53'],
    ['application_id', 95, '14 0000168c 000012', '20..5772..18'],
    ['in_src_mac', 56, '001b213c4d5e', '00:1b:21:3c:4d:5e'],
    ['ipv6_src_addr', 27, '20010db8000000000000000000000001', '2001:db8::1'],
    ['forwarding_status', 89, '41', { status: 1, reason: 1 }],
    ['ingress_acl_id', 33_000, '0f8e7ff36d29a9f200000000', '0f8e7ff3-6d29a9f2-00000000'],
    ['mpls_label_stack_octets', 201, '00018140', { label: 24, experimental: 0, bottom_of_stack: 1, ttl: 64 }],
    ['in_bytes', 1, 'ffffffffffffffff', 18_446_744_073_709_551_615n],
    ['samplingProbability', 311, '3fe0000000000000', 0.5],
  ])('has %s of %i bytes %s', (name, id, hex, value) => {
    const size = hex.replaceAll(' ', '').length / 2;
    const packet = v9(set(0, bytes(300, 1, id, size)), set(300, bytes(hex)));
    const text = JSON.stringify({ value }, (_key, one) => (typeof one === 'bigint' ? `#${one}#` : one)).replace(
      /"#|#"/g,
      '',
    );
    const [event] = read(makeCodec('netflow'), packet);
    expect(event === undefined ? '' : eventToJsonText(event)).toContain(`"${name}"${text.slice(8, -1)}`);
  });

  test('passes over fields that it does not know and that are to be skipped', () => {
    const template = set(0, bytes(256, 3, 9999, 2, 43, 2, 4, 1));
    expect(flows(read(makeCodec('netflow'), v9(template, set(256, bytes('ffff eeee 06')))))[0]).toEqual({
      version: 9,
      flow_seq_num: 7,
      flowset_id: 256,
      protocol: 6,
    });
  });
});

describe('IPFIX', () => {
  const TEMPLATE = set(2, bytes(256, 5, 8, 4, 152, 8, 82, 65_535, 0x8000 + 12_235, 65_535, [9, 4], 156, 8));
  const DATA = set(256, bytes('0a000001 0000015d3ef79800 03 657468 ff0004 68 6f 73 74 dd12ad8080000000', '00'));

  test('has fields of any length and of enterprises, and times', () => {
    const codec = makeCodec('netflow', { include_flowset_id: true });
    expect(flows(read(codec, ipfix(TEMPLATE, DATA)))[0]).toEqual({
      version: 10,
      flowset_id: 256,
      sourceIPv4Address: '10.0.0.1',
      flowStartMilliseconds: '2017-07-14T02:40:00.000Z',
      interfaceName: 'eth',
      ciscoAppHTTPHost: 'host',
      flowStartNanoseconds: '2017-07-14T02:40:00.500Z',
    });
  });

  test('has options, and takes templates back', () => {
    const codec = makeCodec('netflow');
    const template = set(3, bytes(258, 2, 1, 149, 4, 41, 8, 0));
    const data = set(258, bytes('00000001 0000000000000002'));
    expect(flows(read(codec, ipfix(template, data)))[0]).toEqual({
      version: 10,
      observationDomainId: 1,
      exportedMessageTotalCount: 2,
    });
    expect(read(codec, ipfix(set(3, bytes(258, 0)), data))).toEqual([]);
  });
  test('takes all templates of a kind back at once, those of one sender', () => {
    const codec = makeCodec('netflow');
    const templates = [set(2, bytes(256, 1, 7, 2)), set(2, bytes(257, 1, 7, 2)), set(3, bytes(258, 1, 1, 149, 4))];
    const data = [set(256, bytes(80)), set(257, bytes(81)), set(258, bytes('00000001'))];
    const countOf = (packet: Buffer, peer = PEER): number => read(codec, packet, peer).length;
    const other = { host: '10.0.0.9', port: 2055 };
    expect([countOf(ipfix(...templates, ...data)), countOf(ipfix(...templates, ...data), other)]).toEqual([3, 3]);
    expect(countOf(ipfix(set(2, bytes(2, 0)), ...data))).toBe(1);
    expect(countOf(ipfix(set(3, bytes(3, 0)), ...data))).toBe(0);
    expect(countOf(ipfix(...data), other)).toBe(3);
    // Padding behind a template looks like a number with no fields, and takes nothing back.
    expect(countOf(ipfix(set(2, bytes(256, 1, 7, 2, 0, 0)), set(3, bytes(258, 1, 1, 149, 4, 0)), ...data))).toBe(2);
  });
  test('gives a number to one template, of either kind', () => {
    const codec = makeCodec('netflow');
    read(codec, ipfix(set(3, bytes(256, 1, 1, 149, 4)), set(2, bytes(256, 1, 7, 2)), set(3, bytes(3, 0))));
    expect(flows(read(codec, ipfix(set(256, bytes(80)))))).toEqual([{ version: 10, sourceTransportPort: 80 }]);
  });
});

test('versions that are not wanted are left out', () => {
  expect(read(makeCodec('netflow', { versions: [5] }), v9(V9_TEMPLATE, V9_DATA))).toEqual([]);
});

test('fields may be named anew', async () => {
  const folder = await temporaryFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const netflow_definitions = file('netflow.yaml', '---\n8:\n- :ip4_addr\n- :from\n9999:\n- 4\n- :mine\n');
  const ipfix_definitions = file('ipfix.yaml', '0:\n  82:\n  - :skip\n12345:\n  1:\n  - :uint16\n  - :theirs\n');
  const codec = makeCodec('netflow', { netflow_definitions, ipfix_definitions, target: '[flow]' });
  const [first] = read(codec, v9(set(0, bytes(256, 2, 8, 4, 9999, 2)), set(256, bytes('0a000001 0007'))));
  expect(JSON.parse(eventToJsonText(first as LogEvent)).flow).toMatchObject({ from: '10.0.0.1', mine: 7 });
  const template = set(2, bytes(256, 2, 82, 1, 0x8001, 2, [12_345, 4]));
  const [second] = read(codec, ipfix(template, set(256, bytes('61 0007'))));
  expect(JSON.parse(eventToJsonText(second as LogEvent)).flow).toEqual({ version: 10, theirs: 7 });
  const bad = file('bad.yaml', '8: [":no_such_type", ":a"]');
  expect(() => makeCodec('netflow', { netflow_definitions: bad })).toThrow('unknown type [no_such_type]');
});

describe('templates', () => {
  const clock = { now: 0 };
  const timers: (() => void)[] = [];
  const runtime = {
    ...createNodeRuntime({ log: createSilentLog() }),
    clock: { monotonicMs: () => clock.now, wallMs: () => clock.now },
  };
  const fields = [{ name: 'a', kind: 'uint' as const, length: 2 }];

  test('are forgotten when they are not repeated, and when there are too many', () => {
    const store = new TemplateStore(runtime, 1000, null);
    store.set('a', fields);
    clock.now += 900;
    expect(store.get('a')).toEqual(fields);
    clock.now += 200;
    expect(store.get('a')).toBeNull();
    for (let i = 0; i < 10_001; i++) store.set(String(i), fields);
    expect([store.get('0'), store.get('10000')]).toEqual([null, fields]);
  });

  test('outlive a restart in their file', async () => {
    const path = join(await temporaryFolder(), 'deep', 'netflow_templates.cache');
    const later = (_ms: number, run: () => void) => {
      timers.push(run);
      return () => undefined;
    };
    const sched = { ...runtime.sched, after: later };
    new TemplateStore({ ...runtime, sched }, 1000, path).set('a', fields);
    for (const run of timers) run();
    let again = new TemplateStore(runtime, 1000, path).get('a');
    while (again === null) {
      await new Promise((resolve) => setImmediate(resolve));
      again = new TemplateStore(runtime, 1000, path).get('a');
    }
    expect(again).toEqual(fields);
    writeFileSync(path, '{"a":[["uint32","in_bytes"]],"b":7}');
    expect(new TemplateStore(runtime, 1000, path).get('a')).toBeNull();
    writeFileSync(path, 'no json');
    expect(new TemplateStore(runtime, 1000, path).get('a')).toBeNull();
  });
});

test('what anybody sends does no harm', () => {
  const packet = fc.oneof(
    fc.uint8Array({ maxLength: 120 }).map((noise) => Buffer.from(noise)),
    fc
      .tuple(fc.constantFrom(v9(V9_TEMPLATE, V9_DATA), ipfix(V9_TEMPLATE)), fc.nat(), fc.nat(255))
      .map(([good, at, value]) => Buffer.from(good.with(at % good.length, value))),
    fc
      .tuple(fc.constantFrom(0, 1, 2, 3, 256), fc.uint8Array({ maxLength: 60 }))
      .chain(([id, body]) => fc.constantFrom(v9(set(id, Buffer.from(body))), ipfix(set(id, Buffer.from(body))))),
  );
  const codec = makeCodec('netflow', {}, testContext());
  fc.assert(fc.property(packet, (one) => void read(codec, one)));
});

test('the tables name what the registry numbers', () => {
  expect([1, 64, 70, 104, 128, 210, 311, 433].map((id) => IANA_FIELDS.get(id)?.name)).toEqual([
    'octetDeltaCount',
    'ipv6ExtensionHeaders',
    'mplsTopLabelStackSection',
    'layer2packetSectionData',
    'bgpNextAdjacentAsNumber',
    'paddingOctets',
    'samplingProbability',
    'ignoredLayer2FrameTotalCount',
  ]);
  expect([1, 64, 85, 96, 98, 183, 233, 361, 8328, 33_002, 40_005].map((id) => NETFLOW_FIELDS.get(id)?.name)).toEqual([
    'in_bytes',
    'ipv6_option_headers',
    'in_permanent_bytes',
    'application_name',
    'postIpDiffServCodePoint',
    'tcp_dst_port',
    'fw_event',
    'postNATPortBlockStart',
    'streamcore_codec_out',
    'fw_ext_event',
    'fw_event',
  ]);
});
