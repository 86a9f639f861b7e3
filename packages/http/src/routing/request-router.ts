/**
 * Reads the line of a request and finds its route: once, for the server that chooses a way through the framework and for the
 * handler that answers.
 */
import { isShoalError, type ShoalError } from '@shoal/core';
import { BODY_PARAMETERS, COMMON_PARAMETERS, type ParameterDeclarations } from '../parameters/parameter-declaration.ts';
import { parseRequestTarget, type RequestTarget } from './request-target.ts';
import type { Route } from './route.ts';
import { RouteTable, templateName } from './route-table.ts';

/** Request line with its route. */
export type RoutedLine<Context> =
  /** A target that cannot be read. */
  | { readonly kind: 'malformed'; readonly error: ShoalError }
  /** No route; `allowed` are the methods that its path has. */
  | { readonly kind: 'unknown'; readonly target: RequestTarget; readonly allowed: readonly string[] }
  | {
      readonly kind: 'found';
      readonly target: RequestTarget;
      readonly route: Route<Context>;
      readonly pathParams: ReadonlyMap<string, string>;
      /** Every parameter that the route takes. */
      readonly declared: ParameterDeclarations;
    };

export class RequestRouter<Context> {
  readonly #table: RouteTable<Context>;
  /** Declarations of the routes asked for so far: merging those of all routes would cost every start more than it saves. */
  readonly #declarations = new Map<Route<Context>, ParameterDeclarations>();

  constructor(routes: readonly Route<Context>[]) {
    this.#table = new RouteTable(routes);
  }

  /** Never throws for what a client sends. */
  route(method: string, target: string): RoutedLine<Context> {
    const read = readTarget(target);
    if (isShoalError(read)) return { kind: 'malformed', error: read };
    const match = this.#table.match(method, read.segments);
    if (match === null) return { kind: 'unknown', target: read, allowed: this.#table.methodsOf(read.segments) };
    const { route, pathParams } = match;
    return { kind: 'found', target: read, route, pathParams, declared: this.#declared(route) };
  }

  #declared(route: Route<Context>): ParameterDeclarations {
    const known = this.#declarations.get(route);
    if (known !== undefined) return known;
    const declared = declaredParameters(route);
    this.#declarations.set(route, declared);
    return declared;
  }
}

function readTarget(target: string): RequestTarget | ShoalError {
  try {
    return parseRequestTarget(target);
  } catch (error) {
    if (isShoalError(error)) return error;
    throw error;
  }
}

function declaredParameters<Context>(route: Route<Context>): ParameterDeclarations {
  const fromPath: Record<string, 'string'> = {};
  for (const path of route.paths) {
    for (const segment of path.split('/')) {
      const name = templateName(segment);
      if (name !== null) fromPath[name] = 'string';
    }
  }
  const ofBody = (route.body ?? 'none') === 'none' ? {} : BODY_PARAMETERS;
  return { ...COMMON_PARAMETERS, ...ofBody, ...fromPath, ...route.params };
}
