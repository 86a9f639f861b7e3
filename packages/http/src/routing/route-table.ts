/**
 * Finds the route of a request. Literal segments win over templates, segment by segment from the left, and a route that
 * matches the path but not the method gives way to a less literal one that has it: so `PUT /_search` is an attempt to
 * create an index of that name, as in Elasticsearch.
 */
import { assert } from '@shoal/core';
import type { Route } from './route.ts';

export interface FoundRoute<Context> {
  readonly route: Route<Context>;
  readonly pathParams: ReadonlyMap<string, string>;
}

/** Order in which methods are listed in `Allow`. */
const METHOD_ORDER: readonly string[] = ['GET', 'DELETE', 'HEAD', 'POST', 'PUT', 'PATCH'];

interface Leaf<Context> {
  readonly route: Route<Context>;
  /** Names of the template segments, from the left. */
  readonly names: readonly string[];
}

interface TreeNode<Context> {
  readonly literals: Map<string, TreeNode<Context>>;
  template: TreeNode<Context> | null;
  readonly byMethod: Map<string, Leaf<Context>>;
}

interface Candidate<Context> {
  readonly node: TreeNode<Context>;
  readonly values: readonly string[];
}

export class RouteTable<Context> {
  readonly #root: TreeNode<Context> = emptyNode();

  /** Asserts that no two routes have the same method and path. */
  constructor(routes: readonly Route<Context>[]) {
    for (const route of routes) {
      for (const path of route.paths) this.#add(route, path);
    }
  }

  /** The route of a request; null when there is none for the path and the method together. */
  match(method: string, segments: readonly string[]): FoundRoute<Context> | null {
    for (const { node, values } of this.#candidates(segments)) {
      const leaf = node.byMethod.get(method);
      if (leaf === undefined || !takes(leaf, values)) continue;
      return { route: leaf.route, pathParams: named(leaf.names, values) };
    }
    return null;
  }

  /** Methods that the path has, in the order of `Allow`; empty when there is no such path. */
  methodsOf(segments: readonly string[]): readonly string[] {
    const known = this.#candidates(segments).flatMap(({ node, values }) =>
      [...node.byMethod].filter(([, leaf]) => takes(leaf, values)).map(([name]) => name),
    );
    return METHOD_ORDER.filter((name) => known.includes(name));
  }

  #candidates(segments: readonly string[]): readonly Candidate<Context>[] {
    const candidates: Candidate<Context>[] = [];
    collect(this.#root, segments, 0, [], candidates);
    return candidates;
  }

  #add(route: Route<Context>, path: string): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of path.split('/').filter((part) => part !== '')) {
      const name = templateName(segment);
      if (name !== null) names.push(name);
      node = name === null ? literalChild(node, segment) : templateChild(node);
    }
    for (const method of route.methods) {
      assert(!node.byMethod.has(method), `two routes for ${method} ${path}`);
      node.byMethod.set(method, { route, names });
    }
  }
}

function takes<Context>({ route }: Leaf<Context>, values: readonly string[]): boolean {
  const { except } = route;
  return except === undefined || !values.some((value) => except.includes(value));
}

function named(names: readonly string[], values: readonly string[]): ReadonlyMap<string, string> {
  assert(names.length === values.length, `${values.length} values for the names [${names.join(', ')}]`);
  const params = new Map<string, string>();
  for (const [i, name] of names.entries()) params.set(name, values[i] ?? '');
  return params;
}

/** The name in `{name}`; null for a literal segment. */
export function templateName(segment: string): string | null {
  return segment.startsWith('{') && segment.endsWith('}') ? segment.slice(1, -1) : null;
}

/** All nodes with routes that the segments lead to, the most literal first. Depth and width are bounded by the table. */
function collect<Context>(
  node: TreeNode<Context>,
  segments: readonly string[],
  at: number,
  values: readonly string[],
  out: Candidate<Context>[],
): void {
  const segment = segments[at];
  if (segment === undefined) {
    if (node.byMethod.size > 0) out.push({ node, values });
    return;
  }
  const literal = node.literals.get(segment);
  if (literal !== undefined) collect(literal, segments, at + 1, values, out);
  if (node.template !== null) collect(node.template, segments, at + 1, [...values, segment], out);
}

function emptyNode<Context>(): TreeNode<Context> {
  return { literals: new Map(), template: null, byMethod: new Map() };
}

function literalChild<Context>(node: TreeNode<Context>, segment: string): TreeNode<Context> {
  const child = node.literals.get(segment) ?? emptyNode<Context>();
  node.literals.set(segment, child);
  return child;
}

function templateChild<Context>(node: TreeNode<Context>): TreeNode<Context> {
  node.template ??= emptyNode<Context>();
  return node.template;
}
