/**
 * The job that is measured, as a configuration of the agent, and the proof that the agent does it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../built.mjs';
import { malformedOf, writeAccessLog } from './access-log.mjs';
import { runToEnd } from './measured-process.mjs';

const shoal = join(root, 'packages/cli/bin/shoal.js');
const CHECKED_LINES = 10_000;

const filters = `filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
  date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] }
  mutate { convert => { "bytes" => "integer" } remove_field => ["timestamp"] }
}
`;

const readOnce = (file) =>
  `file { path => "${file}" mode => "read" exit_after_read => true sincedb_path => "/dev/null"
    file_completed_action => "log" file_completed_log_path => "/dev/null" }`;

function write(folder, name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

export function jobConfig(folder, { file, output }) {
  const text = `input { ${readOnce(file)} }\n${filters}output { file { path => "${output}" codec => "json_lines" } }\n`;
  return write(folder, 'job.conf', text);
}

/** The same work, into a cluster. */
export function bulkConfig(folder, { file, port }) {
  const output = `elasticsearch { hosts => "http://127.0.0.1:${port}" manage_template => false ilm_enabled => false }`;
  return write(folder, 'bulk.conf', `input { ${readOnce(file)} }\n${filters}output { ${output} }\n`);
}

/** The same work on whatever comes in on standard input, for ever. */
export function stdinConfig(folder) {
  const text = `input { stdin { } }\n${filters}output { file { path => "/dev/null" codec => "json_lines" } }\n`;
  return write(folder, 'stdin.conf', text);
}

export function oneEventConfig(folder) {
  const text = `input { generator { count => 1 } }\n${filters}output { stdout { codec => "json_lines" } }\n`;
  return write(folder, 'one.conf', text);
}

/** @param ecs names of the fields: `v8` as without a setting, where each event holds its text twice, or `disabled`: the short ones */
export function agentCommand(config, { folder, workers, port, ecs = 'disabled' }) {
  const data = join(folder, 'data');
  const args = [shoal, 'agent', '-f', config, '-w', String(workers), '--path.data', data, '--log.level', 'error'];
  args.push('--pipeline.ecs_compatibility', ecs);
  return [process.execPath, ...args, ...(port === undefined ? [] : ['--api.http.port', String(port)])];
}

/** The fields that are looked at, by the names that they have. */
const FIELDS = {
  disabled: ({ clientip, agent, bytes }) => ({ client: clientip, agent, bytes }),
  v8: ({ source, user_agent, http }) => ({
    client: source?.address,
    agent: user_agent?.original,
    bytes: http?.response?.body?.bytes,
  }),
};

/** Runs a small log into a file and looks at what came out. */
export async function checkWork(folder, ecs) {
  const [file, output] = [join(folder, 'check.log'), join(folder, `check-${ecs}.json`)];
  const fields = FIELDS[ecs];
  writeAccessLog(file, CHECKED_LINES);
  await runToEnd(agentCommand(jobConfig(folder, { file, output }), { folder, workers: 1, ecs }), { cores: 1 });
  const events = readFileSync(output, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const failed = events.filter(({ tags }) => tags?.includes('_grokparsefailure'));
  const parsed = events.filter(
    (event) => fields(event).client && fields(event).agent && event['@timestamp'].startsWith('2026-01-01T'),
  );
  const numbers = parsed.map((event) => fields(event).bytes).filter((bytes) => Number.isInteger(bytes ?? 0));
  const right = CHECKED_LINES - malformedOf(CHECKED_LINES);
  if (
    events.length !== CHECKED_LINES ||
    parsed.length !== right ||
    numbers.length !== right ||
    failed.length !== CHECKED_LINES - right
  )
    throw new Error(
      `of ${CHECKED_LINES} lines ${events.length} came out, ${parsed.length} parsed, ${failed.length} failed`,
    );
  return `${CHECKED_LINES} lines: ${parsed.length} parsed, ${failed.length} tagged as malformed, as they should`;
}
