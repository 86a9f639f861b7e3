import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, messages } from '../codec-text.test-support.ts';

describe('the multiline codec', () => {
  test('previous: lines that match join the one before', () => {
    const codec = makeCodec('multiline', { pattern: '^\\s', what: 'previous' });
    const events = decodeAll(codec, 'error', '  at a', '  at b', 'next');
    expect(messages(events)).toEqual(['error\n  at a\n  at b', 'next']);
    expect(events[0]?.hasTag('multiline')).toBe(true);
    expect(events[1]?.hasTag('multiline')).toBe(false);
  });
  test('negate with a grok pattern: what does not start with a time belongs to the one before', () => {
    const codec = makeCodec('multiline', { pattern: '^%{TIMESTAMP_ISO8601} ', negate: true, what: 'previous' });
    const events = decodeAll(codec, '2026-01-02T03:04:05 a', 'b', '2026-01-02T03:04:06 c');
    expect(messages(events)).toEqual(['2026-01-02T03:04:05 a\nb', '2026-01-02T03:04:06 c']);
  });
  test('next: lines that match join the one after', () => {
    const codec = makeCodec('multiline', { pattern: '\\\\$', what: 'next' });
    expect(messages(decodeAll(codec, 'a \\', 'b', 'c'))).toEqual(['a \\\nb', 'c']);
  });
  test('an event ends at its limit of lines', () => {
    const codec = makeCodec('multiline', { pattern: '^ ', what: 'previous', max_lines: 2 });
    const events = decodeAll(codec, 'a', ' b', ' c', ' d');
    // The limit is passed by one before it counts, as upstream counts.
    expect(messages(events)).toEqual(['a\n b\n c', ' d']);
    expect(events.map((event) => event.hasTag('multiline_codec_max_lines_reached'))).toEqual([true, false]);
  });
  test('an empty line by itself is none, one between others is', () => {
    const codec = makeCodec('multiline', { pattern: '^\\s', what: 'previous' });
    expect(messages(decodeAll(codec, 'a', '', ' b', '', 'c\n\n d\n\n'))).toEqual(['a\n b', 'c', '\n d']);
  });
});
