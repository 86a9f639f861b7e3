/**
 * A word whose letters are looked at from any place, also beyond its ends.
 */

/** What is heard at a place of a word, and how many letters it takes. */
export interface Sounds {
  readonly primary: string;
  readonly alternate: string;
  readonly length: number;
}

/** The same for both ways to say a word. */
export function heard(code: string, length: number): Sounds {
  return { primary: code, alternate: code, length };
}

export function heardTwice(primary: string, alternate: string, length: number): Sounds {
  return { primary, alternate, length };
}

export class PhoneticWord {
  /** In upper case. */
  readonly letters: string;
  /** Written as Slavic or Germanic names are. */
  readonly isSlavoGermanic: boolean;
  /** Written as Dutch or German names are. */
  readonly isGermanic: boolean;

  constructor(letters: string) {
    this.letters = letters;
    this.isSlavoGermanic = /[WK]|CZ|WITZ/.test(letters);
    this.isGermanic = /^(?:V[AO]N |SCH)/.test(letters);
  }

  /** Empty outside of the word. */
  at(index: number): string {
    return this.letters.charAt(index);
  }

  isVowel(index: number): boolean {
    return this.has(index, 'A', 'E', 'I', 'O', 'U', 'Y');
  }

  isLast(index: number): boolean {
    return index === this.letters.length - 1;
  }

  /** One of the texts stands at `index`. Before the word nothing stands. */
  has(index: number, ...texts: readonly string[]): boolean {
    return index >= 0 && texts.some((text) => this.letters.startsWith(text, index));
  }
}
