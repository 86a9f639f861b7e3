import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { javascriptFilter } from './javascript.ts';

describe('the javascript filter', () => {
  const run = (options: Record<string, unknown>, fields: Record<string, unknown>) =>
    runFilter(javascriptFilter, options, fields);
  test('gets, sets, removes, tags, clones, emits', async () => {
    const code = `
      event.set('[a][b]', event.get('n') * 2);
      event.set('list', [1, { x: null }]);
      event.remove('n');
      event.tag('done');
      const copy = event.clone(); copy.set('copy', true); emit(copy);`;
    const { events } = await run({ code }, { n: 21 });
    const fields = { a: { b: 42 }, list: [1, { x: null }], tags: ['done'] };
    expect(events).toEqual([fields, { ...fields, copy: true }]);
  });
  test('cancels; dates are dates; parameters and init', async () => {
    expect((await run({ code: 'event.cancel()' }, {})).events).toEqual([]);
    const options = {
      init: 'var factor = params.by',
      script_params: { by: 3 },
      code: "event.set('y', event.get('@timestamp').getUTCFullYear() * factor)",
    };
    expect((await run(options, { '@timestamp': '2026-01-01T00:00:00Z' })).event.y).toBe(6078);
  });
  test('a script that throws is tagged; one that hangs is ended', async () => {
    expect((await run({ code: 'null.x', tag_with_exception_message: true }, {})).event.tags).toHaveLength(2);
    expect((await run({ code: 'for (;;) {}', timeout_millis: 30 }, {})).event.tags).toEqual(['_javascriptexception']);
    expect(() => makeFilter(javascriptFilter, { code: '(' })).toThrow('the script cannot be used');
  });
  test('a file has register and filter and answers the events that go on', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shoal-js-'));
    const path = join(directory, 'f.js');
    writeFileSync(
      path,
      'let p; function register(params) { p = params } function filter(event) { if (event.get("a") === p.drop) return []; return [event] }',
    );
    const options = { path, script_params: { drop: 1 } };
    expect((await run(options, { a: 1 })).events).toEqual([]);
    expect((await run(options, { a: 2 })).events).toEqual([{ a: 2 }]);
    rmSync(directory, { recursive: true });
  });
});
