import type { AliasMetadata, ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { aliasOf, indexOf, stateOf } from '../coordinator.test-support.ts';
import { resolveDateMathName } from './date-math-name.ts';
import { type IndicesOptions, METADATA_INDICES_OPTIONS, READ_INDICES_OPTIONS } from './indices-options.ts';
import { resolveIndexNames, resolveIndices } from './resolve-indices.ts';
import { effectiveRouting, findWriteIndex, readIndexOf } from './write-index.ts';

const NOW_MS = Date.UTC(2024, 2, 31, 22, 30);

const indices: readonly IndexMetadata[] = [
  indexOf('logs-2', { aliases: [aliasOf('logs'), aliasOf('fox', { filter: { term: { a: 'b' } } })] }),
  indexOf('logs-1', { aliases: [aliasOf('logs', { isWriteIndex: true })] }),
  indexOf('shut', { state: 'close', aliases: [aliasOf('half')] }),
  indexOf('open', { aliases: [aliasOf('half')] }),
  indexOf('.secret', { settings: { 'index.hidden': 'true' } }),
  indexOf('logs-2024.03.31'),
];
const state: ClusterState = stateOf({ indices });

function names(expression: string | null, options: Partial<IndicesOptions> = {}): readonly string[] {
  return resolveIndexNames(state, expression, { ...READ_INDICES_OPTIONS, ...options }, NOW_MS);
}

describe('an expression', () => {
  test.each([null, '', '_all', '*'])('%s means all open, visible indices', (expression) => {
    expect(names(expression)).toEqual(['logs-1', 'logs-2', 'logs-2024.03.31', 'open']);
  });
  test.each([
    ['logs-2,logs-1', ['logs-1', 'logs-2']],
    ['logs', ['logs-1', 'logs-2']],
    ['log*', ['logs-1', 'logs-2', 'logs-2024.03.31']],
    ['log*,-*.03.*', ['logs-1', 'logs-2']],
    ['*,-logs', ['logs-1', 'logs-2', 'logs-2024.03.31', 'open']],
    ['*,-logs-1', ['logs-2', 'logs-2024.03.31', 'open']],
    ['*,-lo*s', ['logs-2024.03.31', 'open']],
    ['.sec*', ['.secret']],
    ['<logs-{now/d}>', ['logs-2024.03.31']],
    ['s*', []],
  ])('%s means %j', (expression, expected) => {
    expect(names(expression)).toEqual(expected);
  });
  test('of many wildcards takes no longer than its length', () => {
    const long = stateOf({ indices: [indexOf('a'.repeat(250))] });
    expect(resolveIndexNames(long, `${'*a'.repeat(60)}b`, READ_INDICES_OPTIONS, NOW_MS)).toEqual([]);
  });
  test('wildcards find closed and hidden indices when asked to', () => {
    expect(names('*', { expandsToClosed: true, forbidsClosed: false })).toContain('shut');
    expect(() => names('*', { expandsToClosed: true })).toThrowError('closed');
    expect(names('*', { expandsToHidden: true })).toContain('.secret');
    expect(resolveIndexNames(state, 'shut', METADATA_INDICES_OPTIONS, NOW_MS)).toEqual(['shut']);
  });
  test('a missing name is 404 unless it may be', () => {
    expect(() => names('nothere')).toThrowError(
      expect.objectContaining({ type: 'index_not_found_exception', reason: 'no such index [nothere]' }),
    );
    expect(names('nothere,open', { ignoreUnavailable: true })).toEqual(['open']);
  });
  test('a name that no index can have says so', () => {
    expect(() => names('_nosuch')).toThrowError(
      expect.objectContaining({ reason: "Invalid index name [_nosuch], must not start with '_'." }),
    );
  });
  test('nothing is an error when it may not be', () => {
    expect(() => names('x*', { allowNoIndices: false })).toThrowError('no such index [x*]');
  });
  test('a closed index that is named is an error, also behind an alias', () => {
    expect(() => names('shut')).toThrowError(expect.objectContaining({ type: 'index_closed_exception', status: 400 }));
    expect(() => names('half')).toThrowError(expect.objectContaining({ type: 'index_closed_exception' }));
    expect(names('half', { ignoreUnavailable: true })).toEqual(['open']);
    const closedAlone = { expandsToOpen: false, expandsToClosed: true };
    expect(() => names('*', closedAlone)).toThrowError(
      expect.objectContaining({
        type: 'illegal_argument_exception',
        reason: 'To expand [CLOSE] wildcard, please set forbid_closed_indices to `false`',
      }),
    );
    expect(names('*', { ...closedAlone, ignoreUnavailable: true })).toEqual([]);
  });
  test('an exclusion before any wildcard is a name', () => {
    expect(() => names('-open,logs')).toThrowError('no such index [-open]');
  });
  test('aliases are told when they are the only way to an index', () => {
    const via = (expression: string) =>
      resolveIndices(state, expression, READ_INDICES_OPTIONS, NOW_MS).map((found) =>
        found.viaAliases.map((alias: AliasMetadata) => alias.name),
      );
    expect(via('fox')).toEqual([['fox']]);
    expect(via('fox,logs-2')).toEqual([[]]);
    expect(via('logs,fox')).toEqual([['logs'], ['logs', 'fox']]);
  });
});

describe('the index of a write', () => {
  test('is the write index of an alias', () => {
    expect(findWriteIndex(state, 'logs', NOW_MS)?.index.name).toBe('logs-1');
    expect(findWriteIndex(state, 'fox', NOW_MS)?.index.name).toBe('logs-2');
    expect(findWriteIndex(state, 'nothere', NOW_MS)).toBeNull();
    expect(() => findWriteIndex(state, 'half', NOW_MS)).toThrowError('no write index is defined for alias [half]');
  });
  test('is ambiguous for a get through an alias of several', () => {
    expect(() => readIndexOf(state, 'half', NOW_MS)).toThrowError(
      'more than one index associated with it [open, shut]',
    );
    expect(() => readIndexOf(state, 'none', NOW_MS)).toThrowError('no such index [none]');
  });
  test('takes the routing of the alias, and no other', () => {
    const single = { index: indexOf('a'), alias: aliasOf('r', { indexRouting: 'x' }), stream: null };
    expect(effectiveRouting(single, null, 'r')).toBe('x');
    expect(() => effectiveRouting(single, 'y', 'r')).toThrowError('was provided with routing value [y]');
  });
});

describe('date math in names', () => {
  test.each([
    ['<logs-{now/d}>', 'logs-2024.03.31'],
    ['<logs-{now/M}>', 'logs-2024.03.01'],
    ['<logs-{now/M-1M{yyyy.MM}}>', 'logs-2024.02'],
    ['<logs-{now-1M}>', 'logs-2024.02.29'],
    ['<logs-{now/d{uuuu.MM.dd|+12:00}}>', 'logs-2024.04.01'],
    ['<logs-{now/d{uuuu.MM.dd|Asia/Tokyo}}>', 'logs-2024.04.01'],
    ['<logs-{now/M{yyyy.MM|America/New_York}}>', 'logs-2024.03'],
    ['<logs-{now/d{YYYY.ww}}>', 'logs-2024.13'],
    ['<a\\{b\\}-{now/w}>', 'a{b}-2024.03.25'],
    ['plain', 'plain'],
  ])('%s is %s', (name, expected) => {
    expect(resolveDateMathName(name, NOW_MS)).toBe(expected);
  });
  test.each([
    ['<a-{now/q}>', 'operator not supported for date math [/q]'],
    ['<a-{now>', 'invalid dynamic name expression [a-{now>]. date math placeholder is open ended'],
    ['<a-now}>', 'invalid character at position [6]'],
    ['<a-{then}>', 'failed to parse date field [then]'],
    ['<a-{now/d{}}>', 'missing date format'],
    ['<a-{now/d{yyyy|No/Zone}}>', 'Unknown time-zone ID: No/Zone'],
    ['<>', 'nothing captured'],
  ])('%s is refused', (name, reason) => {
    expect(() => resolveDateMathName(name, NOW_MS)).toThrowError(reason);
  });
});
