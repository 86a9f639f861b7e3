/**
 * Delivers a batch through the bulk API: sends, reads the status of every item, and repeats what may still succeed.
 *
 * An event leaves here delivered, dropped by rule, or dead-lettered; as long as any may still succeed, the batch waits.
 * That is how a cluster that is down or full holds the whole pipeline back, and loses nothing.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { LogEvent } from '@shoal/agent-event';
import type { LoopControl, PluginContext } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { ElasticsearchHosts } from '../../elasticsearch-client/elasticsearch-hosts.ts';
import type { BulkItem } from './bulk-action.ts';

/** Limit of a bulk body: many servers refuse more than 100 MB, and a body is in memory as a whole. */
const BODY_BYTES_MAX = 20_000_000;
const UTF8_BYTES_OF_UNIT_MAX = 3;

export interface DeliverySettings {
  /** With parameters. */
  readonly path: string;
  readonly timeoutMs: number;
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** 0: bodies are not compressed. */
  readonly compressionLevel: number;
  /** Besides 400 and 404. */
  readonly deadLetterCodes: ReadonlySet<number>;
  readonly silentErrors: ReadonlySet<string>;
  /** Types of errors with which an item is dropped, whatever its status. */
  readonly droppedErrors: ReadonlySet<string>;
}

interface ItemStatus {
  readonly status: number;
  readonly error: string;
  readonly errorType: string;
  /** The failure is that of the whole request, which was logged once. */
  readonly isLogged?: boolean;
}

/** Status of a document that was written. */
const DONE: ItemStatus = { status: 201, error: '', errorType: '' };

const compress = promisify(gzip);

export class BulkDelivery {
  private readonly hosts: ElasticsearchHosts;
  private readonly settings: DeliverySettings;
  private readonly context: PluginContext;
  private readonly control: LoopControl;

  constructor(hosts: ElasticsearchHosts, settings: DeliverySettings, context: PluginContext, control: LoopControl) {
    this.hosts = hosts;
    this.settings = settings;
    this.context = context;
    this.control = control;
  }

  /** Resolves when every item has its fate; rejects only when the output was stopped before that. */
  async deliver(items: readonly BulkItem[]): Promise<void> {
    let pending = items;
    let pauseMs = this.settings.retryFirstMs;
    let bodyBytesMax = BODY_BYTES_MAX;
    while (pending.length > 0) {
      const again: BulkItem[] = [];
      for (const part of cut(pending, bodyBytesMax)) {
        const statuses = await this.send(part);
        // A server that takes no such body may take half of it.
        if (statuses[0]?.status === 413 && part.length > 1) bodyBytesMax = Math.max(1, sizeOf(part) >> 1);
        await this.settleAll(part, statuses, again);
      }
      pending = again;
      if (pending.length === 0) break;
      if (this.control.isStopped) throw stopped(pending.length);
      await this.control.pause(pauseMs);
      pauseMs = Math.min(this.settings.retryMaxMs, pauseMs * 2);
    }
  }

  /** Dead letter queue, or dropped with a warning when there is none. */
  async refuse(event: LogEvent, reason: string): Promise<void> {
    const { metrics, deadLetters, runtime } = this.context;
    metrics.increment('documents.non_retryable_failures');
    if (deadLetters === null) {
      runtime.log.warn('an event cannot be indexed and is dropped', { reason });
      return;
    }
    await deadLetters.write(event, reason);
    metrics.increment('documents.dlq_routed');
  }

  /** Puts into `again` what has to be sent again. */
  private async settleAll(
    items: readonly BulkItem[],
    statuses: readonly ItemStatus[],
    again: BulkItem[],
  ): Promise<void> {
    let successes = 0;
    for (let i = 0; i < items.length; i++) {
      const [item, result] = [items[i], statuses[i]];
      if (result === DONE) successes++;
      else if (item !== undefined && (await this.settle(item, result))) again.push(item);
    }
    if (successes > 0) this.context.metrics.increment('documents.successes', successes);
  }

  /** True when the item has to be sent again. */
  private async settle(item: BulkItem, result: ItemStatus | undefined): Promise<boolean> {
    const { metrics, runtime } = this.context;
    const {
      status,
      error,
      errorType,
      isLogged = false,
    } = result ?? { status: 503, error: 'no status for this item', errorType: '' };
    if (status === 409 || this.settings.droppedErrors.has(errorType)) {
      metrics.increment('documents.non_retryable_failures');
      const why = status === 409 ? 'its document is there already or was changed' : 'its error is not to be retried';
      if (!this.settings.silentErrors.has(errorType))
        runtime.log.warn(`an event was dropped: ${why}`, {
          index: item.index,
          error,
        });
      return false;
    }
    if (status === 404 && item.action === 'delete' && error === '') {
      // The document that should go is not there: nothing is left to do.
      metrics.increment('documents.successes');
      return false;
    }
    if (status === 400 || status === 404 || this.settings.deadLetterCodes.has(status)) {
      await this.refuse(
        item.event,
        `could not index event to Elasticsearch: status ${status}, action ${item.action}, index ${item.index}: ${error}`,
      );
      return false;
    }
    metrics.increment('documents.retryable_failures');
    if (!isLogged && !this.settings.silentErrors.has(errorType))
      runtime.log.info('an item of a bulk request is sent again', { status, index: item.index, error });
    return true;
  }

  private async send(items: readonly BulkItem[]): Promise<readonly ItemStatus[]> {
    const { metrics, runtime } = this.context;
    const { compressionLevel, path, timeoutMs } = this.settings;
    const plain = bodyOf(items);
    const body = compressionLevel > 0 ? await compress(plain, { level: compressionLevel }) : plain;
    const headers: Record<string, string> = { 'content-type': 'application/x-ndjson' };
    if (compressionLevel > 0) headers['content-encoding'] = 'gzip';
    try {
      const answer = await this.hosts.call({ method: 'POST', path, headers, body, timeoutMs });
      metrics.increment(`bulk_requests.responses.${answer.status}`);
      if (answer.status === 200) return this.statuses(answer.body, items.length);
      metrics.increment('bulk_requests.failures');
      const error = Buffer.from(answer.body.subarray(0, 500)).toString('utf8');
      runtime.log.warn('a bulk request was refused', { status: answer.status, answer: error });
      // Its items share the fate of the request; only 413 is a matter of the items themselves.
      const status = answer.status === 413 ? 413 : 503;
      return items.map(() => ({ status, error, errorType: '', isLogged: true }));
    } catch (error) {
      metrics.increment('bulk_requests.failures');
      runtime.log.warn('a bulk request failed', { error: error instanceof Error ? error.message : String(error) });
      return items.map(() => ({ status: 503, error: String(error), errorType: '', isLogged: true }));
    }
  }

  private statuses(body: Uint8Array, count: number): readonly ItemStatus[] {
    // Nothing of the answer is kept: numbers beyond 2^53 may lose digits, and the platform's parser is much the faster.
    const answer = asRecord(JSON.parse(textOf(body)));
    this.context.metrics.increment(answer.errors === false ? 'bulk_requests.successes' : 'bulk_requests.with_errors');
    const items = Array.isArray(answer.items) ? answer.items : [];
    if (items.length !== count)
      throw new ShoalError('http_exception', 502, `the bulk answer has ${items.length} items for ${count}`);
    return items.map(statusOf);
  }
}

/** Documents that were written are most of all, and all the same. */
function statusOf(item: unknown): ItemStatus {
  const record = asRecord(item);
  for (const action in record) {
    const result = asRecord(record[action]);
    const { error } = result;
    const status = Number(result.status ?? 503);
    if (status === 200 || status === 201) return DONE;
    if (error === undefined) return { status, error: '', errorType: '' };
    const details = asRecord(error);
    const type = String(details.type ?? '');
    return { status, error: `${type}: ${String(details.reason ?? '')}${causeOf(details)}`, errorType: type };
  }
  return { status: 503, error: '', errorType: '' };
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

function bodyOf(items: readonly BulkItem[]): Buffer {
  let text = '';
  for (const item of items) text += item.text;
  return Buffer.from(text, 'utf8');
}

function causeOf(error: Readonly<Record<string, unknown>>): string {
  const cause = asRecord(error.caused_by);
  return cause.reason === undefined ? '' : `, caused by ${String(cause.reason)}`;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Bodies of at most so many bytes, and of one item at least. */
function* cut(items: readonly BulkItem[], bytesMax: number): Generator<readonly BulkItem[]> {
  if (isWithin(items, bytesMax)) {
    yield items;
    return;
  }
  let part: BulkItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = Buffer.byteLength(item.text, 'utf8');
    if (part.length > 0 && bytes + itemBytes > bytesMax) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += itemBytes;
  }
  if (part.length > 0) yield part;
}

/** True where the lengths of the texts alone say so, as they do of most batches. */
function isWithin(items: readonly BulkItem[], bytesMax: number): boolean {
  let units = 0;
  for (const item of items) units += item.text.length;
  return units * UTF8_BYTES_OF_UNIT_MAX <= bytesMax;
}

function sizeOf(items: readonly BulkItem[]): number {
  return items.reduce((sum, item) => sum + Buffer.byteLength(item.text, 'utf8'), 0);
}

function stopped(count: number): ShoalError {
  return new ShoalError('exception', 503, `the output was stopped while ${count} events were not delivered`);
}
