/**
 * Answers transport clients: whole requests, which this node coordinates, and the addresses of the cluster's nodes.
 */

import { CancelSource } from '@shoal/core';
import type { HttpHandler } from '@shoal/http';
import type { ClusterService } from '@shoal/membership';
import { CLIENT_EXECUTE, CLIENT_NODES, isRead } from '@shoal/protocol';
import { executeClientRequest } from '@shoal/rest';
import { handleWith } from '@shoal/transport';

export function registerClientHandlers(cluster: ClusterService, handler: HttpHandler): void {
  handleWith(cluster.transport, CLIENT_EXECUTE, (request, inbound) =>
    // A write goes on when its sender is gone: nobody could know how far it came.
    executeClientRequest(handler, request, isRead(request.operation) ? inbound.signal : new CancelSource().flag),
  );
  handleWith(cluster.transport, CLIENT_NODES, ({ onlyData }) => ({
    nodes: [...cluster.state().nodes.values()]
      .filter((node) => node.address.port > 0 && (!onlyData || node.roles.includes('data')))
      .map((node) => ({ nodeId: node.id, host: node.address.host, port: node.address.port })),
  }));
}
