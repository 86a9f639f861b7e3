/**
 * Names that a script gives values to, found before it is parsed: whether `x -1` is a difference or a call of `x` depends on
 * whether `x` is a variable.
 *
 * Found by the look of the text alone. A name too many is harmless unless a method of that name is called without brackets.
 */

const ASSIGNED = /(?<![.@$\w:&])([a-z_]\w*)(?=[ \t]*(?:\|\||&&|\*\*|<<|>>|[-+*/%|&^])?=(?![=~>]))/g;
const ASSIGNED_TOGETHER = /(?<![.@$\w:])\*?[a-z_]\w*(?:[ \t]*,[ \t]*\*?[a-z_]\w*)+[ \t]*=(?![=~>])/g;
const BLOCK_PARAMETERS = /(?:\{|\bdo)\s*\|([^|]*)\|/g;
const METHOD_PARAMETERS = /\bdef\s+(?:self\.)?[A-Za-z_]\w*[?!=]?[ \t]*(?:\(([^)]*)\)|([^\n;]*))/g;
const LAMBDA_PARAMETERS = /->\s*(?:\(([^)]*)\)|([^{\n]*?)\s*(?:\{|\bdo\b))/g;
const LOOP_VARIABLES = /\bfor\s+([\w\s,]+?)\s+in\b/g;
const RESCUED = /=>\s*([a-z_]\w*)/g;
const PARAMETER = /(?<![.@$\w:])([a-z_]\w*)/g;

export function assignedNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const match of text.matchAll(ASSIGNED)) names.add(match[1] ?? '');
  for (const pattern of [BLOCK_PARAMETERS, METHOD_PARAMETERS, LAMBDA_PARAMETERS, LOOP_VARIABLES]) {
    for (const match of text.matchAll(pattern)) addAll(names, match[1] ?? match[2] ?? '');
  }
  for (const match of text.matchAll(ASSIGNED_TOGETHER)) addAll(names, match[0]);
  for (const match of text.matchAll(/\brescue\b[^\n]*/g)) {
    for (const name of match[0].matchAll(RESCUED)) names.add(name[1] ?? '');
  }
  return names;
}

function addAll(names: Set<string>, list: string): void {
  for (const match of list.matchAll(PARAMETER)) names.add(match[1] ?? '');
}
