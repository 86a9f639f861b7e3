/**
 * The syntax tree of a Ruby pattern, rewritten for V8: Ruby's ASCII classes made explicit, nested repetition flattened,
 * atomic groups that cannot give anything back made plain.
 */
import { generate } from 'oniguruma-parser/generator';
import {
  type AlternativeElementNode,
  type AlternativeNode,
  type CharacterClassElementNode,
  type CharacterClassNode,
  createAlternative,
  createCharacter,
  createCharacterClass,
  createCharacterClassRange,
  createGroup,
  createQuantifier,
  type OnigurumaAst,
  parse,
  type QuantifierNode,
} from 'oniguruma-parser/parser';
import { withPlainClasses } from './plain-classes.ts';
import { RecentResults } from './recent-results.ts';

const WORD: readonly (readonly [string, string])[] = [
  ['a', 'z'],
  ['A', 'Z'],
  ['0', '9'],
  ['_', '_'],
];
const DIGIT: readonly (readonly [string, string])[] = [['0', '9']];
const SPACE: readonly (readonly [string, string])[] = [
  ['\t', '\r'],
  [' ', ' '],
];
const HEX: readonly (readonly [string, string])[] = [
  ['0', '9'],
  ['a', 'f'],
  ['A', 'F'],
];
const ASCII_SETS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  word: WORD,
  digit: DIGIT,
  space: SPACE,
  hex: HEX,
};

/** Ruby's dialect: groups without a name capture only if none has one. The dot counts as any character, which is at most too many. */
export function parseRubyPattern(source: string): OnigurumaAst {
  return parse(source, { flags: 'm', rules: { captureGroup: false }, normalizeUnknownPropertyNames: true });
}

/** Same matches, written for V8. */
export function rewritePattern(source: string): string {
  return generate(withPlainClasses(simplifiedPattern(source))).pattern;
}

/** Same matches, without what is only seemingly costly. The tree must not be changed. */
export function simplifiedPattern(source: string): OnigurumaAst {
  return LATEST.of(source);
}

/** Tree that was asked for last alone, as trees are large: a pattern is translated, and then judged, by the same one. */
const LATEST = new RecentResults(simplified, 1);

function simplified(source: string): OnigurumaAst {
  const tree = parseRubyPattern(source);
  return { ...tree, body: tree.body.map(alternative) };
}

function alternative(node: AlternativeNode): AlternativeNode {
  return createAlternative({ body: node.body.map(element) });
}

function element(node: AlternativeElementNode): AlternativeElementNode {
  switch (node.type) {
    case 'CharacterSet':
      return asciiSet(node.kind, node.negate === true) ?? node;
    case 'CharacterClass':
      return characterClass(node);
    case 'Quantifier':
      return quantifier(node);
    case 'Group': {
      const body = node.body.map(alternative);
      if (node.atomic === true && body.length === 1 && body[0] !== undefined && isFixed(body[0])) {
        return createGroup({ body });
      }
      return { ...node, body };
    }
    case 'CapturingGroup':
    case 'LookaroundAssertion':
    case 'AbsenceFunction':
      return { ...node, body: node.body.map(alternative) };
    default:
      return node;
  }
}

/** One way to match: nothing in it repeats or chooses. */
function isFixed(node: AlternativeNode): boolean {
  return node.body.every(
    (part) =>
      part.type === 'Character' ||
      part.type === 'CharacterClass' ||
      (part.type === 'CharacterSet' && part.variableLength !== true),
  );
}

function asciiSet(kind: string, negate: boolean): CharacterClassNode | null {
  const ranges = ASCII_SETS[kind];
  if (ranges === undefined) return null;
  return createCharacterClass({ negate, body: ranges.map(([low, high]) => range(low, high)) });
}

function range(low: string, high: string): CharacterClassElementNode {
  const min = createCharacter(low.charCodeAt(0));
  return low === high ? min : createCharacterClassRange(min, createCharacter(high.charCodeAt(0)));
}

function characterClass(node: CharacterClassNode): CharacterClassNode {
  const body = node.body.flatMap((part): readonly CharacterClassElementNode[] => {
    if (part.type === 'CharacterClass') return [characterClass(part)];
    if (part.type !== 'CharacterSet') return [part];
    const set = asciiSet(part.kind, part.negate === true);
    if (set === null) return [part];
    return set.negate || node.kind === 'intersection' ? [set] : set.body;
  });
  return { ...node, body };
}

/** `(x+)+` is `x+`: the nested form matches the same in exponentially many ways. */
function quantifier(node: QuantifierNode): AlternativeElementNode {
  const body = element(node.body);
  if (isGreedyEndless(node) && body.type === 'Group' && body.atomic !== true && body.flags === undefined) {
    const inner = body.body.length === 1 && body.body[0]?.body.length === 1 ? body.body[0].body[0] : undefined;
    if (inner?.type === 'Quantifier' && isGreedyEndless(inner)) {
      return createQuantifier('greedy', Math.min(node.min, inner.min), Number.POSITIVE_INFINITY, inner.body);
    }
  }
  return { ...node, body: body as QuantifierNode['body'] };
}

function isGreedyEndless(node: QuantifierNode): boolean {
  return node.kind === 'greedy' && node.min <= 1 && node.max === Number.POSITIVE_INFINITY;
}
