/**
 * Declarations of entries and of whatever they mention, as files that need nothing but each other.
 *
 * `tsc` writes one declaration file a module, which imports other packages by their doors, and through these everything. Here each
 * name is followed to the statement that declares it, so that only what users can see comes along. A class that users get but cannot
 * make (its name is exported as a type alone) is written without its constructor, whose parameters are nobody's business.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const FROM = /^(import|export) (type )?\{([^}]*)\} from ['"]([^'"]+)['"];$/;
const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let) (\w+)/;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;
/** Members that users cannot reach, and whose types are nobody's business: `protected` ones, and those whose comment says `@internal`. */
const OUR_MEMBERS =
  / {4}\/\*\*(?:(?!\*\/)[\s\S])*@internal(?:(?!\*\/)[\s\S])*\*\/\n {4}[^\n]*;\n| {4}protected [^\n]*;\n/g;
/** What a disposable node needs of the compiler's own declarations, which not every target has. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/** `type A as B, C` as what each is called there and here. */
function parseNames(list, isTypeList) {
  const parts = list.split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, type, there, here = there] = /^(type )?(\w+)(?: as (\w+))?$/.exec(part) ?? [];
      if (there === undefined) throw new Error(`not a name: ${part}`);
      return { there, here, isType: isTypeList || type !== undefined };
    });
}

/** A declaration file of `tsc` as its statements, each with the comment above it. */
function parseFile(text) {
  const imports = new Map();
  const exports = new Map();
  const declarations = new Map();
  let comment = '';
  let open = null;
  for (const line of text.replace(/\n?\/\/# sourceMappingURL=.*/, '').split('\n')) {
    const from = FROM.exec(line);
    const name = DECLARATION.exec(line)?.[1];
    if (from !== null) {
      const [, keyword, type, list, specifier] = from;
      for (const { there, here, isType } of parseNames(list, type !== undefined))
        (keyword === 'import' ? imports : exports).set(here, { there, specifier, isType });
      comment = '';
      open = null;
    } else if (name !== undefined) {
      declarations.set(name, `${declarations.get(name) ?? ''}${comment}${line}\n`);
      comment = '';
      open = name;
    } else if (line.startsWith('/**') || (open === null && comment !== '' && line.startsWith(' *'))) {
      comment += `${line}\n`;
      open = null;
    } else if (open !== null) declarations.set(open, `${declarations.get(open)}${line}\n`);
    else if (line !== '' && line !== 'export {};') throw new Error(`not understood: ${line}`);
  }
  return { imports, exports, declarations };
}

export class TypeRoller {
  #packages;
  #folder;
  #files = new Map();
  /** Names that are needed of each file, by its path in `packages`. */
  #needed = new Map();
  #entries = new Map();
  /** Classes that users cannot make. */
  #closed = new Set();

  /** @type {(specifier: string) => boolean} */
  #isUsers;

  /**
   * @param {string} packages folder of the rooms
   * @param {string} folder where the files go
   * @param {(specifier: string) => boolean} isUsers modules that users of an entry have, and whose types may be mentioned
   */
  constructor(packages, folder, isUsers) {
    this.#packages = packages;
    this.#folder = folder;
    this.#isUsers = (specifier) => specifier.startsWith('node:') || isUsers(specifier);
  }

  /** @param {string} entry such as `testing/dist/index.d.ts` @returns {string} its file below the folder */
  add(entry) {
    const { exports } = this.#file(entry);
    const names = [...exports].map(([here, { there, specifier, isType }]) => {
      const found = this.#declared(entry, specifier, there);
      if (isType) this.#closed.add(`${found.path} ${found.name}`);
      return { here, isType, ...found };
    });
    for (const { path, name } of names) this.#need(path, name);
    this.#entries.set(entry, names);
    return outputOf(entry);
  }

  write() {
    for (const [path, names] of this.#needed) this.#write(path, this.#textOf(path, names));
    for (const [path, names] of this.#entries) {
      const lines = names.map(
        ({ here, name, isType, path: from }) =>
          `export ${isType ? 'type ' : ''}{ ${name === here ? name : `${name} as ${here}`} } from '${specifierOf(path, from)}';`,
      );
      this.#write(path, `${lines.join('\n')}\n`);
    }
  }

  #write(path, text) {
    const file = join(this.#folder, outputOf(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  #file(path) {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const file = join(this.#packages, path);
    if (!existsSync(file)) throw new Error(`${path} is not there: build first`);
    const parsed = parseFile(readFileSync(file, 'utf8'));
    this.#files.set(path, parsed);
    return parsed;
  }

  #need(path, name) {
    const names = this.#needed.get(path) ?? new Set();
    if (names.has(name)) return;
    this.#needed.set(path, names.add(name));
    const { imports, declarations } = this.#file(path);
    for (const word of this.#wordsOf(path, name)) {
      if (declarations.has(word)) this.#need(path, word);
      const imported = imports.get(word);
      if (imported === undefined || this.#isUsers(imported.specifier)) continue;
      const found = this.#declared(path, imported.specifier, imported.there);
      this.#need(found.path, found.name);
    }
  }

  #declarationOf(path, name) {
    const text = this.#file(path).declarations.get(name);
    if (text === undefined) throw new Error(`${path} declares no ${name}`);
    const isClosed = this.#closed.has(`${path} ${name}`) && /^export declare class/m.test(text);
    const seen = text.replace(OUR_MEMBERS, '');
    return isClosed ? seen.replace(/^ {4}constructor\([\s\S]*?\);\n/m, '    private constructor();\n') : seen;
  }

  #wordsOf(path, name) {
    const code = this.#declarationOf(path, name).replace(COMMENT, '');
    if (/\bimport\(/.test(code)) throw new Error(`${path}: ${name} imports a type within a type; name it in an import`);
    return new Set(code.replace(STRING, '').match(/\w+/g));
  }

  #textOf(path, names) {
    const { imports, declarations } = this.#file(path);
    const words = new Set([...names].flatMap((name) => [...this.#wordsOf(path, name)]));
    const lines = [...imports]
      .filter(([here]) => words.has(here))
      .map(([here, { there, specifier, isType }]) => {
        const isOurs = !this.#isUsers(specifier);
        const { path: from, name } = isOurs ? this.#declared(path, specifier, there) : { path: '', name: there };
        const target = isOurs ? specifierOf(path, from) : specifier;
        return `import ${isType ? 'type ' : ''}{ ${name === here ? here : `${name} as ${here}`} } from '${target}';\n`;
      });
    const texts = [...declarations.keys()]
      .filter((name) => names.has(name))
      .map((name) => this.#declarationOf(path, name));
    const whole = [...lines, ...texts].join('');
    return /\bSymbol\.(?:asyncD|d)ispose\b|\b(?:Async)?Disposable\b/.test(whole) ? DISPOSABLE + whole : whole;
  }

  /** The file and name that declare what another file imports. */
  #declared(path, specifier, name) {
    const target = this.#targetOf(path, specifier);
    const passed = this.#file(target).exports.get(name);
    return passed === undefined ? { path: target, name } : this.#declared(target, passed.specifier, passed.there);
  }

  #targetOf(path, specifier) {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier.replace(/\.(?:ts|js)$/, '.d.ts'));
    const room = /^@shoal\/([\w-]+)$/.exec(specifier)?.[1];
    if (room === undefined)
      throw new Error(`${path}: types that users see mention [${specifier}], which they do not have`);
    return `${room}/dist/index.d.ts`;
  }
}

/** `testing/dist/a/b.d.ts` → `testing/a/b.d.ts` */
function outputOf(path) {
  return path.replace('/dist/', '/');
}

function specifierOf(from, to) {
  const path = posix.relative(posix.dirname(outputOf(from)), outputOf(to)).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}
