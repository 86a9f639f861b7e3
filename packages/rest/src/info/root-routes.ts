/**
 * `GET /`: answers whatever the cluster's state, so that one can always ask a node who it is.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import { type Route, valueResponse } from '@shoal/http';
import { rootBody } from './root-body.ts';

export const rootRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET', 'HEAD'],
    paths: ['/'],
    prettyByDefault: true,
    handler: async (_request, { cluster }) => valueResponse(rootBody(cluster.localNode.name, cluster.state())),
  },
];
