import { describe, expect, test } from 'vitest';
import { aliasOf, indexOf, stateOf } from '../coordinator.test-support.ts';
import { splitSelector, withSelector } from './component-selector.ts';
import { type IndicesOptions, READ_INDICES_OPTIONS } from './indices-options.ts';
import { resolveIndexNames } from './resolve-indices.ts';
import { resolveNames } from './resolve-names.ts';
import { findWriteIndex, readIndexOf } from './write-index.ts';

const NOW_MS = Date.UTC(2024, 2, 31);
const hidden = { settings: { 'index.hidden': 'true' } };
const state = stateOf({
  indices: [
    indexOf('plain', { aliases: [aliasOf('other')] }),
    ...['.ds-logs-1', '.ds-app-1', '.fs-logs-2', '.fs-logs-3'].map((name) => indexOf(name, hidden)),
  ],
  dataStreams: { logs: ['.ds-logs-1'], app: ['.ds-app-1'], 'logs-2024.03.31': ['.ds-app-1'] },
  failureIndices: { logs: ['.fs-logs-2', '.fs-logs-3'] },
});

function names(expression: string, options: Partial<IndicesOptions> = {}): readonly string[] {
  return resolveIndexNames(state, expression, { ...READ_INDICES_OPTIONS, ...options }, NOW_MS);
}

describe('a selector', () => {
  test.each([
    ['logs', ['.ds-logs-1']],
    ['logs::data', ['.ds-logs-1']],
    ['logs::failures', ['.fs-logs-2', '.fs-logs-3']],
    ['logs,logs::failures', ['.ds-logs-1', '.fs-logs-2', '.fs-logs-3']],
    ['lo*::failures', ['.fs-logs-2', '.fs-logs-3']],
    ['*::failures', ['.fs-logs-2', '.fs-logs-3']],
    ['_all::failures', ['.fs-logs-2', '.fs-logs-3']],
    ['*::data', ['.ds-app-1', '.ds-logs-1', 'plain']],
    ['*,*::failures,-logs::failures', ['.ds-app-1', '.ds-logs-1', 'plain']],
    ['*,*::failures,-logs', ['.ds-app-1', '.fs-logs-2', '.fs-logs-3', 'plain']],
    ['app::failures', []],
    ['<logs-{now/d}>::data', ['.ds-app-1']],
    ['plain::data', ['plain']],
  ])('says which indices of data streams %s means: %j', (expression, expected) => {
    expect(names(expression)).toEqual(expected);
  });

  test('brings failure indices without one where the request wants both', () => {
    const options = { includesFailures: true, allowsSelectors: false };
    expect(names('logs', options)).toEqual(['.ds-logs-1', '.fs-logs-2', '.fs-logs-3']);
    expect(names('*,-logs', options)).toEqual(['.ds-app-1', 'plain']);
  });

  test.each(['plain::failures', 'other::failures', 'none::failures'])(
    '%s finds nothing: it is no data stream',
    (name) => {
      expect(() => names(name)).toThrow(
        expect.objectContaining({ type: 'index_not_found_exception', reason: `no such index [${name}]` }),
      );
      expect(names(name, { ignoreUnavailable: true })).toEqual([]);
    },
  );

  test.each([
    ['logs::none', 'invalid usage of :: separator, [none] is not a recognized selector'],
    ['logs::', 'invalid usage of :: separator, [] is not a recognized selector'],
    ['logs::*', 'invalid usage of :: separator, [*] is not a recognized selector'],
    ['logs::data::failures', 'only one :: separator is allowed per expression'],
  ])('%s is none', (expression, reason) => {
    expect(() => names(expression)).toThrow(reason);
    expect(() => names(expression, { allowsSelectors: false })).toThrow(reason);
  });

  test('is refused by requests that know none, and by those that mean one index', () => {
    const unsupported = expect.objectContaining({ type: 'unsupported_selector_exception', status: 400 });
    expect(() => names('logs::data', { allowsSelectors: false })).toThrow(unsupported);
    expect(() => names('*,-logs::failures', { allowsSelectors: false })).toThrow(unsupported);
    expect(() => findWriteIndex(state, 'logs::failures', NOW_MS)).toThrow(unsupported);
    expect(() => readIndexOf(state, 'logs::failures', NOW_MS)).toThrow(unsupported);
  });

  test('leads to the stream itself where names are not followed', () => {
    const { dataStreams, failureStores } = resolveNames(state, 'app,lo*::failures', READ_INDICES_OPTIONS, NOW_MS);
    expect([dataStreams, failureStores].map((list) => list.map(({ name }) => name))).toEqual([
      ['app'],
      ['logs', 'logs-2024.03.31'],
    ]);
  });

  test.each(['logs', 'logs::failures'])('%s is written as it is read', (expression) => {
    expect(withSelector(splitSelector(expression, { allowsSelectors: true }))).toBe(expression);
  });
});
