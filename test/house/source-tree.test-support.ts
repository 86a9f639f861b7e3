/**
 * The project's own sources as data, read once for the house rules.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root, such as `packages/core/src/errors/assert.ts`. */
  readonly path: string;
  /** Room of a file under packages/, else null. */
  readonly room: string | null;
  readonly isTest: boolean;
  readonly text: string;
  /** Text with comments and the insides of strings blanked, line breaks kept. */
  readonly code: string;
}

/** Folders that are made, not written. */
const MADE = new Set(['node_modules', 'dist', '.git', 'data', 'coverage', '.shoal']);

/** Files of the project: what git knows or would add or, on a machine without git, all but what is made. */
export function projectFiles(): readonly string[] {
  const listed = listByGit() ?? listByWalk('');
  return listed.filter((path) => path !== '' && existsSync(join(root, path)));
}

function listByGit(): readonly string[] | null {
  const { status, stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.split('\n') : null;
}

function listByWalk(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return MADE.has(entry.name) ? [] : listByWalk(path);
    return [path];
  });
}

export function sourceFiles(): readonly SourceFile[] {
  return projectFiles()
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/') && !path.includes('/fixtures/'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {
        path,
        room: /^packages\/([^/]+)\//.exec(path)?.[1] ?? null,
        isTest: /\.test\.ts$|\.test-support\.ts$|^test\//.test(path),
        text,
        code: blankStringsAndComments(text),
      };
    });
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`/g;

/** Import paths stay: the layer rule reads them. So does the code inside template strings: it is code. */
function blankStringsAndComments(text: string): string {
  return text.replace(TOKEN, (token, offset: number) => {
    const before = text.slice(Math.max(0, offset - 12), offset);
    if (/(from|import|import\()\s*$/.test(before) || token.startsWith('`')) return token;
    return token.replace(/[^\n]/g, ' ');
  });
}

/** Text with comments blanked and strings kept. */
export function withoutComments(text: string): string {
  return text.replace(TOKEN, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token));
}

export interface CommentStart {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** First lines of all comments; consecutive `//` lines are one comment. */
export function commentStarts(text: string): readonly CommentStart[] {
  const starts: CommentStart[] = [];
  let lastLineComment = -1;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const line = text.slice(0, match.index).split('\n').length;
    if (token.startsWith('//')) {
      const isOwnLine = /(?:^|\n)[ \t]*$/.test(text.slice(0, match.index));
      if (!isOwnLine || lastLineComment !== line - 1) starts.push({ line, text: token.slice(2).trim() });
      lastLineComment = isOwnLine ? line : -1;
    } else if (token.startsWith('/*')) {
      starts.push({ line, text: token.replace(/^\/\*+\s*(?:\*\s*)?/, '') });
    }
  }
  return starts;
}
