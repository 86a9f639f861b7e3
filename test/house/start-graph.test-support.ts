/**
 * Files that are loaded when one of ours is, as the joined files of a build are: through the index of a package only what is imported from it by name,
 * and nothing that is imported as a type, or by `import()` when it is needed.
 */
import { dirname, join } from 'node:path';
import type { SourceFile } from './source-tree.test-support.ts';

const STATEMENT = /^(?:import|export) (?!type )(?:(\{[^}]*\}|[^'"{};]+) from )?'([^']+)';/gm;

interface Import {
  /** Names asked for; empty for all. */
  readonly names: readonly string[];
  readonly from: string;
}

export class StartGraph {
  readonly #files: ReadonlyMap<string, SourceFile>;
  readonly #exports = new Map<string, ReadonlyMap<string, string>>();

  constructor(files: readonly SourceFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /** What is loaded with a file, itself included: paths of ours, names of libraries; each with the file that imports it first. */
  loadedWith(start: string): ReadonlyMap<string, string> {
    const loaded = new Map([[start, '']]);
    for (const path of loaded.keys()) {
      for (const next of this.#importedBy(path)) if (!loaded.has(next)) loaded.set(next, path);
    }
    return loaded;
  }

  #importedBy(path: string): readonly string[] {
    const file = this.#files.get(path);
    if (file === undefined) return [];
    return importsIn(file).flatMap(({ names, from }) => {
      if (from.startsWith('.')) return [join(dirname(path), from)];
      const room = /^@shoal\/(.+)$/.exec(from)?.[1];
      if (room === undefined) return [from];
      return names.flatMap((name) => this.#exportsOf(room).get(name) ?? []);
    });
  }

  #exportsOf(room: string): ReadonlyMap<string, string> {
    const known = this.#exports.get(room);
    if (known !== undefined) return known;
    const index = `packages/${room}/src/index.ts`;
    const file = this.#files.get(index);
    const made = new Map(
      (file === undefined ? [] : importsIn(file)).flatMap(({ names, from }) =>
        names.map((name): [string, string] => [name, join(dirname(index), from)]),
      ),
    );
    this.#exports.set(room, made);
    return made;
  }
}

function importsIn(file: SourceFile): readonly Import[] {
  return [...file.code.matchAll(STATEMENT)].flatMap(([, what = '', from = '']): Import[] => {
    if (!what.startsWith('{')) return [{ names: [], from }];
    const names = what
      .slice(1, -1)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? name);
    return names.length === 0 ? [] : [{ names, from }];
  });
}
