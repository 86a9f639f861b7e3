/**
 * Estonian stemmer: the forms of irregular verbs by a list, then clitics, endings of verbs or else those of nouns.
 *
 * All endings must stand in R1, the region behind the first consonant that follows a vowel.
 *
 * @see Freienthal, Estonian stemmer of the Snowball project, version 1.3 (2019)
 */

const VOWEL = '[aeiouõäöü]';
const LONG_VOWEL = '(?:aa|ee|ii|oo|uu|ää|öö|üü|õõ)';
/** What stands before the endings of most cases. */
const BEFORE_CASE = new RegExp(`(?:[aeiou]|${LONG_VOWEL})$`);
const ENDS_IN_VOWEL = new RegExp(`${VOWEL}$`);
const ENDS_IN_LONG_VOWEL = new RegExp(`${LONG_VOWEL}$`);
const ENDS_IN_SHORT_A_TO_U = /[aeiou]$/;

/** What a rule makes of the word: null where it does not hold. */
type Rule = (stem: string) => string | null;
type Step = readonly (readonly [ending: string, rule: Rule])[];

const to =
  (replacement: string): Rule =>
  (stem) =>
    stem + replacement;
const after =
  (wanted: RegExp): Rule =>
  (stem) =>
    wanted.test(stem) ? stem : null;
const notAfterLongVowel: Rule = (stem) => (ENDS_IN_LONG_VOWEL.test(stem) ? null : stem);

function steps(rule: Rule, endings: string): Step {
  return endings.split(' ').map((ending) => [ending, rule] as const);
}

const CLITICS: Step = [
  ['gi', (stem) => (/[cjlmnqrvwxaeiouõäöü]$/.test(stem) ? notAfterLongVowel(stem) : null)],
  ['ki', after(/[kptgbdshfšzž]$/)],
];

const VERB_ENDINGS: Step = [
  ...steps(to(''), 'nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin'),
  ['akse', to('a')],
  ...steps(after(ENDS_IN_VOWEL), 'me da n b'),
];

const DERIVED_NOUNS: Step = [
  ...steps(to('lase'), 'lasse last lane lasi'),
  ...steps(to('mise'), 'misse mist mine misi'),
  ...steps(to('lise'), 'lisse list line lisi'),
];

const CASES: Step = steps(after(BEFORE_CASE), 'sse st le lt ga ks ta t s l');

const PLURALS: Step = [
  ...steps(to('iku'), 'ikkude ikke ike'),
  ['sid', notAfterLongVowel],
  ['te', withoutTe],
  ...steps(after(BEFORE_CASE), 'de d'),
];

const DEGREES: Step = [['ma', to('')], ...steps(after(ENDS_IN_SHORT_A_TO_U), 'mai m')];
const PLURAL_I: Step = [['i', after(ENDS_IN_SHORT_A_TO_U)]];
const PARTICIPLES: Step = steps(to(''), 'nu tu du va');
const NOUN_STEPS: readonly Step[] = [DERIVED_NOUNS, CASES, PLURALS, DEGREES, PLURAL_I, PARTICIPLES];

export function stemEstonian(word: string): string {
  const irregular = IRREGULAR_VERBS.get(word);
  if (irregular !== undefined) return irregular;
  const r1 = regionOf(word);
  const plain = applyStep(word, CLITICS, r1, (stem) => stem.length >= 4) ?? word;
  const verb = applyStep(plain, VERB_ENDINGS, r1);
  const stem = verb ?? NOUN_STEPS.reduce((form, step) => applyStep(form, step, r1) ?? form, plain);
  // A doubled k, p or t before the last vowel is written once: both grades of a stem meet there.
  return stem.replace(new RegExp(`(kk|tt|pp)(${VOWEL})$`), (_, stops: string, vowel: string) => stops[0] + vowel);
}

/** Behind the first consonant that follows a vowel; the whole word's length where there is none. */
function regionOf(word: string): number {
  return new RegExp(`^[^aeiouõäöü]*${VOWEL}+[^aeiouõäöü]`, 's').exec(word)?.[0].length ?? word.length;
}

/** The longest ending of the step within R1 decides alone. */
function applyStep(word: string, step: Step, r1: number, mayBe: (stem: string) => boolean = () => true): string | null {
  let longest: Step[number] | null = null;
  for (const entry of step) {
    const [ending] = entry;
    const fits = word.endsWith(ending) && word.length - ending.length >= r1;
    if (fits && ending.length > (longest?.[0].length ?? 0)) longest = entry;
  }
  if (longest === null) return null;
  const stem = word.slice(0, -longest[0].length);
  return mayBe(stem) ? longest[1](stem) : null;
}

/** Genitive plural and second person: of compound derivations the whole ending goes, else t stays where it must. */
function withoutTe(stem: string): string | null {
  if (stem.length >= 4) {
    if (/(?:mis|las|lis)$/.test(stem)) return `${stem}e`;
    if (!stem.endsWith('t')) return stem;
  }
  return stem.endsWith('t') ? null : `${stem}t`;
}

/** Forms of each irregular verb by its stem; `a/n,d` stands for an and ad. */
const IRREGULAR_FORMS: readonly string[] = [
  'joo: joo/n,d,b,te,me,vad jõi/n,d,,me,te joo/mata,dakse,ma juu/akse,a',
  'saa: saa/n,d,b,te,me,vad,ksin,ksid,ks,ksite,ksime,mata,dakse,di,ma,da sai/n,d,,te,me',
  'viima: vii/n,d,b,te,me,vad,ksin,ksid,ks,ksite,ksime,sin,site,sime,mata,akse,di,ma,a',
  'keesi: kee/n,b,d,s,me,te,vad,ksin,ks,ksid,ksime,ksite,mata,ma,ta,dakse',
  'löö: löö/n,d,b,me,te,vad,ksin,ksid,ks,ksime,ksite,mata,dakse,di,ma lüü/akse,a',
  'löi: lõi/n,d,,me,te',
  'loo: loo/n,d,b,me,te,vad,ksin,ksid,ks,ksime,ksite,mata,di,ma luu/akse,a',
  'käisi: käi/n,b,d,s,me,te,vad,ksin,ks,ksid,ksime,ksite,mata,akse,di,a,ma',
  'söö: söö/n,b,d,me,te,vad,ksin,ks,ksid,ksime,ksite,mata,dakse,di,ma sõi/n,,d,me,te süü/akse,a',
  'too: too/n,d,b,te,me,vad,ksin,ksid,ks,ksite,ksime,mata,di,ma tõi/n,d,,me,te tuu/akse,a',
  'võisi: või/n,d,b,me,s,te,vad,ksin,ksid,ks,ksime,ksite,mata,dakse,di,da,ma',
  'jääma: jää/n,d,b,me,te,vad,ksin,ksid,ks,ksime,ksite,mata,dakse,da,ma,di jäi/me,te,n,d,',
  'müüsi: müü/n,d,b,s,me,te,vad,ksin,ksid,ks,ksime,ksite,mata,akse,di,a,ma',
  'luge: loe/b,n,d,me,te,vad,ks,ksin,ksid,ksime,ksite',
  'põde: põe/n,b,d,me,te,vad,ksin,ks,ksid,ksime,ksite',
  'ladu: lao/n,b,d,me,te,vad,ksin,ks,ksid,ksime,ksite',
  'tegi: tee/ksin,ks,ksid,ksime,ksite,n,b,d,me,te,vad tege/mata,ma teh/akse,ti,a',
  'nägi: näe/n,b,d,me,te,vad,ksin,ks,ksid,ksime,ksite näge/mata,ma näh/akse,ti,a',
];

const IRREGULAR_VERBS: ReadonlyMap<string, string> = new Map(
  IRREGULAR_FORMS.flatMap((line) => {
    const [stem = '', forms = ''] = line.split(': ');
    return forms.split(' ').flatMap((group) => {
      const [base = '', endings = ''] = group.split('/');
      return endings.split(',').map((ending) => [base + ending, stem] as const);
    });
  }),
);
