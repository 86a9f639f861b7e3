/**
 * Lovins stemmer for English: the longest of 294 endings whose condition holds is taken off, then the rest is respelled.
 *
 * @see Lovins, "Development of a Stemming Algorithm" (1968); a stem has at least two letters
 */

/** Endings by the condition they need; the letters are Lovins' names of the conditions. */
const ENDINGS: Readonly<Record<string, string>> = {
  A:
    'arizability antialness arisations arizations entialness antaneous antiality arisation arization ativeness ' +
    'entations entiality entialize entiation ionalness istically itousness izability izational ableness arizable ' +
    'entation entially eousness ibleness icalness ionalism ionality ionalize iousness izations lessness ability ' +
    'aically alities aristic arizing ateness atingly atively ativism encible entally entials entiate entness fulness ' +
    'ibility icalism icalist icality icalize icianry ination ingness ionally isation ishness istical iteness iveness ' +
    'ivistic ivities izement oidally ousness aceous alness ancial ancies ariser arized arizer atable atives efully ' +
    'encies encing ential entist eously ialist iality ialize ically icance icians icists ifully ionals ioning ' +
    'ionist iously istics lessly nesses oidism acies acity aical alist ality alize arial aries arily arize ' +
    'aroid ately ative ators atory ehood eless elity ement enced ences ental ently fully ially icant ician icide ' +
    'icism icist icity iedly ihood inate iness ional ioned ished istic ities itous ively ivity oidal oides otide ' +
    'ously able ably ancy aric ates ator eful eity ence ency eous hood ials ians ible ibly ical iers iful ious ' +
    'ists less lily ness ogen ward wise yish acy aic ata ate ese ful ial ian ics ied ier ily ist ity ium ive oid ous ' +
    "ae ia ic is 's s' a e i o",
  B:
    'alistically izationally ationally alistic ational acious ancing ations aging alism anced ances arity ation ingly ages ' +
    'ally ance ants atic ions isms ying age ant ism as ly y',
  C: 'allically enting antic ented ent ish',
  D: 'ionate',
  E: 'eableness ariness elihood izable ature eness ening edly ened enly ely ene ery ed es',
  F: 'ization izers izing ized izer ary ize en',
  G: 'ication action',
  H: 'itic',
  I: 'ating idine ated',
  J: 'inism',
  K: 'arly',
  L: 'ides ide',
  M: 'ines ine',
  N: 'ings ing',
  O: 'ars',
  P: 'ies',
  Q: 'ion',
  R: 'one yl',
  S: 'on',
  T: 'or',
  U: 'um',
  V: 'us',
  W: 's',
  X: 'ar',
  Y: 'early ealy eal ear',
  Z: 'eature',
  AA: 'ite',
  BB: 'allic als al',
  CC: 'inity',
};

/** Conditions on what is left of the word. */
const CONDITIONS: Readonly<Record<string, RegExp>> = {
  A: /..$/s,
  B: /...$/s,
  C: /....$/s,
  D: /.....$/s,
  E: /.[^e]$/s,
  F: /..[^e]$/s,
  G: /..f$/s,
  H: /(?:.t|ll)$/s,
  I: /.[^oe]$/s,
  J: /.[^ae]$/s,
  K: /(?:..[li]|u.e)$/s,
  L: /(?:.[^uxs]|os)$/s,
  M: /.[^acem]$/s,
  N: /(?:[^s]..|.s..)$/s,
  O: /.[li]$/s,
  P: /.[^c]$/s,
  Q: /..[^ln]$/s,
  R: /.[nr]$/s,
  S: /(?:dr|[^t]t)$/s,
  T: /(?:.s|[^o]t)$/s,
  U: /.[lmnr]$/s,
  V: /.c$/s,
  W: /.[^su]$/s,
  X: /(?:.[li]|u.e)$/s,
  Y: /in$/s,
  Z: /.[^f]$/s,
  AA: /(?:.[dflt]|ph|th|er|or|es)$/s,
  BB: /(?:...)(?<!met|ryst)$/s,
  CC: /.l$/s,
};

/** `ending>replacement`, with letters that must not stand before it. */
const RESPELLINGS: ReadonlyMap<string, { readonly replacement: string; readonly not: string }> = new Map(
  (
    'iev>ief uct>uc umpt>um rpt>rb urs>ur istr>ister metr>meter olv>olut ul>l/aio bex>bic dex>dic pex>pic tex>tic ' +
    'ax>ac ex>ec ix>ic lux>luc uad>uas vad>vas cid>cis lid>lis erid>eris pand>pans end>ens/s ond>ons lud>lus ' +
    'rud>rus her>hes/pt mit>mis ent>ens/m ert>ers et>es/n yt>ys yz>ys'
  )
    .split(' ')
    .map((rule) => {
      const [ending = '', replacement = '', not = ''] = rule.split(/[>/]/);
      return [ending, { replacement, not }] as const;
    }),
);
const ENDING_LENGTH_MAX = 11;
const RESPELLING_LENGTH_MAX = 4;

const CONDITION_OF_ENDING: ReadonlyMap<string, RegExp | undefined> = new Map(
  Object.entries(ENDINGS).flatMap(([name, list]) =>
    list.split(' ').map((ending) => [ending, CONDITIONS[name]] as const),
  ),
);

export function stemLovins(word: string): string {
  const stem = withoutEnding(word);
  return respelled(/([bdglmnprst])\1$/.test(stem) ? stem.slice(0, -1) : stem);
}

/** The longest ending whose condition holds goes: a shorter one is tried where the condition of a longer fails. */
function withoutEnding(word: string): string {
  for (let length = Math.min(ENDING_LENGTH_MAX, word.length); length > 0; length--) {
    const stem = word.slice(0, -length);
    if (CONDITION_OF_ENDING.get(word.slice(-length))?.test(stem) === true) return stem;
  }
  return word;
}

/** Only the longest rule counts: where a letter before it forbids it, the word stays. */
function respelled(word: string): string {
  for (let length = Math.min(RESPELLING_LENGTH_MAX, word.length); length > 1; length--) {
    const rule = RESPELLINGS.get(word.slice(-length));
    if (rule === undefined) continue;
    const before = word.at(-length - 1);
    return before !== undefined && rule.not.includes(before) ? word : word.slice(0, -length) + rule.replacement;
  }
  return word;
}
