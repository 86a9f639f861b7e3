/**
 * Queries and explanations as the Lucene of version 7.10 prints them: a later one says more of some, and says it of others in another order.
 */

const PAIR = 'IndexOrDocValuesQuery(indexQuery=';

/** The text with what only later versions print taken away. */
export function olderText(text) {
  return withoutPairs(text)
    .replaceAll(
      /place:INTERSECTS:geometries\(\[CIRCLE\(\[([^\]]*)\] radius = ([\d.E]+) meters\)\]\)/g,
      'place:$1 +/- $2 meters',
    )
    .replaceAll(/place:INTERSECTS:geometries\(\[(.*?) \]\)/g, 'place:[$1]')
    .replaceAll(/\] ,\]/g, ']]')
    .replaceAll(/LatLonPointQuery: field=/g, '');
}

/** Queries over points and columns at once are told by their points alone. */
function withoutPairs(text) {
  for (let from = text.indexOf(PAIR); from >= 0; from = text.indexOf(PAIR)) {
    const parts = partsOf(text, from + PAIR.length);
    if (parts === null) return text;
    text = text.slice(0, from) + parts.index + text.slice(parts.end);
  }
  return text;
}

function partsOf(text, from) {
  let depth = 0;
  let index = null;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && depth-- === 0) return index === null ? null : { index, end: at + 1 };
    else if (depth === 0 && index === null && text.startsWith(', dvQuery=', at)) index = text.slice(from, at);
  }
  return null;
}

/** The text with the words of every list of choices in one order: later versions print them by their hashes. */
export function orderedText(text) {
  return text
    .split(/[\s|(),[\]]+/)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}

/** Whether the texts differ in that the second tells best-of queries with a tie breaker of 1 as sums, in whatever order. */
export function isSumOfBest(older, later) {
  const bare = older.replaceAll(/\)~1\.0(?![\d])/g, ')');
  return bare !== older && orderedText(bare) === orderedText(later);
}

/** Whether the texts differ in that the second tells optional clauses as required ones where so many have to match. */
export function isAllRequired(older, later) {
  let required = 0;
  const bare = older.replaceAll(/\)~(\d+)(?![\d.])/g, (_, count) => {
    required += Number(count);
    return ')';
  });
  const pluses = (text) => text.split('+').length - 1;
  if (required === 0 || pluses(later) !== pluses(bare) + required) return false;
  const plain = (text) => orderedText(text.replaceAll('+', ' '));
  return plain(bare) === plain(later);
}
