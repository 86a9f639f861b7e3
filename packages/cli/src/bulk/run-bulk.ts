/**
 * What `shoal bulk` does: loads the file and gives account of every document.
 */
import { stat } from 'node:fs/promises';
import { HttpApi } from '../http/http-api.ts';
import { type BulkResult, loadBulk } from './bulk-loader.ts';
import { fileProgress } from './file-progress.ts';

export interface BulkOptions {
  readonly index: string;
  readonly idField?: string;
  readonly url: string;
}

export async function runBulk(file: string, options: BulkOptions): Promise<void> {
  const api = new HttpApi(options.url);
  const { size } = await stat(file);
  const bar = fileProgress('loading', size);
  const startedMs = performance.now();
  try {
    const result = await loadBulk(api, {
      file,
      index: options.index,
      idField: options.idField ?? null,
      onProgress: (progress) => bar.update(progress.bytesRead, progress.documents),
    });
    bar.stop();
    report(result, (performance.now() - startedMs) / 1000);
    if (result.failed > 0) process.exitCode = 1;
  } finally {
    bar.stop();
    api.close();
  }
}

function report(result: BulkResult, seconds: number): void {
  const rate = Math.round(result.indexed / Math.max(seconds, 0.001));
  process.stdout.write(`${result.indexed} documents indexed in ${seconds.toFixed(1)} s (${rate} a second)`);
  process.stdout.write(result.retries > 0 ? `, ${result.retries} batches sent again\n` : '\n');
  if (result.failed === 0) return;
  process.stdout.write(`${result.failed} documents failed:\n`);
  for (const { line, reason } of result.failures) process.stdout.write(`  line ${line}: ${reason}\n`);
  if (result.failed > result.failures.length)
    process.stdout.write(`  … and ${result.failed - result.failures.length} more\n`);
}
