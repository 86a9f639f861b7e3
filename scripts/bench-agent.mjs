#!/usr/bin/env node
/**
 * `npm run bench:agent [-- --peer NAME=COMMAND ...]`: what the README says of the agent's speed and memory, measured here and now.
 *
 * The job: a file of Apache access logs, grok, date, one conversion and one field removed, lines of JSON to /dev/null; the whole
 * product as it is started, queue and metrics on. A peer is a command with `{file}` (the log) and `{cores}` (1 or 2) in it;
 * it takes its turn between the agent's own runs. Nothing is asserted but that the work is done.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { writeAccessLog } from './bench-agent/access-log.mjs';
import { measureBulkOutput } from './bench-agent/bulk-output.mjs';
import { measureBusyInputs } from './bench-agent/busy-inputs.mjs';
import { agentCommand, checkWork, jobConfig } from './bench-agent/job.mjs';
import { measureManyPipelines } from './bench-agent/many-pipelines.mjs';
import { median, runToEnd, shellCommand } from './bench-agent/measured-process.mjs';
import { measureFirstEvent, measureIdle, measureMemory } from './bench-agent/memory.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '3' },
    peer: { type: 'string', multiple: true, default: [] },
    parts: { type: 'string', default: 'speed,bulk,api,memory,idle,first,pipelines,inputs' },
    pipelines: { type: 'string', default: '1000' },
    'memory-events': { type: 'string', default: '10000000' },
  },
});
const lines = Number(options.lines);
const runs = Number(options.runs);
const parts = new Set(options.parts.split(','));
const folder = mkdtempSync(join(tmpdir(), 'shoal-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const rows = [];
const row = (what, value) => {
  rows.push([what, value]);
  process.stderr.write(`${what}: ${value}\n`);
};

function speedText({ wallMs, cpuMs, peakMb }) {
  const rate = Math.round((lines * 1000) / wallMs);
  return `${rate} lines/s, ${(wallMs / 1000).toFixed(2)} s, CPU ${(cpuMs / 1000).toFixed(2)} s, ${Math.round(peakMb)} MB`;
}

const mediansOf = (results) => ({
  wallMs: median(results.map(({ wallMs }) => wallMs)),
  cpuMs: median(results.map(({ cpuMs }) => cpuMs)),
  peakMb: median(results.map(({ peakMb }) => peakMb)),
});

/** Every contender once, then again: what disturbs the machine disturbs all of them. */
async function inTurns(contenders) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const { name, start } of contenders) results.get(name).push(await start());
  }
  return new Map([...results].map(([name, list]) => [name, mediansOf(list)]));
}

function peers(file, cores) {
  return options.peer.map((text) => {
    const at = text.indexOf('=');
    const name = text.slice(0, at);
    const command = text
      .slice(at + 1)
      .replaceAll('{file}', file)
      .replaceAll('{cores}', String(cores));
    return { name, start: () => runToEnd(shellCommand(command), { cores }) };
  });
}

const ASKED = 'shoal agent, asked 100 times a second';

const agent = (config, cores, { ecs, askEveryMs } = {}) => ({
  name: askEveryMs !== undefined ? ASKED : ecs === undefined ? 'shoal agent' : `shoal agent, names of ECS ${ecs}`,
  start: () => runToEnd(agentCommand(config, { folder, workers: cores, ecs }), { cores, askEveryMs }),
});

async function measureSpeed(file) {
  const config = jobConfig(folder, { file, output: '/dev/null' });
  let oneCoreMs = 0;
  for (const cores of [1, 2].filter((count) => count <= cpus().length)) {
    const contenders = [agent(config, cores), agent(config, cores, { ecs: 'v8' }), ...peers(file, cores)];
    if (parts.has('api')) contenders.push(agent(config, cores, { askEveryMs: 10 }));
    const [[, own], ...others] = await inTurns(contenders);
    const title = cores === 1 ? 'one worker, all threads on one core' : 'two workers, two cores';
    row(`shoal agent, ${title}`, speedText(own));
    if (cores === 1) oneCoreMs = own.wallMs;
    else row('  against one core', `${(oneCoreMs / own.wallMs).toFixed(2)} times`);
    for (const [name, result] of others) {
      if (name !== ASKED && name.startsWith('shoal agent')) {
        row(`  ${name}`, speedText(result));
      } else if (name === ASKED) {
        const slower = (result.wallMs / own.wallMs - 1) * 100;
        const busier = (result.cpuMs / own.cpuMs - 1) * 100;
        row(`  ${name}`, `${slower.toFixed(1)} % slower, ${busier.toFixed(1)} % more CPU`);
      } else {
        row(
          `  ${name}`,
          `${speedText(result)}; the agent is ${(result.wallMs / own.wallMs).toFixed(2)} times as fast, for ${(own.cpuMs / result.cpuMs).toFixed(2)} times the CPU`,
        );
      }
    }
  }
}

buildIfNeeded();
const file = join(folder, 'access.log');
if (['speed', 'bulk', 'memory'].some((part) => parts.has(part))) {
  const bytes = writeAccessLog(file, lines);
  row('log', `${lines} lines, ${Math.round(bytes / 1e6)} MB`);
  for (const ecs of ['disabled', 'v8']) row(`checked, ECS ${ecs}`, await checkWork(folder, ecs));
}
if (parts.has('first')) row('first event out after the start of the process', await measureFirstEvent(folder));
if (parts.has('idle')) row('idle, one worker, waiting for stdin', await measureIdle(folder));
if (parts.has('pipelines'))
  row(`${options.pipelines} pipelines`, await measureManyPipelines(folder, Number(options.pipelines)));
if (parts.has('inputs')) for (const [what, value] of await measureBusyInputs(folder)) row(what, value);
if (parts.has('speed')) await measureSpeed(file);
if (parts.has('bulk'))
  row('into a cluster, one worker, one core', await measureBulkOutput(folder, { file, lines, runs }));
if (parts.has('memory')) {
  for (const [what, value] of await measureMemory(folder, { file, events: Number(options['memory-events']) }))
    row(what, value);
}

process.stdout.write(`\n${machineLine()}\n`);
process.stdout.write(`medians of ${runs}; times with the start of the process; the log is in the page cache\n\n`);
const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
