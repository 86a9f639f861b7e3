/**
 * The couchdb_changes input: the documents of a database of CouchDB as they change. Its place in the sequence of changes is
 * kept in a file, and moves when the queue has an event (with `delivery.acknowledge: outputs`, when the outputs have it).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LogEvent } from '@shoal/agent-event';
import {
  basicAuthorization,
  DelimiterSplitter,
  delimiterBytes,
  type EventSink,
  HttpClient,
  InputTurns,
  type LoopControl,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
} from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import { type ChangeOptions, changeOf } from './change.ts';

/** How long the server may take to answer, and how much longer than it promised it may say nothing. */
const PATIENCE_MS = 10_000;

export const couchdbChangesInput: PluginDefinition = {
  kind: 'input',
  name: 'couchdb_changes',
  version: '3.1.6',
  options: {
    db: { type: 'string', isRequired: true },
    host: { type: 'string', default: 'localhost' },
    port: { type: 'number', default: 5984 },
    secure: { type: 'boolean', default: false },
    ca_file: { type: 'path' },
    username: { type: 'string' },
    password: { type: 'password' },
    /** Milliseconds between two signs of life of the server. */
    heartbeat: { type: 'number', default: 1000 },
    sincedb_path: { type: 'string' },
    initial_sequence: { type: 'number' },
    keep_id: { type: 'boolean', default: false },
    keep_revision: { type: 'boolean', default: false },
    ignore_attachments: { type: 'boolean', default: true },
    always_reconnect: { type: 'boolean', default: true },
    /** Seconds. */
    reconnect_delay: { type: 'number', default: 10 },
    /** Milliseconds without a change after which the server ends its answer; it sends no signs of life then. */
    timeout: { type: 'number' },
  },
  create(options, context) {
    const feed = new ChangeFeed(options, context);
    const isEndless = options.boolean('always_reconnect');
    return producingInput(context.runtime, { isEndless }, async (sink, control) => {
      const pauseMs = options.number('reconnect_delay') * 1000;
      // A stop ends the request that is under way, whether it has its answer or not.
      control.onStop(() => feed.close());
      await feed.follow(sink, control);
      while (isEndless && !control.isStopped) {
        await control.pause(pauseMs);
        if (!control.isStopped) await feed.follow(sink, control);
      }
      feed.close();
    });
  },
};

class ChangeFeed {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly client: HttpClient;
  private readonly turns: InputTurns;
  private readonly changes: ChangeOptions;
  private readonly path: string;
  private readonly headers: Readonly<Record<string, string>>;
  private since: string;

  constructor(options: PluginOptions, context: PluginContext) {
    if (options.has('username') !== options.has('password'))
      throw optionError('[username] and [password] need each other');
    if (options.has('ca_file') && !options.boolean('secure')) throw optionError('[ca_file] needs [secure => true]');
    this.options = options;
    this.context = context;
    this.turns = new InputTurns(context);
    this.client = new HttpClient({
      ...(options.has('ca_file')
        ? { tls: { ca: readFileSync(options.string('ca_file')), rejectUnauthorized: true } }
        : {}),
      silenceMs: options.number(options.has('timeout') ? 'timeout' : 'heartbeat') + PATIENCE_MS,
    });
    this.changes = {
      keepsId: options.boolean('keep_id'),
      keepsRevision: options.boolean('keep_revision'),
      keepsAttachments: !options.boolean('ignore_attachments'),
    };
    this.headers = options.has('username')
      ? { authorization: basicAuthorization(options.string('username'), options.string('password')) }
      : {};
    this.path = options.has('sincedb_path') ? options.string('sincedb_path') : join(homedir(), '.couchdb_seq');
    this.since = options.has('initial_sequence') ? String(options.number('initial_sequence')) : this.saved();
  }

  private saved(): string {
    const text = existsSync(this.path) ? readFileSync(this.path, 'utf8').trim() : '';
    return text === '' ? '0' : text;
  }

  /** Until the server ends its answer, or there is none: what went wrong is in the log and in the health of the pipeline. */
  async follow(sink: EventSink, control: LoopControl): Promise<void> {
    try {
      await this.read(sink);
    } catch (error) {
      if (control.isStopped) return;
      const reason = messageOf(error);
      this.context.runtime.log.error('cannot follow the changes of a database', {
        db: this.options.string('db'),
        reason,
      });
      sink.troubled?.(`CouchDB: ${reason}`);
    }
  }

  close(): void {
    this.client.close();
  }

  private async read(sink: EventSink): Promise<void> {
    const call = { method: 'GET', url: this.url(), headers: this.headers, timeoutMs: PATIENCE_MS };
    const { status, body } = await this.client.open(call);
    try {
      if (status !== 200) throw new ShoalError('http_exception', 502, `status ${status}`);
      sink.troubled?.(null);
      const splitter = new DelimiterSplitter(delimiterBytes('\n'));
      for await (const chunk of body) {
        await this.push(splitter.push(chunk as Uint8Array), sink);
        if (this.turns.isOver) await this.turns.next();
      }
    } finally {
      body.destroy();
    }
  }

  private async push(lines: readonly Uint8Array[], sink: EventSink): Promise<void> {
    const events: LogEvent[] = [];
    let last: string | null = null;
    this.turns.timed(() => {
      for (const line of lines) {
        const text = Buffer.from(line).toString('utf8');
        // Signs of life are empty lines.
        if (text.trim() === '') continue;
        const change = changeOf(text, this.changes);
        if (change === null) {
          this.context.runtime.log.debug('a line of the changes is no change', { line: text });
          continue;
        }
        events.push(change.event);
        last = change.sequence;
      }
    });
    if (last === null) return;
    await sink.push(events);
    await sink.confirmed?.();
    this.since = last;
    writeFileSync(this.path, last);
  }

  private url(): string {
    const { options } = this;
    const db = options.string('db');
    const url = new URL(`${options.boolean('secure') ? 'https' : 'http'}://${options.string('host')}`);
    url.port = String(options.number('port'));
    url.pathname = `/${db.includes('%') ? db : encodeURIComponent(db)}/_changes`;
    const silence = options.has('timeout') ? 'timeout' : 'heartbeat';
    const query = { feed: 'continuous', include_docs: 'true', [silence]: String(options.number(silence)) };
    for (const [name, value] of Object.entries({ ...query, since: this.since })) url.searchParams.set(name, value);
    return url.href;
  }
}
