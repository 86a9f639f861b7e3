/**
 * Writes the grok patterns that store their parts under names of ECS, as a data module.
 *
 * Usage: node scripts/make-ecs-grok-patterns.mjs CRATE JAVA GO, three folders named `patterns`: of the crate grok 2.4.1, of the jar
 * io.github.whatap:java-grok 0.2.0 (unpacked), and of the Go module github.com/elastic/go-grok 0.3.1. All three are under the
 * Apache License 2.0 and took the patterns of Logstash (Apache-2.0), the latter two with the paths of fields written with dots
 * (`source.address`) and with types of their own. Both are written back here as Logstash has them; what a package changed
 * besides (a field renamed, a slip of the pen) is put right in CORRECTIONS. Comments and empty lines are left out.
 *
 * The jar also has a text for most patterns, beside its folder `patterns`; the tests are made of them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [crateFolder, javaFolder, goFolder] = process.argv.slice(2);
if (goFolder === undefined) throw new Error('usage: make-ecs-grok-patterns.mjs CRATE JAVA GO');
const target = new URL('../packages/extraction/src/grok/generated/ecs-patterns.ts', import.meta.url);

const TYPES = { integer: 'int', long: 'int', double: 'float' };
/** What the packages call fields that Logstash keeps under their old names. */
const FIELDS = { log_timestamp: 'timestamp', log_message: 'message' };

/** Where each file's texts are taken from; `go` names those that the Go module has better. */
const SOURCES = [
  { file: 'aws', from: 'java', add: ['CLOUDFRONT_EDGE_LOCATION'], drop: ['URIQUERY'] },
  { file: 'bacula', from: 'java' },
  { file: 'bind', from: 'java' },
  { file: 'bro', from: 'java' },
  { file: 'exim', from: 'java' },
  { file: 'firewalls', from: 'java' },
  { file: 'grok-patterns', from: 'crate', crateFile: 'grok', add: ['URIQUERY'] },
  { file: 'haproxy', from: 'java' },
  { file: 'httpd', from: 'java', go: ['COMMONAPACHELOG', 'COMBINEDAPACHELOG'] },
  { file: 'java', from: 'java', go: ['CATALINA7_LOG', 'CATALINA8_LOG', 'TOMCATLEGACY_LOG'] },
  { file: 'junos', from: 'java' },
  { file: 'linux-syslog', from: 'java', go: ['CRONLOG', 'SYSLOGLINE', 'SYSLOG5424LINE'] },
  { file: 'maven', from: 'java' },
  { file: 'mcollective', from: 'java', go: ['MCOLLECTIVE'] },
  { file: 'mongodb', from: 'java' },
  { file: 'nagios', from: 'java' },
  { file: 'postgresql', from: 'go' },
  { file: 'rails', from: 'java' },
  { file: 'redis', from: 'go' },
  { file: 'ruby', from: 'go' },
  { file: 'squid', from: 'go' },
  { file: 'zeek', from: 'java' },
];

/** name -> [text, replacement] pairs, or the whole text where no package has it. */
const CORRECTIONS = {
  // Names of edges are letters, a number and at times a part behind a hyphen: `SFO5-P1`.
  CLOUDFRONT_EDGE_LOCATION: '[A-Z]{3}[0-9]{1,2}(?:-[A-Z0-9]{2})?',
  CLOUDFRONT_ACCESS_LOG: [
    ['%{WORD:[aws][cloudfront][x_edge_location]}', '%{CLOUDFRONT_EDGE_LOCATION:[aws][cloudfront][x_edge_location]}'],
  ],
  BIND9_QUERYLOG: [['[bing]', '[bind]']],
  UNIXPATH: [['\\.', '.']],
  // The port is no field of its own, and a query is what stands behind the question mark.
  URIHOST: [['%{POSINT:port}', '%{POSINT}']],
  URIPARAM: '\\?%{URIQUERY}',
  URIPATHPARAM: [['%{URIPARAM}', '\\?%{URIQUERY}']],
  URI: [['%{URIPATHPARAM}', '%{URIPATH}(?:\\?%{URIQUERY})?']],
  MONTH: [['[Jj]ul(?:y)?', '[Jj]ul(?:y|i)?']],
  ISO8601_SECOND: '%{SECOND}',
  LOGLEVEL: [
    ['[Ii]nfo|', '[Ii]nfo?(?:rmation)?|'],
    ['INFO|', 'INFO?(?:RMATION)?|'],
  ],
  SYSLOGPROG: [
    ['PROG:program', 'PROG:[process][name]'],
    ['POSINT:pid', 'POSINT:[process][pid]:int'],
  ],
  SYSLOGFACILITY: [
    [':facility', ':[log][syslog][facility][code]:int'],
    [':priority', ':[log][syslog][priority]:int'],
  ],
  SYSLOGBASE: [[':logsource', ':[host][hostname]']],
  REDISMONLOG: [['[client][address]', '[client][ip]']],
  RUBY_LOGGER: [['[process][command]', '[process][name]']],
  SQUID3: [['[source][address]', '[source][ip]']],
};

function patternLines(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  return new Map(lines.map((line) => /^(\w+)[ \t]+(.+)$/.exec(line)?.slice(1) ?? [line, '']));
}

function goLines(text) {
  const raw = [...text.matchAll(/"(\w+)":\s*`([^`]*)`/g)].map(([, name, body]) => [name, body]);
  const quoted = [...text.matchAll(/"(\w+)":\s*("(?:[^"\\]|\\.)*")/g)].map(([, name, body]) => [
    name,
    JSON.parse(body),
  ]);
  return new Map([...raw, ...quoted]);
}

function bracketed(field) {
  const name = FIELDS[field] ?? field;
  return name.includes('.')
    ? name
        .split('.')
        .map((part) => `[${part}]`)
        .join('')
    : name;
}

/** `%{INT:source.port:integer}` -> `%{INT:[source][port]:int}`; a `?` behind a name means nothing and is left out. */
function asLogstash(text) {
  return text
    .replace(/%\{(\w+):([\w.@-]+)\??(?::(\w+))?\}/g, (_, name, field, type) => {
      const suffix = type === undefined ? '' : `:${TYPES[type] ?? type}`;
      return `%{${name}:${bracketed(field)}${suffix}}`;
    })
    .replace(/\(\?<([\w.]+)>/g, (_, field) => `(?<${bracketed(field)}>`);
}

function corrected(name, text) {
  const correction = CORRECTIONS[name];
  if (correction === undefined) return text;
  if (typeof correction === 'string') return correction;
  return correction.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${name} has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

const go = new Map(readdirSync(goFolder).flatMap((file) => [...goLines(readFileSync(join(goFolder, file), 'utf8'))]));
let output = `// Made by scripts/make-ecs-grok-patterns.mjs from the pattern files of three packages (see NOTICE of this package), which come
// from Logstash (all Apache-2.0). Do not edit.

export const ECS_PATTERN_FILES: Readonly<Record<string, readonly string[]>> = {
`;
let count = 0;
for (const { file, from, crateFile, go: fromGo = [], add = [], drop = [] } of SOURCES) {
  const path = from === 'crate' ? join(crateFolder, `${crateFile ?? file}.pattern`) : join(javaFolder, file);
  const patterns = patternLines(readFileSync(path, 'utf8'));
  for (const name of drop) patterns.delete(name);
  for (const name of add) patterns.set(name, go.get(name) ?? '');
  for (const name of from === 'go' ? patterns.keys() : fromGo) patterns.set(name, go.get(name) ?? '');
  const lines = [...patterns].map(([name, text]) => `${name} ${corrected(name, asLogstash(text))}`);
  count += lines.length;
  output += `  '${file}': [\n${lines.map((line) => `    ${JSON.stringify(line)},\n`).join('')}  ],\n`;
}
writeFileSync(target, `${output}};\n`);

const samplesFolder = join(javaFolder, '..', 'samples');
const names = new Set([...output.matchAll(/^ {4}"(\w+) /gm)].map(([, name]) => name));
let samples = `// Made by scripts/make-ecs-grok-patterns.mjs from the samples of io.github.whatap:java-grok 0.2.0 (Apache-2.0): see NOTICE of this
// package. Do not edit.

export const PATTERN_SAMPLES: Readonly<Record<string, string>> = {
`;
for (const file of readdirSync(samplesFolder).sort()) {
  for (const [name, text] of Object.entries(JSON.parse(readFileSync(join(samplesFolder, file), 'utf8')))) {
    if (names.delete(name)) samples += `  ${name}: ${JSON.stringify(text)},\n`;
  }
}
writeFileSync(new URL('pattern-samples.test-support.ts', target), `${samples}};\n`);
process.stdout.write(`${count} patterns\n`);
