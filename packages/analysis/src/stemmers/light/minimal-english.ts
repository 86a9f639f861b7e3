/**
 * Minimal English stemmer: plurals in s.
 *
 * @see Harman, "How effective is suffixing?" (1991), the "s-stemmer"
 */
export function stemMinimalEnglish(word: string): string {
  const { length } = word;
  if (length < 3 || !word.endsWith('s')) return word;
  const before = word[length - 2] ?? '';
  if (before === 'u' || before === 's') return word;
  if (before !== 'e') return word.slice(0, -1);
  const third = word[length - 3] ?? '';
  if (length > 3 && third === 'i' && !/[ae]/.test(word[length - 4] ?? '')) return `${word.slice(0, -3)}y`;
  if (third === 'i' || third === 'a' || third === 'o' || third === 'e') return word;
  return word.slice(0, -1);
}
