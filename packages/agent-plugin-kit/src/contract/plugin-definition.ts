/**
 * What a plugin is: a name, its options as data, and a function that makes an instance of it.
 *
 * Options are declared, so that a configuration is checked before anything starts: unknown names, missing and wrong values
 * are errors with file, line and column, and a plugin's `create` gets only what its declaration allows. A plugin of a user
 * has exactly this shape too.
 */

import type {
  EscapeStyle,
  FieldReference,
  LineBlock,
  LogEvent,
  OutputMemory,
  Template,
  Timestamp,
} from '@shoal/agent-event';
import type { Steps } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { SharedInstances } from './shared-instances.ts';

export type PluginKind = 'input' | 'filter' | 'output' | 'codec';

/**
 * Types of option values, as the configuration language coerces them. `template` is a string with `%{field}` in it,
 * compiled; `fieldReference` a parsed reference; `codec` an instance made of its own block.
 */
export type OptionType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'array'
  | 'hash'
  | 'bytes'
  | 'password'
  | 'uri'
  | 'path'
  | 'codec'
  /** A text, a list or a hash, as it is written. */
  | 'any'
  | 'fieldReference'
  | 'template'
  | 'templates'
  /** A number of seconds, or text such as `5 days`, `100 ms`: milliseconds. */
  | 'duration'
  /** A `duration` where a number without a unit counts days. */
  | 'durationInDays'
  | readonly string[];

export interface OptionDeclaration {
  readonly type: OptionType;
  readonly isRequired?: boolean;
  /** In the language's own terms, before coercion. */
  readonly default?: unknown;
  /** Still accepted, with a warning that says what to use instead. */
  readonly deprecated?: string;
  /** No longer accepted: the text says what to use instead. */
  readonly obsolete?: string;
}

export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

/** Checked, coerced values by option name; options that were not given and have no default are absent. */
export interface PluginOptions {
  has(name: string): boolean;
  string(name: string): string;
  number(name: string): number;
  boolean(name: string): boolean;
  /** List of texts, its items printed. */
  strings(name: string): readonly string[];
  /** Arrays and hashes as the language has them: strings, numbers, booleans, arrays, Maps. */
  value(name: string): unknown;
  hash(name: string): ReadonlyMap<string, unknown>;
  reference(name: string): FieldReference;
  template(name: string): Template;
  templates(name: string): readonly Template[];
  codec(name: string): Codec;
  /** Milliseconds of a `duration`. */
  milliseconds(name: string): number;
}

/** What an instance may use. Sockets and files of plugins are opened directly: that is what they are for. */
export interface PluginContext {
  readonly runtime: Runtime;
  readonly pipelineId: string;
  readonly pluginId: string;
  /** `file:line:column` of the plugin in the configuration. */
  readonly position: string;
  readonly ecs: 'disabled' | 'v1' | 'v8';
  readonly metrics: PluginMetrics;
  readonly deadLetters: DeadLetterSink | null;
  /** The way to other pipelines of this process; absent where a plugin runs outside a pipeline. */
  readonly bus?: PipelineBus;
  /** A folder of this plugin's own below `path.data`, made when first asked for. */
  dataPath(): Promise<string>;
  /** What the filters and outputs of this pipeline in this thread share; absent where a plugin runs alone. */
  readonly commons?: SharedInstances;
  /** Only where filters are made again and again, as for each case of a test: for what knows nothing of events. */
  readonly lasting?: SharedInstances;
  /** Host name as events show it. */
  readonly hostName: string;
  /** An event of plain values: objects and lists as JSON has them. Its time is that of its creation unless they say one. */
  newEvent(fields?: Readonly<Record<string, unknown>>): LogEvent;
  /** For `%{{TIME_NOW}}` in templates that a plugin compiles itself. */
  readonly now?: () => Timestamp;
  /** `config.field_reference.escape_style`, for names and templates that a plugin compiles itself. */
  readonly escapeStyle?: EscapeStyle;
  /** `log.level` is debug: what costs time to find out may be found out and logged. */
  readonly isDebugging?: boolean;
  /** Only while a pipeline is tested: the parts of a plugin that its tests should reach. */
  readonly coverage?: PluginCoverage;
}

export interface PluginCoverage {
  /** Declares a part by the text that stands for it in the options; call what it returns when an event gets there. */
  part(text: string): () => void;
}

/** Counters and gauges of one plugin; shown by the monitoring API under the plugin. Only ever grows in the number of names. */
export interface PluginMetrics {
  increment(name: string, by?: number): void;
  gauge(name: string, value: number | string | Readonly<Record<string, number>>): void;
}

export interface DeadLetterSink {
  /** Resolves when the entry is written or, by policy, dropped and counted. */
  write(event: LogEvent, reason: string): Promise<void>;
}

/** Events between pipelines of one process, by address. */
export interface PipelineBus {
  /**
   * Resolves when the pipeline that listens has taken copies of them. With `ensureDelivery` it waits for one to listen,
   * without it events nobody listens for are gone.
   */
  send(address: string, events: readonly LogEvent[], ensureDelivery: boolean): Promise<void>;
  /** Inputs only. Returns the function that ends it; throws when another listens on the address. */
  listen(address: string, sink: EventSink): () => void;
}

/** Queue as an input sees it. `push` resolves when the queue has taken the events: this is the back pressure. */
export interface EventSink {
  push(events: readonly LogEvent[]): Promise<void>;
  /** The same for lines whose codec has a `lineEvent`. */
  pushLines?(block: LineBlock): Promise<void>;
  /**
   * Resolves when all that was pushed so far is done with: delivered, dropped or dead-lettered. An input whose source keeps
   * what is not confirmed awaits it between its push and its word to the source. Absent where the source may be told as soon
   * as the queue has the events, which is the default of a pipeline. Rejects when the pipeline stops before.
   */
  confirmed?(): Promise<void>;
  /**
   * The input cannot go on: it is stopped, and another instance is started after a pause. A push that is rejected, a start
   * that is rejected by the second instance or a later one, and a `finished` that is rejected count as the same.
   */
  failed?(error: unknown): void;
  /** The input goes on, but not as it should: the health of the pipeline says why. null: that is over. */
  troubled?(reason: string | null): void;
}

export interface Input {
  /** Resolves when the input is up; it may go on producing until `stop`. Rejects when it cannot start. */
  start(sink: EventSink): Promise<void>;
  /**
   * Resolves when it ends by itself (stdin at its end, a generator at its count), rejects when it fails before; null for
   * those that never end.
   */
  readonly finished: Promise<void> | null;
  /** Takes no more; resolves when nothing of it will be pushed any more. */
  stop(): Promise<void>;
}

/** What a filter did with one event. Decorations (add_field …) run on `matched` only, by the pipeline. */
export type FilterOutcome = 'matched' | 'unmatched';

export interface Filter {
  /**
   * Changes the event in place. New events go to `emit`, after the original; they are decorated too when the outcome of
   * the call is `matched`, unless `decoratesNewEvents` is false. May be asynchronous (dns); all others answer at once.
   */
  filter(event: LogEvent, emit: (event: LogEvent) => void): FilterOutcome | Promise<FilterOutcome>;
  /**
   * Called with the events of a batch, cancelled ones among them, before `filter` is called with each of the others: for what
   * is cheaper to do for many at once. It changes no event, and does not throw.
   */
  beforeBatch?(events: readonly LogEvent[]): void;
  /** Called every 5 s and at the end: events that the filter held back (aggregate, metrics). */
  flush?(options: { readonly isFinal: boolean }): readonly LogEvent[];
  /**
   * false: decorations run on the original alone, not on events of `emit` and `flush` (maps of aggregate, events of a script
   * that calls `new_event_block`). Absent: on all of them.
   */
  readonly decoratesNewEvents?: boolean;
  /** Starts what needs a start: dictionaries, databases. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export interface Output {
  start?(): Promise<void>;
  /** Resolves when every event is delivered, dead-lettered or dropped by rule: then the batch is acknowledged. */
  receive(events: readonly LogEvent[]): Promise<void>;
  stop?(): Promise<void>;
}

/** The other end of a stream of bytes, or of datagrams. */
export interface StreamPeer {
  readonly host: string;
  readonly port: number;
}

/** Bytes to events and back. One decoder a stream: it keeps partial lines. */
export interface Codec {
  readonly name: string;
  /** @param peer who sends the stream, where the input knows it: for codecs that keep what one sender said before */
  decoder(peer?: StreamPeer): Decoder;
  encode(event: LogEvent): Uint8Array;
  /**
   * What `encode` gives for each of them, one behind the other: for codecs that do many faster than one by one. With
   * `memory` the caller is done with the result before any code of this thread encodes again: it may lie there, or in memory
   * that is shared by all.
   */
  encodeAll?(events: readonly LogEvent[], memory?: OutputMemory): Uint8Array;
  /**
   * For codecs that make one event of each unit, with the unit as UTF-8 text in `message`, and none of an empty one: such
   * an event with an empty text. Inputs that have lines may then leave the decoding to the workers.
   */
  lineEvent?(): LogEvent;
  /** Each call of `decode` is one whole unit: a stream of bytes is cut into lines for it. */
  readonly needsUnits?: boolean;
}

export interface Decoder {
  decode(bytes: Uint8Array): readonly LogEvent[];
  /** The same in steps of about a millisecond: for codecs whose units may be long, and cannot be given in pieces. */
  decodeInSteps?(bytes: Uint8Array): Steps<readonly LogEvent[]>;
  /** What is left at the end of the stream. */
  flush(): readonly LogEvent[];
  /** Whoever feeds it calls `flush` when nothing came for so long. Absent: only at the end of the stream. */
  readonly idleFlushMs?: number;
  /** Units (lines) that were fed and are in no event yet; absent for decoders that hold back nothing. */
  pendingUnits?(): number;
}

interface DefinitionBase {
  readonly name: string;
  /** Shown by `/_node/plugins`. */
  readonly version: string;
  /** Besides those common to its kind. */
  readonly options: OptionDeclarations;
}

/**
 * `each`: every worker has an instance of its own, which must not get in the way of the others. `single`: one instance for
 * all of them, with one call of `receive` at a time.
 */
export type OutputConcurrency = 'single' | 'each';

/** For an input that another one is made of. */
export type InputDefinition = DefinitionBase & {
  readonly kind: 'input';
  /** It uses what only the main thread has: standard input, or what other pipelines send. */
  readonly needsMainThread?: boolean;
  create(options: PluginOptions, context: PluginContext): Input;
};

export type PluginDefinition =
  | InputDefinition
  | (DefinitionBase & {
      readonly kind: 'filter';
      /** Keeps state over events of all workers: the pipeline must run one worker. It may depend on the options. */
      readonly needsOneWorker?: boolean | ((options: PluginOptions) => boolean);
      /**
       * What it does with an event depends on that event, its options and the clock alone: pipeline tests then make it once
       * for all cases. Without this each case gets an instance of its own.
       */
      readonly isStateless?: boolean;
      create(options: PluginOptions, context: PluginContext): Filter;
    })
  | (DefinitionBase & {
      readonly kind: 'output';
      /** Default `single`: what opens a port or a file must not do so once a worker. */
      readonly concurrency?: OutputConcurrency | ((options: PluginOptions) => OutputConcurrency);
      /**
       * Takes events of several batches in one call of `receive`, up to about a thousand, when they are there anyway: for outputs
       * whose calls cost much. One event must not fail the others: a call that rejects has given up all of its events.
       */
      readonly joinsBatches?: boolean;
      create(options: PluginOptions, context: PluginContext): Output;
    })
  | (DefinitionBase & { readonly kind: 'codec'; create(options: PluginOptions, context: PluginContext): Codec });
