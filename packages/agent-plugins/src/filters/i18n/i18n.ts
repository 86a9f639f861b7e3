/**
 * i18n: letters of Latin scripts in ASCII; a question mark for everything else that ASCII has not.
 */
import type { EventValue } from '@shoal/agent-event';
import { compileFieldName, type PluginDefinition } from '@shoal/agent-plugin-kit';

/** Letters that are no ASCII letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Ø: 'O',
  ø: 'o',
  Þ: 'Th',
  þ: 'th',
  ß: 'ss',
  ẞ: 'SS',
  '×': 'x',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: "'n",
  Ŋ: 'NG',
  ŋ: 'ng',
  Œ: 'OE',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
};
const UNKNOWN = '?';
/** Last letter of Latin Extended-A: further ones have no approximation upstream either. */
const LATIN_MAX = 'ž';

export const i18nFilter: PluginDefinition = {
  kind: 'filter',
  name: 'i18n',
  version: '3.0.3',
  isStateless: true,
  options: { transliterate: { type: 'array', default: [] } },
  create: (options, context) => {
    const fields = options.strings('transliterate').map((name) => compileFieldName(name, context));
    return {
      filter: (event) => {
        for (const field of fields) {
          const reference = field(event);
          const value = event.get(reference);
          if (typeof value === 'string') event.set(reference, transliterated(value));
          else if (Array.isArray(value)) event.set(reference, value.map(transliteratedItem));
        }
        return 'matched';
      },
    };
  },
};

function transliteratedItem(value: EventValue): EventValue {
  return typeof value === 'string' ? transliterated(value) : value;
}

function transliterated(text: string): string {
  return text.normalize('NFC').replace(/[^\0-\x7f]/gu, approximation);
}

function approximation(letter: string): string {
  const known = LETTERS[letter];
  if (known !== undefined) return known;
  const base = letter <= LATIN_MAX ? letter.normalize('NFD').charAt(0) : '';
  return /^[A-Za-z]$/.test(base) ? base : UNKNOWN;
}
