/**
 * Loads documents through `_bulk`: batches by bytes, several requests at once, retries of what the server refused for load.
 *
 * A document is never given up silently: it is indexed, or it stands in `failures` with its line and the server's words.
 */

import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { messageOf } from '@shoal/core';
import { type HttpApi, reasonOf, UnreachableError } from '../http/http-api.ts';

const BATCH_BYTES = 2 * 1024 * 1024;
const BATCHES_AT_ONCE = 3;
const RETRIES_MAX = 8;
const RETRY_DELAY_MS = 200;
const RETRY_DELAY_MS_MAX = 10_000;
/** More are counted and not kept. */
const FAILURES_KEPT_MAX = 100;

export interface BulkLoadOptions {
  readonly file: string;
  readonly index: string;
  /** Field whose value becomes the id; null lets the server make ids. */
  readonly idField: string | null;
  /** Called after each batch. */
  readonly onProgress: (progress: BulkProgress) => void;
}

export interface BulkProgress {
  readonly documents: number;
  readonly bytesRead: number;
}

export interface BulkFailure {
  /** From 1, in the file. */
  readonly line: number;
  readonly reason: string;
}

export interface BulkResult {
  readonly indexed: number;
  readonly failed: number;
  readonly failures: readonly BulkFailure[];
  readonly retries: number;
}

interface Item {
  readonly line: number;
  /** Action line and document line, each with its newline. */
  readonly text: string;
}

interface Totals {
  indexed: number;
  failed: number;
  retries: number;
  readonly failures: BulkFailure[];
}

/** Documents of the file, one a line; a compressed file is known by its name. */
async function* linesOf(file: string, countBytes: (n: number) => void): AsyncGenerator<string> {
  const raw = createReadStream(file, { highWaterMark: 256 * 1024 });
  raw.on('data', (chunk) => countBytes(chunk.length));
  const stream = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => stream.destroy(error));
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function actionFor(line: string, idField: string | null): string {
  if (idField === null) return '{"index":{}}';
  const id: unknown = (JSON.parse(line) as Record<string, unknown>)[idField];
  if (typeof id !== 'string' && typeof id !== 'number')
    throw new Error(`field [${idField}] is missing or not a text or number`);
  return JSON.stringify({ index: { _id: String(id) } });
}

export async function loadBulk(api: HttpApi, options: BulkLoadOptions): Promise<BulkResult> {
  const totals: Totals = { indexed: 0, failed: 0, retries: 0, failures: [] };
  const running = new Set<Promise<void>>();
  let bytesRead = 0;
  let failure: unknown = null;
  const send = (batch: readonly Item[]): void => {
    const task = sendBatch(api, options.index, batch, totals)
      .then(() => options.onProgress({ documents: totals.indexed + totals.failed, bytesRead }))
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => running.delete(task));
    running.add(task);
  };

  let batch: Item[] = [];
  let batchBytes = 0;
  let line = 0;
  for await (const text of linesOf(options.file, (n) => (bytesRead += n))) {
    line += 1;
    if (text.trim() === '') continue;
    try {
      batch.push({ line, text: `${actionFor(text, options.idField)}\n${text}\n` });
    } catch (error) {
      recordFailure(totals, line, messageOf(error));
      continue;
    }
    batchBytes += text.length;
    if (batchBytes < BATCH_BYTES) continue;
    send(batch);
    batch = [];
    batchBytes = 0;
    while (running.size >= BATCHES_AT_ONCE) await Promise.race(running);
    if (failure !== null) break;
  }
  if (batch.length > 0 && failure === null) send(batch);
  await Promise.all(running);
  if (failure !== null) throw failure;
  return totals;
}

function recordFailure(totals: Totals, line: number, reason: string): void {
  totals.failed += 1;
  if (totals.failures.length < FAILURES_KEPT_MAX) totals.failures.push({ line, reason });
}

/** Sends a batch until every document of it is decided. Only documents that the server pushed back are sent again. */
async function sendBatch(api: HttpApi, index: string, batch: readonly Item[], totals: Totals): Promise<void> {
  let waiting = batch;
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt > 0) {
      totals.retries += 1;
      await sleep(Math.min(RETRY_DELAY_MS * 2 ** (attempt - 1), RETRY_DELAY_MS_MAX));
    }
    const isLast = attempt >= RETRIES_MAX;
    waiting = await sendOnce(api, index, waiting, isLast, totals);
  }
}

async function sendOnce(
  api: HttpApi,
  index: string,
  items: readonly Item[],
  isLast: boolean,
  totals: Totals,
): Promise<readonly Item[]> {
  const answer = await api
    .call({
      method: 'POST',
      path: `/${encodeURIComponent(index)}/_bulk?filter_path=errors,items.*.status,items.*.error`,
      body: items.map((item) => item.text).join(''),
      contentType: 'application/x-ndjson',
    })
    .catch((error: unknown) => {
      if (error instanceof UnreachableError && !isLast) return null;
      throw error;
    });
  if (answer === null || ((answer.status === 429 || answer.status === 503) && !isLast)) return items;
  if (answer.status === 413) {
    await sendHalves(api, index, items, totals, reasonOf(answer.body));
    return [];
  }
  if (answer.status >= 400)
    throw new Error(`lines ${items[0]?.line} to ${items.at(-1)?.line}: ${reasonOf(answer.body)}`);

  const { items: results = [] } = answer.body as {
    items?: readonly Record<string, { status: number; error?: unknown }>[];
  };
  const again: Item[] = [];
  items.forEach((item, position) => {
    const result = Object.values(results[position] ?? {})[0];
    if (result === undefined) recordFailure(totals, item.line, 'the answer does not mention it');
    else if (result.status < 300) totals.indexed += 1;
    else if ((result.status === 429 || result.status === 503) && !isLast) again.push(item);
    else recordFailure(totals, item.line, reasonOf(result));
  });
  return again;
}

/** The server takes less at once than this batch has: halves of it, down to the one document that is too long. */
async function sendHalves(
  api: HttpApi,
  index: string,
  items: readonly Item[],
  totals: Totals,
  reason: string,
): Promise<void> {
  const [first] = items;
  if (items.length === 1 && first !== undefined) return recordFailure(totals, first.line, reason);
  const middle = Math.ceil(items.length / 2);
  for (const half of [items.slice(0, middle), items.slice(middle)]) await sendBatch(api, index, half, totals);
}
