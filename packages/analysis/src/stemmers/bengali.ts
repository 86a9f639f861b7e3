/**
 * Stemmer of Bengali: the longest ending of a verb or noun goes.
 */

/** Endings, longest first; those of Lucene's stemmer. */
const ENDINGS: readonly string[] = [
  'িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা',
  'িয়াছিলি য়েদেরকে িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি',
  'িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো',
  'গুলি য়েরা েদের লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে',
  'ইবে ছেন য়োন য়ের েরা দের িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে ি ী া ো ে',
  'ব ত',
].flatMap((line) => line.split(' '));

/** Letters that are left of a word at least. */
const STEM_MIN = 2;

export function stemBengali(word: string): string {
  const ending = ENDINGS.find((text) => word.length >= text.length + STEM_MIN && word.endsWith(text));
  return ending === undefined ? word : word.slice(0, word.length - ending.length);
}
