/**
 * Light Hindi stemmer: the inflections of nouns, adjectives and verbs, longest first.
 *
 * @see Ramanathan and Rao, "A Lightweight Stemmer for Hindi" (2003)
 */
import { applyFirst, endingRules } from './suffixes/ending-rules.ts';

const ENDINGS = [
  ...endingRules(6, 'ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां'),
  ...endingRules(5, 'ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां'),
  ...endingRules(4, 'ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं'),
  ...endingRules(3, 'कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें'),
  ...endingRules(2, 'ो े ू ु ी ि ा'),
];

export function stemHindi(word: string): string {
  return applyFirst(word, ENDINGS) ?? word;
}
