/**
 * Lists of a component that stand in a file: `stopwords_path` instead of `stopwords`, one entry a line.
 *
 * Files lie below the configuration folder of each node that makes the component, and are read when it is made.
 */
import { type ConfigFile, type ConfigFiles, illegalArgument, type ShoalError } from '@shoal/core';
import type { ComponentOptions } from './component-options.ts';

/** What counts where a list is given both ways. */
type Both = 'file' | 'list' | 'refused';

interface ListOption {
  readonly both: Both;
  /** Lines are read as they are by what reads the rules, comments and all. */
  readonly isWhole?: boolean;
}

/** Options that are lists and may stand in files, whatever component has them. */
const LISTS: ReadonlyMap<string, ListOption> = new Map<string, ListOption>([
  ['articles', { both: 'list' }],
  ['common_words', { both: 'list' }],
  ['keep_words', { both: 'refused' }],
  ['keywords', { both: 'file' }],
  ['mappings', { both: 'file' }],
  ['protected_words', { both: 'file' }],
  ['rules', { both: 'file' }],
  ['stopwords', { both: 'list' }],
  ['synonyms', { both: 'file', isWhole: true }],
  ['type_table', { both: 'file' }],
  ['word_list', { both: 'file' }],
]);

/** Largest file of a list. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;

/** What list files are read for. */
interface ListReader {
  /** Options that the component reads: files of other lists are left alone. */
  readonly options: readonly string[];
}

/**
 * The declared options with the lists of all files that they name in the place of those names.
 *
 * @throws ShoalError illegal_argument_exception for a file that cannot be read, or is no text
 */
export function withListFiles(
  declared: ComponentOptions,
  { options }: ListReader,
  files: ConfigFiles,
): ComponentOptions {
  let filled = declared;
  for (const [option, list] of LISTS) {
    if (!options.includes(option)) continue;
    const path = declared[pathOption(option)];
    if (path !== undefined) filled = withListFile(filled, option, list, () => linesOf(files, option, path, list));
  }
  return filled;
}

function withListFile(
  options: ComponentOptions,
  option: string,
  { both }: ListOption,
  lines: () => readonly string[],
): ComponentOptions {
  const isOfList = (key: string): boolean => key === option || (key.startsWith(`${option}.`) && /\.\d+$/.test(key));
  const hasList = Object.keys(options).some(isOfList);
  if (hasList && both === 'refused') {
    throw illegalArgument(
      `${option.split('_')[0]} requires either \`${option}\` or \`${pathOption(option)}\` to be configured`,
    );
  }
  if (hasList && both === 'list') return options;
  const others = Object.entries(options).filter(([key]) => !isOfList(key));
  const entries = lines().map((line, i): [string, string] => [`${option}.${i}`, line]);
  // An empty text is a list without entries.
  return Object.fromEntries([...others, ...(entries.length === 0 ? [[option, '']] : entries)]);
}

function linesOf(files: ConfigFiles, option: string, path: string, { isWhole = false }: ListOption): readonly string[] {
  const setting = isWhole ? `${pathOption(option)}_path` : pathOption(option);
  const file = files.read(path, FILE_BYTES_MAX);
  if (file.kind !== 'read') throw unreadable(file, setting);
  const lines = textOf(file, setting).split(/\r\n|\n|\r/);
  if (isWhole) return lines;
  return lines.filter((line) => !line.startsWith('#') && line.trim() !== '').map((line) => line.trim());
}

function textOf({ bytes, path }: Extract<ConfigFile, { kind: 'read' }>, setting: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The one failure of the decoder: bytes that are no UTF-8.
    throw illegalArgument(
      `Unsupported character encoding detected while reading ${setting}: ${path} - files must be UTF-8 encoded`,
    );
  }
}

function unreadable({ kind, path }: Exclude<ConfigFile, { kind: 'read' }>, setting: string): ShoalError {
  switch (kind) {
    case 'outside':
      return illegalArgument(`Access denied trying to read file ${setting}: ${path}`);
    case 'tooLarge':
      return illegalArgument(`file of ${setting} is larger than [${FILE_BYTES_MAX}] bytes: ${path}`);
    default:
      return illegalArgument(`IOException while reading ${setting}: ${path}`);
  }
}

function pathOption(option: string): string {
  return `${option}_path`;
}
