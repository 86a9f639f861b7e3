/**
 * What a server with Lucene 9.12 answered to `_analyze`, or its analysis modules for sounds and for ICU by themselves: each line of the files
 * beside is a request and its tokens, or its error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { type AnalyzedToken, analyzeRequest, type RequestedComponent } from '../registry/analyze-request.ts';
import { createAnalyzers } from '../registry/analyzer-registry.ts';

type Declared = string | Readonly<Record<string, unknown>>;

interface RecordedRequest {
  readonly text: string | readonly string[];
  readonly analyzer?: string;
  readonly normalizer?: string;
  readonly tokenizer?: Declared;
  readonly char_filter?: readonly Declared[];
  readonly filter?: readonly Declared[];
}

/** Term, start, end, position, type and position length of each token, joined by `|`; or one line `ERR type reason`. */
interface Recorded {
  readonly request: RecordedRequest;
  readonly tokens: readonly string[];
}

const folder = new URL('./', import.meta.url);
const registry = createAnalyzers({});

function flat(component: Declared): RequestedComponent {
  if (typeof component === 'string') return component;
  return Object.fromEntries(
    Object.entries(component).flatMap(([key, value]): [string, string][] =>
      Array.isArray(value) ? value.map((item, i) => [`${key}.${i}`, String(item)]) : [[key, String(value)]],
    ),
  );
}

function analyze(request: RecordedRequest): readonly string[] {
  try {
    const { tokens } = analyzeRequest(registry, {
      texts: [request.text].flat(),
      analyzer: request.analyzer ?? null,
      normalizer: request.normalizer ?? null,
      tokenizer: request.tokenizer === undefined ? null : flat(request.tokenizer),
      charFilters: (request.char_filter ?? []).map(flat),
      filters: (request.filter ?? []).map(flat),
      explain: false,
      tokensMax: 100_000,
      hasIndex: false,
    });
    return (tokens as readonly AnalyzedToken[]).map((token) =>
      [token.token, token.start_offset, token.end_offset, token.position, token.type, token.positionLength ?? 1].join(
        '|',
      ),
    );
  } catch (error) {
    if (isShoalError(error)) return [`ERR ${error.type} ${error.message}`];
    throw error;
  }
}

describe.each(readdirSync(folder).filter((name) => name.endsWith('.ndjson')))('recorded answers: %s', (file) => {
  const lines: readonly Recorded[] = readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

  test.each(lines)('$request', ({ request, tokens }) => expect(analyze(request)).toEqual(tokens));
});
