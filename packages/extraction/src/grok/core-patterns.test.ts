import { TIMED_OUT } from '@shoal/ruby-regex';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CompiledGrok, compileGrok } from './compile-grok.ts';
import { PATTERN_SAMPLES } from './generated/pattern-samples.test-support.ts';
import { OWN_PATTERN_SAMPLES } from './own-pattern-samples.test-support.ts';
import { corePatterns } from './pattern-library.ts';
import { tunedPatterns } from './tuned-patterns.ts';

const legacy = corePatterns('disabled');
const ecs = corePatterns('v8');
const samples = new Map(Object.entries({ ...PATTERN_SAMPLES, ...OWN_PATTERN_SAMPLES }));

/** Only ends a match that hangs. */
const MATCH_MS_MAX = 60_000;

function compiled(library: ReadonlyMap<string, string>, pattern: string, isTuned = true): CompiledGrok {
  const tuned = isTuned ? tunedPatterns(library, library) : new Map<string, string>();
  return compileGrok(pattern, { library, tuned, namedCapturesOnly: true, timeoutMs: MATCH_MS_MAX });
}
const compiledOnce = new Map<string, CompiledGrok>();
function core(library: ReadonlyMap<string, string>, name: string): CompiledGrok {
  const key = `${library === ecs ? 'ecs' : 'legacy'} ${name}`;
  const known = compiledOnce.get(key) ?? compiled(library, `%{${name}}`);
  compiledOnce.set(key, known);
  return known;
}

/** What says something: neither empty, nor the dash of logs for nothing; without quotes around it. */
function valuesOf(grok: CompiledGrok, text: string): [field: string, value: string][] | null {
  const found = grok.match(text);
  if (found === null || found === TIMED_OUT) return null;
  return grok.captures.flatMap(({ field }, i): [string, string][] => {
    const value = (found[i] ?? '').replace(/^"(.*)"$/s, '$1');
    return value === '' || value === '-' ? [] : [[field, value]];
  });
}
const sorted = (pairs: readonly (readonly [string, string])[]): string[] => pairs.map(([, value]) => value).sort();

/** Patterns that do not take the whole of a text, by their nature: they choose the shortest or the first alternative. */
const PARTIAL = new Set([
  ...['DATA', 'HAPROXYCAPTUREDREQUESTHEADERS', 'HAPROXYCAPTUREDRESPONSEHEADERS', 'IPTABLES4_FRAG', 'MONTHNUM'],
  ...['NAGIOSTIME', 'NAGIOS_SERVICE_EVENT_HANDLER', 'NAGIOS_HOST_EVENT_HANDLER', 'RAILS3FOOT', 'RAILS3'],
  ...['DISABLE_SVC', 'DISABLE_HOST', 'ENABLE_SVC', 'ENABLE_HOST'].map((end) => `NAGIOS_EC_LINE_${end}_CHECK`),
  ...['NAGIOS_EC_LINE_SCHEDULE_HOST_DOWNTIME', 'MONGO_QUERY', 'ZEEK_FILES_TX_HOSTS', 'ZEEK_FILES_RX_HOSTS'],
]);

/** A name, or names in brackets. */
const FIELD_REFERENCE = /^(?:[\w@.-]+|(?:\[[\w@.-]+\])+)$/;

/** Some seven hundred patterns, on a machine that may have other work. */
const COMPILE_MS_MAX = 180_000;

describe('the patterns of both sets', () => {
  test('are these many, and every legacy name has its counterpart', () => {
    expect([legacy.size, ecs.size]).toEqual([317, 362]);
    expect([...legacy.keys()].filter((name) => !ecs.has(name))).toEqual([]);
  });

  test('all compile, and what they capture are field references', { timeout: COMPILE_MS_MAX }, () => {
    for (const library of [legacy, ecs]) {
      for (const name of library.keys()) {
        for (const { field } of core(library, name).captures) expect(field).toMatch(FIELD_REFERENCE);
      }
    }
  });

  test('each of ECS matches a text made for it, whole', { timeout: COMPILE_MS_MAX }, () => {
    expect([...ecs.keys()].filter((name) => !samples.has(name))).toEqual([]);
    const broken: unknown[] = [];
    for (const name of ecs.keys()) {
      const text = samples.get(name) ?? '';
      const span = core(ecs, name).span(text);
      const isWhole = span?.start === 0 && span.end === text.length;
      if (!isWhole && !(span !== null && PARTIAL.has(name))) broken.push([name, text, span]);
    }
    expect(broken).toEqual([]);
  });

  test.each([
    ['legacy', legacy],
    ['ecs', ecs],
  ] as const)('tuned forms match what the stock forms of %s match, whatever is done to a text', (_set, library) => {
    const names = [...tunedPatterns(library, library).keys()];
    const pairs = names.map((name) => [compiled(library, `%{${name}:x}`, false), compiled(library, `%{${name}:x}`)]);
    const texts = [...samples.values(), '1.5.6', '+.5', '1.', "''", '"unclosed \\', '::ffff:1.2.3.4', 'C:\\a\\b'];
    const damaged = fc
      .tuple(fc.constantFrom(...texts), fc.nat(200), fc.string({ maxLength: 3 }), fc.nat(4))
      .map(([text, at, added, cut]) => text.slice(0, at % (text.length + 1)) + added + text.slice((at % 50) + cut));
    const check = (text: string): void => {
      for (const [plain, tuned] of pairs) expect([text, tuned?.match(text)]).toEqual([text, plain?.match(text)]);
    };
    for (const text of texts) check(text);
    fc.assert(fc.property(damaged, check), { numRuns: 300 });
  });
});

/**
 * ECS names other parts of these: dates are whole, dashes and `(empty)` are nothing, addresses and sizes were added, or a part
 * has no place in it.
 */
const OTHER_PARTS = new Set([
  ...['END_VOLUME', 'WROTE_LABEL', 'NEW_MOUNT', 'NOOPENDIR', 'NOSTAT', 'READYAPPEND', 'CANCELLING', 'MARKCANCEL']
    .concat('FATAL_CONN', 'NO_AUTH', 'NO_CONNECT')
    .map((end) => `BACULA_LOG_${end}`),
  ...[
    'BRO_HTTP',
    'BRO_CONN',
    'EXIM_DATE',
    'EXIM',
    'EXIM_MESSAGE_ARRIVAL',
    'CISCOFW302020_302021',
    'CISCOFW313005',
    'URIHOST',
    'URI',
  ],
  ...['HAPROXYTIME', 'HAPROXYDATE', 'HAPROXYHTTPBASE', 'HAPROXYHTTP', 'HAPROXYTCP', 'SYSLOGPAMSESSION'],
  ...['POSTGRESQL', 'S3_ACCESS_LOG', 'CISCOFW106100', 'CISCOFW106100_2_3', 'MONGO_SLOWQUERY'],
  ...['ELB_URI', 'ELB_URIPATHPARAM', 'ELB_REQUEST_LINE', 'BIND9', 'SFW2', 'SHOREWALL'],
]);

describe('the legacy set', () => {
  test.each([
    ['MONTH', 'Juli', []],
    ['LOGLEVEL', 'INFORMATION', []],
    ['JAVAFILE', 'Foo$Bar.java', []],
    [
      'HTTPD_COMMONLOG',
      '1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" - -',
      ['1.2.3.4', 'GET', '/', '1.1'],
    ],
    ['EXIM_PID', '[42]', ['42']],
    ['NAGIOS_TIMEPERIOD_TRANSITION', 'TIMEPERIOD TRANSITION: 24x7;-1;1', ['24x7', '-1', '1']],
  ])('%s takes the whole of %j', (name, text, parts) => {
    expect(core(legacy, name).span(text)).toEqual({ start: 0, end: text.length });
    const found = (valuesOf(core(legacy, name), text) ?? []).map(([, value]) => value);
    expect(found).toEqual(expect.arrayContaining([...parts]));
  });
  test('has the names of before ECS for the parts of firewall lines', () => {
    const fields = ['SHOREWALL', 'SFW2'].flatMap((name) => core(legacy, name).captures.map(({ field }) => field));
    expect(fields).toEqual(expect.arrayContaining(['nf_src_ip', 'nf_host', 'nf_out_interface', 'nf_action']));
    expect(fields.filter((field) => field.startsWith('['))).toEqual([]);
  });
});

describe('the same text through both sets', () => {
  test('gives the same values under other names', () => {
    const differing: string[] = [];
    let compared = 0;
    for (const name of legacy.keys()) {
      const text = samples.get(name) ?? '';
      const [before, after] = [core(legacy, name), core(ecs, name)];
      const [span, other] = [before.span(text), after.span(text)];
      // A set that matches another part of the text was changed in more than its names.
      if (span === null || span.start !== other?.start || span.end !== other.end) continue;
      compared++;
      const [old, now] = [sorted(valuesOf(before, text) ?? []), sorted(valuesOf(after, text) ?? [])];
      if (old.join() !== now.join()) differing.push(name);
    }
    expect(differing.sort()).toEqual([...OTHER_PARTS].sort());
    expect(compared).toBeGreaterThan(280);
  });

  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/);
  const number = fc.integer({ min: 1, max: 65_535 }).map(String);
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  const text = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .,;=-]{0,30}$/).map((one) => one.trim());
  const date = fc.constantFrom('17/May/2015:10:05:03 +0000', '01/Jan/2026:23:59:59 -0130');
  const syslogDate = fc.constantFrom('Jan  2 03:04:05', 'Dec 31 23:59:59');
  const status = fc.integer({ min: 100, max: 599 }).map(String);
  const level = fc.constantFrom('INFO', 'ERROR', 'DEBUG', 'WARN', 'FATAL');
  const isoDate = fc.constantFrom('2026-01-02T03:04:05.678', '2015-12-31T23:59:59.000001');

  /** Pattern, its fields as [legacy, ECS, values], and the line of those values. */
  type Format = readonly [
    string,
    readonly (readonly [string, string, fc.Arbitrary<string>])[],
    (v: readonly string[]) => string,
  ];
  const formats: readonly Format[] = [
    [
      'COMBINEDAPACHELOG',
      [
        ['clientip', '[source][address]', address],
        ['ident', '[apache][access][user][identity]', word],
        ['auth', '[user][name]', word],
        ['timestamp', 'timestamp', date],
        ['verb', '[http][request][method]', word],
        ['request', '[url][original]', word.map((one) => `/${one}?a=b`)],
        ['httpversion', '[http][version]', fc.constantFrom('1.0', '1.1', '2')],
        ['response', '[http][response][status_code]', status],
        ['bytes', '[http][response][body][bytes]', number],
        ['referrer', '[http][request][referrer]', word.map((one) => `http://${one}/`)],
        ['agent', '[user_agent][original]', text],
      ],
      (v) => `${v[0]} ${v[1]} ${v[2]} [${v[3]}] "${v[4]} ${v[5]} HTTP/${v[6]}" ${v[7]} ${v[8]} "${v[9]}" "${v[10]}"`,
    ],
    [
      'SYSLOGLINE',
      [
        ['timestamp', 'timestamp', syslogDate],
        ['logsource', '[host][hostname]', word],
        ['program', '[process][name]', word],
        ['pid', '[process][pid]', number],
        ['message', 'message', text],
      ],
      (v) => `${v[0]} ${v[1]} ${v[2]}[${v[3]}]: ${v[4]}`,
    ],
    [
      'REDISMONLOG',
      [
        ['timestamp', 'timestamp', number.map((one) => `14${one}.${one}`)],
        ['database', '[redis][database][id]', number],
        ['client', '[client][ip]', address],
        ['port', '[client][port]', number],
        ['command', '[redis][command][name]', word],
        ['params', '[redis][command][args]', word.map((one) => `"${one}"x`)],
      ],
      (v) => `${v[0]} [${v[1]} ${v[2]}:${v[3]}] "${v[4]}" ${v[5]}`,
    ],
    [
      'RUBY_LOGGER',
      [
        ['timestamp', 'timestamp', isoDate],
        ['pid', '[process][pid]', number],
        ['loglevel', '[log][level]', level],
        ['progname', '[process][name]', word],
        ['message', 'message', text],
      ],
      (v) => `I, [${v[0]} #${v[1]}]  ${v[2]} -- ${v[3]}: ${v[4]}`,
    ],
    [
      'CISCOFW106001',
      [
        ['direction', '[cisco][asa][network][direction]', fc.constantFrom('Inbound', 'outbound')],
        ['protocol', '[cisco][asa][network][transport]', word],
        ['action', '[cisco][asa][outcome]', fc.constantFrom('Deny', 'Built', 'permitted')],
        ['src_ip', '[source][ip]', address],
        ['src_port', '[source][port]', number],
        ['dst_ip', '[destination][ip]', address],
        ['dst_port', '[destination][port]', number],
        ['tcp_flags', '[cisco][asa][tcp_flags]', fc.constantFrom('SYN', 'SYN ACK')],
        ['interface', '[observer][egress][interface][name]', word],
      ],
      (v) =>
        `${v[0]} ${v[1]} connection ${v[2]} from ${v[3]}/${v[4]} to ${v[5]}/${v[6]} flags ${v[7]} on interface ${v[8]}`,
    ],
    [
      'NAGIOS_SERVICE_ALERT',
      [
        ['nagios_hostname', '[host][hostname]', word],
        ['nagios_service', '[service][name]', word],
        ['nagios_state', '[service][state]', word],
        ['nagios_statelevel', '[nagios][log][state_type]', word],
        ['nagios_attempt', '[nagios][log][attempt]', number],
        ['nagios_message', 'message', text],
      ],
      (v) => `SERVICE ALERT: ${v.join(';')}`,
    ],
    [
      'SQUID3',
      [
        ['timestamp', 'timestamp', number.map((one) => `14${one}.125`)],
        ['duration', '[squid][request][duration]', number],
        ['client_address', '[source][ip]', address],
        ['cache_result', '[event][action]', word],
        ['status_code', '[http][response][status_code]', status],
        ['bytes', '[http][response][bytes]', number],
        ['request_method', '[http][request][method]', word],
        ['url', '[url][original]', word.map((one) => `http://${one}/`)],
        ['user', '[user][name]', word],
        ['hierarchy_code', '[squid][hierarchy_code]', word],
        ['server', '[destination][address]', address],
        ['content_type', '[http][response][mime_type]', fc.constant('text/html')],
      ],
      (v) => `${v[0]} ${v[1]} ${v[2]} ${v[3]}/${v[4]} ${v[5]} ${v[6]} ${v[7]} ${v[8]} ${v[9]}/${v[10]} ${v[11]}`,
    ],
  ];

  test.each(formats)('%s: any values', (name, fields, line) => {
    const [before, after] = [core(legacy, name), core(ecs, name)];
    const values = fc.tuple(...fields.map(([, , arbitrary]) => arbitrary));
    fc.assert(
      fc.property(values, (given) => {
        const written = line(given);
        const old = new Map(valuesOf(before, written));
        const now = new Map(valuesOf(after, written));
        for (const [i, [oldName, newName]] of fields.entries()) {
          expect([written, oldName, old.get(oldName)]).toEqual([written, oldName, given[i]]);
          expect([written, newName, now.get(newName)]).toEqual([written, newName, given[i]]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
