/**
 * Scripts with what a real server (OpenSearch 2.19 on Java 21, which has Elasticsearch 7's painless) gave for each: results,
 * and failures with their class and message. The files have one script a line, `[source, answer]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';
import { compileScript } from './compile-script.ts';
import { PAINLESS_TEST_CONTEXT } from './script-context.ts';

type Answer =
  | { readonly result: string | null }
  | { readonly stage: string; readonly type: string; readonly reason: string | null };

const FOLDER = join(import.meta.dirname, '../../fixtures');

function answer(text: string): Answer {
  try {
    return { result: textOf(compileScript({ lang: 'painless', text }, PAINLESS_TEST_CONTEXT).run([fromPlain({})])) };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const cause = error.causedBy ?? error;
    return { stage: error.reason ?? '', type: cause.type, reason: cause.reason };
  }
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'))) {
  const lines = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
  describe(file, () => {
    test.each(lines.map((line) => JSON.parse(line) as [string, Answer]))('%s', (source, expected) => {
      expect(answer(source)).toEqual(expected);
    });
  });
}
