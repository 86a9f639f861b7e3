/**
 * Writes the grok pattern library as a data module, so that it is part of the build and nothing is read at start.
 *
 * Usage: node scripts/make-grok-patterns.mjs DIRECTORY, where DIRECTORY is `patterns` of the crate grok 2.4.1 (Apache-2.0), which
 * ships the pattern files of Logstash (Apache-2.0) as `NAME.pattern`. Comments and empty lines are left out. The crate's files are
 * those of Logstash 7 with some of ECS among them: what logstash-patterns-core 4.3.4 has otherwise is put right in CORRECTIONS.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: make-grok-patterns.mjs DIRECTORY');
const target = new URL('../packages/extraction/src/grok/generated/legacy-patterns.ts', import.meta.url);

/** name -> [text, replacement] pairs, the whole text, or null where Logstash has no such pattern. */
const CORRECTIONS = {
  aws: {
    S3_ACCESS_LOG: [
      ['%{IP:clientip} ', '(?:%{IP:clientip}|-) '],
      ['(?:"%{S3_REQUEST_LINE}"|-)', '(?:"%{S3_REQUEST_LINE}"|"-"|-)'],
    ],
    ELB_ACCESS_LOG: [
      ['(?:(%{IP:backendip}', '(?:(?:%{IP:backendip}'],
      ['%{INT:backend_response:int}', '(?:-|%{INT:backend_response:int})'],
    ],
  },
  bacula: {
    BACULA_LOG_NOOPEN: [['\\s+Cannot', '\\s*Cannot']],
    BACULA_LOG_NOOPENDIR: [['\\s+Could', '\\s*Could']],
    BACULA_LOG_NOSTAT: [['\\s+Could', '\\s*Could']],
    BACULA_LOG_FATAL_CONN: [['(%{GREEDYDATA})', '(?<berror>%{GREEDYDATA})']],
    BACULA_LOG_NO_CONNECT: [['(%{GREEDYDATA})', '(?<berror>%{GREEDYDATA})']],
    BACULA_LOG_NO_AUTH: [['%{HOSTNAME}', '%{DATA}']],
    BACULA_LOGLINE: [[' JobId %{INT:jobid}:', '(?: JobId %{INT:jobid})?:']],
  },
  bind: {
    BIND9: [[': client ', ': client(:? @0x(?:[0-9A-Fa-f]+))? ']],
  },
  exim: {
    EXIM_PID: [['%{POSINT}', '%{POSINT:pid}']],
    EXIM_REMOTE_HOST: [['%{IP:remote_host}\\])', '%{IP:remote_host}\\])(?::%{POSINT:remote_port})?']],
    EXIM_UNKNOWN_FIELD: '(?:[A-Za-z]{1,4}=%{NOTSPACE})',
    EXIM_NAMED_FIELDS:
      '(?: (?:%{EXIM_REMOTE_HOST}|%{EXIM_INTERFACE}|%{EXIM_PROTOCOL}|%{EXIM_MSG_SIZE}|%{EXIM_HEADER_ID}|%{EXIM_SUBJECT}|%{EXIM_UNKNOWN_FIELD}))*',
    EXIM_MESSAGE_ARRIVAL:
      '%{EXIM_DATE:timestamp} (?:%{EXIM_PID} )?%{EXIM_MSGID:exim_msgid} (?<exim_flags><=) (?:%{EXIM_FLAGS:exim_flags} )?(?<exim_status>[a-z:] )?%{EMAILADDRESS:exim_sender_email}%{EXIM_NAMED_FIELDS}(?: for %{EMAILADDRESS:exim_recipient_email})?',
    EXIM: '%{EXIM_MESSAGE_ARRIVAL}',
  },
  firewalls: {
    IPTABLES_TCP_FLAGS: null,
    IPTABLES_TCP_PART: null,
    IPTABLES4_FRAG: null,
    IPTABLES4_PART: null,
    IPTABLES6_PART: null,
    IPTABLES: null,
    SFW2_LOG_PREFIX: null,
    SHOREWALL:
      '(%{SYSLOGTIMESTAMP:timestamp}) (%{WORD:nf_host}) .*Shorewall:(%{WORD:nf_action1})?:(%{WORD:nf_action2})?.*IN=(%{USERNAME:nf_in_interface})?.*(OUT= *MAC=(%{COMMONMAC:nf_dst_mac}):(%{COMMONMAC:nf_src_mac})?|OUT=%{USERNAME:nf_out_interface}).*SRC=(%{IPV4:nf_src_ip}).*DST=(%{IPV4:nf_dst_ip}).*LEN=(%{WORD:nf_len}).?*TOS=(%{WORD:nf_tos}).?*PREC=(%{WORD:nf_prec}).?*TTL=(%{INT:nf_ttl}).?*ID=(%{INT:nf_id}).?*PROTO=(%{WORD:nf_protocol}).?*SPT=(%{INT:nf_src_port}?.*DPT=%{INT:nf_dst_port}?.*)',
    SFW2: '((%{SYSLOGTIMESTAMP:timestamp})|(%{TIMESTAMP_ISO8601:timestamp}))\\s*%{HOSTNAME}\\s*kernel\\S+\\s*(?:%{NAGIOSTIME}\\s*)?SFW2\\-INext\\-%{NOTSPACE:nf_action}\\s*IN=%{USERNAME:nf_in_interface}.*OUT=((\\s*%{USERNAME:nf_out_interface})|(\\s*))MAC=((%{COMMONMAC:nf_dst_mac}:%{COMMONMAC:nf_src_mac})|(\\s*)).*SRC=%{IP:nf_src_ip}\\s*DST=%{IP:nf_dst_ip}.*PROTO=%{WORD:nf_protocol}((.*SPT=%{INT:nf_src_port}.*DPT=%{INT:nf_dst_port}.*)|())',
  },
  'grok-patterns': {
    MONTH: [['[Jj]ul(?:y)?', '[Jj]ul(?:y|i)?']],
    LOGLEVEL: [
      ['[Ii]nfo|', '[Ii]nfo?(?:rmation)?|'],
      ['INFO|', 'INFO?(?:RMATION)?|'],
    ],
  },
  httpd: {
    HTTPD_COMMONLOG: [['%{NUMBER:response}', '(?:%{NUMBER:response}|-)']],
  },
  java: {
    JAVAFILE: '(?:[a-zA-Z$_0-9. -]+)',
  },
  nagios: {
    NAGIOS_TIMEPERIOD_TRANSITION: [
      ['%{DATA:nagios_unknown1};%{DATA:nagios_unknown2}', '%{NUMBER:nagios_unknown1};%{NUMBER:nagios_unknown2}'],
    ],
  },
  squid: {
    SQUID3: [['%{POSINT:status_code}', '%{NONNEGINT:status_code}']],
  },
};

function corrected(file, lines) {
  const corrections = CORRECTIONS[file] ?? {};
  const named = lines.map((line) => /^(\w+)[ \t]+(.+)$/.exec(line)?.slice(1) ?? [line, '']);
  const known = new Set(named.map(([name]) => name));
  const added = Object.entries(corrections).filter(([name, text]) => typeof text === 'string' && !known.has(name));
  return [...named, ...added]
    .filter(([name]) => corrections[name] !== null)
    .map(([name, text]) => `${name} ${correctedText(name, text, corrections[name])}`);
}

function correctedText(name, text, correction) {
  if (correction === undefined) return text;
  if (typeof correction === 'string') return correction;
  return correction.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${name} has no ${from}`);
    return changed.replace(from, () => to);
  }, text);
}

const files = readdirSync(directory)
  .filter((name) => name.endsWith('.pattern'))
  .sort();
let text = `// Made by scripts/make-grok-patterns.mjs from the pattern files of the crate grok 2.4.1, which come from Logstash (both Apache-2.0):
// see NOTICE of this package. Do not edit.

export const LEGACY_PATTERN_FILES: Readonly<Record<string, readonly string[]>> = {
`;
let count = 0;
for (const file of files) {
  const lines = readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const name = file === 'grok.pattern' ? 'grok-patterns' : file.slice(0, -'.pattern'.length);
  const patterns = corrected(name, lines);
  count += patterns.length;
  text += `  '${name}': [\n${patterns.map((line) => `    ${JSON.stringify(line)},\n`).join('')}  ],\n`;
}
text += '};\n';
writeFileSync(target, text);
process.stdout.write(`${count} patterns of ${files.length} files\n`);
