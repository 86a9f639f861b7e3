/**
 * Which requests are answered without the framework around the routes: those of routes that the table marks as hot.
 *
 * It chooses a door and nothing else. Behind either door the same handler finds the route in the same table, so that a
 * wrong choice here could cost time and never change an answer.
 */
import { pathSegments } from './request-target.ts';
import type { Route } from './route.ts';
import { RouteTable } from './route-table.ts';

/** Told the method and the target of a request as they were sent. */
export type DirectDoor = (method: string, target: string) => boolean;

export function directDoor<Context>(routes: readonly Route<Context>[]): DirectDoor {
  const table = new RouteTable(routes);
  return (method, target) => {
    const segments = pathSegments(target);
    // What cannot be read is refused behind the slow door, with the same words.
    return segments !== null && table.match(method, segments)?.route.isHot === true;
  };
}
