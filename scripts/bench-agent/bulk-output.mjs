/**
 * What events cost on their way into a cluster, beside the same events on their way into a file, in turn: the processor time of the
 * agent alone, with all its threads on one core. The cluster is `bulk-sink.mjs`.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { agentCommand, bulkConfig, jobConfig } from './job.mjs';
import { askText, median, runToEnd } from './measured-process.mjs';

export async function measureBulkOutput(folder, { file, lines, runs }) {
  const sink = spawn(process.execPath, [fileURLToPath(new URL('./bulk-sink.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => sink.kill());
  const port = Number(await new Promise((resolve) => sink.stdout.once('data', (text) => resolve(String(text)))));
  const configs = {
    file: jobConfig(folder, { file, output: '/dev/null' }),
    cluster: bulkConfig(folder, { file, port }),
  };
  const cpuMs = { file: [], cluster: [] };
  for (let run = 0; run < runs; run++) {
    for (const [name, config] of Object.entries(configs))
      cpuMs[name].push((await runToEnd(agentCommand(config, { folder, workers: 1 }), { cores: 1 })).cpuMs);
  }
  const taken = Number(await askText(port, '/taken'));
  sink.kill();
  if (taken !== lines * runs) throw new Error(`of ${lines * runs} events ${taken} arrived`);
  const [toFile, toCluster] = [median(cpuMs.file), median(cpuMs.cluster)];
  const each = (ms) => `${((ms * 1000) / lines).toFixed(1)} µs of CPU an event`;
  return `${each(toCluster)}, ${each(toFile)} into a file: ${Math.round((toFile / toCluster) * 100)} % of its rate`;
}
