/** The process behind `npm run sim`, and each of its workers. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { liveCluster } from './cluster-life.test-support.ts';
import { runSim } from './sim-command.test-support.ts';
import { serveLives, startSimWorker, WORKER_ARGUMENT } from './sim-workers.test-support.ts';

const args = process.argv.slice(2);

if (args.includes(WORKER_ARGUMENT)) {
  serveLives(liveCluster);
} else {
  // Whoever reads the output may stop to.
  process.stdout.on('error', () => process.exit(1));
  process.exitCode = await runSim(args, {
    live: liveCluster,
    print: (text) => void process.stdout.write(`${text}\n`),
    processors: availableParallelism(),
    startWorker: (options) => startSimWorker(fileURLToPath(import.meta.url), options),
  });
}
