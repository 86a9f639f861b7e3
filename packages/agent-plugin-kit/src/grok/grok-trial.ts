/**
 * Tries a grok pattern on lines, for people who write one: what it captures, or where and why it stops.
 */
import { type EventValue, jsonText } from '@shoal/agent-event';
import {
  addPatternText,
  type CaptureType,
  type CompileGrokOptions,
  coerceCapture,
  compileGrok,
  corePatterns,
  expectedParts,
  explainMismatch,
  tunedPatterns,
} from '@shoal/extraction';
import { TIMED_OUT } from '@shoal/ruby-regex';

export interface GrokTrialOptions {
  /** Which of the pattern sets that come with the agent. */
  readonly ecs: 'disabled' | 'v1' | 'v8';
  /** Pattern files of users; `origin` is named in errors. */
  readonly patternFiles: readonly { readonly origin: string; readonly text: string }[];
  readonly definitions: ReadonlyMap<string, string>;
}

export interface TriedCapture {
  readonly field: string;
  readonly type: CaptureType;
  /** Value of the capture as JSON. */
  readonly json: string;
}

export type GrokTrialResult =
  | { readonly kind: 'match'; readonly captures: readonly TriedCapture[] }
  | {
      readonly kind: 'mismatch';
      /** The longest beginning of the pattern that matches, what it matched, and where that ends in the line. */
      readonly matchedPattern: string;
      readonly matchedText: string;
      readonly offset: number;
      /** What was expected at `offset`, from the outermost pattern to the innermost part. */
      readonly expected: readonly string[];
      /** The text of the innermost named pattern; null when it is not named. */
      readonly definition: string | null;
      /** What stands at `offset`, shortened. */
      readonly found: string;
    }
  | { readonly kind: 'timeout' };

export interface GrokTrial {
  /** Parts of the pattern that can take exponential time. */
  readonly warnings: readonly string[];
  run(line: string): GrokTrialResult;
}

const TIMEOUT_MS = 5_000;
const REFERENCE_NAME = /^%\{([A-Za-z0-9_]+)/;

/** @throws ShoalError for what is no pattern, and for names that are not defined */
export function createGrokTrial(pattern: string, options: GrokTrialOptions): GrokTrial {
  const stock = corePatterns(options.ecs);
  const library = new Map(stock);
  for (const { origin, text } of options.patternFiles) addPatternText(library, text, origin);
  for (const [name, text] of options.definitions) library.set(name, text);
  const grokOptions: CompileGrokOptions = {
    library,
    tuned: tunedPatterns(library, stock),
    namedCapturesOnly: true,
    timeoutMs: TIMEOUT_MS,
  };
  const grok = compileGrok(pattern, grokOptions);
  return {
    warnings: grok.blowUps.map(({ part, reason }) => `can take exponential time: in ${part}, ${reason}`),
    run: (line) => {
      const found = grok.match(line);
      if (found === TIMED_OUT) return { kind: 'timeout' };
      if (found === null) return mismatch(pattern, line, grokOptions);
      return {
        kind: 'match',
        captures: grok.captures.flatMap(({ field, type }, i) => {
          const text = found[i];
          const value: EventValue = text === undefined ? null : coerceCapture(text, type);
          return text === undefined || text === '' ? [] : [{ field, type, json: jsonText(value) }];
        }),
      };
    },
  };
}

function mismatch(pattern: string, line: string, options: CompileGrokOptions): GrokTrialResult {
  const found = explainMismatch(pattern, line, options);
  const name = REFERENCE_NAME.exec(found.failedPath.at(-1) ?? '')?.[1];
  return {
    kind: 'mismatch',
    matchedPattern: found.matchedPattern,
    matchedText: found.matchedText,
    offset: found.offset,
    expected: expectedParts(found),
    definition: name === undefined ? null : (options.library.get(name) ?? null),
    found: found.rest,
  };
}
