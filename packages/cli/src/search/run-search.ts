/**
 * What `shoal search` does: one request, its hits as a table.
 */
import Table from 'cli-table3';
import { HttpApi, reasonOf } from '../http/http-api.ts';

export interface SearchOptions {
  readonly index?: string;
  readonly size: string;
  readonly from: string;
  readonly url: string;
  readonly json?: boolean;
}

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source?: Readonly<Record<string, unknown>>;
}

interface SearchAnswer {
  readonly took: number;
  readonly _shards: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation: string };
    readonly hits: readonly Hit[];
  };
}

const COLUMN_WIDTH_MAX = 60;

export async function runSearch(query: string, options: SearchOptions): Promise<void> {
  const api = new HttpApi(options.url);
  try {
    const path = options.index === undefined ? '/_search' : `/${encodeURIComponent(options.index)}/_search`;
    const params = new URLSearchParams({ size: options.size, from: options.from });
    const body = bodyOf(query);
    if (body === null) params.set('q', query);
    const answer = await api.call({ method: 'POST', path: `${path}?${params}`, ...(body === null ? {} : { body }) });
    if (answer.status >= 400) throw new Error(reasonOf(answer.body));
    if (options.json) process.stdout.write(`${JSON.stringify(answer.body, null, 2)}\n`);
    else printHits(answer.body as SearchAnswer);
  } finally {
    api.close();
  }
}

/** Request body of a JSON argument; null when the argument is a query string. */
function bodyOf(query: string): string | null {
  if (!query.trimStart().startsWith('{')) return null;
  const parsed = JSON.parse(query) as Record<string, unknown>;
  const isRequest = ['query', 'sort', 'aggs', 'aggregations', '_source', 'size', 'from'].some((key) => key in parsed);
  return JSON.stringify(isRequest ? parsed : { query: parsed });
}

function printHits(answer: SearchAnswer): void {
  const { total, hits } = answer.hits;
  const table = new Table({
    head: ['index', 'id', 'score', 'document'],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const hit of hits)
    table.push([hit._index, hit._id, hit._score === null ? '-' : hit._score.toFixed(3), summary(hit)]);
  if (hits.length > 0) process.stdout.write(`${table.toString()}\n`);
  const count = total === undefined ? '' : `${total.relation === 'gte' ? 'at least ' : ''}${total.value} hits, `;
  const { failed, total: shards } = answer._shards;
  process.stdout.write(`${count}${answer.took} ms${failed > 0 ? `, ${failed} of ${shards} shards failed` : ''}\n`);
}

/** The first fields of a document in a line or two. */
function summary(hit: Hit): string {
  return Object.entries(hit._source ?? {})
    .slice(0, 4)
    .map(([name, value]) => `${name}: ${shorten(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('\n');
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= COLUMN_WIDTH_MAX ? line : `${line.slice(0, COLUMN_WIDTH_MAX - 1)}…`;
}
