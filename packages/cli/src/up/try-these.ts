/**
 * What to try once the cluster stands: three requests with the answers that it really gave.
 */
import type { HttpApi } from '../http/http-api.ts';
import { SAMPLE_INDEX } from './sample.ts';

const ANSWER_CHARACTERS_MAX = 240;

const REQUESTS: readonly { readonly path: string; readonly body: string | null }[] = [
  { path: '/_cat/nodes?v&h=name,node.role,master,http', body: null },
  { path: `/${SAMPLE_INDEX}/_count`, body: null },
  {
    path: `/${SAMPLE_INDEX}/_search?filter_path=hits.total.value,hits.hits._score,hits.hits._source.name&size=2`,
    body: '{"query":{"match":{"description":"text editor"}}}',
  },
];

/**
 * The lines to print: each request as a curl command, and below it the beginning of its answer.
 *
 * @param shown the cluster's address, and the command with what it needs to be let in
 */
export async function tryThese(
  api: HttpApi,
  { url, curl }: { readonly url: string; readonly curl: string },
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { path, body } of REQUESTS) {
    const answer = await api.call({ method: body === null ? 'GET' : 'POST', path, ...(body === null ? {} : { body }) });
    const flags = body === null ? '' : ` -H 'content-type: application/json' -d '${body}'`;
    lines.push(`  ${curl} '${url}${path}'${flags}`);
    const text = typeof answer.body === 'string' ? answer.body.trimEnd() : JSON.stringify(answer.body);
    for (const line of text.slice(0, ANSWER_CHARACTERS_MAX).split('\n')) lines.push(`    ${line}`);
  }
  return lines;
}
