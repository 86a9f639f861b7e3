/** The process behind `npm run sim`. */
import { liveCluster } from './cluster-life.test-support.ts';
import { runSim } from './sim-command.test-support.ts';

// Whoever reads the output may stop to.
process.stdout.on('error', () => process.exit(1));
process.exitCode = await runSim(process.argv.slice(2), {
  live: liveCluster,
  print: (text) => void process.stdout.write(`${text}\n`),
});
