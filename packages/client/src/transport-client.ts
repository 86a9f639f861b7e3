/**
 * A client that joins nothing: it keeps connections to some nodes of a cluster and has one of them coordinate each request.
 */
import type { ClientRequest, ClientResponse } from '@shoal/protocol';
import type { NodeConnections, TransportClientOptions } from './node-connections.ts';
import { TypedClient } from './typed-client.ts';

export class TransportClient extends TypedClient {
  readonly #connections: NodeConnections;

  private constructor(connections: NodeConnections) {
    super();
    this.#connections = connections;
  }

  /** Resolves when each address was tried once. Nodes that do not answer yet are tried again every few seconds. */
  static async start(options: TransportClientOptions): Promise<TransportClient> {
    const { NodeConnections } = await import('./node-connections.ts');
    return new TransportClient(await NodeConnections.start(options));
  }

  /** Addresses of the nodes that are connected at the moment. */
  connectedNodes(): readonly string[] {
    return this.#connections.connectedNodes();
  }

  override close(): Promise<void> {
    return this.#connections.close();
  }

  protected override execute(request: ClientRequest): Promise<ClientResponse> {
    return this.#connections.execute(request);
  }
}
