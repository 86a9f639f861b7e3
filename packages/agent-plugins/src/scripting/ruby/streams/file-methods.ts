/**
 * `File`, `Dir` and `IO`, as far as they name and read files, and `StringIO`. Scripts write no files.
 */
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { option, textArgument } from '../arguments/arguments.ts';
import { bytesOf, ofBytes, textOfBytes } from '../text/string-bytes.ts';
import { argumentError, exception } from '../values/ruby-exception.ts';
import { FILE, IO, RubyReader, STRING_IO } from '../values/ruby-reader.ts';
import { RubyTime } from '../values/ruby-time.ts';
import {
  type Machine,
  type Method,
  type Methods,
  type RubyClass,
  RubyHash,
  type RubyProc,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';

/** Larger files are no tables for a script. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

function systemError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return exception('Errno::ENOENT', `No such file or directory @ rb_sysopen - ${path}`);
  if (code === 'EACCES') return exception('Errno::EACCES', `Permission denied @ rb_sysopen - ${path}`);
  if (code === 'EISDIR') return exception('Errno::EISDIR', `Is a directory @ io_fread - ${path}`);
  return error instanceof Error ? exception('IOError', error.message) : error;
}

/** Contents of a file as UTF-8, or as they are. */
export function fileContents(machine: Machine, path: string, isBinary = false): RubyString {
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) throw exception('IOError', `${path} has ${size} bytes, more than ${FILE_BYTES_MAX}`);
    machine.grow(size);
    const bytes = readFileSync(path);
    return isBinary ? ofBytes(bytes) : str(textOfBytes(bytes));
  } catch (error) {
    throw systemError(error, path);
  }
}

/** Lines with their ends, or without. */
function linesOf(text: string, chomps: boolean): RubyString[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line) => str(chomps ? line.replace(/\r?\n$/, '') : line));
}

const READING = /^(?:r|rt|rb)(?::|$)/;

function modeOf(args: readonly Value[]): string {
  const given = args[1] instanceof RubyString ? args[1] : option(args, 'mode');
  const mode = given instanceof RubyString ? given.text : 'r';
  if (!READING.test(mode))
    throw exception('NotImplementedError', `files are only read here, not opened with "${mode}"`);
  return mode;
}

const open: Method = (machine, _self, args, block) => {
  const contents = fileContents(machine, textArgument(args[0]), modeOf(args).startsWith('rb'));
  const reader = new RubyReader(contents, FILE);
  return block === null ? reader : block.run([reader], null);
};

const WHOLE: Methods<RubyClass> = {
  read: (machine, _self, args) => fileContents(machine, textArgument(args[0])),
  binread: (machine, _self, args) => fileContents(machine, textArgument(args[0]), true),
  readlines: (machine, _self, args) =>
    linesOf(fileContents(machine, textArgument(args[0])).text, option(args, 'chomp') === true),
  foreach: (machine, _self, args, block) => {
    const lines = linesOf(fileContents(machine, textArgument(args[0])).text, option(args, 'chomp') === true);
    if (block === null) return lines;
    for (const line of lines) {
      machine.step();
      block.run([line], null);
    }
    return null;
  },
  open: (machine, self, args, block) => open(machine, self, args, block),
  new: (machine, self, args) => open(machine, self, args, null),
};

/** An extension is no name of its own: `.profile` has none. */
function extension(path: string): string {
  return /^.*[^.](\.[^.]*)$/s.exec(path.replace(/\/+$/, '').split('/').at(-1) ?? '')?.[1] ?? '';
}

function nameOf(path: string, suffix: string | null): string {
  const name = basename(path) === '' && path !== '' ? '/' : basename(path);
  if (suffix === '.*') return extension(name) === '' ? name : name.slice(0, -extension(name).length);
  return suffix !== null && suffix !== '' && name.endsWith(suffix) && name !== suffix
    ? name.slice(0, -suffix.length)
    : name;
}

/** Parts of a path, lists of them too, with one slash between two. */
function joined(parts: readonly Value[]): string {
  const texts = parts.flatMap((part) => (Array.isArray(part) ? [joined(part)] : [textArgument(part)]));
  return texts.reduce(
    (path, part, index) => (index === 0 ? part : `${path.replace(/\/+$/, '')}/${part.replace(/^\/+/, '')}`),
    '',
  );
}

const folderOf = (path: string): string => (path === '' ? '.' : dirname(path));

const expanded: Method = (_machine, _self, [path, base]) => {
  const given = textArgument(path);
  if (given.startsWith('~')) throw argumentError(`non-absolute home: ${given}`);
  return str(base === undefined || base === null ? resolve(given) : resolve(textArgument(base), given));
};

const PATHS: Methods<RubyClass> = {
  basename: (_machine, _self, [path, suffix]) =>
    str(nameOf(textArgument(path), suffix === undefined ? null : textArgument(suffix))),
  extname: (_machine, _self, [path]) => str(extension(textArgument(path))),
  dirname: (_machine, _self, [path]) => str(folderOf(textArgument(path))),
  split: (_machine, _self, [path]) => [str(folderOf(textArgument(path))), str(nameOf(textArgument(path), null))],
  join: (_machine, _self, parts) => str(joined(parts)),
  expand_path: expanded,
  absolute_path: expanded,
  'absolute_path?': (_machine, _self, [path]) => isAbsolute(textArgument(path)),
};

/** null for what is not there. */
function statOf(path: Value | undefined): Stats | null {
  return statSync(textArgument(path), { throwIfNoEntry: false }) ?? null;
}

function statOrRaise(path: Value | undefined): Stats {
  const found = statOf(path);
  if (found === null)
    throw exception('Errno::ENOENT', `No such file or directory @ rb_file_s_stat - ${textArgument(path)}`);
  return found;
}

const ASKING: Methods<RubyClass> = {
  'exist?': (_machine, _self, [path]) => existsSync(textArgument(path)),
  'exists?': (_machine, _self, [path]) => existsSync(textArgument(path)),
  'file?': (_machine, _self, [path]) => statOf(path)?.isFile() ?? false,
  'directory?': (_machine, _self, [path]) => statOf(path)?.isDirectory() ?? false,
  'readable?': (_machine, _self, [path]) => statOf(path) !== null,
  'zero?': (_machine, _self, [path]) => statOf(path)?.size === 0,
  size: (_machine, _self, [path]) => statOrRaise(path).size,
  mtime: (_machine, _self, [path]) => RubyTime.ofSeconds(statOrRaise(path).mtimeMs / 1000, 'local'),
};

function eachLine(machine: Machine, self: RubyReader, args: readonly Value[], block: RubyProc | null): Value {
  const lines = linesOf(self.rest(), option(args, 'chomp') === true);
  if (block === null) return lines;
  for (const line of lines) {
    machine.step();
    block.run([line], null);
  }
  return self;
}

const gets: Methods<RubyReader>[string] = (_machine, self, args) => {
  const line = self.line();
  return line === null ? null : (linesOf(line, option(args, 'chomp') === true)[0] ?? str(''));
};

const written: Methods<RubyReader>[string] = (_machine, self, texts) => {
  if (self.rubyClass !== STRING_IO) throw exception('IOError', 'not opened for writing');
  for (const text of texts) self.append(text instanceof RubyString ? text.text : textArgument(text));
  return self;
};

const READERS: Methods<RubyReader> = {
  read: (_machine, self) => self.string(self.rest()),
  gets,
  readline: (machine, self, args, block) => {
    const line = gets(machine, self, args, block);
    if (line === null) throw exception('EOFError', 'end of file reached');
    return line;
  },
  readlines: (_machine, self, args) => linesOf(self.rest(), option(args, 'chomp') === true),
  each_line: eachLine,
  each: eachLine,
  'eof?': (_machine, self) => self.isAtEnd,
  rewind: (_machine, self) => {
    self.rewind();
    return 0;
  },
  close: () => null,
  string: (_machine, self) => self.string(self.text),
  write: (machine, self, texts, block) => {
    written(machine, self, texts, block);
    return texts.reduce<number>((sum, text) => sum + bytesOf(text instanceof RubyString ? text : str('')).length, 0);
  },
  '<<': written,
  print: (machine, self, texts, block) => {
    written(machine, self, texts, block);
    return null;
  },
  puts: (machine, self, texts, block) => {
    for (const text of texts) {
      const line = textArgument(text);
      written(machine, self, [str(line.endsWith('\n') ? line : `${line}\n`)], block);
    }
    return null;
  },
};

export function defineFiles(): void {
  IO.define(READERS);
  IO.defineOnClass(WHOLE);
  FILE.defineOnClass({ ...PATHS, ...ASKING });
  STRING_IO.define(READERS);
  STRING_IO.defineOnClass({
    new: (_machine, _self, [text]) =>
      new RubyReader(
        text === undefined || text instanceof RubyHash
          ? str('')
          : new RubyString(textArgument(text), text instanceof RubyString && text.isBinary),
        STRING_IO,
      ),
  });
}
