/**
 * The project's own sources as data, read once for the house rules.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root, such as `packages/core/src/assert.ts`. */
  readonly path: string;
  /** Room of a file under packages/, else null. */
  readonly room: string | null;
  readonly isTest: boolean;
  readonly text: string;
  /** Text with comments and the insides of strings blanked, line breaks kept. */
  readonly code: string;
}

/** Files that git knows or would add: what a commit holds. */
export function projectFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
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
