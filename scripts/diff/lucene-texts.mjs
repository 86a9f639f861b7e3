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
    .sort()
    .join(' ');
}
