/**
 * Imports between the files of each package as a graph, types included, and the circles in it.
 */
import { dirname, join } from 'node:path';
import type { SourceFile } from './source-tree.test-support.ts';

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Import between two files of one package. */
interface Edge {
  readonly from: string;
  readonly to: string;
}

const RELATIVE_IMPORT = /(?:from|import|import\()\s*'(\.[^']+)'/g;

export function edgesInside(files: readonly SourceFile[]): readonly Edge[] {
  const known = new Set(files.map((file) => file.path));
  return files.flatMap((file) =>
    [...file.code.matchAll(RELATIVE_IMPORT)]
      .map((match) => ({ from: file.path, to: join(dirname(file.path), match[1] ?? '') }))
      .filter(({ from, to }) => from !== to && known.has(to)),
  );
}

/** Folder of a file below `src`, such as `match/scorers`; empty for files of `src` itself. */
export function folderOf(path: string): string {
  return dirname(path).replace(/^packages\/[^/]+\/src\/?/, '');
}

/** First folder below `src`; empty for files of `src` itself. */
export function topFolderOf(path: string): string {
  return folderOf(path).split('/')[0] ?? '';
}

/** Graph of what `nameOf` makes of each file; edges inside one node are left out. */
export function graphOf(edges: readonly Edge[], nameOf: (path: string) => string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [a, b] = [nameOf(from), nameOf(to)];
    if (a === b) continue;
    graph.set(a, (graph.get(a) ?? new Set()).add(b));
  }
  return graph;
}

/** One closed path for each first node from which one is reached: `a -> b -> a`. Empty: no circles. */
export function circlesIn(graph: Graph): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      circles.push([...path.slice(at), node].join(' -> '));
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}
