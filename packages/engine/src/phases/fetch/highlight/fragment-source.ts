/**
 * Text that fragments of the fast vector highlighter are cut from: values one after another, each with a space behind it, taken in
 * as far as the fragments so far reach.
 *
 * What has been taken in decides where a fragment ends: a boundary is looked for in it, and where nothing of it is left, the fragment ends
 * in front of its last space. Boundaries are those of Lucene's scanners, which know no values: a sentence that its value does not end
 * goes on in the next one.
 */
import type { Passage } from './choose-passages.ts';
import type { FieldText } from './marked-text.ts';
import type { SplitText } from './passage-breaks.ts';

/** Where a fragment begins and ends beyond what it was cut to. */
export interface PassageEdges {
  /** Start in the text in front of the cut. */
  start(before: string): number;
  /** Units that the fragment goes on into the text behind its cut. */
  end(behind: string): number;
}

/** Behind or before one of the characters, if there is one near enough. */
export function characterEdges(characters: string, scanMax: number): PassageEdges {
  return {
    start(before) {
      const least = Math.max(0, before.length - scanMax);
      for (let at = before.length; at > least; at--) if (characters.includes(before[at - 1] ?? '')) return at;
      return least === 0 ? 0 : before.length;
    },
    end(behind) {
      const most = Math.min(behind.length, scanMax);
      for (let at = 0; at < most; at++) if (characters.includes(behind[at] ?? '')) return at;
      return 0;
    },
  };
}

/** At boundaries of sentences or words. */
export function breakEdges(split: SplitText): PassageEdges {
  return {
    start: (before) => split(before).preceding(before.length),
    end: (behind) => split(behind).following(0),
  };
}

export class FragmentSource {
  readonly text: string;
  private readonly starts: readonly number[];
  private readonly edges: PassageEdges;
  private valueCount = 0;
  private length = 0;

  constructor({ text, starts }: FieldText, edges: PassageEdges) {
    const ends = [...starts.slice(1), text.length + 1];
    this.text = starts.map((start, i) => `${text.slice(start, (ends[i] ?? 0) - 1)} `).join('');
    this.starts = starts;
    this.edges = edges;
  }

  /** The passage between the boundaries next to its ends; asked in the order in which fragments are shown. */
  resolve(passage: Passage): Passage {
    const { marks } = passage;
    const end = this.end(passage.to);
    const start = passage.from < 1 ? passage.from : this.edges.start(this.text.slice(0, passage.from));
    const from = Math.min(start, marks[0]?.start ?? start);
    return { ...passage, from, to: Math.max(end, ...marks.map((mark) => mark.end)) };
  }

  /** Where a fragment that is cut at `to` ends. */
  end(to: number): number {
    while (this.length < to && this.valueCount < this.starts.length) {
      this.valueCount++;
      this.length = this.starts[this.valueCount] ?? this.text.length;
    }
    const last = this.length - 1;
    return last < to ? last : to + this.edges.end(this.text.slice(to, this.length));
  }
}
