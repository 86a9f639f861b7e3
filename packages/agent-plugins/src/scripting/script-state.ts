/**
 * Whether the body of a script could keep something from one call to the next, judged by its words alone. Pure.
 *
 * Only a body of plain statements over its arguments, its own variables and calls of the language's functions is free of
 * state for sure; whatever is not understood counts as keeping some. It is no border of security.
 */

const KEYWORDS = words(`const let var if else for of in return true false null undefined new typeof while break continue
  switch case default try catch finally throw NaN Infinity`);
/** Only called, or asked for a constant: nothing is put on them. */
const BUILTINS = words('Math JSON Number String Boolean Date Array Object parseInt parseFloat isNaN isFinite');
/** Ways from a value to what all values share. */
const SHARED_PROPERTIES = words('constructor prototype __proto__ caller callee setPrototypeOf defineProperty');
/** Templates, comments, regular expressions and escapes would need a real reader. */
const UNREADABLE = /[`/\\]/;
const TOKEN = /(?<dot>\.\s*)?(?<word>[A-Za-z_$][\w$]*)|(?<brace>[{}])/g;
const USE_OF_BUILTIN = /^\s*(?:\.\s*\w+\s*)?\(|^\s*\.\s*[A-Z][A-Z0-9_]*\b(?!\s*(?:=[^=]|[-+*%&|^]))/;
const DECLARATION = /(?:const|let|var)\s+$/;
const KEY = /^\s*:/;

export function mayKeepState(body: string, parameters: readonly string[]): boolean {
  if (UNREADABLE.test(body)) return true;
  const text = body.replace(/'[^'\n]*'|"[^"\n]*"/g, '0');
  const scopes: Set<string>[] = [new Set(parameters)];
  for (const match of text.matchAll(TOKEN)) {
    const { dot, word, brace } = match.groups ?? {};
    if (brace === '{') scopes.push(new Set());
    else if (brace === '}') scopes.pop();
    else if (word !== undefined) {
      const place = { before: text.slice(0, match.index), after: text.slice(match.index + match[0].length) };
      if (dot !== undefined ? SHARED_PROPERTIES.has(word) : !isHarmless(word, place, scopes)) return true;
    }
  }
  return false;
}

function isHarmless(
  word: string,
  { before, after }: { readonly before: string; readonly after: string },
  scopes: readonly Set<string>[],
): boolean {
  if (DECLARATION.test(before)) {
    scopes.at(-1)?.add(word);
    return true;
  }
  if (KEYWORDS.has(word) || scopes.some((scope) => scope.has(word))) return true;
  if (BUILTINS.has(word)) return USE_OF_BUILTIN.test(after);
  return KEY.test(after) && !SHARED_PROPERTIES.has(word);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
