/**
 * The plain forms of a token filter: each term replaced, or some dropped.
 */
import type { TokenConsumer } from './token-consumer.ts';
import type { TokenFilter } from './token-stage.ts';

/** A filter that replaces each letter by others, and so fits parts of words too. */
export function mapLetters(name: string, map: (text: string) => string): TokenFilter {
  return { ...mapTerms(name, map), normalize: map };
}

/** A filter that replaces each term by another. */
export function mapTerms(name: string, map: (term: string) => string): TokenFilter {
  return {
    name,
    into: (next) => (term, start, end, increment, type, attributes) =>
      next(map(term), start, end, increment, type, attributes),
  };
}

/** A filter that replaces each term by its stem; terms that are marked as keywords stay. */
export function stemTerms(name: string, stem: (term: string) => string): TokenFilter {
  return {
    name,
    shows: ['keyword'],
    into: (next) => (term, start, end, increment, type, attributes) =>
      next(attributes?.isKeyword === true ? term : stem(term), start, end, increment, type, attributes),
  };
}

/** A filter of letters that leaves terms as they are which are marked as keywords. */
export function mapLettersOfWords(name: string, map: (text: string) => string): TokenFilter {
  return { ...stemTerms(name, map), normalize: map };
}

/** A filter that drops terms: the next one that passes keeps its distance to the one before. */
export function dropTerms(name: string, isDropped: (term: string) => boolean): TokenFilter {
  return { name, into: (next) => droppingConsumer(next, isDropped) };
}

function droppingConsumer(next: TokenConsumer, isDropped: (term: string) => boolean): TokenConsumer {
  let skipped = 0;
  return (term, start, end, increment, type, attributes) => {
    if (isDropped(term)) {
      skipped += increment;
      return;
    }
    next(term, start, end, increment + skipped, type, attributes);
    skipped = 0;
  };
}
