/** `grok`: fields from a text that fits one of some patterns. */
import { type CaptureType, type CompiledGrok, coerceCapture, compileGrok, corePatterns } from '@shoal/agent-plugin-kit';
import { illegalArgument, isShoalError, lazy, ShoalError } from '@shoal/core';
import { TIMED_OUT } from '@shoal/ruby-regex';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { type FieldPath, parseFieldPath } from '../../document/field-path.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';
import type { DocumentValue } from '../../values/document-value.ts';

export const grokProcessor: ProcessorType = { type: 'grok', create: createGrok };

/** A match that takes longer is ended: the thread has others to serve. */
const MATCH_MS_MAX = 1_000;
const TYPES: readonly CaptureType[] = ['int', 'long', 'float', 'double', 'boolean'];
/** Names of the groups that tell which pattern matched; no field can have them. */
const TRACE = '_ingest._grok_match_index.';

interface Capture {
  readonly path: FieldPath;
  readonly type: CaptureType;
}

/** The patterns that every pipeline may use, by name. */
export const grokPatterns: () => ReadonlyMap<string, string> = lazy(() => corePatterns('disabled'));

function createGrok(config: ProcessorConfig): Processor {
  const field = parseFieldPath(config.text('field'));
  const patterns = config.texts('patterns');
  const definitions = config.optionalMap('pattern_definitions') ?? new Map();
  const ignoresMissing = config.flag('ignore_missing', false);
  const traces = config.flag('trace_match', false);
  if (patterns.length === 0) throw config.error('patterns', 'List of patterns must not be empty');
  const own = new Map(grokPatterns());
  for (const [name, text] of definitions) {
    if (typeof text !== 'string') throw config.error('pattern_definitions', "property isn't a map of strings");
    own.set(name, text);
  }
  const compile = (pattern: string): CompiledGrok =>
    compileGrok(pattern, { library: own, types: TYPES, namedCapturesOnly: true, timeoutMs: MATCH_MS_MAX });
  for (const pattern of patterns) checked(config, pattern, compile);
  const grok = compile(combined(patterns, traces));
  const captures = grok.captures.map(({ field: name, type }) => (name.startsWith(TRACE) ? null : capture(name, type)));
  return simple((document) => {
    const text = ignoresMissing ? textOrNull(document, field) : document.text(field);
    if (text === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
    }
    const found = grok.match(text);
    if (found === TIMED_OUT) {
      throw illegalArgument(`grok pattern matching was interrupted after [${MATCH_MS_MAX}] ms`);
    }
    if (found === null) throw illegalArgument(`Provided Grok expressions do not match field value: [${text}]`);
    setCaptures(document, captures, found);
    if (traces) document.ingest.set('_grok_match_index', matchedIndex(grok, found));
  });
}

function textOrNull(document: IngestDocument, field: FieldPath): string | null {
  return document.has(field) ? document.text(field) : null;
}

function capture(field: string, type: CaptureType): Capture {
  return { path: parseFieldPath(field), type };
}

/** The first of equal fields that took part in the match gives the value. */
function setCaptures(
  document: IngestDocument,
  captures: readonly (Capture | null)[],
  found: readonly (string | undefined)[],
): void {
  const set = new Set<string>();
  for (const [at, wanted] of captures.entries()) {
    const text = found[at];
    if (wanted === null || text === undefined || set.has(wanted.path.text)) continue;
    set.add(wanted.path.text);
    document.set(wanted.path, typedValue(text, wanted.type));
  }
}

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DIGITS_MAX = 30;
const LIMIT: Readonly<Record<'int' | 'long', bigint>> = { int: 2n ** 31n, long: 2n ** 63n };

function typedValue(text: string, type: CaptureType): DocumentValue {
  if (type === 'int' || type === 'long') {
    const value = INTEGER.test(text) && text.length <= DIGITS_MAX ? BigInt(text.replace('+', '')) : null;
    if (value === null || value >= LIMIT[type] || value < -LIMIT[type]) throw numberFormat(text);
  } else if ((type === 'float' || type === 'double') && !DECIMAL.test(text)) throw numberFormat(text);
  return coerceCapture(text, type);
}

/** 400: the text is no number of the type that its pattern names. */
function numberFormat(text: string): ShoalError {
  return new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

/** One pattern of them all: of two that match, that which matches further left counts, then the earlier one. */
function combined(patterns: readonly string[], traces: boolean): string {
  const parts = patterns.map((pattern, at) => (traces ? `(?<${TRACE}${at}>${pattern})` : `(?:${pattern})`));
  const whole = patterns.length === 1 && !traces ? (patterns[0] ?? '') : parts.join('|');
  // The dot matches no line break, unless a pattern says so.
  return `(?-m:${whole})`;
}

function matchedIndex(grok: CompiledGrok, found: readonly (string | undefined)[]): string {
  const at = grok.captures.findIndex(({ field }, index) => field.startsWith(TRACE) && found[index] !== undefined);
  return grok.captures[at]?.field.slice(TRACE.length) ?? '';
}

/** @throws parse_exception that names the pattern */
function checked(config: ProcessorConfig, pattern: string, compile: (pattern: string) => CompiledGrok): void {
  try {
    compile(pattern);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const [, missing] = /^pattern %\{(\w+)\} not defined/.exec(error.message) ?? [];
    const why =
      missing === undefined ? error.message : `Unable to find pattern [${missing}] in Grok's pattern dictionary`;
    throw config.error('patterns', `Invalid regex pattern found in: [${pattern}]. ${why}`);
  }
}
