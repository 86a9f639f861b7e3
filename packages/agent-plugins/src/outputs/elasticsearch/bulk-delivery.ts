/**
 * Delivers a batch through the bulk API: sends, reads the status of every item, and repeats what may still succeed.
 *
 * An event leaves here delivered, dropped by rule, or dead-lettered; as long as any may still succeed, the batch waits.
 * That is how a cluster that is down or full holds the whole pipeline back, and loses nothing.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type LogEvent, OutputMemory } from '@shoal/agent-event';
import type { LoopControl, PluginContext } from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import type { ElasticsearchHosts } from '../../elasticsearch-client/elasticsearch-hosts.ts';
import type { BulkItem } from './bulk-action.ts';
import { BulkAnswers, DONE, type ItemStatus } from './bulk-answer.ts';
import { type BulkBody, bodyOfWritten, bulkBody, cutBody, type WrittenItem, writtenItems } from './bulk-body.ts';

/** Limit of a bulk body: many servers refuse more than 100 MB, and a body is in memory as a whole. */
const BODY_BYTES_MAX = 20_000_000;

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

const compress = promisify(gzip);

export class BulkDelivery {
  private readonly hosts: ElasticsearchHosts;
  private readonly settings: DeliverySettings;
  private readonly context: PluginContext;
  private readonly control: LoopControl;
  /** Memories that hold no body. */
  private readonly memories: OutputMemory[] = [];
  private readonly answers = new BulkAnswers();

  constructor(hosts: ElasticsearchHosts, settings: DeliverySettings, context: PluginContext, control: LoopControl) {
    this.hosts = hosts;
    this.settings = settings;
    this.context = context;
    this.control = control;
  }

  /** Resolves when every item has its fate; rejects only when the output was stopped before that. */
  async deliver(items: readonly BulkItem[]): Promise<void> {
    if (items.length === 0) return;
    const memory = this.memories.pop() ?? new OutputMemory();
    let pending = bulkBody(items, memory);
    let pauseMs = this.settings.retryFirstMs;
    let bodyBytesMax = BODY_BYTES_MAX;
    for (let attempt = 0; ; attempt++) {
      const again: WrittenItem[] = [];
      for (const part of cutBody(pending, bodyBytesMax)) {
        const statuses = await this.send(part);
        // A server that takes no such body may take half of it.
        if (statuses[0]?.status === 413 && part.items.length > 1) bodyBytesMax = Math.max(1, part.bytes.length >> 1);
        await this.settleAll(part, statuses, again);
      }
      if (again.length === 0) {
        // What a request that failed left behind may still hold its bytes.
        if (attempt === 0) this.memories.push(memory);
        return;
      }
      if (this.control.isStopped) throw stopped(again.length);
      // The memory of the first body ends with it: what comes again is most of it or little.
      pending = bodyOfWritten(again);
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
  private async settleAll(body: BulkBody, statuses: readonly ItemStatus[], again: WrittenItem[]): Promise<void> {
    let successes = 0;
    let written: readonly WrittenItem[] | null = null;
    for (const [i, item] of body.items.entries()) {
      const result = statuses[i];
      if (result === DONE) successes++;
      else if (await this.settle(item, result)) {
        written ??= writtenItems(body);
        const one = written[i];
        if (one !== undefined) again.push(one);
      }
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

  private async send({ items, bytes }: BulkBody): Promise<readonly ItemStatus[]> {
    const { metrics, runtime } = this.context;
    const { compressionLevel, path, timeoutMs } = this.settings;
    const body = compressionLevel > 0 ? await compress(bytes, { level: compressionLevel }) : bytes;
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
      runtime.log.warn('a bulk request failed', { error: messageOf(error) });
      return items.map(() => ({ status: 503, error: String(error), errorType: '', isLogged: true }));
    }
  }

  private statuses(body: Uint8Array, count: number): readonly ItemStatus[] {
    const { statuses, hasErrors } = this.answers.read(body, count);
    this.context.metrics.increment(hasErrors ? 'bulk_requests.with_errors' : 'bulk_requests.successes');
    return statuses;
  }
}

function stopped(count: number): ShoalError {
  return new ShoalError('exception', 503, `the output was stopped while ${count} events were not delivered`);
}
