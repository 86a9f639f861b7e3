import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { i18nFilter } from './i18n.ts';

const run = async (a: unknown) => (await runFilter(i18nFilter, { transliterate: ['a', 'b'] }, { a })).event.a;

test.each([
  ['Ålesund, Tromsø & Æsir', 'Alesund, Tromso & AEsir'],
  ['Straße Łódź Žižkov Œuvre', 'Strasse Lodz Zizkov OEuvre'],
  ['e\u0301te\u0301', 'ete'],
  ['3 × 4 ÷ 2', '3 x 4 ? 2'],
  ['Ελλάδα 🙂', '?????? ?'],
  [
    ['é', 5, 'ñ'],
    ['e', 5, 'n'],
  ],
  [7, 7],
])('%j in ASCII is %j', async (value, expected) => {
  expect(await run(value)).toEqual(expected);
});
