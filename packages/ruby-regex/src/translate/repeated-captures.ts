/**
 * Captures inside repeated groups, as Ruby keeps them: each holds what it matched last, in whatever round. V8 forgets at the
 * start of each round what the rounds before it captured.
 *
 * Only patterns with a capture that a round may leave out are looked at again, and only where they matched: the text of the
 * repetition is gone through round by round.
 */
import { generate } from 'oniguruma-parser/generator';
import {
  type AlternativeElementNode,
  type AlternativeNode,
  createAlternative,
  createCapturingGroup,
  type OnigurumaAst,
  type QuantifierNode,
} from 'oniguruma-parser/parser';
import { withPlainClasses } from './plain-classes.ts';

/** Translates a pattern of numbered groups; throws for what is none alone, such as a reference to a group outside of it. */
export type TranslatePart = (source: string) => { readonly pattern: string; readonly flags: string };

/** Hands over what each named group, by its index, matched last. */
export type RestoreCaptures = (text: string, write: (index: number, value: string) => void) => void;

interface Repetition {
  /** Name of the group put around all rounds. */
  readonly span: string;
  readonly round: RegExp;
  /** Positions of the named groups in it. */
  readonly groups: readonly number[];
}

/** null when no capture of the pattern can be lost. @param tree of a pattern whose named groups are `g0`, `g1`, … */
export function restoreCaptures(tree: OnigurumaAst, translate: TranslatePart): RestoreCaptures | null {
  const found: QuantifierNode[] = [];
  const spanned = tree.body.map((branch) => alternative(branch, found));
  if (found.length === 0) return null;
  try {
    const { pattern, flags } = translate(sourceOf({ ...tree, body: spanned }));
    const whole = new RegExp(pattern, `${flags}d`);
    const repetitions = found.map((node, index) => repetitionOf(tree, node, index, translate));
    return (text, write) => {
      const spans = whole.exec(text)?.indices?.groups;
      if (spans === undefined) return;
      for (const repetition of repetitions) walk(text, repetition, spans[repetition.span], write);
    };
  } catch {
    // A round that means nothing alone keeps what V8 says of it.
    return null;
  }
}

function sourceOf(tree: OnigurumaAst): string {
  return generate(withPlainClasses(tree)).pattern;
}

function repetitionOf(tree: OnigurumaAst, node: QuantifierNode, index: number, translate: TranslatePart): Repetition {
  const { pattern, flags } = translate(sourceOf({ ...tree, body: [createAlternative({ body: [node.body] })] }));
  const groups = [...new Set(namedGroups(node.body))];
  return { span: spanName(index), round: new RegExp(pattern, `${flags}y`), groups };
}

function spanName(index: number): string {
  return `rounds${index}`;
}

/** The rounds follow each other as they are first tried. Where that does not end with the repetition, nothing is written. */
function walk(
  text: string,
  { round, groups }: Repetition,
  span: readonly [number, number] | undefined,
  write: (index: number, value: string) => void,
): void {
  if (span === undefined) return;
  const last = new Map<number, string>();
  round.lastIndex = span[0];
  while (round.lastIndex < span[1]) {
    const from = round.lastIndex;
    const captured = round.exec(text);
    if (captured === null || round.lastIndex === from || round.lastIndex > span[1]) return;
    for (const index of groups) {
      const value = captured.groups?.[`g${index}`];
      if (value !== undefined) last.set(index, value);
    }
  }
  for (const [index, value] of last) write(index, value);
}

function alternative(node: AlternativeNode, found: QuantifierNode[]): AlternativeNode {
  return createAlternative({ body: node.body.map((part) => element(part, found)) });
}

function element(node: AlternativeElementNode, found: QuantifierNode[]): AlternativeElementNode {
  if (node.type === 'Quantifier') {
    if (node.max > 1 && mayLeaveOut(node.body)) {
      const name = spanName(found.push(node) - 1);
      return createCapturingGroup(0, { name, body: [createAlternative({ body: [node] })] });
    }
    return { ...node, body: element(node.body, found) as QuantifierNode['body'] };
  }
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return node;
  return { ...node, body: node.body.map((branch) => alternative(branch, found)) };
}

/** Whether there is a named group in a choice or behind a `?`. */
function mayLeaveOut(node: AlternativeElementNode): boolean {
  if (node.type === 'Quantifier') return node.min === 0 ? namedGroups(node).length > 0 : mayLeaveOut(node.body);
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return false;
  if (node.body.length > 1) return node.body.some((branch) => branch.body.some((part) => namedGroups(part).length > 0));
  return node.body.some((branch) => branch.body.some(mayLeaveOut));
}

function namedGroups(node: AlternativeElementNode): readonly number[] {
  if (node.type === 'Quantifier') return namedGroups(node.body);
  if (node.type !== 'Group' && node.type !== 'CapturingGroup' && node.type !== 'LookaroundAssertion') return [];
  const inside = node.body.flatMap((branch) => branch.body.flatMap(namedGroups));
  const number = node.type === 'CapturingGroup' ? /^g(\d+)$/.exec(node.name ?? '')?.[1] : undefined;
  return number === undefined ? inside : [Number(number), ...inside];
}
