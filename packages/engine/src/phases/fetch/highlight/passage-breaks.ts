/**
 * Where fragments of a text may begin and end: at sentences, words, or any of some characters.
 *
 * Sentences up to a size are what Elasticsearch's unified highlighter shows by default: short ones are joined while they
 * fit, one that is too long is cut at words around what is marked.
 */

/** The fragment around a mark. Asked in the order of the text. */
export interface PassageBreaks {
  /** `offset` of the first character of a mark; the answer holds it. */
  around(offset: number): { readonly from: number; readonly to: number };
}

/** Splits one text; positions are of that text. */
export interface TextSplitter {
  /** Last boundary before the offset, 0 at least. */
  preceding(offset: number): number;
  /** First boundary behind the offset; -1 when there is none. */
  following(offset: number): number;
}

export type SplitText = (text: string) => TextSplitter;

/** Words of a language by the rules of Unicode; the segmenter is made once a request. */
export function segmenterSplit(locale: string | null): SplitText {
  const segmenter = new Intl.Segmenter(locale ?? 'und', { granularity: 'word' });
  return (text) => {
    const segments = segmenter.segment(text);
    return {
      preceding: (offset) => (offset <= 0 ? 0 : (segments.containing(offset - 1)?.index ?? 0)),
      following(offset) {
        const found = segments.containing(Math.max(0, offset));
        return found === undefined ? -1 : found.index + found.segment.length;
      },
    };
  };
}

/** The whole text is one fragment. */
export function wholeText(text: string): PassageBreaks {
  return { around: () => ({ from: 0, to: text.length }) };
}

/** One sentence, or one word, is a fragment. */
export function unboundedBreaks(text: string, split: SplitText): PassageBreaks {
  const splitter = split(text);
  return {
    around(offset) {
      const to = splitter.following(offset);
      return { from: splitter.preceding(offset + 1), to: to < 0 ? text.length : to };
    },
  };
}

/** Sentences together up to `size`; one that is longer is cut at words, the mark near its middle at best. */
export function boundedBreaks(text: string, sentences: SplitText, words: SplitText, size: number): PassageBreaks {
  const outer = sentences(text);
  const inner = words(text);
  let windowFrom = -1;
  let windowTo = -1;
  let from = -1;
  let to = 0;
  const openWindow = (offset: number): void => {
    windowFrom = from = outer.preceding(offset + 1);
    const end = outer.following(offset);
    windowTo = to = end < 0 ? text.length : end;
    while (to - from < size) {
      const next = outer.following(to);
      if (next < 0 || next - from > size) break;
      windowTo = to = next;
    }
  };
  return {
    around(offset) {
      if (offset + 1 > windowFrom && offset + 1 < windowTo && windowFrom >= 0) {
        from = to;
        to = windowTo;
      } else openWindow(offset);
      if (to - from > size) {
        if (offset + 1 - size > from) from = Math.max(from, inner.preceding(offset + 1 - size));
        const remaining = Math.max(0, size - (offset + 1 - from));
        if (offset + 1 + remaining < windowTo) {
          const next = inner.following(offset + 1 + remaining);
          to = next < 0 ? windowTo : Math.min(windowTo, next);
        }
      }
      return { from: Math.min(from, offset), to: Math.max(to, offset + 1) };
    },
  };
}
