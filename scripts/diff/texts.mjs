/**
 * Random texts in many languages: words, words made of the beginnings and ends of others, and what stands between words.
 */

/** Words of each language: inflected ones and those that analyzers leave out. */
const LANGUAGES = Object.fromEntries(
  Object.entries({
    arabic: 'الكتاب والمدرسة بالبيوت للمعلمين كتابات يكتبون المكتبة من في على هذا أحمد إسلام ٤٥ بَيْتٌ الـــكتاب ولدها',
    armenian: 'գրքերը մեծ տունը մարդկանց և է որ այս իր գնացել քաղաքներում երեխաները սիրում',
    basque: 'etxeak mendietan liburuarekin eta da ez bat gizonaren egunak haurrentzat joan zituzten ikasleak',
    bengali: 'বইগুলো মানুষের স্কুলে যাওয়ার এবং করে এই তিনি বাংলাদেশের ছাত্রদের নদীতে ১২৩',
    brazilian: 'livros meninas casas correndo falaram rapidamente de a o que e do da em um estações coração',
    bulgarian: 'книгите градовете хубавата на и от за не да се момчетата училището вървеше',
    catalan: "l'home cases nenes d'aigua llibres parlaven de la que i els amb cançons ràpidament l’estació",
    cjk: '日本語の検索 東京都 한국어 단어 검색 中文字符 ＡＢＣ１２３ ｶﾀｶﾅ カタカナ ひらがな 𠀀𠀁 々',
    czech: 'knihy městech ženami mladého a se na je že chlapci rychlejší pražským nejkrásnější',
    danish: 'bøgerne husene drengenes hurtigere og i det at en ikke pigerne løbende måske æbler',
    dutch: 'boeken huizen lopende kinderen de en van het een is fiets eieren meisjes snelheid lichamelijk',
    english:
      "running runs easily cities John's don't can't O’Neil the a of and not flies happily relational generalizations wi-fi",
    estonian: 'raamatud majadest lastele ja on ei see ta kuid inimeste poisid kirjutasid kauneimad',
    finnish: 'kirjat taloissa lapsille ja on ei että hän juoksevat ihmisten kauniimpien järvellä',
    french:
      "l'avion d'été maisons chevaux rapidement le la les et de que qu'il J’aime continuerai mangeassent œuvre aiguë",
    galician: 'libros casas nenas falaban de a o que e non os cancións rapidamente fermosísima',
    german: 'Häuser Bücher laufende die der und ist nicht Straße aufgeräumt Mädchen größte ueber Fuesse',
    greek: 'βιβλία σπίτια ανθρώπων και το να είναι τρέχουν Ελλάδας ταχύτερος ΑΝΘΡΩΠΟΣ λόγος',
    hindi: 'किताबें लड़कियों घरों और के में है लिखना भारतीय आदमियों १२३ फ़िल्म',
    hungarian: 'könyvek házakban gyerekeknek és a az hogy nem futottak szebbek embereket legnagyobb',
    indonesian: 'membacakan buku-bukunya rumah yang dan di berlari penulisnya dimakan pertanyaan kekuatan',
    irish: "bPáistí na hÉireann d'fhear agus an i t-athair nAthair leabhair scoileanna ceannaigh",
    italian: "l'uomo dell'acqua case libri parlando rapidamente di che è la il un'altra città amavano",
    latvian: 'grāmatas mājās bērniem un ir no ar skrienot pilsētas skaistākais zēnu',
    lithuanian: 'knygos namuose vaikams ir yra kad ne bėgantys gražiausias miestų berniukai žmogus',
    norwegian: 'bøkene husene guttenes raskere og i det at en ikke jentene løpende kanskje ære hvalar',
    persian: 'کتاب‌ها می‌روند خانه های و در به از که است ۱۲۳ كتابي ایرانی‌ها',
    portuguese: 'livros casas meninas correndo falaram rapidamente de a o que e não corações estações animais',
    romanian: 'cărțile casele fetelor și de la în este alergând frumoșilor copiii țării',
    russian: 'книгами домов бежали и в не на что он красивейший ещё девочка программирование',
    serbian: 'књигама кућа ljubav njegov đak и у је да šuma џеп čovek',
    sorani: 'کتێبەکان ماڵەکانی و لە بە ئەم کوردستان منداڵان ٤٥ هاوڕێیان',
    spanish: 'libros casas niñas corriendo hablaron rápidamente de la que el en y canciones corazón felices',
    swedish: 'böckerna husen flickornas snabbare och i det att en inte löpande kanske äpplen',
    thai: 'ฉันรักภาษาไทย การค้นหาข้อความ และ ที่ ใน ๑๒๓ โรงเรียนของเรา',
    turkish: "kitapları evlerde çocuklara ve bir bu için İstanbul'da IŞIK koşuyorlar güzelleri",
    code: "fooBar2Baz snake_case PowerShot500-42 wi-fi v2.0.1 C++ x86_64 O'Neil's a.b.c@example.com http://www.example.org/a/b?c=d#e 192.168.0.1 3,141.59 I.B.M. AT&T /usr/local/bin",
  }).map(([language, words]) => [language, words.split(' ')]),
);

const BETWEEN = [
  ' ',
  ' ',
  ' ',
  ' ',
  '  ',
  ', ',
  '. ',
  '-',
  '_',
  '/',
  "'",
  '’',
  '\n',
  '\t',
  '\u00a0',
  '\u3000',
  '; ',
  '…',
  '+',
  '\\',
  '|',
  ':',
  '@',
  '\u200b',
  '\u200d',
];
const ODD = [
  '😀',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '𝒳𝒴',
  '½',
  '①',
  'ﬁn',
  'Ǆ',
  'ŉ',
  'ẞ',
  'İ',
  'ı',
  'e\u0301te\u0301',
  '\u0301a',
  '٣',
  '൩',
  'Ⅷ',
  '²',
  '\u00ad',
  'a\u00adb',
  '<b>x</b>',
  '&amp;',
  '&#65;',
  '<!-- c -->',
  '#tag',
  '@user',
  '#️⃣',
  'ａｂ',
  'ﾊﾞ',
  'ー',
  '가',
  'ᄀ',
  '𐐀',
  '$1',
  '¾cup',
  '1/2',
  '1e5',
  '-5',
  'x'.repeat(300),
];

const FOLDS = [
  (word) => word.toUpperCase(),
  (word) => word.slice(0, 1).toUpperCase() + word.slice(1),
  (word) => word.normalize('NFD'),
  (word) => word + word,
  (word) => [...word].reverse().join(''),
];

function word(r, words) {
  const one = r.weighted([
    [6, () => r.pick(words)],
    [
      3,
      () => {
        const [head, tail] = [[...r.pick(words)], [...r.pick(words)]];
        return head.slice(0, r.int(1, head.length)).join('') + tail.slice(-r.int(1, Math.min(5, tail.length))).join('');
      },
    ],
    [1, () => r.pick(ODD)],
    [0.5, () => String(r.int(0, 2000))],
  ])();
  return r.chance(0.15) ? r.pick(FOLDS)(one) : one;
}

/** Names of the languages that texts are in. */
export const TEXT_LANGUAGES = Object.keys(LANGUAGES);

/** A text of `low` to `high` words, in one language or with words of a second. */
export function textIn(r, language, low, high) {
  const own = LANGUAGES[language] ?? r.pick(Object.values(LANGUAGES));
  const other = r.chance(0.2) ? r.pick(Object.values(LANGUAGES)) : own;
  const isRough = r.chance(0.4);
  return r
    .list(low, high, () => word(r, r.chance(0.8) ? own : other))
    .map((one, at) => (at === 0 ? one : (isRough ? r.pick(BETWEEN) : ' ') + one))
    .join('');
}
