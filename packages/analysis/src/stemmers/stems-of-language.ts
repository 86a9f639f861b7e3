/**
 * Stemmers by the names that the token filter `stemmer` has for them.
 */
import { stemBengali } from './bengali.ts';
import { stemBrazilian } from './brazilian.ts';
import { stemBulgarian } from './bulgarian.ts';
import { stemCzech } from './czech.ts';
import { stemDutchKp } from './dutch-kp.ts';
import { stemGalician, stemMinimalGalician } from './galician.ts';
import { stemGreek } from './greek.ts';
import { stemHindi } from './hindi.ts';
import { stemIndonesian } from './indonesian.ts';
import { stemKrovetz } from './krovetz/kstem.ts';
import { stemLatvian } from './latvian.ts';
import { stemLightArabic } from './light/light-arabic.ts';
import { stemLightFinnish } from './light/light-finnish.ts';
import { stemLightFrench } from './light/light-french.ts';
import { stemLightGerman } from './light/light-german.ts';
import { stemLightHungarian } from './light/light-hungarian.ts';
import { stemLightItalian } from './light/light-italian.ts';
import { stemLightNorwegian } from './light/light-norwegian.ts';
import { stemLightNynorsk } from './light/light-nynorsk.ts';
import { stemLightPortuguese } from './light/light-portuguese.ts';
import { stemLightRussian } from './light/light-russian.ts';
import { stemLightSpanish } from './light/light-spanish.ts';
import { stemLightSwedish } from './light/light-swedish.ts';
import { stemMinimalEnglish } from './light/minimal-english.ts';
import { stemMinimalFrench } from './light/minimal-french.ts';
import { stemMinimalGerman } from './light/minimal-german.ts';
import { stemMinimalNorwegian, stemMinimalNynorsk } from './light/minimal-norwegian.ts';
import { stemLithuanian } from './lithuanian.ts';
import { porterStem } from './porter-stemmer.ts';
import { stemMinimalPortuguese, stemPortugueseRslp } from './portuguese-rslp.ts';
import { snowballStems } from './snowball-stems.ts';
import { stemSorani } from './sorani.ts';

type Stem = (word: string) => string;

/** Names without underscores: `light_french` is also written `lightFrench`. */
const STEMS: ReadonlyMap<string, Stem> = new Map([
  ['arabic', stemLightArabic],
  ['bengali', stemBengali],
  ['brazilian', stemBrazilian],
  ['bulgarian', stemBulgarian],
  ['czech', stemCzech],
  ['dutchkp', stemDutchKp],
  ['english', porterStem],
  ['galician', stemGalician],
  ['greek', stemGreek],
  ['hindi', stemHindi],
  ['indonesian', stemIndonesian],
  ['latvian', stemLatvian],
  ['kstem', stemKrovetz],
  ['lightenglish', stemKrovetz],
  ['lightfinish', stemLightFinnish],
  ['lightfinnish', stemLightFinnish],
  ['lightfrench', stemLightFrench],
  ['lightgerman', stemLightGerman],
  ['lighthungarian', stemLightHungarian],
  ['lightitalian', stemLightItalian],
  ['lightnorwegian', stemLightNorwegian],
  ['lightnynorsk', stemLightNynorsk],
  ['lightportuguese', stemLightPortuguese],
  ['lightrussian', stemLightRussian],
  ['lightspanish', stemLightSpanish],
  ['lightswedish', stemLightSwedish],
  ['lithuanian', stemLithuanian],
  ['minimalenglish', stemMinimalEnglish],
  ['minimalfrench', stemMinimalFrench],
  ['minimalgalician', stemMinimalGalician],
  ['minimalgerman', stemMinimalGerman],
  ['minimalnorwegian', stemMinimalNorwegian],
  ['minimalnynorsk', stemMinimalNynorsk],
  ['minimalportuguese', stemMinimalPortuguese],
  ['porter', porterStem],
  ['portugueserslp', stemPortugueseRslp],
  ['sorani', stemSorani],
]);

/** Stems in one cache; natural text repeats its words, so a small cache saves nearly all the work. */
const STEM_CACHE_MAX = 20_000;

/** @returns a stemmer that remembers its last words; null when there is none of this name */
export function stemsOfLanguage(name: string): Stem | null {
  const plain = name.toLowerCase().replaceAll('_', '');
  const stem = plain === 'porter2' ? snowballStems('english') : (STEMS.get(plain) ?? snowballStems(plain));
  return stem === null ? null : cachedStems(stem);
}

export function cachedStems(stem: Stem): Stem {
  const cache = new Map<string, string>();
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const made = stem(word);
    if (cache.size >= STEM_CACHE_MAX) cache.clear();
    cache.set(word, made);
    return made;
  };
}
