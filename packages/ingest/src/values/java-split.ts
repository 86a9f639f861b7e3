/** Texts cut as `String.split` of Java cuts them. */
import type { JavaPattern } from '@shoal/analysis';

/**
 * @param limit parts at most, the last of them with the rest; 0: any number, empty ones at the end left out; -1: any number
 */
export function javaSplit(text: string, pattern: JavaPattern, limit: number): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let isCut = false;
  for (const match of pattern.matches(text)) {
    if (limit > 0 && parts.length === limit - 1) break;
    const end = match.index ?? 0;
    // A match of nothing at the very beginning cuts nothing off.
    if (end === 0 && match[0] === '') continue;
    parts.push(text.slice(from, end));
    from = end + match[0].length;
    isCut = true;
  }
  parts.push(text.slice(from));
  if (limit === 0 && isCut) while (parts.at(-1) === '') parts.pop();
  return parts;
}
