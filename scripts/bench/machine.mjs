/** Where figures come from: what every benchmark prints above its own. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { root } from '../built.mjs';

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // A copy of the sources without their history.
    return null;
  }
}

/** Processor, memory, Node.js, commit (with `changed` where packages are not as committed) and the load of the last minute. */
export function machineLine() {
  const commit = git('rev-parse', '--short', 'HEAD') ?? 'unknown';
  const changed = git('status', '--porcelain', 'packages') ? ', changed' : '';
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0].toFixed(1);
  return `${cpus().length} x ${cpus()[0].model}, ${memory} GB, Node ${process.version}, commit ${commit}${changed}; load ${load}`;
}
