/**
 * Character classes that V8 takes under flag `u`: intersections and negated sets inside negated ones become lookaheads and
 * branches of one character. Flag `v` could say them, but repeats groups wrongly on Node 20.
 */
import {
  type AlternativeElementNode,
  type AlternativeNode,
  type CharacterClassElementNode,
  type CharacterClassNode,
  createAlternative,
  createCharacterClass,
  createCharacterSet,
  createGroup,
  createLookaroundAssertion,
  type GroupNode,
  type OnigurumaAst,
  type QuantifierNode,
} from 'oniguruma-parser/parser';

/** Sets whose negation is a set of its own in V8: `\P{L}`. */
const NEGATABLE: readonly string[] = ['property', 'posix'];

export function withPlainClasses(tree: OnigurumaAst): OnigurumaAst {
  return { ...tree, body: tree.body.map(alternative) };
}

function alternative(node: AlternativeNode): AlternativeNode {
  return createAlternative({ body: node.body.map(element) });
}

function element(node: AlternativeElementNode): AlternativeElementNode {
  switch (node.type) {
    case 'CharacterClass':
      return needsGroup(node) ? classAsGroup(node) : node;
    case 'Quantifier':
      return { ...node, body: element(node.body) as QuantifierNode['body'] };
    case 'Group':
    case 'CapturingGroup':
    case 'LookaroundAssertion':
    case 'AbsenceFunction':
      return { ...node, body: node.body.map(alternative) };
    default:
      return node;
  }
}

function needsGroup(node: CharacterClassNode): boolean {
  if (node.kind === 'intersection' && node.body.length > 1) return true;
  return node.body.some((part) => {
    const isNegated = (part.type === 'CharacterClass' || part.type === 'CharacterSet') && part.negate === true;
    if (isNegated && node.negate && !(part.type === 'CharacterSet' && NEGATABLE.includes(part.kind))) return true;
    return part.type === 'CharacterClass' && needsGroup(part);
  });
}

function classAsGroup(node: CharacterClassNode): GroupNode {
  const members = node.kind === 'intersection' ? [intersectionOf(node)] : unionOf(node);
  const body = members.map((parts) => createAlternative({ body: [...parts] }));
  if (!node.negate) return createGroup({ body });
  const none = createLookaroundAssertion({ negate: true, body });
  return createGroup({ body: [createAlternative({ body: [none, createCharacterSet('any')] })] });
}

/** All but the last part are looked at only, so that one character is taken. */
function intersectionOf(node: CharacterClassNode): readonly AlternativeElementNode[] {
  const parts = node.body.map(partAsElement);
  return parts.map((part, index) =>
    index === parts.length - 1 ? part : createLookaroundAssertion({ body: [createAlternative({ body: [part] })] }),
  );
}

function unionOf(node: CharacterClassNode): readonly (readonly AlternativeElementNode[])[] {
  const isComplex = (part: CharacterClassElementNode): boolean => part.type === 'CharacterClass' && needsGroup(part);
  const plain = node.body.filter((part) => !isComplex(part));
  const complex = node.body.filter(isComplex).map((part) => [partAsElement(part)]);
  return plain.length === 0 ? complex : [[createCharacterClass({ body: plain })], ...complex];
}

function partAsElement(part: CharacterClassElementNode): AlternativeElementNode {
  if (part.type === 'CharacterClass') return needsGroup(part) ? classAsGroup(part) : part;
  return createCharacterClass({ body: [part] });
}
