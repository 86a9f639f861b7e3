/**
 * Wildcard patterns on terms: `*` any run, `?` one character, `\` takes the next one literally.
 */

type Part = { readonly kind: 'any' } | { readonly kind: 'one' } | { readonly kind: 'literal'; readonly c: string };

/** Tests terms in time linear in pattern times term: no pattern runs away. */
export function wildcardMatcher(pattern: string, ignoresCase: boolean): (term: Uint8Array) => boolean {
  const parts = partsOf(ignoresCase ? pattern.toLowerCase() : pattern);
  const decoder = new TextDecoder();
  return (term) => {
    const text = decoder.decode(term);
    return matches(parts, [...(ignoresCase ? text.toLowerCase() : text)]);
  };
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i] ?? '';
    if (c === '*') parts.push({ kind: 'any' });
    else if (c === '?') parts.push({ kind: 'one' });
    else if (c === '\\' && i + 1 < characters.length) parts.push({ kind: 'literal', c: characters[++i] ?? '' });
    else parts.push({ kind: 'literal', c });
  }
  return parts;
}

/** Greedy with one point of return: after a later star an earlier one never needs to give back. */
function matches(parts: readonly Part[], text: readonly string[]): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let starText = 0;
  while (t < text.length) {
    const part = parts[p];
    if (part?.kind === 'any') {
      star = p++;
      starText = t;
    } else if (part && (part.kind === 'one' || part.c === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++starText;
    } else return false;
  }
  while (parts[p]?.kind === 'any') p++;
  return p === parts.length;
}
