import { ValueReader } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { readIndexUuid } from './index-uuid.ts';

const read = (uuid: unknown): string => readIndexUuid(ValueReader.of({ uuid }, 'index'), 'uuid');

describe('the uuid of an index from another node', () => {
  test('is a word that can be a folder', () => {
    expect(read('XpVPZVkOQo6iYwmHwqQb8A')).toBe('XpVPZVkOQo6iYwmHwqQb8A');
  });

  test.each(['', '.', '..', '../..', 'a/b', 'a\\b', 'a\0b', 'a\n', 'a'.repeat(65), null, 7])('is not %j', (uuid) => {
    expect(() => read(uuid)).toThrow('index.uuid');
  });
});
