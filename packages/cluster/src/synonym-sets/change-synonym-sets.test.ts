import { SYNONYM_CHARS_MAX, SYNONYM_RULES_MAX, SYNONYM_SETS_MAX } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { emptyClusterState } from '../value/cluster-value-model.ts';
import { putSynonymRule, putSynonymSet } from './change-synonym-sets.ts';

const empty = emptyClusterState('c');
const rules = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i), synonyms: 'a, b' }));

describe('synonym sets have limits', () => {
  test('of rules in a set', () => {
    const full = putSynonymSet(empty, { id: 's', rules: rules(SYNONYM_RULES_MAX) });
    expect(() => putSynonymRule(full, 's', { id: 'more', synonyms: 'a' })).toThrow('cannot exceed 10000');
    expect(putSynonymRule(full, 's', { id: '7', synonyms: 'x' }).metadata.synonymSets.get('s')?.rules).toHaveLength(
      SYNONYM_RULES_MAX,
    );
  });

  test('of sets', () => {
    let state = empty;
    for (let i = 0; i < SYNONYM_SETS_MAX; i++) state = putSynonymSet(state, { id: `s${i}`, rules: [] });
    expect(() => putSynonymSet(state, { id: 'more', rules: [] })).toThrow('too many synonym sets');
    expect(putSynonymSet(state, { id: 's0', rules: rules(1) }).metadata.synonymSets.size).toBe(SYNONYM_SETS_MAX);
  });

  test('of characters in all sets', () => {
    const half = [{ id: 'r', synonyms: 'a'.repeat(SYNONYM_CHARS_MAX / 2) }];
    const state = putSynonymSet(empty, { id: 's', rules: half });
    expect(() => putSynonymSet(state, { id: 't', rules: half })).toThrow('characters, more than');
  });
});

test('of rules with one id the last one counts', () => {
  const twice = [
    { id: 'r', synonyms: 'a' },
    { id: 'r', synonyms: 'b' },
  ];
  expect(putSynonymSet(empty, { id: 's', rules: twice }).metadata.synonymSets.get('s')?.rules).toEqual([twice[1]]);
});
