/**
 * Which query a misspelt name was probably meant to be.
 */

/** Edits that a guess may be away. */
const EDITS_MAX = 2;
/** Shorter names are near too many others. */
const NAME_LENGTH_MIN = 4;

/** The nearest of `names`, of equally near ones the first in the alphabet; null when none is near. */
export function nearestQueryName(name: string, names: Iterable<string>): string | null {
  if (name.length < NAME_LENGTH_MIN) return null;
  let best: string | null = null;
  let bestEdits = EDITS_MAX + 1;
  for (const known of names) {
    if (Math.abs(known.length - name.length) > EDITS_MAX) continue;
    const edits = levenshteinDistance(known, name);
    if (edits < bestEdits || (edits === bestEdits && best !== null && known < best)) {
      best = known;
      bestEdits = edits;
    }
  }
  return best;
}

/** Insertions, deletions and replacements; a swap counts as two, as in Elasticsearch's suggestions. */
function levenshteinDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
