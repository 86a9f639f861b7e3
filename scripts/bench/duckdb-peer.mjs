/** DuckDB of a Python on this machine, asked the same as ours of the same lines. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./duckdb-peer.py', import.meta.url));
const OUTPUT_BYTES_MAX = 1 << 28;

/** Why the peer cannot be asked; null: it can. */
export function missingDuckdb(python) {
  const { error, status, stderr } = spawnSync(python, ['-c', 'import duckdb'], { encoding: 'utf8' });
  if (error !== undefined) return `${python}: ${error.message}`;
  return status === 0 ? null : `${python}: ${stderr.trim().split('\n').at(-1)}`;
}

/** `version`, and of each query its rows and the median of its CPU time: `results` in the order of `queries`. */
export function askDuckdb(python, lines, { queries, repeats }) {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-duckdb-'));
  try {
    const file = join(folder, 'lines.ndjson');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const input = JSON.stringify({ queries, repeats });
    const maxBuffer = OUTPUT_BYTES_MAX;
    return JSON.parse(execFileSync(python, [SCRIPT, file, folder], { input, encoding: 'utf8', maxBuffer }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
