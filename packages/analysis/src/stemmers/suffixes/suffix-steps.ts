/**
 * Stemmers that take suffixes off in steps, by tables: of each step at most one rule applies, the first that fits.
 */
import { lazy } from '@shoal/core';
import type { SuffixStepTable } from './suffix-step-tables.ts';

/** A step on one word. */
export type SuffixStep = (word: string) => string;

interface SuffixRule {
  readonly suffix: string;
  readonly replacement: string;
  /** Shortest word that the rule takes. */
  readonly lengthMin: number;
  isException(word: string): boolean;
}

/** @returns the steps by their names */
export function suffixSteps(tables: readonly SuffixStepTable[]): ReadonlyMap<string, SuffixStep> {
  return new Map(tables.map((table) => [table.name, stepOf(table)]));
}

function stepOf({ lengthMin, exceptions, endings, rules: texts }: SuffixStepTable): SuffixStep {
  const read = lazy(() => {
    const rules = texts.flatMap((line) => line.split(' ')).map((text) => ruleOf(text, exceptions));
    return { rules, shortest: lengthMin === 0 ? Math.min(...rules.map((rule) => rule.lengthMin)) : lengthMin };
  });
  return (word) => {
    const { rules, shortest } = read();
    if (word.length < shortest) return word;
    if (endings.length > 0 && !endings.some((ending) => word.endsWith(ending))) return word;
    for (const rule of rules) {
      if (word.length < rule.lengthMin || !word.endsWith(rule.suffix) || rule.isException(word)) continue;
      return word.slice(0, word.length - rule.suffix.length) + rule.replacement;
    }
    return word;
  };
}

function ruleOf(text: string, exceptions: SuffixStepTable['exceptions']): SuffixRule {
  const [suffix = '', left = '0', replacement = '', names = ''] = text.split('/');
  const list = names === '' ? [] : names.split(',');
  const words = new Set(list);
  return {
    suffix,
    replacement,
    lengthMin: Number(left) + suffix.length,
    isException: exceptions === 'words' ? (word) => words.has(word) : (word) => list.some((end) => word.endsWith(end)),
  };
}
