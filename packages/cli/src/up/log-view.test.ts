import { describe, expect, test } from 'vitest';
import { logSeverity, viewLogLine } from './log-view.ts';

const LINE =
  '{"log.level":"warn","@timestamp":"2026-11-21T10:11:12.345Z","node":"data-1","message":"disk is full","freeBytes":0}';

/** Without the colours. */
const plain = (text: string): string => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '');

describe('a log line on the screen', () => {
  test('shows time, level, node, message and the other fields', () => {
    expect(plain(viewLogLine('data-1', LINE))).toBe('10:11:12.345 warn  data-1 disk is full freeBytes=0');
    expect(logSeverity(LINE)).toBe(40);
  });

  test.each(['plain text', '{"torn":'])('that is no JSON entry is shown as it is: %s', (line) => {
    expect(plain(viewLogLine('data-1', line))).toBe(`data-1 ${line}`);
    expect(logSeverity(line)).toBe(40);
  });
});
