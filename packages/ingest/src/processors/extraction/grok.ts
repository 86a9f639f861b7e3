/** `grok`: fields from a text that fits one of some patterns. */
import { illegalArgument, isShoalError } from '@shoal/core';
import {
  type CompiledGrok,
  compileStrictGrok,
  strictMatch,
  strictPatterns,
  type TypedCapture,
  typedCaptures,
} from '@shoal/extraction';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { type FieldPath, parseFieldPath } from '../../document/field-path.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';

export const grokProcessor: ProcessorType = { type: 'grok', create: createGrok };

/** Names of the groups that tell which pattern matched; no field can have them. */
const TRACE = '_ingest._grok_match_index.';

function createGrok(config: ProcessorConfig): Processor {
  const field = parseFieldPath(config.text('field'));
  const patterns = config.texts('patterns');
  const definitions = config.optionalMap('pattern_definitions') ?? new Map();
  const ignoresMissing = config.flag('ignore_missing', false);
  const traces = config.flag('trace_match', false);
  if (patterns.length === 0) throw config.error('patterns', 'List of patterns must not be empty');
  const own = new Map(strictPatterns());
  for (const [name, text] of definitions) {
    if (typeof text !== 'string') throw config.error('pattern_definitions', "property isn't a map of strings");
    own.set(name, text);
  }
  for (const pattern of patterns) check(config, pattern, own, patterns);
  const grok = compileStrictGrok(combined(patterns, traces), own);
  const names = grok.captures.map(({ field: name }) => name).filter((name) => !name.startsWith(TRACE));
  const paths = new Map(names.map((name) => [name, parseFieldPath(name)]));
  return simple((document) => {
    const text = ignoresMissing ? textOrNull(document, field) : document.text(field);
    if (text === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
    }
    const found = strictMatch(grok, text);
    if (found === null) throw illegalArgument(`Provided Grok expressions do not match field value: [${text}]`);
    setCaptures(document, paths, typedCaptures(grok, found));
    if (traces) document.ingest.set('_grok_match_index', matchedIndex(grok, found));
  });
}

function textOrNull(document: IngestDocument, field: FieldPath): string | null {
  return document.has(field) ? document.text(field) : null;
}

/** @param paths of all fields but those that tell which pattern matched */
function setCaptures(
  document: IngestDocument,
  paths: ReadonlyMap<string, FieldPath>,
  values: ReadonlyMap<string, TypedCapture>,
): void {
  for (const [name, { value }] of values) {
    const path = paths.get(name);
    if (path !== undefined) document.set(path, value);
  }
}

/** One pattern of them all: of two that match, that which matches further left counts, then the earlier one. */
function combined(patterns: readonly string[], traces: boolean): string {
  const parts = patterns.map((pattern, at) => (traces ? `(?<${TRACE}${at}>${pattern})` : `(?:${pattern})`));
  return patterns.length === 1 && !traces ? (patterns[0] ?? '') : parts.join('|');
}

function matchedIndex(grok: CompiledGrok, found: readonly (string | undefined)[]): string {
  const at = grok.captures.findIndex(({ field }, index) => field.startsWith(TRACE) && found[index] !== undefined);
  return grok.captures[at]?.field.slice(TRACE.length) ?? '';
}

/** @throws parse_exception that names all patterns of the processor */
function check(
  config: ProcessorConfig,
  pattern: string,
  library: ReadonlyMap<string, string>,
  patterns: readonly string[],
): void {
  try {
    compileStrictGrok(pattern, library);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw config.error('patterns', `Invalid regex pattern found in: [${patterns.join(', ')}]. ${error.message}`);
  }
}
