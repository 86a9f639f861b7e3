/**
 * Stemmer of Lithuanian: endings of declension and conjugation, then suffixes as long as there are any.
 *
 * Its tables are those of the Snowball algorithm for Lithuanian by Dainius Jocas (BSD licence).
 */
/** Endings of words, taken off once. */
const ENDINGS: readonly string[] = [
  'a ia eria osna iosna uosna iuosna ysna ėsna e ie enie erie oje ioje uje iuje yje enyje eryje ėje ame iame sime',
  'ome ėme tumėme ose iose uose iuose yse enyse eryse ėse ate iate ite kite site ote tute ėte tumėte i ai iai',
  'eriai ei tumei ki imi erimi umi iumi si asi iasi esi iesi siesi isi aisi eisi tumeisi uisi osi ėjosi uosi',
  'iuosi siuosi usi ausi čiausi ąsi ėsi ųsi tųsi ti enti inti oti ioti uoti iuoti auti iauti yti ėti telėti inėti',
  'terėti ui iui eniui oj ėj k am iam iem im sim om tum ėm tumėm an on ion un iun ėn o io enio ėjo uo s as ias es',
  'ies is ais iais tumeis imis enimis omis iomis umis ėmis enis asis ysis ams iams iems ims enims erims oms ioms',
  'ums ėms ens os ios uos iuos ers us aus iaus ius ys enys erys ąs iąs ės amės iamės imės kimės simės omės ėmės',
  'tumėmės atės iatės sitės otės ėtės tumėtės įs ūs tųs at iat it sit ot ėt tumėt u au iau čiau iu eniu siu y ą',
  'ią ė ę į enį erį ų ių erų',
];

/** Suffixes of stems, taken off again and again. */
const SUFFIXES: readonly string[] = [
  'ing aj iaj iej oj ioj uoj iuoj auj ąj iąj ėj ųj iųj ok iok iuk uliuk učiuk išk iul yl ėl am dam jam zgan ain',
  'esn op iop ias ies ais iais os ios uos iuos aus iaus ąs iąs ęs utėait ant iant siant int ot uot iuot yt ėt',
  'ykšt iau dav sv šv ykšč ę ėję',
];

/** Endings that would be taken for others. */
const CONFLICTS: readonly (readonly [string, string])[] = [
  ['okatės', 'okatė'],
  ['uotės', 'uotė'],
  ['aitės', 'aitė'],
  ['ojime', 'ojimas'],
  ['ėjime', 'ėjimas'],
  ['avime', 'avimas'],
  ['okate', 'okatė'],
  ['aite', 'aitė'],
  ['uote', 'uotė'],
  ['asius', 'asys'],
  ['esiu', 'esys'],
];

const VOWEL = /[aeiyouąęįųėū]/;

export function stemLithuanian(word: string): string {
  const start = suffixStart(word);
  let stem = withoutConflict(word);
  stem = hardened(withoutEnding(stem, start, ENDING_SET));
  for (let before = ''; before !== stem; ) {
    before = stem;
    stem = withoutEnding(stem, start, SUFFIX_SET);
  }
  stem = hardened(stem);
  return stem.endsWith('gd') ? stem.slice(0, -1) : stem;
}

interface EndingSet {
  readonly endings: ReadonlySet<string>;
  readonly lengthMax: number;
}

const ENDING_SET = endingSet(ENDINGS);
const SUFFIX_SET = endingSet(SUFFIXES);

function endingSet(lines: readonly string[]): EndingSet {
  const endings = new Set(lines.flatMap((line) => line.split(' ')));
  return { endings, lengthMax: Math.max(...[...endings].map(({ length }) => length)) };
}

/** Behind the first consonant that follows a vowel; the prefix `a` of longer words does not count. */
function suffixStart(word: string): number {
  let at = word.startsWith('a') && word.length > 6 ? 1 : 0;
  while (at < word.length && !VOWEL.test(word.charAt(at))) at++;
  at++;
  while (at < word.length && VOWEL.test(word.charAt(at))) at++;
  return Math.min(word.length, at + 1);
}

/** Takes off the longest ending that begins at `start` or behind it. */
function withoutEnding(word: string, start: number, { endings, lengthMax }: EndingSet): string {
  for (let length = Math.min(lengthMax, word.length - start); length > 0; length--) {
    if (endings.has(word.slice(word.length - length))) return word.slice(0, word.length - length);
  }
  return word;
}

function withoutConflict(word: string): string {
  const found = CONFLICTS.find(([ending]) => word.endsWith(ending));
  return found === undefined ? word : word.slice(0, word.length - found[0].length) + found[1];
}

/** Consonants as they are before other endings. */
function hardened(stem: string): string {
  if (stem.endsWith('dž')) return `${stem.slice(0, -2)}d`;
  return stem.endsWith('č') ? `${stem.slice(0, -1)}t` : stem;
}
