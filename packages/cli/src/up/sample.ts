/**
 * The sample that `shoal up` brings: Debian package descriptions in an index of three primary shards.
 */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadBulk } from '../bulk/bulk-loader.ts';
import { fileProgress } from '../bulk/file-progress.ts';
import { type HttpApi, reasonOf } from '../http/http-api.ts';

export const SAMPLE_INDEX = 'debian-packages';

const SAMPLE_FILE = fileURLToPath(new URL('../../sample/debian-packages.ndjson.gz', import.meta.url));

/** Loads the sample unless the index is there already. Returns the documents of the index. */
export async function ensureSample(api: HttpApi): Promise<number> {
  const { status } = await api.call({ method: 'HEAD', path: `/${SAMPLE_INDEX}` });
  if (status === 404) await loadSample(api);
  const answer = await api.call({ method: 'GET', path: `/${SAMPLE_INDEX}/_count` });
  return Number((answer.body as { count?: unknown } | null)?.count ?? 0);
}

async function loadSample(api: HttpApi): Promise<void> {
  const created = await api.call({
    method: 'PUT',
    path: `/${SAMPLE_INDEX}`,
    body: JSON.stringify({ settings: { number_of_shards: 3, number_of_replicas: 0 } }),
  });
  if (created.status >= 400) throw new Error(`the index ${SAMPLE_INDEX} could not be made: ${reasonOf(created.body)}`);
  const bar = fileProgress('loading the sample', (await stat(SAMPLE_FILE)).size);
  const result = await loadBulk(api, {
    file: SAMPLE_FILE,
    index: SAMPLE_INDEX,
    idField: null,
    onProgress: (progress) => bar.update(progress.bytesRead, progress.documents),
  }).finally(() => bar.stop());
  const first = result.failures[0];
  if (first !== undefined)
    throw new Error(
      `${result.failed} documents of the sample failed, the first at line ${first.line}: ${first.reason}`,
    );
  await api.call({ method: 'POST', path: `/${SAMPLE_INDEX}/_refresh` });
}
