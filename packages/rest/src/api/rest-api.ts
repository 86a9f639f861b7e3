/**
 * Declaration of one API of the HTTP port: its routes, parameters and body, the privilege that it takes, its task, and its
 * function. Everything that is known of an API (its documentation, its task, its checks) is derived from here.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest, Route } from '@shoal/http';

/** Action that a caller needs the privilege for, under Elasticsearch's name for it. */
export type ActionName =
  | `cluster:${'admin' | 'monitor'}/${string}`
  | `indices:${'admin' | 'monitor' | 'data/read' | 'data/write'}/${string}`;

/** Task that runs around each request of an API. */
export interface ApiTask {
  /** Name under which `_tasks` lists it. */
  readonly action: ActionName;
  /** A cancellable task stops its work when it is cancelled, and is cancelled when its client goes away. */
  readonly isCancellable: boolean;
  /** A client that goes away does not cancel it: half of its work done would be worse than all. Default: false. */
  readonly outlivesClient?: boolean;
  /** Description of a request in `_tasks?detailed`. Default: empty. */
  readonly describe?: (request: HttpRequest) => string;
}

export interface RestApi extends Route<CoordinatorContext> {
  /** Name under which `_nodes/usage` counts its requests; several APIs may share one, as the methods of a path do in Elasticsearch. */
  readonly usageName: string;
  readonly privilege: ActionName;
  /** null: requests are too short, or change only the cluster state, and are not listed by `_tasks`. */
  readonly task: ApiTask | null;
}
