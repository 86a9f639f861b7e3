/**
 * How far two names are apart, to say which one was probably meant.
 *
 * Damerau–Levenshtein in its restricted form: insertions, deletions, replacements and swaps of neighbours cost one each,
 * and no part is edited twice.
 */

/**
 * @param a a text, or its letters where they are not its UTF-16 units
 * @param swaps whether two neighbours that changed places count as one change
 */
export function editDistance(a: string | readonly string[], b: string | readonly string[], swaps = true): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Names more alike than this, as a share of the longer one, are worth suggesting; with the rounding of Elasticsearch. */
const LIKENESS_MIN = 0.7;
const SUGGESTIONS_MAX = 3;

/** Those of `names` that are near `name`, the nearest first; equally near ones by name. */
export function nearestNames(
  name: string,
  names: Iterable<string>,
  likenessMin: number = LIKENESS_MIN,
): readonly string[] {
  const near: { readonly name: string; readonly likeness: number }[] = [];
  for (const candidate of names) {
    const likeness = 1 - editDistance(name, candidate) / Math.max(name.length, candidate.length, 1);
    if (Math.fround(likeness) > Math.fround(likenessMin)) near.push({ name: candidate, likeness });
  }
  near.sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1));
  return near.slice(0, SUGGESTIONS_MAX).map((entry) => entry.name);
}
