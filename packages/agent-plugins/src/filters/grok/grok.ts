/**
 * grok: takes text apart with named patterns and stores the parts as fields.
 */
import { type FieldReference, type LogEvent, parseFieldReference, printValue, setNewField } from '@shoal/agent-event';
import {
  createAll,
  type Filter,
  fieldBelow,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import {
  type CaptureType,
  type CompiledGrok,
  cleanPatterns,
  coerceCapture,
  compileGrok,
  corePatterns,
  type PatternLibrary,
  tunedPatterns,
} from '@shoal/extraction';
import { TIMED_OUT } from '@shoal/ruby-regex';
import { addPatternFiles } from '../../pattern-files/pattern-files.ts';
import { GrokMismatchLog } from './grok-mismatch-log.ts';

export const grokFilter: PluginDefinition = {
  kind: 'filter',
  name: 'grok',
  version: '4.4.3',
  isStateless: true,
  options: {
    match: { type: 'hash', default: {} },
    patterns_dir: { type: 'array', default: [] },
    patterns_files_glob: { type: 'string', default: '*' },
    pattern_definitions: { type: 'hash', default: {} },
    break_on_match: { type: 'boolean', default: true },
    named_captures_only: { type: 'boolean', default: true },
    keep_empty_captures: { type: 'boolean', default: false },
    overwrite: { type: 'array', default: [] },
    target: { type: 'string' },
    timeout_millis: { type: 'number', default: 30000 },
    timeout_scope: { type: ['pattern', 'event'], default: 'pattern' },
    tag_on_failure: { type: 'array', default: ['_grokparsefailure'] },
    tag_on_timeout: { type: 'string', default: '_groktimeout' },
  },
  create: (options, context) => new GrokFilter(options, context),
};

interface Capture {
  readonly reference: FieldReference;
  /** Index of the capture's group in a match. */
  readonly position: number;
  readonly type: CaptureType;
  readonly replaces: boolean;
  /** Any value may be set where the field is not there yet. */
  readonly mayBeNew: boolean;
  /** In JSON nothing in its text needs an escape. */
  readonly isClean: boolean;
}

interface FieldPattern {
  readonly grok: CompiledGrok;
  readonly captures: readonly Capture[];
  /** Tells tests of the pipeline that it matched; null otherwise. */
  readonly reached: (() => void) | null;
}

interface MatchedField {
  readonly reference: FieldReference;
  readonly patterns: readonly FieldPattern[];
  /** A pattern of it can blow up. */
  readonly isWatched: boolean;
  /** null unless the log wants it. */
  readonly mismatches: GrokMismatchLog | null;
}

/** One field of one event, and when its time is over; 0: never. */
interface Trial {
  readonly event: LogEvent;
  readonly field: MatchedField;
  readonly untilMs: number;
}

type Matched = 'matched' | 'unmatched' | 'timedOut';

class GrokFilter implements Filter {
  private readonly fields: readonly MatchedField[];
  private readonly breakOnMatch: boolean;
  private readonly keepEmpty: boolean;
  private readonly failureTags: readonly string[];
  private readonly timeoutTag: string;
  /** For all patterns of one event together; 0: each has its own time. */
  private readonly eventTimeoutMs: number;
  private readonly context: PluginContext;

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.breakOnMatch = options.boolean('break_on_match');
    this.keepEmpty = options.boolean('keep_empty_captures');
    this.failureTags = options.strings('tag_on_failure');
    this.timeoutTag = options.string('tag_on_timeout');
    this.eventTimeoutMs = options.string('timeout_scope') === 'event' ? options.number('timeout_millis') : 0;
    this.fields = compileFields(options, context);
    const counts = this.fields.map((field) => [field.reference.text, field.patterns.length] as const);
    context.metrics.gauge('patterns_per_field', Object.fromEntries(counts));
    for (const name of ['matches', 'failures']) context.metrics.increment(name, 0);
  }

  beforeBatch(events: readonly LogEvent[]): void {
    for (const { reference, patterns, isWatched } of this.fields) {
      if (!isWatched) continue;
      let texts = events.flatMap((event) => {
        const value = event.isCancelled ? undefined : event.get(reference);
        return typeof value === 'string' ? [value] : [];
      });
      for (const { grok } of patterns) {
        const unmatched = grok.prepare(texts);
        if (this.breakOnMatch) texts = [...unmatched];
      }
    }
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    let isMatched = false;
    const untilMs = this.eventTimeoutMs === 0 ? 0 : this.context.runtime.clock.monotonicMs() + this.eventTimeoutMs;
    for (const field of this.fields) {
      const outcome = this.matchField(event, field, untilMs);
      if (outcome === 'timedOut') {
        this.context.metrics.increment('timeouts');
        event.tag(this.timeoutTag);
        return 'unmatched';
      }
      if (outcome === 'unmatched') continue;
      isMatched = true;
      if (this.breakOnMatch) break;
    }
    if (isMatched) {
      this.context.metrics.increment('matches');
      return 'matched';
    }
    this.context.metrics.increment('failures');
    for (const tag of this.failureTags) event.tag(tag);
    return 'unmatched';
  }

  private matchField(event: LogEvent, field: MatchedField, untilMs: number): Matched {
    const value = event.get(field.reference);
    if (typeof value === 'string') return this.matchText({ event, field, untilMs }, value);
    if (!Array.isArray(value)) {
      return this.matchText({ event, field, untilMs }, value === undefined ? '' : printValue(value));
    }
    let outcome: Matched = 'unmatched';
    // A copy: a capture into the field itself makes the array longer.
    for (const item of [...value]) {
      const one = this.matchText({ event, field, untilMs }, printValue(item));
      if (one === 'timedOut') return one;
      if (one === 'matched') outcome = one;
    }
    return outcome;
  }

  /** Without `break_on_match` the last pattern decides, as in Logstash. */
  private matchText({ event, field, untilMs }: Trial, text: string): Matched {
    let outcome: Matched = 'unmatched';
    for (const pattern of field.patterns) {
      const found = untilMs === 0 ? pattern.grok.matchGroups(text) : this.matchUntil(pattern.grok, text, untilMs);
      if (found === TIMED_OUT) return 'timedOut';
      outcome = found === null ? 'unmatched' : 'matched';
      if (found === null) continue;
      pattern.reached?.();
      this.store(event, pattern.captures, found);
      if (this.breakOnMatch) break;
    }
    if (outcome === 'unmatched' && field.mismatches !== null) {
      const patterns = field.patterns.map(({ grok }) => grok.pattern);
      field.mismatches.mismatch(field.reference.text, text, patterns);
    }
    return outcome;
  }

  private matchUntil(grok: CompiledGrok, text: string, untilMs: number): ReturnType<CompiledGrok['matchGroups']> {
    const leftMs = Math.ceil(untilMs - this.context.runtime.clock.monotonicMs());
    return leftMs <= 0 ? TIMED_OUT : grok.matchGroups(text, leftMs);
  }

  private store(event: LogEvent, captures: readonly Capture[], found: readonly (string | undefined)[]): void {
    for (const capture of captures) {
      const text = found[capture.position];
      if ((text === undefined || text === '') && !this.keepEmpty) continue;
      const value = text === undefined ? null : coerceCapture(text, capture.type);
      const { reference } = capture;
      if (capture.mayBeNew && setNewField(event, reference, value, capture.isClean && typeof value === 'string'))
        continue;
      const existing = capture.replaces ? undefined : event.get(reference);
      if (existing === undefined || existing === null) event.set(reference, value);
      else if (Array.isArray(existing)) existing.push(value);
      else if (typeof existing === 'string') event.set(reference, [existing, value]);
    }
  }
}

function compileFields(options: PluginOptions, context: PluginContext): readonly MatchedField[] {
  const stock = corePatterns(context.ecs);
  const library = libraryOf(options, context, stock);
  const grokOptions = {
    library,
    tuned: tunedPatterns(library, stock),
    clean: cleanPatterns(library, stock),
    namedCapturesOnly: options.boolean('named_captures_only'),
    timeoutMs: options.number('timeout_millis'),
  };
  const target = options.has('target') ? parseFieldReference(options.string('target')) : null;
  const overwritten = new Set(options.strings('overwrite'));
  const mismatches = context.isDebugging === true ? new GrokMismatchLog(context, grokOptions) : null;
  return createAll(options.hash('match'), ([field, given]) => {
    const patterns = createAll(Array.isArray(given) ? given : [given], (pattern) => {
      const grok = compileGrok(String(pattern), grokOptions);
      warnOfBlowUps(grok, context);
      const captures = capturesOf(grok, target, overwritten);
      return { grok, captures, reached: context.coverage?.part(String(pattern)) ?? null };
    });
    const isWatched = patterns.some(({ grok }) => grok.blowUps.length > 0);
    return { mismatches, reference: parseFieldReference(field), patterns, isWatched };
  });
}

/** The stock patterns themselves where the configuration has none of its own. */
function libraryOf(options: PluginOptions, context: PluginContext, stock: PatternLibrary): PatternLibrary {
  const paths = options.strings('patterns_dir');
  const definitions = options.hash('pattern_definitions');
  if (paths.length === 0 && definitions.size === 0) return stock;
  const library = new Map(stock);
  addPatternFiles(library, { paths, glob: options.string('patterns_files_glob') }, context);
  for (const [name, text] of definitions) library.set(name, String(text));
  return library;
}

function capturesOf(
  grok: CompiledGrok,
  target: FieldReference | null,
  overwritten: ReadonlySet<string>,
): readonly Capture[] {
  return grok.captures.map((capture, i) => {
    const reference = fieldBelow(target, capture.field);
    const [name] = reference.path;
    const isOrdinary = !reference.isMetadata && name !== '@timestamp' && name !== 'tags';
    return {
      reference,
      position: grok.positions[i] ?? 0,
      type: capture.type,
      replaces: overwritten.has(capture.field),
      mayBeNew: isOrdinary && name !== undefined,
      isClean: capture.isClean,
    };
  });
}

function warnOfBlowUps(grok: CompiledGrok, context: PluginContext): void {
  for (const { part, reason } of grok.blowUps) {
    context.runtime.log.warn('grok pattern can take exponential time; its matches are watched', {
      pipeline: context.pipelineId,
      plugin: context.pluginId,
      position: context.position,
      pattern: grok.pattern,
      part,
      reason,
    });
  }
}
