/**
 * Stemmer of Greek, for words in lower case without accents.
 *
 * A rule takes an ending off, and for some stems gives a part of it back. The lists of such stems are those that Lucene has.
 *
 * @see Ntais, "Development of a Stemmer for the Greek Language" (2006); Saroukos, "Enhancing a Greek Language Stemmer" (2008)
 */

/** Words of which too much would be taken: `ending/letters taken`. */
const IRREGULAR =
  'καθεστωτοσ/4 καθεστωτων/4 γεγονοτοσ/4 γεγονοτων/4 καθεστωτα/3 τατογιου/4 τατογιων/4 γεγονοτα/3 καθεστωσ/2 σκαγιου/4 σκαγιων/4 ολογιου/4 ολογιων/4 κρεατοσ/4 κρεατων/4 περατοσ/4 περατων/4 τερατοσ/4 τερατων/4 τατογια/3 γεγονοσ/2 φαγιου/4 φαγιων/4 σογιου/4 σογιων/4 σκαγια/3 ολογια/3 κρεατα/3 περατα/3 τερατα/3 φαγια/3 σογια/3 φωτοσ/3 φωτων/3 κρεασ/2 περασ/2 τερασ/2 φωτα/2 φωσ/1';

/** Endings of all sorts that are left in the end, longest first. */
const ENDINGS =
  'ιοντουσαν ιομασταν ιοσασταν ιουμαστε οντουσαν ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν αει εισ ηθω ησω ουν ουσ αν ασ αω ει εσ ησ οι οσ ου υσ ων α ε η ι ο υ ω';

const COMPARATIVES = /(?:εστερ|εστατ|οτερ|οτατ|υτερ|υτατ|ωτερ|ωτατ)$/;

const WORD_MIN = 4;

/** Endings that a rule takes off, and what it gives back to a stem: nothing, mostly. */
interface GreekRule {
  readonly endings: readonly string[];
  /** Those of its endings that may be all of a word. */
  readonly whole?: ReadonlySet<string>;
  restored(stem: string): string;
}

function rule(endings: string, restored: GreekRule['restored'] = () => ''): GreekRule {
  return { endings: endings.split(' '), restored };
}

/** Gives `text` back to stems that pass one of the tests. */
function back(text: string, ...tests: readonly ((stem: string) => boolean)[]): GreekRule['restored'] {
  return (stem) => (tests.some((test) => test(stem)) ? text : '');
}

function isOneOf(stems: string): (stem: string) => boolean {
  const set = new Set(stems.split(' '));
  return (stem) => set.has(stem);
}

function endsWithOneOf(endings: string): (stem: string) => boolean {
  const list = endings.split(' ');
  return (stem) => list.some((ending) => stem.endsWith(ending));
}

const endsWithVowel = endsWithOneOf('α ε η ι ο υ ω');
const endsWithVowelButUpsilon = endsWithOneOf('α ε η ι ο ω');

const isParent = endsWithOneOf('οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ');
const isRootInAg = isOneOf(
  'υποτ ρ ομοτ π τ προστ ανυπ συντ αειπ αιμοστ ασπ αβαστ αδηφ δροσοπ αποτ αμαλ επιτ ουλαμ απερ προσωποπ ναυ ουρ ολοπ αχαρ εν σιδηροπ συμπ αρτιπ κροκαλοπ ξεφ δερβεν τρ αμαλλι αφ λ χαρ διατ νεοπ ανυστ παμφ μ πολυφ ασπαρ νομοτ',
);
const endsInAg = endsWithOneOf('οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην');
const isNoRootInAg = isOneOf('ναυλοχ ψοφ');

/** Rules in the order in which they are applied. */
const RULES: readonly GreekRule[] = [
  rule('αδεσ αδων', (stem) => (isParent(stem) ? '' : 'αδ')),
  rule('εδεσ εδων', back('εδ', endsWithOneOf('οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ'))),
  rule('ουδεσ ουδων', back('ουδ', endsWithOneOf('αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε'))),
  rule('εωσ εων', back('ε', isOneOf('π δ ελ θ παρ ιδ γαλ ν'))),
  rule('ια ιου ιων', back('ι', endsWithVowel)),
  rule(
    'ικα ικο ικου ικων',
    back(
      'ικ',
      endsWithVowel,
      isOneOf(
        'ξικ αμμοχαλ μπαγιατ ενδ ανηθ σερτ νιτ καταδ πλιατσ συναδ τσαμ υποδ αμαν μουλ καλπ γερ μπολ ηθ βρωμ αδ φυσ μποσ αλ φιλον πετσ μπαν πρωτοδ αντιδ εξωδ συνομηλ φυλοδ ποστελν πιτσ χασ καλλιν πικαντ',
      ),
    ),
  ),
  rule('ηθηκαμε ουσαμε αγαμε ησαμε ηκαμε'),
  rule('αμε', back('αμ', isOneOf('πεθ αποστ βουβ ξεθ ουλ ποτ χ αποθ αποκ αναπ σιχ πικρ'))),
  {
    ...rule(
      'ιουντανε ιοντανε ουντανε ηθηκανε ιοτανε οντανε ουσανε αγανε ησανε οτανε ηκανε',
      back('αγαν', isOneOf('τρ τσ')),
    ),
    whole: new Set('ουντανε ηθηκανε οντανε ουσανε ησανε οτανε ηκανε'.split(' ')),
  },
  rule(
    'ανε',
    back(
      'αν',
      endsWithVowelButUpsilon,
      isOneOf(
        'κορμορ σιγ ουρ βασκ νταβ αμερικαν περιτρ πελεκ τσαγ απιθ φ βαθυγαλ σουλτ αδαπ λιβ ουλ μικροβιομηχ βραχμ πολυδαπ βραχυκ μωαμεθ γαλ γερ τσοπ ικ αγ χαμηλοδαπ ορφ πουριτ δραδουμ μουσουλμ λιχ κοπ θυσ ξηροκλιβ γ καλπουζ ολιγοδαμ πλατ θ καταγαλ ζωντ μ ν πορτολ στεγ π ταβ σ αμηχ πολισ χ πιθ καπνοβιομηχ βιομηχ απηγ περηφ βετερ ερ φωτοστεφ αθιγγ διαφ σαρακατσ βασ κλιβ καστ δεκ ολογαλ λουθηρ κοιλαρφ σπ τσαρλατ μαιντ διπλ μελ πολυμηχ λαοπλ ανοργ ενοργ ατσιγγ ανικ τραγ πενταρφ ψυχοπλ μεγλοβιομηχ ψηλοταβ τετ υποκοπ βουλκ διατ τσιγγ πλ υπερηφ καστελ στεφ',
      ),
    ),
  ),
  rule('ησετε'),
  rule(
    'ετε',
    back(
      'ετ',
      isOneOf('αβρ παγ αδ εμ υ μπορ αθ νιφ απλ αν συρφ σερπ αβαρ θ δ ντρ σκελ σκ εναρ θαρρ βεν κοπ βαρον παρακαλ τοκ'),
      endsWithVowelButUpsilon,
      endsWithOneOf(
        'οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ εκθ νετ ρον αρκ βαρ βολ ωφελ',
      ),
    ),
  ),
  rule('οντασ ωντασ', (stem) => (stem === 'αρχ' ? 'οντ' : stem.endsWith('κρε') ? 'ωντ' : '')),
  rule('ομαστε', back('ομαστ', isOneOf('ον'))),
  rule('ιεστε', back('ιεστ', isOneOf('π ασυμπ ακαταπ αμεταμφ συμπ απ'))),
  rule('εστε', back('εστ', isOneOf('αρ νισ παρακαλ εκτελ ζ προ αλ μ ξ'))),
  rule('ηθηκεσ ηθηκα ηθηκε'),
  rule('ηκεσ ηκα ηκε', back('ηκ', isOneOf('θ προσθ παρακαταθ διαθ συνθ'), endsWithOneOf('σκωλ σκουλ ναρθ σφ οθ πιθ'))),
  rule(
    'ουσεσ ουσα ουσε',
    back(
      'ουσ',
      isOneOf(
        'δευτερευ ρ δεσποζ αναρρ δε καθαρευ χαδ αμ βρομ λεχ ενδιαφερ φαρμακ αιθ ανηκ μεδ πατ λαμπιδ αγκ υποτειν πλε λ μ εκλιπ μεσαζ τσα',
      ),
      endsWithVowel,
      endsWithOneOf('ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ'),
    ),
  ),
  rule(
    'αγεσ αγα αγε',
    back('αγ', (stem) => (isRootInAg(stem) || endsInAg(stem)) && !isNoRootInAg(stem) && !stem.endsWith('κολλ')),
  ),
  rule('ησου ησε ησα', back('ησ', isOneOf('δωδεκαν μεγαλον επταν ν χερσον ερημον'))),
  rule('ηστε', back('ηστ', isOneOf('ασβ κοινοχρ δυσχρ αειμν ευχρ χρ αχρ απλ παλιμψ σβ'))),
  rule('ησουνε ηθουνε ουνε', back('ουν', isOneOf('κακομουτσ ρ εξων στραβομουτσ σπι ν'))),
  rule('ησουμε ηθουμε ουμε', back('ουμ', isOneOf('αλλοσουσ ωριοπλ παρασουσ ασουσ αζ φ χ'))),
  rule('ματων ματοσ ματα', () => 'μα'),
];

/** For words that no other rule changes. */
const LAST_RULE = rule(ENDINGS);

const IRREGULAR_WORDS: readonly (readonly [string, number])[] = IRREGULAR.split(' ').map((text) => {
  const [ending = '', letters = '0'] = text.split('/');
  return [ending, Number(letters)];
});

/** A verb that the rules would leave nothing of. */
const MARRIED = 'αγαμε';

export function stemGreek(word: string): string {
  if (word.length < WORD_MIN) return word;
  const irregular = IRREGULAR_WORDS.find(([ending]) => word.endsWith(ending));
  let stem = irregular === undefined ? word : word.slice(0, word.length - irregular[1]);
  if (stem === MARRIED) stem = stem.slice(0, -1);
  for (const each of RULES) stem = applied(each, stem);
  if (stem.length === word.length) stem = applied(LAST_RULE, stem);
  return stem.replace(COMPARATIVES, '');
}

function applied({ endings, whole, restored }: GreekRule, word: string): string {
  const ending = endings.find((text) => word.endsWith(text) && (word !== text || whole?.has(text) === true));
  if (ending === undefined) return word;
  const stem = word.slice(0, word.length - ending.length);
  return stem + restored(stem);
}
