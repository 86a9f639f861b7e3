/**
 * Char filter `mapping`: strings replaced by others, the longest that fits at each place.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readList } from '../tokens/component-options.ts';
import type { CharFilterType } from '../tokens/component-type.ts';
import { FilteredTextBuilder } from '../tokens/filtered-text-builder.ts';

/** Rules of one filter; a table of more belongs into the documents. */
const RULES_MAX = 100_000;

/** The last arrow of a rule: one that belongs to a string may stand before it. */
const RULE = /^(.*)=>(.*)$/s;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Strings that are replaced, by their first UTF-16 unit, longest first. */
type RulesByUnit = ReadonlyMap<string, readonly (readonly [string, string])[]>;

export const mappingCharFilter: CharFilterType = {
  type: 'mapping',
  options: ['mappings'],
  needsOptions: true,
  create: (options, name) => {
    const rules = readRules(options);
    return {
      name,
      isNormalizing: true,
      apply(text) {
        const out = new FilteredTextBuilder(text);
        for (let at = 0; at < text.length; ) {
          const rule = rules.get(text[at] ?? '')?.find(([from]) => text.startsWith(from, at));
          if (rule === undefined) at++;
          else {
            out.replace(at, at + rule[0].length, rule[1]);
            at += rule[0].length;
          }
        }
        return out.done();
      },
    };
  },
};

function readRules(options: ComponentOptions): RulesByUnit {
  const lines = readList(options, 'mappings');
  if (lines === null) {
    throw illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured');
  }
  if (lines.length > RULES_MAX) throw illegalArgument(`mapping has ${lines.length} rules, more than ${RULES_MAX}`);
  const rules = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const [, from, to] = RULE.exec(line) ?? [];
    if (from === undefined || to === undefined)
      throw illegalArgument(`Line [${i + 1}]: Invalid mapping rule : [${line}]`);
    const match = unescaped(from.trim(), line);
    if (match === '') throw illegalArgument('cannot match the empty string');
    if (rules.has(match)) throw illegalArgument(`match "${match}" was already added`);
    rules.set(match, unescaped(to.trim(), line));
  }
  const byUnit = new Map<string, (readonly [string, string])[]>();
  for (const rule of rules) {
    const unit = rule[0][0] ?? '';
    const others = byUnit.get(unit);
    if (others === undefined) byUnit.set(unit, [rule]);
    else others.push(rule);
  }
  for (const group of byUnit.values()) group.sort(([a], [b]) => b.length - a.length);
  return byUnit;
}

function unescaped(text: string, line: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.|$)/gs, (_, escaped: string) => {
    if (escaped === '') throw illegalArgument(`Invalid escaped char in [${line}]`);
    if (escaped.length === 5) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    if (escaped === 'u') throw illegalArgument(`Invalid escaped char in [${line}]`);
    return ESCAPES[escaped] ?? escaped;
  });
}
