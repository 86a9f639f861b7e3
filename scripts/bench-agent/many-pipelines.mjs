/**
 * An agent with many pipelines: how long until each has sent its first event, and what each takes of memory.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../built.mjs';
import { askJson, freePort, processFacts, startProcess } from './measured-process.mjs';

const shoal = join(root, 'packages/cli/bin/shoal.js');
/** The answer is megabytes long: asked for more often, it would be a part of what is measured. */
const LOOK_EVERY_MS = 500;
const LIMIT_MS = 120_000;
const LINE = '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] \\"GET / HTTP/1.1\\" 200 12 \\"-\\" \\"curl\\"';

function pipeline(name) {
  const config = `input { heartbeat { interval => 3600 message => "${LINE}" } }
filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
  date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] }
  mutate { add_field => { "from" => "${name}" } }
}
output { file { path => "/dev/null" codec => "json_lines" } }`;
  return { 'pipeline.id': name, 'config.string': config };
}

/** Wall and processor time until all have sent an event, and memory then. */
async function startOf(folder, count) {
  const settings = join(folder, `pipelines-${count}`);
  mkdirSync(settings);
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  // JSON is YAML.
  writeFileSync(join(settings, 'pipelines.yml'), JSON.stringify(names.map(pipeline)));
  const port = await freePort();
  const args = ['agent', '--path.settings', settings, '--path.data', join(settings, 'data'), '--log.level', 'error'];
  const command = [process.execPath, shoal, ...args, '--api.http.port', String(port)];
  const { child, startedMs, ended } = startProcess(command, {});
  let done = 0;
  while (done < count) {
    await wait(LOOK_EVERY_MS);
    if (performance.now() - startedMs > LIMIT_MS) throw new Error(`${done} of ${count} pipelines sent an event`);
    done = await askJson(port, '/_node/stats/pipelines').then(
      ({ pipelines }) => Object.values(pipelines).filter(({ events }) => events.out > 0).length,
      () => 0,
    );
  }
  const result = { wallMs: performance.now() - startedMs, ...processFacts(child.pid) };
  child.kill('SIGTERM');
  await ended;
  return result;
}

export async function measureManyPipelines(folder, count) {
  const one = await startOf(folder, 1);
  const many = await startOf(folder, count);
  const each = ((many.residentMb - one.residentMb) / (count - 1)).toFixed(2);
  const seconds = (ms) => (ms / 1000).toFixed(1);
  return `${seconds(many.wallMs)} s until each has sent an event, CPU ${seconds(many.cpuMs)} s, ${each} MB each`;
}
