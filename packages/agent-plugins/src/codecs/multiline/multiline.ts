/**
 * The multiline codec: joins lines into one event, by whether each matches a grok pattern.
 *
 * `previous`: a line that matches belongs to the one before. `next`: it belongs to the one after. A decoder fed with lines
 * holds the last event back until the next line decides; `auto_flush_interval` ends that wait.
 */
import type { LogEvent } from '@shoal/agent-event';
import {
  type Charset,
  charsetNamed,
  type Decoder,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  textEvent,
} from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { corePatterns, expandPattern } from '@shoal/extraction';
import { GuardedRegex } from '@shoal/ruby-regex';
import { addPatternFiles } from '../../pattern-files/pattern-files.ts';

const MAX_LINES_TAG = 'multiline_codec_max_lines_reached';
const MAX_BYTES_TAG = 'multiline_codec_max_bytes_reached';
const TEN_MEBIBYTES = 10 * 1024 * 1024;

export const multilineCodec: PluginDefinition = {
  kind: 'codec',
  name: 'multiline',
  version: '3.1.2',
  options: {
    pattern: { type: 'string', isRequired: true },
    what: { type: ['previous', 'next'], isRequired: true },
    negate: { type: 'boolean', default: false },
    patterns_dir: { type: 'array', default: [] },
    max_lines: { type: 'number', default: 500 },
    max_bytes: { type: 'bytes', default: TEN_MEBIBYTES },
    auto_flush_interval: { type: 'number' },
    multiline_tag: { type: 'string', default: 'multiline' },
    charset: { type: 'string', default: 'UTF-8' },
  },
  create(options, context) {
    const rules = rulesOf(options, context);
    return {
      name: 'multiline',
      decoder: () => new LineJoiner(rules),
      encode: (event) => Buffer.from(String(event.fields.get('message') ?? ''), 'utf8'),
    };
  },
};

interface JoinRules {
  readonly charset: Charset;
  /** Whether the line belongs to its neighbour; `negate` is in it. */
  belongs(line: string): boolean;
  readonly joinsToNext: boolean;
  /** One more are joined before an event is cut off. */
  readonly linesMax: number;
  readonly bytesMax: number;
  readonly idleFlushMs: number | null;
  /** Empty: none. */
  readonly tag: string;
  readonly ecs: PluginContext['ecs'];
}

function rulesOf(options: PluginOptions, context: PluginContext): JoinRules {
  const library = new Map(corePatterns(context.ecs));
  addPatternFiles(library, { paths: options.strings('patterns_dir'), glob: '*' }, context);
  const expanded = expandPattern(options.string('pattern'), { library, namedCapturesOnly: true });
  const regex = new GuardedRegex(expanded.source, 'm');
  const isNegated = options.boolean('negate');
  return {
    charset: charsetNamed(options.string('charset')),
    belongs: (line) => matches(regex, line, context) !== isNegated,
    joinsToNext: options.string('what') === 'next',
    linesMax: options.number('max_lines'),
    bytesMax: options.number('max_bytes'),
    idleFlushMs: options.has('auto_flush_interval') ? options.number('auto_flush_interval') * 1000 : null,
    tag: options.string('multiline_tag'),
    ecs: context.ecs,
  };
}

/** A line whose match takes too long counts as one that does not match: the stream goes on. */
function matches(regex: GuardedRegex, line: string, context: PluginContext): boolean {
  try {
    return regex.test(line);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    context.runtime.log.warn('multiline cannot match a line', { plugin: context.pluginId, reason: error.message });
    return false;
  }
}

class LineJoiner implements Decoder {
  declare readonly idleFlushMs?: number;
  private readonly rules: JoinRules;
  private lines: string[] = [];
  private bytes = 0;

  constructor(rules: JoinRules) {
    this.rules = rules;
    if (rules.idleFlushMs !== null) this.idleFlushMs = rules.idleFlushMs;
  }

  decode(bytes: Uint8Array): readonly LogEvent[] {
    const events: LogEvent[] = [];
    const text = this.rules.charset.decode(bytes);
    const lines = text.split('\n');
    // Empty lines at the end are none, as where upstream splits: an empty line by itself is lost.
    while (lines.at(-1) === '') lines.pop();
    for (const line of lines) this.line(line, events);
    return events;
  }

  flush(): readonly LogEvent[] {
    const events: LogEvent[] = [];
    this.end(events);
    return events;
  }

  pendingUnits(): number {
    return this.lines.length;
  }

  private line(line: string, events: LogEvent[]): void {
    const belongs = this.rules.belongs(line);
    if (!this.rules.joinsToNext && (!belongs || this.isFull())) this.end(events);
    this.lines.push(line);
    this.bytes += Buffer.byteLength(line);
    if (this.rules.joinsToNext && (!belongs || this.isFull())) this.end(events);
  }

  private isFull(): boolean {
    return this.lines.length > this.rules.linesMax || this.bytes >= this.rules.bytesMax;
  }

  private end(events: LogEvent[]): void {
    if (this.lines.length === 0) return;
    const event = textEvent(this.lines.join('\n'), this.rules.ecs);
    if (this.lines.length > 1 && this.rules.tag !== '') event.tag(this.rules.tag);
    if (this.bytes >= this.rules.bytesMax) event.tag(MAX_BYTES_TAG);
    if (this.lines.length > this.rules.linesMax) event.tag(MAX_LINES_TAG);
    this.lines = [];
    this.bytes = 0;
    events.push(event);
  }
}
